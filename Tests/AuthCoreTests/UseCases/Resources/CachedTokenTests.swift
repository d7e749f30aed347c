import AuthCoreTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// The provider, whose token responses arrive when the test opens the gate.
private struct GatedProvider: HTTPTransport {
    let provider: TestProvider
    let began = AsyncStream<Void>.makeStream()
    let gate = AsyncStream<Void>.makeStream()

    func send(_ request: TransportRequest) async throws(HTTPError) -> TransportResponse {
        let response = try await provider.send(request)
        guard request.url.path == "/token" else { return response }
        began.continuation.yield()
        for await _ in gate.stream { break }
        // As in libcurl's transport.
        if Task.isCancelled { throw .cancelled }
        return response
    }
}

@Suite struct `Tokens in memory` {
    private let run: SignInRun
    private let gated: GatedProvider
    private let profile: Profile
    private let clock = TestClock()

    /// A session whose token has expired.
    init() async throws {
        run = try SignInRun.good(try TestProvider())
        _ = try await run.run()
        run.provider.on("/token") { [provider = run.provider] _ throws(HTTPError) in
            var tokens = provider.tokenResponse()
            (tokens["access_token"], tokens["id_token"]) = ("refreshed-access-token", nil)
            return .json(tokens)
        }
        gated = GatedProvider(provider: run.provider)
        let directory = run.folder.path + "/config"
        let settings = """
            profiles:
              default:
                providers:
                  oidc.test: {issuer: '\(TestProvider.issuer)', client_id: \(TestProvider.clientID)}
            """
        try ConfigFile(Array(settings.utf8), path: "").save(in: ConfigDirectory(path: directory))
        var configuration = Sessions.Configuration(directory: directory, environment: [:])
        configuration.transport = gated
        clock.advance(by: .seconds(7200))
        configuration.now = { [clock] in clock.now }
        profile = Profile(
            "default", in: ConfigDirectory(path: directory), host: ProgramHost(configuration: configuration))
    }

    /// A cancelled task and a task that waits for the refresh that the first one started.
    private func cancelStarter(
        of token: @escaping @Sendable () async throws -> CurrentToken.Token
    ) async throws -> CurrentToken.Token {
        let starter = Task { try await token() }
        for await _ in gated.began.stream { break }
        let other = Task { try await token() }
        starter.cancel()
        await #expect(throws: CancellationError.self) { try await starter.value }
        let waiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await token()
        }
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gated.gate.continuation.yield()
        return try await other.value
    }

    @Test(.timeLimit(.minutes(1)))
    func `A cancelled task stops waiting for a token, and the refresh that it started continues for the others`()
        async throws
    {
        let token = CachedToken(profile, request: CurrentToken.Request())
        let result = try await cancelStarter { try await token.current().result.token }
        #expect(result == .access(AccessToken("refreshed-access-token")))
        #expect(run.provider.requests(to: "/token").count == 2, "one for the sign-in")
    }

    @Test(.timeLimit(.minutes(1)))
    func `A cancelled request of a connection does not end the refresh for the connection's other requests`()
        async throws
    {
        let url = try HTTPURL("https://id.example.com/userinfo")
        let connection = ResourceConnection(profile, to: url, account: nil, isResource: false) { _ in }
        let result = try await cancelStarter {
            .access(AccessToken(try await connection.authorized(HTTPRequest(.get, url)).token))
        }
        #expect(result == .access(AccessToken("refreshed-access-token")))
        #expect(run.provider.requests(to: "/token").count == 2, "one for the sign-in")
    }

    @Test func `A token stays in memory until it expires`() async throws {
        gated.gate.continuation.yield()
        let token = CachedToken(profile, request: CurrentToken.Request())
        // The refresh changes the store, so the token is read once more.
        for _ in 1...2 { _ = try await token.current() }
        #expect(token.inMemory()?.result.token == .access(AccessToken("refreshed-access-token")))
        clock.advance(by: .seconds(3600))
        #expect(token.inMemory()?.result.token == nil)
    }

    @Test func `The notes of a token are reported once`() async throws {
        run.provider.on("/token") { _ throws(HTTPError) in .text("a page of a firewall") }
        // The token is still valid for 30 seconds.
        clock.advance(by: .seconds(3570 - 7200))
        let notes = Mutex<[CurrentToken.Note]>([])
        let token = CachedToken(profile, request: CurrentToken.Request()) { note in notes.withLock { $0.append(note) } }
        for _ in 1...2 {
            gated.gate.continuation.yield()
            _ = try await token.current()
            #expect(notes.withLock { $0 } == [.notRefreshed])
        }
    }

    private func credential(_ provider: String) throws -> AccountCredential {
        let grant = Grant(
            providerID: provider, issuer: "https://\(provider)", clientID: "c",
            tokens: Tokens(accessToken: AccessToken("token of \(provider)"), tokenOrigin: "https://\(provider)"),
            subject: "grace", lastProvenAt: TestProvider.now, source: .browser)
        let identity = Identity(
            key: IdentityKey(providerID: provider, authority: "https://\(provider)", federatedID: "grace"),
            email: nil, isEmailVerified: false, displayName: nil, photoURL: nil)
        return AccountCredential(identity: identity, grant: grant, profile: JSONObject())
    }

    @Test func `The token stays that of the first account and provider after other sign-ins`()
        async throws
    {
        gated.gate.continuation.yield()
        let token = CachedToken(profile, request: CurrentToken.Request())
        let uid = try #require(try await token.current().result.accountUID)
        let (now, directory) = (TestProvider.now + 7200, run.directory)
        _ = try await directory.link(try credential("oidc.linked"), to: uid, hasConsent: false, now: now)
        _ = try await directory.signIn(try credential("oidc.linked"), now: now)
        #expect(try await token.current().result.providerID == "oidc.test")
        let other = try await directory.signIn(try credential("oidc.other"), now: now).account
        #expect(try await token.current().result.accountUID == uid)
        token.restart()
        #expect(try await token.current().result.accountUID == other.uid)
    }

    @Test func `A connection to a resource does not send the token of a session without a resource`() async throws {
        gated.gate.continuation.yield()
        let url = try HTTPURL("https://id.example.com/userinfo")
        let connection = ResourceConnection(profile, to: url, account: nil) { _ in }
        await #expect(throws: NotSignedIn.noSessionForResource(url.text, others: [])) {
            try await connection.authorized(HTTPRequest(.get, url))
        }
        #expect(run.provider.requests(to: "/token").count == 1, "the sign-in's")
    }
}
