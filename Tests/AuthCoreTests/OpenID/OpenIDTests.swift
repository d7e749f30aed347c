import AuthCoreTesting
import Testing

@testable import AuthCore

/// Documents and tokens of an OpenID Provider that break the rules of their standard.
@Suite struct `Documents and tokens of an OpenID Provider` {
    private let provider: TestProvider
    private static let issuer = TestProvider.issuer
    private static let now = TestProvider.now

    init() throws { provider = try TestProvider() }

    private var fetcher: DocumentFetcher {
        DocumentFetcher(
            transport: provider, cache: nil, clock: Clock(now: { Self.now }, sleep: { _ in }))
    }

    private func metadata(_ change: (inout JSONObject) -> Void = { _ in }) throws -> ProviderMetadata {
        var object = provider.metadata
        change(&object)
        return try ProviderMetadata(
            Array(JSONValue.object(object).text.utf8), issuer: try HTTPURL(Self.issuer), zone: .global)
    }

    private var keys: KeySource {
        get throws { KeySource(fetcher: fetcher, published: try metadata().publishedKeys) }
    }

    // MARK: Access tokens

    private func accessToken(
        type: String? = "at+jwt", needsType: Bool = true, _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> JWTAccessTokenClaims {
        var claims: JSONObject = [
            "iss": .string(Self.issuer), "sub": "1", "aud": "api", "iat": JSONValue(Self.now),
            "exp": JSONValue(Self.now + 600), "client_id": "c",
        ]
        change(&claims)
        return try await accessToken(JSONValue.object(claims).text, type: type, needsType: needsType)
    }

    private func accessToken(_ payload: String, type: String?, needsType: Bool) async throws -> JWTAccessTokenClaims {
        var header: JSONObject = ["alg": .string(provider.algorithm.rawValue), "kid": "k1"]
        if let type { header["typ"] = .string(type) }
        let token = try UnverifiedJWS(provider.sign(payload, header: JSONValue.object(header).text))
        let verified = try await keys.verify(token, algorithms: [provider.algorithm])
        return try JWTAccessTokenClaims(
            verified, issuer: Self.issuer, audience: "api", needsType: needsType, now: Self.now)
    }

    @Test func `An access token has the type of RFC 9068, or none where the issuer has no such type`() async throws {
        #expect(try await accessToken().subject == "1")
        #expect(try await accessToken(type: nil, needsType: false).subject == "1")
        #expect(try await accessToken(type: "JWT", needsType: false).subject == "1")
        for (type, needsType) in [(nil, true), ("JWT", true), ("dpop+jwt", false)] as [(String?, Bool)] {
            await #expect(throws: IDTokenRejection.jose(.type(type ?? ""))) {
                try await accessToken(type: type, needsType: needsType)
            }
        }
    }

    @Test(
        arguments: [
            ("iss", nil, .claim("iss")), ("aud", nil, .claim("aud")), ("aud", [], .claim("aud")),
            ("exp", nil, .claim("exp")), ("sub", "", .claim("sub")), ("nonce", "n", .claim("nonce")),
            ("nbf", JSONValue(now + 61), .notYetValid(at: now + 61, now: now)),
            ("iat", JSONValue(now + 61), .issuedInFuture(at: now + 61, now: now)),
            ("exp", JSONValue(now - 60), .expired(at: now - 60, now: now)),
        ] as [(String, JSONValue?, IDTokenRejection)])
    func `An access token with a missing, wrong or untimely claim is rejected`(
        name: String, value: JSONValue?, rejection: IDTokenRejection
    ) async throws {
        await #expect(throws: rejection) { try await accessToken { $0[name] = value } }
    }

    @Test func `A token that has auth_time, and neither client_id nor scope, may be an ID token`() async throws {
        for (name, isFine) in [("client_id", true), ("scope", true), ("other", false)] {
            let change = { (claims: inout JSONObject) in
                claims["client_id"] = nil
                claims["auth_time"] = JSONValue(Self.now)
                claims[name] = "x"
            }
            if isFine {
                #expect(try await accessToken(change).subject == "1")
            } else {
                await #expect(throws: IDTokenRejection.claim("auth_time")) { try await accessToken(change) }
            }
        }
    }

