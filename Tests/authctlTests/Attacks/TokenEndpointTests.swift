import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore
@testable import authctl

/// Token endpoint, refresh, revocation, userinfo.
@Suite struct `The token endpoint` {
    /// A sign-in whose token endpoint answers like this.
    private func failure(token response: HTTPResponse) async throws -> Failure {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in response }
        let failure = try await SignInRun.good(provider).failure()
        #expect(provider.requests(to: "/token").count == 1, "G21: a code is sent once")
        return failure
    }

    /// A sign-in whose token response is changed; nil when it succeeds.
    private func signIn(_ change: @escaping @Sendable (inout JSONObject) -> Void) async throws -> Result<
        SignInResult, any Error
    > {
        let provider = try TestProvider()
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            change(&response)
            return .json(response)
        }
        let run = try SignInRun.good(provider)
        do { return .success(try await run.run()) } catch { return .failure(error) }
    }

    private func exit(_ change: @escaping @Sendable (inout JSONObject) -> Void) async throws -> Int32 {
        switch try await signIn(change) {
        case .success: 0
        case .failure(let error): Failure(error, while: ErrorContext("", again: "")).exitCode
        }
    }

    @Test(arguments: [(502, "<html>"), (503, ""), (500, "{}"), (200, ""), (204, "")])
    func `G1, G21: a server that fails, or says nothing, is unavailable, and the code is not sent again`(
        status: Int, body: String
    ) async throws {
        let failure = try await failure(token: .text(body, status: status))
        #expect(failure.exitCode == 69)
        #expect(failure.code == "provider-unavailable")
    }

    @Test(arguments: [
        ("7", "7 seconds"), ("Sat, 21 Nov 2026 08:01:00 GMT", "60 seconds"), ("-5", "later"),
        ("1000000000", "86400 seconds"), ("soon", "later"),
    ])
    func `G2: a server that has reached its rate limit is told about, with the time where it makes sense`(
        header: String, hint: String
    ) async throws {
        let failure = try await failure(
            token: HTTPResponse(status: 429, headers: [(name: "Retry-After", value: header)]))
        #expect(failure.exitCode == 69)
        #expect(failure.code == "too-many-requests")
        #expect(failure.hint?.text.contains(hint) == true)
    }

    @Test(arguments: [
        HTTPError.timedOut(origin: "o"), .malformedResponse(origin: "o", reason: "cut"),
        .cannotConnect(origin: "o", reason: "r"), .untrusted(origin: "o", reason: .unknownAuthority),
        .connectionLost(origin: "o", reason: "r"),
    ])
    func `G3, G4, H1: what the network does is a network error, and half an answer is none`(error: HTTPError)
        async throws
    {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in throw error }
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure.exitCode == 69)
        #expect(failure.code == "network-request-failed")
    }

    @Test(arguments: [
        "{", "[]", "{} {}", #"{"access_token":"a","access_token":"b"}"#, "access_token=a&token_type=bearer",
    ])
    func `G5: a body that is no clean JSON object is refused`(body: String) async throws {
        #expect(try await failure(token: .text(body)).exitCode == 65)
    }

    @Test func `G5: JSON that calls itself HTML is refused`() async throws {
        let good = JSONValue.object(try TestProvider().tokenResponse()).text
        #expect(try await failure(token: .text(good, type: "text/html")).exitCode == 65)
    }

    @Test func `G6: an error wins at any status and beside a token; an object is one too`() async throws {
        #expect(try await failure(token: .json(["error": "invalid_grant"])).code == "invalid-credential")
        #expect(try await failure(token: .text("<html>", status: 400, type: "text/html")).exitCode == 65)
        #expect(
            try await failure(token: .json(["error": ["message": "no", "type": "OAuthException"]], status: 400))
                .exitCode == 65)
        #expect(try await exit { $0["error"] = "invalid_grant" } == 65)
    }

    @Test(arguments: [nil, "", 5, "a\r\nb", "é", "a b", .null] as [JSONValue?])
    func `G7: an access token that could not stand in a header is refused`(token: JSONValue?) async throws {
        #expect(try await exit { $0["access_token"] = token } == 65)
    }

    @Test func `G7: an access token of a megabyte is refused`() async throws {
        #expect(try await exit { $0["access_token"] = .string(String(repeating: "a", count: 1 << 20)) } == 65)
    }

    @Test(arguments: [("Bearer", 0), ("bEARER", 0), ("mac", 65), ("DPoP", 65), (nil, 65)] as [(String?, Int32)])
    func `G8, A28: only bearer tokens, in any case`(type: String?, code: Int32) async throws {
        #expect(try await exit { $0["token_type"] = type.map(JSONValue.string) } == code)
    }

    @Test(
        arguments: [
            ("\"3600\"", 3600), ("3600.0", 3600), ("0", 0), ("-1", 0), ("null", nil), ("1e99", 31_536_000),
            ("true", nil), ("\"x\"", nil),
        ] as [(String, Int64?)])
    func `G9: expires_in is read as servers write it, and clamped`(json: String, seconds: Int64?) async throws {
        let value = try StrictJSON.parse(Array(json.utf8))
        let result = try await signIn { $0["expires_in"] = value }.get()
        #expect(result.expiresAt == seconds.map { TestProvider.now + $0 })
    }

    @Test func `G10: the granted scopes are recorded, a missing needed one is named`() async throws {
        let less = try await signIn { $0["scope"] = "openid" }.get()
        #expect(less.scopes == ["openid"])
        let list = try await signIn { $0["scope"] = "openid,email,extra" }.get()
        #expect(list.scopes == ["openid", "email", "extra"])
        let provider = try TestProvider()
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            response["scope"] = "openid email"
            return .json(response)
        }
        let failure = try await SignInRun.good(provider).failure { $0.scopes = ["repo"] }
        #expect(failure.exitCode == 7)
        #expect(failure.code == "consent-required")
        #expect(failure.message.contains("'repo'"))
    }

    @Test func `G11: a response without ID token is refused`() async throws {
        #expect(try await exit { $0["id_token"] = nil } == 65)
    }

    @Test func `G12, A29: no refresh token, no expiry and no scope are fine, and said so`() async throws {
        let result = try await signIn { response in
            for name in ["refresh_token", "expires_in", "scope"] { response[name] = nil }
        }.get()
        #expect(!result.hasRefreshToken)
        #expect(result.expiresAt == nil)
        #expect(result.scopes == ["openid", "profile", "email"])
    }

    // MARK: Refresh

    /// Signs in, then refreshes with a token endpoint that answers like this.
    private func refresh(
        _ change: @escaping @Sendable (inout JSONObject) -> Void = { _ in }, response: HTTPResponse? = nil,
        claims: (inout JSONObject) -> Void = { _ in },
        then: (SignInRun, Result<CurrentToken.Result, any Error>) async throws -> Void
    ) async throws {
        let provider = try TestProvider()
        provider.claims { $0["auth_time"] = JSONValue(TestProvider.now - 10) }
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        provider.claims(claims)
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            if let response { return response }
            var tokens = provider.tokenResponse()
            tokens["access_token"] = "a-new-access-token"
            change(&tokens)
            return .json(tokens)
        }
        let use = CurrentToken(try run.sessionServices())
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        do { try await then(run, .success(try await use(request))) } catch { try await then(run, .failure(error)) }
    }

    private func stored(_ run: SignInRun) async throws -> Session {
        let uid = try #require(try await run.directory.sessionStore.currentUID())
        return try #require(try await run.directory.sessionStore.session(account: uid, provider: "oidc.test"))
    }

    @Test func `G13, A17: a refresh without refresh token keeps the old one, one with it replaces it`() async throws {
        try await refresh({ $0["refresh_token"] = nil }) { (run, result) async throws in
            #expect(try result.get().token == .access(AccessToken("a-new-access-token")))
            #expect(try await stored(run).refreshToken?.revealed() == TestProvider.refreshToken)
        }
        try await refresh({ $0["refresh_token"] = "rotated-refresh-token" }) { (run, result) async throws in
            _ = try result.get()
            #expect(try await stored(run).refreshToken?.revealed() == "rotated-refresh-token")
            #expect(try await stored(run).accessToken?.revealed() == "a-new-access-token")
        }
    }

    @Test func `G14, G15, G16: a refused refresh token is dropped, account and access token stay`() async throws {
        try await refresh(response: .json(["error": "invalid_grant"], status: 400)) { (run, result) async throws in
            #expect(throws: NotSignedIn.refused(provider: "oidc.test")) { try result.get() }
            let session = try await stored(run)
            #expect(session.refreshToken == nil)
            #expect(session.accessToken?.revealed() == TestProvider.accessToken)
            #expect(try await run.directory.sessionStore.accounts().count == 1)
        }
    }

    @Test(arguments: ["invalid_client", "unauthorized_client", "unsupported_grant_type"])
    func `G17: a client that is not known is a configuration error`(error: String) async throws {
        let failure = try await failure(token: .json(["error": .string(error)], status: 401))
        #expect(failure.exitCode == 78)
        #expect(failure.code == "invalid-configuration")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `G18: a redirect of the token endpoint is not followed`(status: Int) async throws {
        let response = HTTPResponse(status: status, headers: [(name: "location", value: "https://evil.example/token")])
        #expect(try await failure(token: response).exitCode == 65)
    }

    @Test func `G19: headers that ask for more are ignored`() async throws {
        let provider = try TestProvider()
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            .json(
                provider.tokenResponse(),
                headers: [
                    (name: "set-cookie", value: "a=b"), (name: "www-authenticate", value: "Basic"),
                    (name: "dpop-nonce", value: "n"),
                ])
        }
        _ = try await SignInRun.good(provider).run()
        #expect(provider.requests(to: "/jwks").allSatisfy { !$0.headers.contains { $0.name.lowercased() == "cookie" } })
    }

    @Test func `G20: token calls never go out as plain http`() async throws {
        let transport = CurlTransport()
        await #expect(throws: HTTPError.plainHTTP(origin: "http://id.example.com:80")) {
            try await transport.send(.form(try HTTPURL("http://id.example.com/token"), []))
        }
    }

    @Test(arguments: [(200, SignOut.Revocation.confirmed), (400, .failed), (503, .failed)])
    func `G22: sign-out completes whatever the revocation endpoint says, and tells it`(
        status: Int, outcome: SignOut.Revocation
    ) async throws {
        let provider = try TestProvider()
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        provider.on("/revoke") { _ throws(HTTPError) in HTTPResponse(status: status) }
        let use = SignOut(try run.sessionServices())
        var request = SignOut.Request()
        request.revokes = true
        #expect(try await use(request).map(\.revoked) == [outcome])
        #expect(try await run.directory.sessionStore.sessions().isEmpty)
        let hints = provider.requests(to: "/revoke").map {
            FormURLEncoded.decode($0.body ?? [])?.first { $0.name == "token_type_hint" }?.value
        }
        #expect(hints.first == "refresh_token", "the refresh token goes first")
    }

    @Test func `G22: another client asks for nothing, and the tokens are kept until their own is back`() async throws {
        let provider = try TestProvider()
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        let own = try run.sessionServices()
        let entry = try Provider(id: "oidc.test", issuer: HTTPURL(TestProvider.issuer), clientID: "client-2")
        let services = run.services()
        let other = SignOut(
            SessionServices(
                directory: own.directory, clock: own.clock, lockDirectory: own.lockDirectory,
                client: { _ in try await ProviderClient.resolve(entry, ClientKeys(), services: services) }))
        var request = SignOut.Request()
        request.revokes = true
        #expect(try await other(request).map(\.revoked) == [.otherClient])
        #expect(try await other.retry().map(\.revoked) == [.otherClient])
        #expect(provider.requests(to: "/revoke").isEmpty)
        let use = SignOut(own)
        #expect(try await use.retry().map(\.revoked) == [.confirmed])
        #expect(try await use.retry().isEmpty)
    }

    @Test func `G23, A10: userinfo about somebody else, or about nobody, is refused`() async throws {
        for answer in [["sub": "mallory"], [:]] as [JSONObject] {
            let provider = try TestProvider()
            provider.claims { $0["email"] = nil }
            provider.on("/userinfo") { _ throws(HTTPError) in .json(answer) }
            #expect(try await SignInRun.good(provider).failure().exitCode == 65)
        }
    }

    @Test(arguments: [HTTPResponse(status: 401), .text("<html>", type: "text/html"), HTTPResponse(status: 500)])
    func `G23: userinfo that fails leaves the ID token's word, with a note`(response: HTTPResponse) async throws {
        let provider = try TestProvider()
        provider.claims { $0["email"] = nil }
        provider.on("/userinfo") { _ throws(HTTPError) in response }
        let result = try await SignInRun.good(provider).run()
        #expect(result.account.email == nil)
        #expect(result.notes.count == 1)
        #expect(provider.requests(to: "/userinfo").count == 1)
    }

    @Test func `G23, A16: signed userinfo is verified like an ID token`() async throws {
        for (issuer, isFine) in [(TestProvider.issuer, true), ("https://evil.example", false)] {
            let provider = try TestProvider()
            provider.claims { $0["email"] = nil }
            let claims: JSONObject = [
                "iss": .string(issuer), "aud": .string(TestProvider.clientID), "sub": "248289761001",
                "email": "signed@example.com",
            ]
            let token = provider.sign(JSONValue.object(claims).text)
            provider.on("/userinfo") { _ throws(HTTPError) in .text(token, type: "application/jwt") }
            let run = try SignInRun.good(provider)
            if isFine {
                #expect(try await run.run().account.email == "signed@example.com")
            } else {
                #expect(try await run.failure().exitCode == 65)
            }
        }
    }

    @Test(arguments: ["iss", "sub", "aud", "nonce", "auth_time"])
    func `G24, A18: a refresh that brings another's ID token is refused, and the old tokens stay`(name: String)
        async throws
    {
        let other: JSONValue = name == "auth_time" ? JSONValue(TestProvider.now - 4000) : "somebody-else"
        try await refresh(claims: { $0[name] = other }) { (run, result) async throws in
            #expect(throws: IDTokenRefused.self) { try result.get() }
            let session = try await stored(run)
            #expect(session.accessToken?.revealed() == TestProvider.accessToken)
            #expect(session.refreshToken?.revealed() == TestProvider.refreshToken)
            #expect(run.provider.requests(to: "/revoke").count == 1, "the new token is given back")
        }
    }

    @Test func `G24: a refreshed ID token without nonce is fine`() async throws {
        try await refresh(claims: { $0["nonce"] = nil }) { (_, result) async throws in
            #expect(try result.get().token == .access(AccessToken("a-new-access-token")))
        }
    }

    @Test func `errors of servers never show what was sent, nor move the terminal`() async throws {
        let provider = try TestProvider()
        provider.on("/token") { request throws(HTTPError) in
            let echo = String(decoding: request.body ?? [], as: UTF8.self)
            return .json(
                [
                    "error": "invalid_grant",
                    "error_description": .string("\u{1B}[31m\u{202E}\(echo)\r\n" + String(repeating: "x", count: 900)),
                ], status: 400)
        }
        let failure = try await SignInRun.good(provider).failure()
        let body = FormURLEncoded.decode(provider.requests(to: "/token").first?.body ?? []) ?? []
        for name in ["code", "code_verifier"] {
            let secret = try #require(body.first { $0.name == name }?.value)
            #expect(!failure.message.contains(secret))
            #expect(!failure.json.text.contains(secret))
        }
        #expect(
            !failure.message.contains("\u{1B}") && !failure.message.contains("\u{202E}")
                && !failure.message.contains("\n"))
        #expect(failure.message.count < 400)
    }

    @Test func `no token response makes the parser crash, and what it accepts is a usable token`() {
        var random = SeededGenerator(seed: 4)
        let good = #"{"access_token":"abc","token_type":"Bearer","expires_in":3600,"refresh_token":"r","scope":"a b"}"#
        for _ in 0..<5_000 * Fuzz.factor {
            let isForm = Bool.random(using: &random)
            let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
            var bytes = Array((isForm ? "access_token=abc&token_type=bearer&scope=a%2Cb" : good).utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let status = [200, 200, 200, 400, 500, 302].randomElement(using: &random) ?? 200
            let response = HTTPResponse(
                status: status, headers: [(name: "content-type", value: type)], body: bytes)
            if let tokens = try? TokenResponse(
                response, origin: "o", at: .token, acceptsForm: true, now: 0)
            {
                #expect(tokens.accessToken.revealed().utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect((0...Seconds.longest).contains(tokens.expiresIn ?? 0))
            }
        }
    }
}
