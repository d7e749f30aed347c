import AuthCoreTesting
import Testing

@testable import AuthCore

/// Responses of authorization servers that break the rules of their standard.
@Suite struct `Responses of an authorization server` {
    private static let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private func request(_ responseMode: ResponseMode = .query) throws -> AuthorizationRequest {
        try AuthorizationRequest(
            endpoint: try HTTPURL("https://id.example.com/authorize"), clientID: "c",
            redirectURI: "http://127.0.0.1:8400/callback", scopes: ["openid"], nonce: nil, sentNonce: nil,
            responseMode: responseMode)
    }

    private func response(
        _ query: (String) -> String, issuers: IssuerRule = .exact("https://id.example.com"),
        _ responseMode: ResponseMode = .query
    ) throws -> AuthorizationResponse {
        let request = try request(responseMode)
        let parameters = CallbackParameters(encoded: Array(query(request.state.revealed()).utf8))
        return try AuthorizationResponse(parameters, to: request, issuers: issuers, requiresIssuer: false)
    }

    @Test func `A callback with another state or an unreadable name is rejected`() throws {
        #expect(try response { "code=c&state=\($0)" }.code.revealed() == "c")
        #expect(throws: OAuthError.stateMismatch) { try response { _ in "code=c&state=other" } }
        #expect(throws: OAuthError.invalidResponse(.unreadableName, at: .authorization)) {
            try response { "%ff=1&code=c&state=\($0)" }
        }
    }

    @Test func `The user's name is only read from a form post, because a web site can add it to a URL`() throws {
        let query = { (state: String) in "code=c&user=u&state=\(state)" }
        #expect(try response(query).user == nil)
        #expect(try response(query, .formPost).user == "u")
    }

    @Test func `A pasted URL is only read if it is that of the redirect URI`() {
        func code(_ pasted: String, _ redirectURI: String) -> String? {
            CallbackParameters(pasted: pasted, at: redirectURI)?.value("code")
        }
        #expect(code("http://127.0.0.1:8400/?code=c", "http://127.0.0.1:8400") == "c")
        #expect(code("http://127.0.0.1:8400/other?code=c", "http://127.0.0.1:8400") == nil)
        #expect(code("https://evil.example/callback?code=c", "http://127.0.0.1:8400/callback") == nil)
        #expect(code("code=c", "http://127.0.0.1:8400/callback") == "c")
        for end in ["\n", "\r\n", "\n\n", "\r\n \r\n"] {
            #expect(code("http://127.0.0.1:8400/callback?code=c" + end, "http://127.0.0.1:8400/callback") == "c")
            #expect(code("https://evil.example/callback?code=c" + end, "http://127.0.0.1:8400/callback") == nil)
        }
    }

    @Test func `The issuer of a callback must match the issuer rule or an allowed tenant`() throws {
        let spellings = IssuerRule.spellings(["https://accounts.example", "accounts.example"])
        #expect(spellings.expected == "https://accounts.example" && IssuerRule.spellings([]).expected == "")
        let template = "https://login.example/{tenantid}/v2.0"
        func tenants(_ allowed: TenantIssuers.Allowed) -> IssuerRule {
            .tenants(TenantIssuers(template: template, allowed: allowed))
        }
        let issuer = "https://login.example/\(Self.tenant)/v2.0"
        let query = { (state: String) in "code=c&iss=\(issuer)&state=\(state)" }
        _ = try response(query, issuers: tenants(.every))
        _ = try response(query, issuers: tenants(.only(Self.tenant)))
        for rule in [spellings, tenants(.everyBut(Self.tenant)), .exact(template)] {
            #expect(throws: OAuthError.issuerMixUp) { try response(query, issuers: rule) }
        }
        for other in [
            "https://login.example/not-a-tenant/v2.0", issuer.replacing("9188040d", with: "9188040G"),
            issuer.replacing("login.", with: "evil1."), issuer.replacing("v2.0", with: "v1.0"),
        ] {
            #expect(!tenants(.every).matches(other))
        }
    }

    @Test func `A certificate thumbprint that is not a string matches no certificate`() {
        func binding(_ claims: String) -> CertificateBinding {
            AccessToken("e30.\(Base64URL.encode(Array(claims.utf8))).s").certificateBinding
        }
        #expect(binding(#"{"cnf":{"x5t#S256":5}}"#) == .to("") && binding("{}") == CertificateBinding.none)
        #expect(binding("[]") == .unreadable && binding(#"{"cnf":{"x5t#S256":"a"}}"#) == .to("a"))
    }

    // MARK: Token, revocation, introspection and device authorization

    private static let url = "https://id.example.com/endpoint"

    private func endpoint(
        _ response: HTTPResponse, revokes: Bool = true, acceptsForm: Bool = false
    ) throws -> TokenEndpoint {
        let transport = ScriptedTransport()
        transport.on(Self.url) { _ throws(HTTPError) in response }
        return TokenEndpoint(
            url: try HTTPURL(Self.url), revocationURL: revokes ? try HTTPURL(Self.url) : nil, clientID: "c",
            audience: Self.url, authentication: .none, revocationAuthentication: .none,
            services: Services(transport: transport, clock: Clock(now: { TestProvider.now }, sleep: { _ in })),
            narrowestZone: .loopback, allowsPlainHTTP: false, acceptsForm: acceptsForm)
    }

    @Test func `Only a successful response without an error confirms a revocation`() async throws {
        for response in [
            HTTPResponse(status: 200), .json([:], status: 202), .json(["error": "invalid_token"], status: 400),
        ] {
            try await endpoint(response).revoke("t", hint: .refreshToken)
        }
        await #expect(throws: OAuthError.invalidResponse(.status(404), at: .revocation)) {
            try await endpoint(.json([:], status: 404)).revoke("t", hint: .refreshToken)
        }
        await #expect(throws: OAuthError.invalidResponse(.noEndpoint, at: .revocation)) {
            try await endpoint(.json([:]), revokes: false).revoke("t", hint: .refreshToken)
        }
    }

    @Test func `An introspection response with another status or without active says nothing about the token`()
        async throws
    {
        func introspect(_ response: HTTPResponse) async throws -> JSONObject {
            try await endpoint(response).introspect("t", hint: nil, at: try HTTPURL(Self.url), authentication: .none)
        }
        #expect(try await introspect(.json(["active": false])) == ["active": false])
        await #expect(throws: OAuthError.invalidResponse(.status(403), at: .introspection)) {
            try await introspect(.json(["active": true], status: 403))
        }
        for active in [nil, "true", 1] as [JSONValue?] {
            var object: JSONObject = ["scope": "a"]
            object["active"] = active
            let response = HTTPResponse.json(object)
            await #expect(throws: OAuthError.invalidResponse(.missing("active"), at: .introspection)) {
                try await introspect(response)
            }
        }
    }

    @Test func `The token type N_A is only accepted from an exchange (RFC 8693 section 2.2.1)`() async throws {
        let response = HTTPResponse.json(["access_token": "a", "token_type": "N_A"])
        let fault = ResponseFault.malformed("token_type", isNot: .bearer)
        await #expect(throws: OAuthError.invalidResponse(fault, at: .refresh)) {
            try await endpoint(response).refresh(RefreshToken("r"))
        }
    }

    @Test func `A token, a device code and a user code have a longest length`() async throws {
        func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }
        for name in ["access_token", "refresh_token", "id_token"] {
            var object: JSONObject = ["access_token": "a", "token_type": "Bearer"]
            object[name] = text(65536)
            _ = try await endpoint(.json(object)).refresh(RefreshToken("r"))
            object[name] = text(65537)
            await #expect(throws: OAuthError.invalidResponse(.malformed(name, isNot: .token), at: .refresh)) {
                try await endpoint(.json(object)).refresh(RefreshToken("r"))
            }
        }
        func authorization(deviceCode: Int, userCode: Int) throws -> DeviceAuthorization {
            let object: JSONObject = [
                "device_code": text(deviceCode), "user_code": text(userCode),
                "verification_uri": "https://id.example.com/",
            ]
            return try DeviceAuthorization(object, nameOfURL: "verification_uri")
        }
        _ = try authorization(deviceCode: 4096, userCode: 64)
        #expect(throws: OAuthError.invalidResponse(.missing("device_code"), at: .deviceAuthorization)) {
            try authorization(deviceCode: 4097, userCode: 64)
        }
        let fault = ResponseFault.malformed("user_code", isNot: .userCode)
        #expect(throws: OAuthError.invalidResponse(fault, at: .deviceAuthorization)) {
            try authorization(deviceCode: 4096, userCode: 65)
        }
    }

    @Test func `A request_uri has at most 4096 characters, and a positive lifetime`() throws {
        func pushed(_ count: Int, _ seconds: Int64) throws -> PushedRequest {
            let uri = String(repeating: "u", count: count)
            let object: JSONObject = ["request_uri": .string(uri), "expires_in": JSONValue(seconds)]
            return try PushedRequest(.json(object, status: 201), origin: Self.url, now: TestProvider.now)
        }
        #expect(try pushed(4096, 1).expiresIn == 1)
        for count in [0, 4097] {
            let fault = ResponseFault.malformed("request_uri", isNot: .token)
            #expect(throws: OAuthError.invalidResponse(fault, at: .pushedAuthorization)) { try pushed(count, 1) }
        }
        for seconds in [0, -1] as [Int64] {
            let fault = ResponseFault.malformed("expires_in", isNot: .span)
            #expect(throws: OAuthError.invalidResponse(fault, at: .pushedAuthorization)) { try pushed(1, seconds) }
        }
    }

    @Test func `A device authorization with an error status has no codes`() async throws {
        await #expect(throws: OAuthError.invalidResponse(.status(403), at: .deviceAuthorization)) {
            try await endpoint(.json(["device_code": "d"], status: 403)).authorizeDevice(
                at: try HTTPURL(Self.url), scopes: [], nameOfURL: "verification_uri")
        }
    }

    @Test(arguments: ["text/plain", "text/html; charset=utf-8", "application/octet-stream", nil])
    func `A JSON response is read whatever its media type is, also after a byte order mark`(_ type: String?)
        async throws
    {
        func response(_ text: String, status: Int = 200) -> HTTPResponse {
            HTTPResponse(
                status: status, headers: type.map { [(name: "Content-Type", value: $0)] } ?? [], body: Array(text.utf8))
        }
        let tokens = #"{"access_token":"a","token_type":"Bearer"}"#
        for text in [tokens, "\u{FEFF}" + tokens, " \n" + tokens] {
            #expect(try await endpoint(response(text)).refresh(RefreshToken("r")).accessToken.revealed() == "a")
        }
        let pending = response(#"{"error":"authorization_pending"}"#, status: 400)
        let poll = try await endpoint(pending).poll(DeviceCode("d"))
        #expect({ if case .pending = poll { true } else { false } }())
        await #expect(throws: OAuthError.refused(code: "invalid_grant", description: nil, at: .refresh)) {
            try await endpoint(response(#"{"error":"invalid_grant"}"#, status: 400)).refresh(RefreshToken("r"))
        }
        for text in ["<html>\(tokens)</html>", "\u{FEFF}\u{FEFF}" + tokens, "access_token=a&token_type=bearer"] {
            await #expect(throws: OAuthError.invalidResponse(.noObject(status: 200), at: .refresh)) {
                try await endpoint(response(text)).refresh(RefreshToken("r"))
            }
        }
    }

    @Test(arguments: [nil, .null, "", []] as [JSONValue?])
    func `An optional member that is null or empty is the same as a missing one`(_ value: JSONValue?) async throws {
        var object: JSONObject = ["access_token": "a", "token_type": "Bearer"]
        for name in ["refresh_token", "id_token", "expires_in", "error", "issued_token_type"] { object[name] = value }
        let tokens = try await endpoint(.json(object)).refresh(RefreshToken("r"))
        #expect(tokens.refreshToken == nil && tokens.idToken == nil && tokens.expiresIn == nil)
        object["access_token"] = value
        await #expect(throws: OAuthError.invalidResponse(.missing("access_token"), at: .refresh)) {
            try await endpoint(.json(object)).refresh(RefreshToken("r"))
        }
        object = [
            "device_code": "d", "user_code": "u", "verification_uri": "https://id.example.com/",
            "error": value ?? .null,
        ]
        object["verification_uri_complete"] = value
        #expect(try DeviceAuthorization(object, nameOfURL: "verification_uri").completeURL == nil)
    }

    @Test(arguments: [
        (#""refresh_expires_in":1800"#, 1800), (#""refresh_token_expires_in":15811200"#, 15_811_200),
        (#""refresh_token_expires_in":60,"refresh_expires_in":90"#, 60), (#""refresh_expires_in":"90""#, 90),
        (#""refresh_token_expires_in":"soon","refresh_expires_in":90"#, 90), (#""refresh_expires_in":0"#, nil),
        (#""refresh_expires_in":-1"#, nil), (#""refresh_expires_in":[90]"#, nil), (#""refresh_expires_in":true"#, nil),
        (#""refresh_expires_in":null"#, nil), (#""scope":"""#, nil), (#""refresh_expires_in":1e300"#, Seconds.longest),
    ] as [(String, Int64?)])
    func `The lifetime of the refresh token is known if the server sends a positive number`(
        _ members: String, _ lifetime: Int64?
    ) async throws {
        let text = #"{"access_token":"a","token_type":"Bearer",\#(members)}"#
        let response = HTTPResponse(status: 200, headers: [], body: Array(text.utf8))
        #expect(try await endpoint(response).refresh(RefreshToken("r")).refreshExpiresIn == lifetime)
    }

    @Test func `Scopes are as requested only if the response omits them, and unknown if it does not name any`()
        async throws
    {
        let values: [(JSONValue?, [String]?)] = [
            (nil, nil), (.null, nil), ("", []), (5, []), (["a": 1], []), (["a", 1], []), ([], []),
            ("a b,a", ["a", "b"]),
            (["a", "b c"], ["a", "b", "c"]),
        ]
        for (value, scopes) in values {
            var object: JSONObject = ["access_token": "a", "token_type": "Bearer"]
            object["scope"] = value
            #expect(
                try await endpoint(.json(object)).refresh(RefreshToken("r")).scopes == scopes, "\(value ?? "")")
        }
    }

    @Test func `A form with a repeated parameter is not a token response`() async throws {
        let type = "application/x-www-form-urlencoded"
        let form = "access_token=a&token_type=bearer"
        let good = try await endpoint(.text(form, type: type), acceptsForm: true).refresh(RefreshToken("r"))
        #expect(good.accessToken == AccessToken("a"))
        await #expect(throws: OAuthError.invalidResponse(.noObject(status: 200), at: .refresh)) {
            try await endpoint(.text(form + "&access_token=b", type: type), acceptsForm: true)
                .refresh(RefreshToken("r"))
        }
    }

    @Test func `A form with as many parameters as a response can have is read in linear time`() async throws {
        let more = (0..<50_000).map { "&p\($0)=" }.joined()
        let form = HTTPResponse.text(
            "access_token=a&token_type=bearer" + more, type: "application/x-www-form-urlencoded")
        #expect(
            try await endpoint(form, acceptsForm: true).refresh(RefreshToken("r")).accessToken
                == AccessToken("a"))
    }

    @Test func `An error object without a type is reported with the code 'error'`() async throws {
        await #expect(throws: OAuthError.refused(code: "error", description: ServerText("why"), at: .refresh)) {
            try await endpoint(.json(["error": ["message": "why"]], status: 400)).refresh(RefreshToken("r"))
        }
    }
}
