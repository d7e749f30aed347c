import Testing

@testable import AuthCore

@Suite struct `Unrevoked sessions` {
    private let folder: StoreFolder
    private let now: Int64 = 1_795_248_000
    private static let day: Int64 = 86400

    init() throws { folder = try StoreFolder() }

    private func session(access: String? = "a", expires: Int64? = nil, refresh: String? = nil) -> Session {
        Session(
            Grant(
                providerID: "oidc.a", issuer: "https://a.example", clientID: "c",
                tokens: Tokens(
                    accessToken: access.map { AccessToken($0) }, expiresAt: expires,
                    refreshToken: refresh.map { RefreshToken($0) }, idToken: RawIDToken("id"), scopes: ["x"],
                    tokenOrigin: "https://a.example"),
                subject: "s", nonce: Nonce("n"), lastProvenAt: 0, source: .browser), of: "uid")
    }

    @Test func `Revocation is retried while a token is valid, for at most 60 days`() {
        func lifetime(_ session: Session) -> Int64? { UnrevokedSession.end(of: session, now: now).map { $0 - now } }
        #expect(lifetime(session(expires: now + 100)) == 100)
        #expect(lifetime(session(expires: now)) == nil)
        #expect(lifetime(session()) == 30 * Self.day)
        #expect(lifetime(session(expires: now + 100, refresh: "r")) == 30 * Self.day)
        #expect(lifetime(session(expires: now + 90 * Self.day)) == 60 * Self.day)
        #expect(lifetime(session(access: nil)) == nil)
    }

    @Test func `An unrevoked session has only the tokens to revoke, for one profile and directory`() async throws {
        let store = try folder.store()
        _ = try await store.sealer(creating: true)
        let sessionStore = SessionStore(store: store, profile: "default")
        let stored = try #require(try await sessionStore.unrevoked(session(refresh: "r"), now: now))
        try await sessionStore.removeSessions([], of: "uid", storing: stored, now: now)
        let pending = try await sessionStore.unrevokedSessions(now: now)
        #expect(pending == [stored.session])
        let found = try #require(try await sessionStore.session(of: stored.session))
        #expect(found.accessToken == AccessToken("a") && found.refreshToken == RefreshToken("r"))
        #expect(found.idToken == nil && found.nonce == nil && found.clientID == "c" && found.scopes == ["x"])
        // Other profiles and directories do not see the unrevoked session.
        let other = sessionStore.withOrigin(.project(id: "p", tenant: nil, emulator: nil))
        #expect(try await other.unrevokedSessions(now: now).isEmpty)
        #expect(try await other.session(of: stored.session) == nil)
        #expect(try await SessionStore(store: store, profile: "work").unrevokedSessions(now: now).isEmpty)
        // The session is ignored after it expires, and if the clock was ahead when it was stored.
        #expect(try await sessionStore.unrevokedSessions(now: now + 30 * Self.day).isEmpty)
        #expect(try await sessionStore.unrevokedSessions(now: now - 31 * Self.day).isEmpty)
        try await sessionStore.removeUnrevoked(stored.session.id)
        #expect(try await sessionStore.session(of: stored.session) == nil)
    }

    @Test func `Only the last 32 unrevoked sessions are stored`() async throws {
        let store = try folder.store()
        _ = try await store.sealer(creating: true)
        let sessionStore = SessionStore(store: store, profile: "default")
        var ids: [String] = []
        for number in 0..<40 {
            let stored = try #require(try await sessionStore.unrevoked(session(), now: now + Int64(number)))
            ids.append(stored.session.id)
            try await sessionStore.removeSessions([], of: "uid", storing: stored, now: now + Int64(number))
        }
        #expect(try await sessionStore.unrevokedSessions(now: now + 40).map(\.id) == Array(ids.suffix(32)))
    }
}
