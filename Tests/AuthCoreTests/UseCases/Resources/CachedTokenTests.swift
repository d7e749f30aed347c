import AuthCoreTesting
import FoundationEssentials
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
        configuration.now = { Date(timeIntervalSince1970: TimeInterval(TestProvider.now + 7200)) }
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
}
