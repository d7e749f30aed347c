import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// Token endpoint, refresh, revocation, userinfo.
@Suite struct `The token endpoint` {
    private static let origin = "https://id.example.com:443"

    /// The error of a sign-in with this token response.
    private func failure(token response: HTTPResponse) async throws -> any Error {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in response }
        let failure = try await SignInRun.good(provider).failure()
        #expect(provider.requests(to: "/token").count == 1, "G21: a code is sent once")
        return failure
    }

    /// Signs in with a changed token response.
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

    private func refusal(_ change: @escaping @Sendable (inout JSONObject) -> Void) async throws -> (any Error)? {
        switch try await signIn(change) {
        case .success: nil
        case .failure(let error): error
        }
    }

    @Test(arguments: [(502, "<html>"), (503, ""), (500, "{}"), (200, ""), (204, "")])
    func `G1, G21: a 5xx or empty token response is provider-unavailable, and the code is not sent again`(
        status: Int, body: String
    ) async throws {
        let failure = try await failure(token: .text(body, status: status))
        #expect(failure == OAuthError.unavailable(status: status, origin: Self.origin))
        #expect(failure.code == .providerUnavailable)
    }

    @Test(
        arguments: [
            ("7", 7), ("Sat, 21 Nov 2026 08:01:00 GMT", 60), ("-5", nil), ("1000000000", 86400), ("soon", nil),
        ] as [(String, Int64?)])
    func `G2: the error of a 429 token response has the time in Retry-After if it is valid`(
        header: String, seconds: Int64?
    ) async throws {
        let failure = try await failure(
            token: HTTPResponse(status: 429, headers: [(name: "Retry-After", value: header)]))
        #expect(failure == OAuthError.tooManyRequests(origin: Self.origin, retryAfter: seconds))
        #expect(failure.code == .tooManyRequests)
    }

    @Test func `G2: a date in Retry-After is compared with the server's clock`() async throws {
        let headers = [
            (name: "Date", value: "Sat, 21 Nov 2026 09:00:00 GMT"),
            (name: "Retry-After", value: "Sat, 21 Nov 2026 09:01:00 GMT"),
        ]
        let failure = try await failure(token: HTTPResponse(status: 429, headers: headers))
        #expect(failure == OAuthError.tooManyRequests(origin: Self.origin, retryAfter: 60))
    }

    @Test(arguments: [
        HTTPError.timedOut(origin: "o"), .malformedResponse(origin: "o", reason: "cut"),
        .cannotConnect(origin: "o", reason: "r"), .untrusted(origin: "o", reason: .unknownAuthority),
        .connectionLost(origin: "o", reason: "r"),
    ])
    func `G3, G4, H1: a transport error of the token request is network-request-failed`(error: HTTPError) async throws {
        let provider = try TestProvider()
        provider.on("/token") { _ throws(HTTPError) in throw error }
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure == error)
        #expect(failure.code == .networkFailed)
    }

    @Test(arguments: [
        "{", "[]", "{} {}", #"{"access_token":"a","access_token":"b"}"#, "access_token=a&token_type=bearer",
    ])
    func `G5: a token response that is not a valid JSON object is refused`(body: String) async throws {
        #expect(try await failure(token: .text(body)) == OAuthError.invalidResponse(.noObject(status: 200), at: .token))
    }

    @Test func `G5: a JSON token response is read whatever its content type is`() async throws {
        let provider = try TestProvider()
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            .text(JSONValue.object(provider.tokenResponse()).text, type: "text/html")
        }
        _ = try await SignInRun.good(provider).run()
    }

    @Test func `G5: a page instead of a token response is refused`() async throws {
        #expect(
            try await failure(token: .text("<html>", status: 400, type: "text/html"))
                == OAuthError.invalidResponse(.noObject(status: 400), at: .token))
    }

    @Test func `G6: a token response with an error is refused at any status, even if it contains a token`() async throws
    {
        let both: JSONObject = ["error": "invalid_grant", "access_token": "t", "token_type": "Bearer"]
        for status in [200, 201, 400, 401, 403, 404] {
            #expect(
                try await failure(token: .json(both, status: status))
                    == OAuthError.refused(code: "invalid_grant", description: nil, at: .token), "\(status)")
        }
        #expect(
            try await failure(token: .json(["error": ["message": "no", "type": "OAuthException"]], status: 400))
                == OAuthError.refused(code: "OAuthException", description: ServerText("no"), at: .token))
        #expect(
            try await refusal { $0["error"] = "invalid_grant" }
                == OAuthError.refused(code: "invalid_grant", description: nil, at: .token))
    }

    @Test func `G6: a token response whose error is null is accepted`() async throws {
        #expect(
            try await refusal {
                $0["error"] = .null
                $0["error_description"] = .null
            } == nil)
    }

    @Test(arguments: [nil, "", 5, "a\r\nb", "é", "a b", .null] as [JSONValue?])
    func `G7: an access token that is missing, empty or not valid in a header is refused`(token: JSONValue?)
        async throws
    {
        let fault: ResponseFault =
            token == nil || token == .null || token == "" ? .missing("access_token") : .malformed("access_token", isNot: .token)
        #expect(
            try await refusal { $0["access_token"] = token } == OAuthError.invalidResponse(fault, at: .token))
    }

    @Test func `G7: an access token of one megabyte is refused`() async throws {
        #expect(
            try await refusal { $0["access_token"] = .string(String(repeating: "a", count: 1 << 20)) }
                == OAuthError.invalidResponse(.noObject(status: 200), at: .token))
    }

    @Test(arguments: ["Bearer", "bEARER", "mac", "DPoP", nil])
    func `G8, A28: only the token_type Bearer is accepted, in any case`(type: String?) async throws {
        let refusal = try await refusal { $0["token_type"] = type.map(JSONValue.string) }
        guard type?.lowercased() != "bearer" else {
            #expect(refusal == nil)
            return
        }
        #expect(refusal == OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .token))
    }

    @Test(
        arguments: [
            ("\"3600\"", 3600), ("3600.0", 3600), ("0", 0), ("-1", 0), ("null", nil), ("1e99", 31_536_000),
            ("true", nil), ("\"x\"", nil),
        ] as [(String, Int64?)])
    func `G9: expires_in is accepted as a number or a string, and limited to one year`(json: String, seconds: Int64?)
        async throws
    {
        let value = try StrictJSON.parse(Array(json.utf8))
        let result = try await signIn { $0["expires_in"] = value }.get()
        #expect(result.expiresAt == seconds.map { TestProvider.now + $0 })
    }

    @Test func `G10: the granted scopes are recorded, and an error names a required scope that is missing`()
        async throws
    {
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
        #expect(failure == OAuthError.missingScopes(["repo"]))
        #expect(failure.code == .consentRequired)
    }

    @Test func `G11: a token response without an ID token is refused`() async throws {
        #expect(
            try await refusal { $0["id_token"] = nil } == OAuthError.invalidResponse(.withheld("id_token"), at: .token))
    }

    @Test func `G12, A29: a token response without a refresh token, expires_in and scope is accepted`() async throws {
        let result = try await signIn { response in
            for name in ["refresh_token", "expires_in", "scope"] { response[name] = nil }
        }.get()
        #expect(!result.hasRefreshToken)
        #expect(result.expiresAt == nil)
        #expect(result.scopes == ["openid", "profile", "email"])
    }

    // MARK: Refresh

    /// Signs in, then refreshes with a changed token response.
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
        do { try await then(run, .success(try await use.run(request))) } catch { try await then(run, .failure(error)) }
    }

    private func stored(_ run: SignInRun) async throws -> Session {
        let uid = try #require(try await run.directory.sessionStore.currentUID())
        return try #require(try await run.directory.sessionStore.session(account: uid, provider: "oidc.test"))
    }

    @Test func `G13, A17: a refresh stores a new refresh token, or keeps the old one if the response has none`()
        async throws
    {
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

    @Test(arguments: ["refresh_token", "id_token"])
    func `G13: an empty token in the response of a refresh is like a missing one`(name: String) async throws {
        try await refresh({ $0[name] = "" }) { (run, result) async throws in
            #expect(try result.get().token == .access(AccessToken("a-new-access-token")))
            #expect(try await stored(run).refreshToken?.revealed() == TestProvider.refreshToken)
            #expect(try await stored(run).idToken != nil)
        }
    }

    @Test func `G14, G15, G16: a rejected refresh token is deleted, but not the account and the access token`()
        async throws
    {
        try await refresh(response: .json(["error": "invalid_grant"], status: 400)) { (run, result) async throws in
            #expect(throws: NotSignedIn.refused(provider: "oidc.test")) { try result.get() }
            let session = try await stored(run)
            #expect(session.refreshToken == nil)
            #expect(session.accessToken?.revealed() == TestProvider.accessToken)
            #expect(try await run.directory.sessionStore.accounts().count == 1)
        }
    }

    @Test(arguments: ["invalid_client", "unauthorized_client", "unsupported_grant_type"])
    func `G17: an OAuth error about the client is a configuration error`(error: String) async throws {
        let failure = try await failure(token: .json(["error": .string(error)], status: 401))
        #expect(failure == OAuthError.refused(code: error, description: nil, at: .token))
        #expect(failure.code == .invalidConfiguration)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `G18: a redirect from the token endpoint is refused`(status: Int) async throws {
        let response = HTTPResponse(status: status, headers: [(name: "location", value: "https://evil.example/token")])
        #expect(try await failure(token: response) == OAuthError.invalidResponse(.redirect(status), at: .token))
    }

    @Test func `G19: set-cookie, www-authenticate and dpop-nonce headers do not change later requests`() async throws {
        let provider = try TestProvider()
        let headers = [
            (name: "set-cookie", value: "a=b"), (name: "www-authenticate", value: "Basic"),
            (name: "www-authenticate", value: #"DPoP error="use_dpop_nonce""#), (name: "dpop-nonce", value: "n"),
        ]
        let (metadata, keys) = (provider.metadata, provider.keySet)
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(metadata, headers: headers) }
        provider.on("/jwks") { _ throws(HTTPError) in .json(keys, headers: headers) }
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            .json(provider.tokenResponse(), headers: headers)
        }
        provider.on("/userinfo") { _ throws(HTTPError) in .json(["sub": "248289761001"], headers: headers) }
        provider.claims { $0["email"] = nil }
        let run = try SignInRun.good(provider)
        let result = try await run.run()
        #expect(result.binding == .bearer)
        let use = CurrentToken(try run.sessionServices())
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        _ = try await use.run(request)
        #expect(provider.requests(to: "/token").count == 2)
        for (path, authorization) in [
            ("/.well-known/openid-configuration", nil), ("/jwks", nil), ("/token", nil),
            ("/userinfo", "Bearer " + TestProvider.accessToken),
        ] {
            let requests = provider.requests(to: path)
            #expect(!requests.isEmpty)
            for request in requests {
                let names = Set(request.headers.map { $0.name.lowercased() })
                #expect(names.isDisjoint(with: ["cookie", "dpop", "proxy-authorization"]), "\(path)")
                let sent = request.headers.filter { $0.name.lowercased() == "authorization" }.map(\.value)
                #expect(sent == (authorization.map { [$0] } ?? []), "\(path)")
            }
        }
    }

    @Test func `G20: a token request over plain http is refused`() async throws {
        let transport = CurlTransport()
        await #expect(throws: HTTPError.plainHTTP(origin: "http://id.example.com:80")) {
            try await transport.send(.form(try HTTPURL("http://id.example.com/token"), with: []))
        }
    }

    @Test(arguments: [(200, SignOut.Revocation.confirmed), (204, .confirmed), (400, .failed), (503, .failed)])
    func `G22: sign-out completes even if the revocation fails, and returns the result of the revocation`(
        status: Int, outcome: SignOut.Revocation
    ) async throws {
        let provider = try TestProvider()
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        provider.on("/revoke") { _ throws(HTTPError) in HTTPResponse(status: status) }
        let use = SignOut(try run.sessionServices())
        var request = SignOut.Request()
        request.revokes = true
        #expect(try await use.run(request).ended.map(\.revoked) == [outcome])
        #expect(try await run.directory.sessionStore.sessions().isEmpty)
        let hints = provider.requests(to: "/revoke").map {
            FormURLEncoded.decode($0.body ?? [])?.first { $0.name == "token_type_hint" }?.value
        }
        #expect(hints.first == "refresh_token", "the refresh token is revoked first")
    }

    @Test func `G22: another client ID does not revoke the tokens; they are kept until the original client retries`()
        async throws
    {
        let provider = try TestProvider()
        let run = try SignInRun.good(provider)
        _ = try await run.run()
        let own = try run.sessionServices()
        let entry = try Provider(id: "oidc.test", issuer: HTTPURL(TestProvider.issuer), clientID: "client-2")
        let services = run.services()
        let other = SignOut(
            SessionServices(
                directory: own.directory, clock: own.clock, lockDirectory: own.lockDirectory,
                client: { _ in try await ProviderClient.resolve(entry, keys: ClientKeys(), services: services) }))
        var request = SignOut.Request()
        request.revokes = true
        #expect(try await other.run(request).ended.map(\.revoked) == [.otherClient])
        #expect(try await other.retry().map(\.revoked) == [.otherClient])
        #expect(provider.requests(to: "/revoke").isEmpty)
        let use = SignOut(own)
        #expect(try await use.retry().map(\.revoked) == [.confirmed])
        #expect(try await use.retry().isEmpty)
    }

    @Test func `G23, A10: a userinfo response with a different or missing sub is refused`() async throws {
        for response in [["sub": "mallory"], [:]] as [JSONObject] {
            let provider = try TestProvider()
            provider.claims { $0["email"] = nil }
            provider.on("/userinfo") { _ throws(HTTPError) in .json(response) }
            #expect(try await SignInRun.good(provider).failure().rejection == .claim("sub"))
        }
    }

    @Test(arguments: [HTTPResponse(status: 401), .text("<html>", type: "text/html"), HTTPResponse(status: 500)])
    func `G23: a sign-in succeeds with a note if the userinfo request fails`(response: HTTPResponse) async throws {
        let provider = try TestProvider()
        provider.claims { $0["email"] = nil }
        provider.on("/userinfo") { _ throws(HTTPError) in response }
        let result = try await SignInRun.good(provider).run()
        #expect(result.account.email == nil)
        #expect(result.notes.count == 1)
        #expect(provider.requests(to: "/userinfo").count == (response.status == 500 ? 5 : 1))
    }

    @Test func `G23, A16: a signed userinfo response is accepted only if its issuer is the provider and it is valid`()
        async throws
    {
        let now = TestProvider.now
        for (issuer, expiresAt, rejection) in [
            (TestProvider.issuer, nil, nil), ("https://evil.example", nil, .claim("iss")),
            (TestProvider.issuer, now + 1, nil),
            (TestProvider.issuer, now - 61, .expired(at: now - 61, now: now)),
        ] as [(String, Int64?, IDTokenRejection?)] {
            let provider = try TestProvider()
            provider.claims { $0["email"] = nil }
            var claims: JSONObject = [
                "iss": .string(issuer), "aud": .string(TestProvider.clientID), "sub": "248289761001",
                "email": "signed@example.com",
            ]
            claims["exp"] = expiresAt.map { JSONValue($0) }
            let token = provider.sign(JSONValue.object(claims).text)
            provider.on("/userinfo") { _ throws(HTTPError) in .text(token, type: "application/jwt") }
            let run = try SignInRun.good(provider)
            if let rejection {
                #expect(try await run.failure().rejection == rejection)
            } else {
                #expect(try await run.run().account.email == "signed@example.com")
            }
        }
    }

    @Test(
        arguments: [
            ("iss", .issuer(ServerText("somebody-else"), expected: TestProvider.issuer)), ("sub", .otherUser),
            ("aud", .audience(ServerText("somebody-else"), expected: TestProvider.clientID)), ("nonce", .nonce),
            ("auth_time", .claim("auth_time")),
        ] as [(String, IDTokenRejection)])
    func `G24, A18: if a refresh returns a different ID token, its tokens are revoked and the old ones kept`(
        name: String, rejection: IDTokenRejection
    ) async throws {
        let other: JSONValue = name == "auth_time" ? JSONValue(TestProvider.now - 4000) : "somebody-else"
        try await refresh(claims: { $0[name] = other }) { (run, result) async throws in
            #expect(#expect(throws: IDTokenRefused.self) { try result.get() }?.rejection == rejection)
            let session = try await stored(run)
            #expect(session.accessToken?.revealed() == TestProvider.accessToken)
            #expect(session.refreshToken?.revealed() == TestProvider.refreshToken)
            #expect(run.provider.requests(to: "/revoke").count == 1, "the new token is revoked")
        }
    }

    @Test func `G24: a refreshed ID token without a nonce is accepted`() async throws {
        try await refresh(claims: { $0["nonce"] = nil }) { (_, result) async throws in
            #expect(try result.get().token == .access(AccessToken("a-new-access-token")))
        }
    }

    @Test func `an error from the token endpoint is reported without secrets and control characters`() async throws {
        let provider = try TestProvider()
        provider.on("/token") { request throws(HTTPError) in
            let echo = String(decoding: request.body ?? [], as: UTF8.self)
            return .json(
                [
                    "error": "invalid_grant",
                    "error_description": .string("\u{1B}[31m\u{202E}\(echo)\r\n" + String(repeating: "x", count: 900)),
                ], status: 400)
        }
        guard
            case .refused("invalid_grant", let description?, at: .token)? =
                try await SignInRun.good(provider).failure() as? OAuthError
        else {
            Issue.record("another error")
            return
        }
        let text = description.description
        let body = FormURLEncoded.decode(provider.requests(to: "/token").first?.body ?? []) ?? []
        for name in ["code", "code_verifier"] {
            let secret = try #require(body.first { $0.name == name }?.value)
            #expect(!text.contains(secret))
        }
        #expect(
            !text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\n") && text.count < 300)
    }

    @Test func `mutated token responses do not crash the parser, and accepted ones contain a valid access token`() {
        var random = SeededGenerator(seed: 4)
        let good = #"{"access_token":"abc","token_type":"Bearer","expires_in":3600,"refresh_token":"r","scope":"a b"}"#
        var acceptedCount = 0
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
                acceptedCount += 1
            }
        }
        #expect(acceptedCount > 200, "\(acceptedCount)")
    }
}
