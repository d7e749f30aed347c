import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

/// Which session a request means, and whether it has a token.
@Suite struct `The current token` {
    private let run: SignInRun
    private let uid: String
    private var directory: LocalDirectory { run.directory }

    init() async throws {
        run = try SignInRun.good(try TestProvider())
        uid = try await run.run().account.uid
    }

    private func change(_ change: (inout Session) -> Void) async throws {
        var session = try #require(try await directory.sessionStore.session(account: uid, provider: "oidc.test"))
        change(&session)
        #expect(try await directory.sessionStore.replace(session))
    }

    @Test func `A session that cannot be renewed ends in the second in which its token expires`() async throws {
        for (left, isUsable) in [(1, true), (0, false)] as [(Int64, Bool)] {
            try await change { ($0.refreshToken, $0.expiresAt) = (nil, TestProvider.now + left) }
            #expect(try await run.sessionServices().hasSession(CurrentToken.Request()) == isUsable)
        }
    }

    @Test func `An ID token that only a refresh could omit has expired if there is no refresh token`() async throws {
        var request = CurrentToken.Request()
        request.kind = .id
        for (refreshToken, error) in [
            (RefreshToken("r"), NotSignedIn.noIDTokenAtRefresh(provider: "oidc.test")),
            (nil, .expired(provider: "oidc.test")),
        ] {
            try await change {
                ($0.refreshToken, $0.omitsIDToken, $0.idTokenExpiresAt) = (refreshToken, true, TestProvider.now)
            }
            await #expect(throws: error) { try await CurrentToken(try run.sessionServices()).run(request) }
        }
    }

    /// Services without a provider's client, and with a file in the place of the directory for locks.
    private var services: SessionServices {
        SessionServices(
            directory: directory, clock: run.services().clock,
            lockDirectory: ConfigDirectory(path: run.folder.path + "/config/authctl.db"),
            client: { _ in throw CancellationError() })
    }

    @Test func `An expired token that cannot be refreshed is reported without a lock`() async throws {
        try await change { ($0.refreshToken, $0.expiresAt) = (nil, TestProvider.now) }
        await #expect(throws: NotSignedIn.expired(provider: "oidc.test")) {
            try await CurrentToken(services).run(CurrentToken.Request())
        }
    }

    @Test func `A proof for a token without a DPoP key is refused before the provider's client is needed`() async throws
    {
        await #expect(throws: TokenBindingError.notBound(provider: "oidc.test")) {
            try await CurrentToken(services)
                .proof(for: CurrentToken.Request(), method: "GET", url: try HTTPURL("https://a.example/"))
        }
    }

    @Test func `A process that waits for a lock returns the new token, also if the store changes at every step`()
        async throws
    {
        try await change { $0.expiresAt = TestProvider.now }
        let clock = Clock(
            now: { TestProvider.now },
            sleep: { _ in
                let before = directory.sessionStore.store.lastChange()
                repeat {
                    try await change {
                        ($0.accessToken, $0.expiresAt) = (AccessToken("new"), TestProvider.now + 1000)
                    }
                } while directory.sessionStore.store.lastChange() == before
            })
        let locks = ConfigDirectory(path: run.folder.path + "/config")
        let use = CurrentToken(
            SessionServices(
                directory: directory, clock: clock, lockDirectory: locks, client: { _ in throw CancellationError() }))
        let found = try await SessionLock.holding(account: uid, provider: "oidc.test", in: locks, clock: clock) { _ in
            try await use.run(CurrentToken.Request())
        }
        #expect(found.token == .access(AccessToken("new")))
    }

    @Test func `A user name selects only an account with a session of one of these providers`() async throws {
        let choice = SessionChoice(directory: directory)
        #expect(try await choice.account(userName: "Ada@Example.com", with: ["oidc.test"]) == uid)
        #expect(try await choice.account(userName: "ada@example.com", with: ["oidc.other"]) == nil)
        run.provider.claims { $0["nonce"] = nil }
        _ = try await run.run { $0.resource = try? HTTPURL("https://a.example/") }
        try await directory.sessionStore.removeSessions(
            directory.sessionStore.sessions(account: uid).filter { $0.resource == nil }, of: uid, now: TestProvider.now)
        #expect(try await choice.account(userName: "ada@example.com", with: ["oidc.test"]) == nil)
    }
}