    @Test func `An access token that is not an object is rejected`() async throws {
        await #expect(throws: IDTokenRejection.jose(.payload(.notAnObject))) {
            try await accessToken("[]", type: "at+jwt", needsType: true)
        }
    }

    @Test(arguments: ["exp", "iat"]) func `An ID token without exp or iat is rejected`(name: String) async throws {
        provider.claims { $0[name] = nil }
        let expected = ExpectedIDToken(
            issuers: .exact(Self.issuer), audience: TestProvider.clientID, nonce: .none, now: Self.now)
        await #expect(throws: IDTokenRejection.claim(name)) {
            try await keys.verify(RawIDToken(provider.idToken()), expecting: expected)
        }
    }

    // MARK: Userinfo

    private func userInfo(_ type: String, _ body: String, metadata: ProviderMetadata? = nil) async throws -> JSONObject?
    {
        provider.on("/userinfo") { _ throws(HTTPError) in .text(body, type: type) }
        return try await UserInfoRequest(
            keys: try keys, metadata: metadata ?? (try self.metadata()), transport: provider,
            clientID: TestProvider.clientID
        ).claims(of: "1", accessToken: AccessToken("a-token"))
    }

    @Test(arguments: [nil, "", "a\u{7}", .null, 1] as [JSONValue?])
    func `Without an ID token, userinfo names the user by a subject as in ID tokens`(_ subject: JSONValue?) async throws
    {
        let request = UserInfoRequest(
            keys: try keys, metadata: try metadata(), transport: provider, clientID: TestProvider.clientID)
        provider.on("/userinfo") { _ throws(HTTPError) in .json(["sub": "1"]) }
        #expect(try await request.claims(of: nil, accessToken: AccessToken("a-token"))?["sub"] == "1")
        var claims: JSONObject = ["email": "ada@example.com"]
        claims["sub"] = subject
        let response = claims
        provider.on("/userinfo") { _ throws(HTTPError) in .json(response) }
        await #expect(throws: IDTokenRejection.claim("sub")) {
            try await request.claims(of: nil, accessToken: AccessToken("a-token"))
        }
    }

    @Test func `Userinfo is JSON or signed by the provider for this client, and of the same subject`() async throws {
        #expect(try await userInfo("application/json", #"{"sub":"1","a":2}"#)?["a"] == 2)
        await #expect(throws: IDTokenRejection.claim("sub")) { try await userInfo("application/json", #"{"sub":"2"}"#) }
        await #expect(throws: OAuthError.invalidResponse(.noObject(status: nil), at: .userInfo)) {
            try await userInfo("text/html", "<html>")
        }
        func signed(_ claims: JSONObject) async throws -> JSONObject? {
            try await userInfo("application/jwt", provider.sign(JSONValue.object(claims).text))
        }
        let issuer = JSONValue.string(Self.issuer)
        #expect(try await signed(["iss": issuer, "aud": [.string(TestProvider.clientID)], "sub": "1"])?["sub"] == "1")
        await #expect(throws: IDTokenRejection.claim("iss")) { try await signed(["aud": "client-1", "sub": "1"]) }
        for audience in [nil, "other", ["other"]] as [JSONValue?] {
            var claims: JSONObject = ["iss": issuer, "sub": "1"]
            claims["aud"] = audience
            let all = claims
            let rejection = IDTokenRejection.audience(
                ServerText(audience == nil ? "" : "other"), expected: TestProvider.clientID)
            await #expect(throws: rejection) { try await signed(all) }
        }
        await #expect(throws: IDTokenRejection.jose(.notCompact)) { try await userInfo("application/jwt", "no token") }
        await #expect(throws: IDTokenRejection.jose(.payload(.notAnObject))) {
            try await userInfo("application/jwt", provider.sign("[]"))
        }
    }

    @Test func `A provider without a userinfo endpoint is not asked`() async throws {
        let metadata = try metadata { $0["userinfo_endpoint"] = nil }
        #expect(try await userInfo("application/json", "{}", metadata: metadata) == nil)
        #expect(provider.requests(to: "/userinfo").isEmpty)
    }

    // MARK: Metadata, keys and registration

    @Test func `Metadata whose mtls_endpoint_aliases is not an object cannot be used with a certificate`() throws {
        #expect(throws: DiscoveryError.invalidEndpoint("mtls_endpoint_aliases", .notAURL)) {
            try metadata { $0["mtls_endpoint_aliases"] = 5 }.aliased()
        }
        #expect(try metadata { $0["mtls_endpoint_aliases"] = nil }.aliased().tokenEndpoint.path == "/token")
    }

    @Test func `An https issuer on this machine cannot have plain http endpoints`() throws {
        let issuer = "https://localhost:8443"
        var object = provider.metadata.filter { !$0.hasSuffix("_endpoint") && $0 != "jwks_uri" }
        object["issuer"] = .string(issuer)
        for name in ["authorization_endpoint", "jwks_uri"] { object[name] = .string(issuer + "/x") }
        object["token_endpoint"] = "http://localhost:8080/token"
        #expect(throws: DiscoveryError.invalidEndpoint("token_endpoint", .plainHTTP)) {
            try ProviderMetadata(
                Array(JSONValue.object(object).text.utf8), issuer: try HTTPURL(issuer), zone: .loopback)
        }
    }

    @Test func `Verification fails if the provider does not publish keys`() async throws {
        let source = KeySource(fetcher: fetcher, published: PublishedKeys(issuer: Self.issuer, urls: []))
        let missing = DiscoveryError.missingEndpoint("jwks_uri")
        await #expect(throws: missing) { try await source.keys() }
        await #expect(throws: missing) { try await source.document(refetch: .always) }
        let token = try UnverifiedJWS(provider.idToken())
        await #expect(throws: missing) { try await source.verify(token, algorithms: [.es256]) }
    }

    @Test func `The metadata of an authorization server is requested from each of its well-known URLs`() async throws {
        let discovery = Discovery(fetcher: fetcher)
        let issuer = try HTTPURL(Self.issuer + "/path")
        let first = Self.issuer + "/.well-known/oauth-authorization-server/path"
        await #expect(throws: DiscoveryError.notFound(url: first)) { try await discovery.authorizationServer(issuer) }
        provider.on("/.well-known/openid-configuration/path") { _ throws(HTTPError) in HTTPResponse(status: 403) }
        provider.on("/.well-known/oauth-authorization-server/path") { _ throws(HTTPError) in
            .text("<html>", type: "text/html")
        }
        await #expect {
            try await discovery.authorizationServer(issuer)
        } throws: { error in
            if case .document = error as? DiscoveryError { true } else { false }
        }
        var object = provider.metadata
        object["issuer"] = .string(issuer.text)
        let document = object
        provider.on("/path/.well-known/openid-configuration") { _ throws(HTTPError) in .json(document) }
        #expect(try await discovery.authorizationServer(issuer).document == .openID)
        object["issuer"] = "https://other.example"
        let foreign = object
        provider.on("/.well-known/oauth-authorization-server/path") { _ throws(HTTPError) in .json(foreign) }
        await #expect(
            throws: DiscoveryError.issuerMismatch(expected: issuer.text, found: ServerText("https://other.example"))
        ) { try await discovery.authorizationServer(issuer) }
    }

    @Test(arguments: [
        HTTPResponse(status: 404), HTTPResponse(status: 403), .text("<!doctype html>", type: "text/html"),
        HTTPResponse(status: 302, headers: [(name: "location", value: "https://login.example/")]),
    ])
    func `The keys of an issuer are also found in the document of RFC 8414`(response: HTTPResponse) async throws {
        let discovery = Discovery(fetcher: fetcher)
        let issuer = try HTTPURL(Self.issuer)
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in response }
        let url = Self.issuer + "/.well-known/openid-configuration"
        let error = await #expect(throws: (any Error).self) { try await discovery.publishedKeys(issuer: issuer) }
        switch response.status {
        case 404: #expect(error == DiscoveryError.notFound(url: url))
        case 403: #expect(error == DocumentError.status(403, url: url))
        case 302: #expect(error == DocumentError.redirect(url: url, to: ServerText("https://login.example/")))
        default: #expect(error == DiscoveryError.document(.malformed(offset: 0)))
        }
        let document = provider.metadata
        provider.on("/.well-known/oauth-authorization-server") { _ throws(HTTPError) in .json(document) }
        #expect(try await discovery.publishedKeys(issuer: issuer).urls.map(\.path) == ["/jwks"])
    }

    private func register(_ response: JSONObject) async throws -> ClientRegistration.Client {
        provider.on("/register") { _ throws(HTTPError) in .json(response, status: 201) }
        return try await ClientRegistration(transport: provider, clientName: "authctl").register(
            at: try metadata { $0["registration_endpoint"] = .string(Self.issuer + "/register") },
            redirectURI: "http://127.0.0.1:8400/callback", scopes: [], proof: .init(method: .none), now: Self.now)
    }

    @Test func `An empty client secret counts as missing, and an unknown method is rejected`() async throws {
        let client = try await register([
            "client_id": "c", "client_secret": "", "client_secret_expires_at": 5, "token_endpoint_auth_method": nil,
        ])
        #expect(client.secret == nil && client.method == ClientAuthentication.Method.none)
        let confidential = try await register(["client_id": "c", "client_secret": "s", "client_secret_expires_at": 0])
        #expect(confidential.method == nil && confidential.secretExpiresAt == nil)
        await #expect(throws: OAuthError.invalidResponse(.unknownMethod(ServerText(#""x""#)), at: .registration)) {
            try await register(["client_id": "c", "token_endpoint_auth_method": "x"])
        }
    }

    @Test func `A client whose secret has expired when it arrives is rejected`() async throws {
        func expiring(_ time: Int64) async throws -> ClientRegistration.Client {
            try await register([
                "client_id": "c", "client_secret": "s", "client_secret_expires_at": JSONValue(time),
            ])
        }
        #expect(try await expiring(Self.now + 1).secretExpiresAt == Self.now + 1)
        await #expect(throws: OAuthError.invalidResponse(.expiredSecret(at: Self.now), at: .registration)) {
            try await expiring(Self.now)
        }
    }

    @Test func `A client ID has 1 to 1024 printable ASCII characters`() async throws {
        let longest = String(repeating: "c", count: 1024)
        #expect(try await register(["client_id": .string(longest)]).clientID == longest)
        for wrong in [longest + "c", "", "\u{e9}", "a\u{7f}"] {
            await #expect(
                throws: OAuthError.invalidResponse(.malformed("client_id", isNot: .clientIdentifier), at: .registration)
            ) { try await register(["client_id": .string(wrong)]) }
        }
    }

    @Test func `A stored client is read back, with or without a management URL`() throws {
        #expect(RegisteredClient(text: "x") == nil && RegisteredClient(text: "{}") == nil)
        let stored = """
            {"client_id":"c","registration_client_uri":"https://id.example.com/c","registration_access_token":"t","zone":3}
            """
        let client = try #require(RegisteredClient(text: stored))
        #expect(client.management?.allowsPlainHTTP != true)
        #expect(RegisteredClient(text: client.text) == client)
        #expect(RegisteredClient(text: #"{"client_id":"c"}"#)?.management == nil)
    }

    @Test func `The logout URL contains the client ID, the ID token and Cognito's logout URI`() throws {
        var provider = Provider(
            id: "oidc.test", issuer: try HTTPURL("https://id.example.com"), clientID: "other", preset: .cognito)
        provider.redirectURI = "https://app.example/x"
        let grant = Grant(
            providerID: provider.id, issuer: provider.issuer.text, clientID: "c",
            tokens: Tokens(idToken: RawIDToken("i"), tokenOrigin: ""), subject: "s", lastProvenAt: 0, source: .browser)
        let url = SignOut.endSessionURL(try HTTPURL("https://id.example.com/end?a=1"), of: grant, at: provider)
        let added = "client_id=c&id_token_hint=i&logout_uri=https%3A%2F%2Fapp.example%2Fx"
        #expect(url == "https://id.example.com/end?a=1&" + added)
    }
}
