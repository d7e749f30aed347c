import Testing

@testable import AuthCore

@Suite struct `Session states` {
    private func state(
        _ provider: String = "oidc.a", expiresAt: Int64? = 100, renews: Bool = false, machine: Bool = false,
        locked: Bool = false, now: Int64 = 10, directory: DirectoryOrigin? = .local
    ) -> SessionState {
        SessionSummary(
            accountUID: "uid", providerID: provider, scopes: [],
            validity: TokenValidity(expiresAt: expiresAt, lifetime: nil), hasRefreshToken: renews, isMachine: machine,
            lastProvenAt: 1, source: .browser, directory: directory, binding: .bearer, resource: nil,
            issuer: "https://id.example.com"
        ).state(in: .local, isLocked: locked, now: now)
    }

    @Test func `A session with a valid token is fresh, with or without a refresh token`() {
        #expect(state() == .fresh && state(renews: true) == .fresh && state(expiresAt: nil) == .fresh)
    }

    @Test func `A session with an expired token can be refreshed or requires a sign-in`() {
        #expect(state(renews: true, now: 100) == .renews && state(machine: true, now: 100) == .renews)
        #expect(state(now: 100) == .needsSignIn)
        #expect(state(locked: true, now: 100) == .needsSignIn)
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
        let session = SessionSummary(
            accountUID: "uid", providerID: "oidc.a", scopes: [], validity: TokenValidity(expiresAt: 100, lifetime: nil),
            hasRefreshToken: true, isMachine: false, lastProvenAt: 1, source: .browser, directory: .local,
            binding: .bearer, resource: nil,
            issuer: "https://id.example.com")
        for now in [10, 100] as [Int64] {
            #expect(session.state(in: .local, isLocked: false, isKeyLost: true, now: now) == .unreadable)
        }
    }

    @Test func `A session of another directory requires a sign-in`() {
        #expect(state(directory: nil) == .needsSignIn)
        #expect(state(directory: .project(id: "p", tenant: nil, emulator: nil)) == .needsSignIn)
    }
}
