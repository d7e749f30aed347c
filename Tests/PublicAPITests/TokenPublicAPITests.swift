import AuthCore
import AuthCoreTesting
import FoundationEssentials
import Logging
import Testing

/// Uses AuthCore without `@testable`.
@Suite struct `The token API` {
    @Test func `Requesting a token without a session fails with signInRequired`() async throws {
        let profile = try TestProfile()
        await #expect(throws: AuthError.self) { try await profile.sessions.tokens().accessToken() }
        do { _ = try await profile.sessions.tokens(of: "oidc.test").accessToken() } catch let error as AuthError {
            #expect(error.code == .signInRequired)
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
        #expect(await !token.answered(status: 401, headers: [], by: "https://api.example.com/"))
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
        await #expect(throws: AuthError.self) { try await given.headers("GET", "http://api.example.com/") }
    }

    @Test func `An unknown account is reported as accountNotFound`() async throws {
        let profile = try TestProfile()
        try await profile.signIn()
        let error = await #expect(throws: AuthError.self) {
            try await profile.sessions.tokens(account: "typo").accessToken()
        }
        #expect(error?.code == .accountNotFound)
    }

    @Test func `The first source that has a token is used, and without one an error is thrown`() async throws {
        let profile = try TestProfile()
        let sessions = profile.sessions.tokens(of: "oidc.test")
        let named = AccessTokenSources.environment("API_TOKEN", in: ["API_TOKEN": "from-a-variable"])
        #expect(
            try await AccessTokenSources.first(sessions, named).accessToken().withUnsafeValue { $0 }
                == "from-a-variable")
        let empty = AccessTokenSources.environment("API_TOKEN", in: ["API_TOKEN": ""])
        await #expect(throws: AuthError.self) { try await AccessTokenSources.first(empty, sessions).accessToken() }
        try await profile.signIn()
        #expect(try await AccessTokenSources.first(empty, sessions).accessToken().provider == "oidc.test")
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
