import Testing

@testable import AuthCore

@Suite struct `Session states` {
    private func session(
        _ provider: String = "oidc.a", expiresAt: Int64? = 100, renews: Bool = false, endsAt: Int64? = nil,
        machine: Bool = false, source: Grant.Source = .browser, directory: DirectoryOrigin? = .local
    ) -> SessionSummary {
        SessionSummary(
            accountUID: "uid", providerID: provider, scopes: [],
            validity: TokenValidity(expiresAt: expiresAt, lifetime: nil), hasRefreshToken: renews,
            refreshTokenExpiresAt: endsAt, isMachine: machine, lastProvenAt: 1, source: source, directory: directory,
            binding: .bearer, resource: nil, issuer: "https://id.example.com")
    }

    private func state(
        _ provider: String = "oidc.a", expiresAt: Int64? = 100, renews: Bool = false, endsAt: Int64? = nil,
        machine: Bool = false, locked: Bool = false, now: Int64 = 10, directory: DirectoryOrigin? = .local
    ) -> SessionState {
        session(
            provider, expiresAt: expiresAt, renews: renews, endsAt: endsAt, machine: machine, directory: directory
        ).state(in: .local, isLocked: locked, now: now)
    }

    @Test func `A session with a valid token is fresh, with or without a refresh token`() {
        #expect(state() == .fresh && state(renews: true) == .fresh && state(expiresAt: nil) == .fresh)
    }

    @Test func `A session with an expired token can be refreshed or requires a sign-in`() {
        #expect(state(renews: true, now: 100) == .renews && state(machine: true, now: 100) == .renews)
        #expect(state(now: 100) == .needsSignIn)
        #expect(state(locked: true, now: 100) == .needsSignIn)
        #expect(state(renews: true, endsAt: 101, now: 100) == .renews, "its refresh token is still valid")
        #expect(state(renews: true, endsAt: 100, now: 100) == .needsSignIn)
    }

    @Test func `A user must act if a session is locked or requires a sign-in`() {
        #expect(SessionState.allCases.filter(\.requiresUser) == [.needsSignIn, .locked])
    }

    @Test func `A session of a password or of a Firebase project has no tokens of a provider`() {
        #expect(session().hasProviderTokens)
        #expect(!session(PasswordProvider.id, source: .password).hasProviderTokens)
        #expect(!session(SessionIssuer.projectID, source: .project).hasProviderTokens)
    }

    @Test func `A session is locked while the vault is locked, except for a password account`() {
        #expect(state(locked: true) == .locked && state(renews: true, locked: true, now: 100) == .locked)
        #expect(state(PasswordProvider.id, expiresAt: nil, locked: true) == .fresh)
    }

    @Test func `A session in its last 60 seconds can be refreshed or requires a sign-in`() {
        #expect(state(now: 39) == .fresh && state(now: 40) == .needsSignIn)
        #expect(state(renews: true, now: 40) == .renews)
    }

    @Test func `A session is unreadable if the encryption key is lost`() {
        for now in [10, 100] as [Int64] {
            #expect(session(renews: true).state(in: .local, isLocked: false, isKeyLost: true, now: now) == .unreadable)
        }
    }

    @Test func `A session of another directory requires a sign-in`() {
        #expect(state(directory: nil) == .needsSignIn)
        #expect(state(directory: .project(id: "p", tenant: nil, emulator: nil)) == .needsSignIn)
    }
}
