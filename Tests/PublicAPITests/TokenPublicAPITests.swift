import AuthCore
import AuthCoreTesting
import FoundationEssentials
import Logging
import Testing

/// Uses AuthCore without `@testable`.
@Suite struct `The token API` {
    @Test func `Requesting a token without a session fails with signInRequired`() async throws {
        let profile = try TestProfile()
        for source in [profile.sessions.tokens(), profile.sessions.tokens(of: "oidc.test")] {
            let error = await #expect(throws: AuthError.self) { try await source.accessToken() }
            #expect(error?.code == .signInRequired)
        }
        #expect(try await profile.sessions.accounts().isEmpty)
    }

    @Test func `A cached token is returned until less than the minimum lifetime is left`()
        async throws
    {
        let profile = try TestProfile()
        try await profile.signIn()
        let source = profile.sessions.tokens(of: "oidc.test")
        let first = try await source.accessToken()
        #expect(try await source.accessToken() == first)
        #expect(profile.provider.count(of: "/token") == 1)
        #expect(first.expiresAt == profile.clock.now + 3600)
        #expect(first.withUnsafeValue { $0 } == "the-access-token-0001")
        profile.clock.advance(by: .seconds(10))
        let second = try await source.accessToken(
            minimumLifetime: .seconds(3595), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(second != first)
        #expect(profile.provider.count(of: "/token") == 2)
    }

    @Test func `Fifty parallel tasks with an expired token share one refresh request`() async throws {
        let profile = try TestProfile()
        try await profile.signIn()
        profile.clock.advance(by: .seconds(7200))
        let source = profile.sessions.tokens()
        let tokens = try await withThrowingTaskGroup(of: IssuedToken.self) { group in
            for _ in 0..<50 { group.addTask { try await source.accessToken() } }
            return try await group.reduce(into: [IssuedToken]()) { $0.append($1) }
        }
        #expect(tokens.count == 50)
        #expect(Set(tokens.map { $0.withUnsafeValue { $0 } }) == ["the-access-token-0002"])
        #expect(profile.provider.count(of: "/token") == 2)
    }

    @Test func `A token that was reported as refused is not returned again`() async throws {
        let profile = try TestProfile()
        try await profile.signIn()
        let source = profile.sessions.tokens()
        let first = try await source.accessToken()
        await source.refused(first, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(try await source.accessToken() != first)
    }

    @Test func `A token is redacted in every printed form`() async throws {
        let profile = try TestProfile()
        try await profile.signIn()
        let token = try await profile.sessions.tokens().accessToken()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] {
            #expect(!text.contains("the-access-token"))
            #expect(text.contains("<redacted>"))
        }
        let headers = try await token.headers("GET", "https://id.example.com/userinfo")
        #expect(headers.map(\.name) == ["Authorization"])
        #expect(headers.map(\.value) == ["Bearer the-access-token-0001"])
        #expect(token.binding == .bearer)
        #expect(await !token.received(status: 401, headers: [], from: "https://api.example.com/"))
    }

    @Test func `Headers are returned only for the provider's host, or for any TLS host if it is unknown`()
        async throws
    {
        let profile = try TestProfile()
        try await profile.signIn()
        let token = try await profile.sessions.tokens().accessToken()
        for url in ["https://id.example.com/userinfo", "https://id.example.com:443/x"] {
            #expect(try await token.headers("GET", url).count == 1)
        }
        for url in [
            "https://evil.example.com/", "https://id.example.com.evil.example/", "https://id.example.com:8443/",
        ] {
            let error = await #expect(throws: AuthError.self) { try await token.headers("GET", url) }
            #expect(error?.code == .operationNotAllowed, "\(url)")
        }
        for url in ["http://id.example.com/userinfo", "id.example.com", "https://id.example.com@evil.example/"] {
            let error = await #expect(throws: AuthError.self) { try await token.headers("GET", url) }
            #expect(error?.code == .invalidConfiguration, "\(url)")
        }
        // The provider of this token is unknown.
        let given = try await AccessTokenSources.environment("T", in: ["T": "given"]).accessToken()
        #expect(try await given.headers("GET", "https://api.example.com/").count == 1)
        #expect(try await given.headers("GET", "http://127.0.0.1:8080/").count == 1)
        let error = await #expect(throws: AuthError.self) { try await given.headers("GET", "http://api.example.com/") }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test func `Headers are also returned for the hosts that the configuration allows with api_hosts`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/authcore-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = TestClock()
        let provider = try TestProvider(clock: clock)
        var configuration = Sessions.Configuration(directory: folder, environment: [:])
        configuration.transport = provider
        configuration.now = { clock.now }
        func settings(_ hosts: String) throws {
            let text = """
                profiles:
                  default:
                    providers:
                      oidc.test:
                        issuer: \(TestProvider.issuer)
                        client_id: \(TestProvider.clientID)
                        api_hosts: [\(hosts)]
                """
            try Data(text.utf8).write(to: URL(filePath: folder + "/config.yaml"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/config.yaml")
        }
        try settings("api.example.com, \"https://other.example:8443\"")
        let sessions = Sessions(configuration)
        _ = try await InteractiveSignIn(to: "oidc.test", in: sessions, presenter: TestPerson(provider: provider)).run()
        let token = try await sessions.tokens().accessToken()
        for url in ["https://api.example.com/x", "https://other.example:8443/", "https://id.example.com/userinfo"] {
            #expect(try await token.headers("GET", url).map(\.value) == ["Bearer the-access-token-0001"], "\(url)")
        }
        for url in ["https://api.example.com:8443/", "https://other.example/", "https://x.api.example.com/"] {
            let error = await #expect(throws: AuthError.self) { try await token.headers("GET", url) }
            #expect(error?.code == .operationNotAllowed, "\(url)")
        }
        try settings("")
        let later = try await sessions.tokens().accessToken()
        let error = await #expect(throws: AuthError.self) { try await later.headers("GET", "https://api.example.com/") }
        #expect(error?.code == .operationNotAllowed)
    }

    @Test func `An unknown account is reported as accountNotFound`() async throws {
        let profile = try TestProfile()
        try await profile.signIn()
        let error = await #expect(throws: AuthError.self) {
            try await profile.sessions.tokens(account: "typo").accessToken()
        }
        #expect(error?.code == .accountNotFound)
    }

    @Test func `The first source that has a token is used, and any error except signInRequired ends the search`()
        async throws
    {
        let profile = try TestProfile()
        let sessions = profile.sessions.tokens(of: "oidc.test")
        let named = AccessTokenSources.environment("API_TOKEN", in: ["API_TOKEN": "from-a-variable"])
        #expect(
            try await AccessTokenSources.first(sessions, named).accessToken().withUnsafeValue { $0 }
                == "from-a-variable")
        let empty = AccessTokenSources.environment("API_TOKEN", in: ["API_TOKEN": ""])
        let missing = await #expect(throws: AuthError.self) {
            try await AccessTokenSources.first(empty, sessions).accessToken()
        }
        #expect(missing?.code == .signInRequired)
        try await profile.signIn()
        #expect(try await AccessTokenSources.first(empty, sessions).accessToken().provider == "oidc.test")
        let unknown = profile.sessions.tokens(account: "typo")
        let ended = await #expect(throws: AuthError.self) {
            try await AccessTokenSources.first(empty, unknown, named).accessToken()
        }
        #expect(ended?.code == .accountNotFound)
    }

    @Test func `The signed-in account is listed with its provider`() async throws {
        let profile = try TestProfile()
        try await profile.signIn()
        let accounts = try await profile.sessions.accounts()
        #expect(accounts.map(\.email) == ["ada@example.com"])
        #expect(accounts.first?.isCurrent == true)
        #expect(accounts.first?.providers == ["oidc.test"])
    }
}
