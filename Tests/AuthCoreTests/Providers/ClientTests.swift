import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Client authentication, registration and discovery` {
    let double: TestProvider

    init() throws { double = try TestProvider() }

    private var services: Services { Services(transport: double, clock: Clock(now: { TestProvider.now })) }

    private func entry(_ change: (inout Provider) -> Void = { _ in }) throws -> Provider {
        var entry = Provider(
            id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID)
        change(&entry)
        return entry
    }

    private func metadata(_ change: (inout JSONObject) -> Void) {
        var metadata = double.metadata
        change(&metadata)
        let changed = metadata
        double.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
    }

    private func client(
        key: PrivateKey? = nil, secret: String? = nil, _ change: (inout Provider) -> Void = { _ in }
    ) async throws -> ProviderClient {
        try await ProviderClient.resolve(
            try entry(change), keys: .init(secret: secret.map { ClientSecret($0) }, privateKey: key), services: services
        )
    }

    private func algorithm(of client: ProviderClient) -> SignatureAlgorithm? {
        guard case .privateKeyJWT(_, let algorithm, _) = client.authentication else { return nil }
        return algorithm
    }

    private func form(_ path: String) throws -> [String: String] {
        let body = try #require(double.requests(to: path).last?.body)
        let pairs = try #require(FormURLEncoded.decode(body))
        return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    @Test(arguments: [true, false])
    func `a registered client uses PAR and DPoP if its configuration or the response requires them`(isConfigured: Bool)
        async throws
    {
        metadata { $0["registration_endpoint"] = "https://id.example.com/register" }
        double.on("/register") { _ throws(HTTPError) in
            let requirements: JSONObject =
                isConfigured ? [:] : ["require_pushed_authorization_requests": true, "dpop_bound_access_tokens": true]
            var response: JSONObject = ["client_id": "made-here"]
            response.merge(requirements)
            return .json(response, status: 201)
        }
        let configured = try entry {
            $0.pushesRequests = isConfigured
            $0.bindsTokens = isConfigured
        }
        let registered = try await RegisterClient(services: services, clientName: "authctl").run(configured, key: nil)
            .provider
        #expect(registered.pushesRequests && registered.bindsTokens)
        let body = try StrictJSON.object(try #require(double.requests(to: "/register").last?.body))
        #expect((body["dpop_bound_access_tokens"] == true) == isConfigured)
        #expect((body["require_pushed_authorization_requests"] == true) == isConfigured)
    }

    // MARK: Assertions

    @Test(arguments: [true, false])
    func `a client assertion's audience is the issuer at every endpoint (CVE-2025-27370)`(isKey: Bool) async throws {
        double.on("/device") { _ throws(HTTPError) in
            .json(["device_code": "d", "user_code": "ABCD", "verification_uri": "https://id.example.com/d"])
        }
        // A malicious server names an honest server's token endpoint, to get an assertion for that endpoint.
        metadata {
            $0["token_endpoint"] = "https://honest.example/oauth/token"
            $0["device_authorization_endpoint"] = "https://id.example.com/device"
        }
        let client = try await client(
            key: isKey ? try .generate(.ellipticCurve(.p256)) : nil, secret: isKey ? nil : "a-shared-secret-0001"
        ) { $0.authenticationMethod = isKey ? .privateKeyJWT : .clientSecretJWT }
        let endpoint = try client.tokenEndpoint()
        _ = try await endpoint.authorizeDevice(
            at: try #require(client.metadata[.deviceAuthorization]), scopes: [], nameOfURL: "verification_uri")
        try await endpoint.revoke("token-0001", hint: .accessToken)
        _ = try? await endpoint.refresh(RefreshToken("refresh-0001"))
        for path in ["/device", "/revoke", "/oauth/token"] {
            let parts = try #require(try form(path)["client_assertion"]).split(separator: ".")
            let claims = try StrictJSON.object(try #require(Base64URL.decode(String(parts[1]))))
            #expect(claims["aud"] == .string(TestProvider.issuer), "\(path)")
        }
    }

    @Test func `a configured token endpoint audience is used, and refused if the endpoint has another origin`()
        async throws
    {
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        _ = try await client(key: key) { $0.assertionAudience = .tokenEndpoint }.tokenEndpoint().refresh(
            RefreshToken("refresh-0001"))
        let parts = try #require(try form("/token")["client_assertion"]).split(separator: ".")
        let claims = try StrictJSON.object(try #require(Base64URL.decode(String(parts[1]))))
        #expect(claims["aud"] == .string(TestProvider.issuer + "/token"))
        for other in ["https://honest.example/token", "https://id.example.com.evil.example/token"] {
            metadata { $0["token_endpoint"] = .string(other) }
            let setting = "oidc.test: assertion_audience"
            await #expect(throws: ProviderError.invalid(setting: setting, .endpointOutsideIssuer(other))) {
                try await client(key: key) { $0.assertionAudience = .tokenEndpoint }
            }
        }
    }

    @Test func `an RSA key signs with an algorithm that the provider supports, or RS256 by default`() async throws {
        let key = try PrivateKey.generate(.rsa)
        #expect(algorithm(of: try await client(key: key)) == .rs256)
        for (supported, expected) in [
            (["PS256", "ES256"], SignatureAlgorithm.ps256), (["PS512", "RS384"], .rs384), (["RS256", "PS256"], .rs256),
            (["HS256"], .rs256), ([], .rs256),
        ] {
            metadata { $0["token_endpoint_auth_signing_alg_values_supported"] = JSONValue(supported) }
            #expect(algorithm(of: try await client(key: key)) == expected, "\(supported)")
            // The user's setting is used even if the provider's metadata lacks it.
            #expect(algorithm(of: try await client(key: key) { $0.keyAlgorithm = .ps384 }) == .ps384)
        }
    }

    @Test(arguments: [
        (SignatureAlgorithm.Family.ellipticCurve(.p256), SignatureAlgorithm.es384),
        (.ellipticCurve(.p521), .rs256), (.ed25519, .ps256), (.rsa, .edDSA),
    ])
    func `an algorithm that does not match the key is a configuration error`(
        family: SignatureAlgorithm.Family, algorithm: SignatureAlgorithm
    ) async throws {
        let key = try PrivateKey.generate(family)
        for isConfigured in [true, false] {
            if !isConfigured {
                metadata { $0["token_endpoint_auth_signing_alg_values_supported"] = [.string(algorithm.rawValue)] }
            }
            do {
                _ = try await client(key: key) { $0.keyAlgorithm = isConfigured ? algorithm : nil }
                Issue.record("the algorithm was accepted")
            } catch {
                let refused =
                    isConfigured
                    ? ProviderError.invalid(setting: "oidc.test: key_alg", .notOfKey(algorithm, family))
                    : .invalid(setting: "oidc.test: private_key", .keyNotSupported(family, supported: [algorithm]))
                #expect(error == refused)
            }
        }
    }

    // MARK: Secrets

    @Test(
        arguments: [
            (
                "plain-Secret_0.1~", ["client_secret_basic", "client_secret_post"],
                ClientAuthentication.Method.clientSecretBasic
            ),
            ("sec%ret+/=", ["client_secret_basic", "client_secret_post"], .clientSecretPost),
            ("a secret", ["client_secret_post", "client_secret_basic"], .clientSecretPost),
            ("sec%ret+/=", ["client_secret_basic"], .clientSecretBasic), ("sec%ret+/=", nil, .clientSecretBasic),
            ("plain", ["client_secret_post"], .clientSecretPost),
        ] as [(String, [String]?, ClientAuthentication.Method)])
    func `a client secret that Basic would percent-encode is sent in the form if both are supported`(
        secret: String, offered: [String]?, expected: ClientAuthentication.Method
    ) async throws {
        metadata { $0["token_endpoint_auth_methods_supported"] = offered.map { JSONValue($0) } }
        #expect(try await client(secret: secret).authentication.method == expected)
        #expect(
            try await client(secret: secret) { $0.authenticationMethod = .clientSecretBasic }.authentication.method
                == .clientSecretBasic)
    }

    @Test func `a client ID that Basic would percent-encode is sent in the form`() async throws {
        metadata { $0["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"] }
        let client = try await client(secret: "plain") { $0.clientID = "https://client.example" }
        #expect(client.authentication.method == .clientSecretPost)
    }

    // MARK: Registration

    private func register(
        _ proof: ClientRegistration.Proof, response: JSONObject
    ) async throws -> (client: ClientRegistration.Client, sent: JSONObject) {
        double.on("/register") { _ throws(HTTPError) in .json(response, status: 201) }
        metadata { $0["registration_endpoint"] = "https://id.example.com/register" }
        let client = try await ClientRegistration(transport: double, clientName: "authctl").register(
            at: try await client().metadata, redirectURI: "http://127.0.0.1:8400/callback", scopes: ["openid"],
            proof: proof, now: TestProvider.now)
        return (client, try StrictJSON.object(try #require(double.requests(to: "/register").last?.body)))
    }

    @Test func `a client that uses private_key_jwt registers its public key`() async throws {
        let key = try PrivateKey.generate(.rsa)
        let jwk = JWK(key: key.publicKey, keyID: "k", algorithm: .ps256)
        let (client, sent) = try await register(
            .init(method: .privateKeyJWT, key: jwk), response: ["client_id": "c", "client_secret_expires_at": 0])
        #expect(client.method == .privateKeyJWT && client.secret == nil && client.secretExpiresAt == nil)
        #expect(sent["token_endpoint_auth_method"] == "private_key_jwt")
        #expect(sent["token_endpoint_auth_signing_alg"] == "PS256")
        let set = try JWKSet(Array(try #require(sent["jwks"]).text.utf8))
        #expect(set.keys.map(\.keyID) == ["k"] && set.keys.first?.key.material == key.publicKey.material)
    }

    @Test func `a client registers its certificate or subject DN, and certificate-bound tokens (RFC 8705)`()
        async throws
    {
        let pem = Array(TestCertificates.p256.utf8)
        let certificate = try ClientCertificate(pem: pem, key: PrivateKey(pem: pem))
        for (method, name) in [
            (ClientAuthentication.Method.tlsClientAuth, "tls_client_auth_subject_dn"),
            (.selfSignedTLSClientAuth, "jwks"),
        ] {
            let proof = ClientRegistration.Proof(method: method, certificate: certificate)
            let (client, sent) = try await register(proof, response: ["client_id": "c"])
            #expect(client.method == method && sent["tls_client_certificate_bound_access_tokens"] == true)
            #expect(sent.members.map(\.name).filter { ["tls_client_auth_subject_dn", "jwks"].contains($0) } == [name])
            guard let key = sent["jwks"]?.object?["keys"]?.array?.first?.object else {
                #expect(sent["tls_client_auth_subject_dn"] == "CN=client p256,O=Example")
                continue
            }
            let der = try #require(Base64.decode(key["x5c"]?.strings?.first ?? ""))
            #expect(Base64URL.encode(try HashFunction.sha256.digest(der)) == certificate.chain.thumbprint)
            #expect(try JWK(key)?.key.material == certificate.key.publicKey.material)
        }
    }

    @Test func `the registration response overrides the requested authentication method (RFC 7591 section 3.2.1)`()
        async throws
    {
        let key = JWK(key: try PrivateKey.generate(.ed25519).publicKey, keyID: "k")
        let open = ClientRegistration.Proof(method: .none)
        let keyed = ClientRegistration.Proof(method: .privateKeyJWT, key: key)
        func response(_ method: String?, secret: String? = nil) -> JSONObject {
            var response: JSONObject = ["client_id": "c"]
            response["token_endpoint_auth_method"] = method.map(JSONValue.string)
            response["client_secret"] = secret.map(JSONValue.string)
            return response
        }
        let basic = ClientRegistration.Proof(method: .clientSecretBasic)
        // Nil: the metadata decides.
        let cases: [(ClientRegistration.Proof, JSONObject, String?)] = [
            (open, response(nil, secret: "s"), nil), (open, response(nil), "none"),
            (open, response("", secret: "s"), nil), (open, response(""), "none"),
            (basic, response(nil, secret: "s"), nil), (basic, response("", secret: "s"), nil),
            (basic, response(nil), nil), (basic, response("client_secret_basic", secret: "s"), "client_secret_basic"),
            (keyed, response(nil, secret: "s"), "client_secret_basic"),
            (open, response("none", secret: "s"), "none"),
            (open, response("client_secret_post", secret: "s"), "client_secret_post"),
            (keyed, response("client_secret_basic", secret: "s"), "client_secret_basic"),
            (keyed, response("none"), "none"), (keyed, response(nil), "private_key_jwt"),
        ]
        for (proof, response, method) in cases {
            let (client, _) = try await register(proof, response: response)
            #expect(client.method?.rawValue == method, "\(response)")
            #expect((client.secret == nil) == (response["client_secret"] == nil))
        }
        for (method, fault) in [
            ("client_secret_basic", .methodWithoutSecret(.clientSecretBasic)),
            ("private_key_jwt", .methodWithoutKey(.privateKeyJWT)),
            ("tls_client_auth", .methodWithoutCertificate(.tlsClientAuth)),
        ] as [(String, ResponseFault)] {
            await #expect(throws: OAuthError.invalidResponse(fault, at: .registration)) {
                try await register(open, response: response(method))
            }
        }
    }

    @Test(
        arguments: [
            (["none", "client_secret_basic"], "none"),
            (["client_secret_post", "client_secret_basic"], "client_secret_post"),
            (["private_key_jwt", "client_secret_basic"], "client_secret_basic"), (["private_key_jwt"], "none"),
            (nil, "client_secret_basic"),
        ] as [([String]?, String)])
    func `a registration requests no authentication only where the metadata lists it`(
        listed: [String]?, requested: String
    ) async throws {
        metadata {
            $0["registration_endpoint"] = "https://id.example.com/register"
            $0["token_endpoint_auth_methods_supported"] = listed.map { JSONValue($0) }
        }
        double.on("/register") { _ throws(HTTPError) in
            .json(["client_id": "a/b", "client_secret": "s"], status: 201)
        }
        let registered = try await RegisterClient(services: services, clientName: "authctl").run(try entry(), key: nil)
        let body = try StrictJSON.object(try #require(double.requests(to: "/register").last?.body))
        #expect(body["token_endpoint_auth_method"]?.string == requested)
        #expect(registered.provider.authenticationMethod == nil)
        let client = try await ProviderClient.resolve(
            registered.provider, keys: ClientKeys(secret: registered.client.secret), services: services)
        let isPost = listed?.contains("client_secret_post") == true
        #expect(client.authentication.method == (isPost ? .clientSecretPost : .clientSecretBasic))
    }

    @Test(arguments: [["none"], ["client_secret_basic", "client_secret_post"]])
    func `a method by a key or certificate is not registered where the metadata does not list it`(listed: [String])
        async throws
    {
        metadata {
            $0["registration_endpoint"] = "https://id.example.com/register"
            $0["token_endpoint_auth_methods_supported"] = JSONValue(listed)
        }
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        let register = RegisterClient(services: services, clientName: "authctl")
        let refused = ProviderError.invalid(setting: "oidc.test: auth_method", .notListed("private_key_jwt"))
        await #expect(throws: refused) { try await register.run(try entry(), key: key, method: .privateKeyJWT) }
        await #expect(throws: refused) { try await register.run(try entry(), key: key) }
        let pem = Array(TestCertificates.p256.utf8)
        let certificate = try ClientCertificate(pem: pem, key: PrivateKey(pem: pem))
        await #expect(
            throws: ProviderError.invalid(setting: "oidc.test: auth_method", .notListed("tls_client_auth"))
        ) {
            try await register.run(try entry(), key: nil, certificate: certificate, method: .tlsClientAuth)
        }
        #expect(double.requests(to: "/register").isEmpty)
    }

    @Test func `a registration with a secret that has expired is refused`() async throws {
        let open = ClientRegistration.Proof(method: .none)
        func response(_ end: JSONValue) -> JSONObject {
            ["client_id": "c", "client_secret": "s", "client_secret_expires_at": end]
        }
        for end in [TestProvider.now - 3600, TestProvider.now] {
            await #expect(throws: OAuthError.invalidResponse(.expiredSecret(at: end), at: .registration)) {
                try await register(open, response: response(JSONValue(end)))
            }
        }
        let later = TestProvider.now + 60
        #expect(try await register(open, response: response(JSONValue(later))).client.secretExpiresAt == later)
        #expect(try await register(open, response: response(0)).client.secretExpiresAt == nil)
    }

    @Test(
        arguments: [
            ("exp", TestProvider.now + 1, nil), ("exp", TestProvider.now - 3600, .expired),
            ("nbf", TestProvider.now, nil), ("nbf", TestProvider.now + 3600, .notYetValid),
        ] as [(String, Int64, TokenRejected.Reason?)])
    func `an introspected token must be valid now, even if the provider reports it as active (RFC 7662)`(
        name: String, time: Int64, reason: TokenRejected.Reason?
    ) async throws {
        metadata { $0["introspection_endpoint"] = "https://id.example.com/introspect" }
        let introspection: JSONObject = ["active": true, name: JSONValue(time)]
        double.on("/introspect") { _ throws(HTTPError) in .json(introspection) }
        let introspect = IntrospectToken(client: try await client())
        guard let reason else {
            #expect(try await introspect.run("token-0001")["active"] == true)
            return
        }
        await #expect(throws: TokenRejected(members: introspection, reason: reason)) {
            try await introspect.run("token-0001")
        }
    }

    @Test(
        arguments: [
            ("https://id.example.com/register/c", "token", true), ("https://evil.example/register/c", "token", false),
            ("https://id.example.com:444/c", "token", false), ("http://id.example.com/c", "token", false),
            ("https://id.example.com/c", "a b", false), ("https://id.example.com/c", "", false), (nil, "token", false),
        ] as [(String?, String, Bool)])
    func `a registration access token is sent only to the registration endpoint's origin (RFC 7592)`(
        url: String?, token: String, isSent: Bool
    ) async throws {
        metadata { $0["registration_endpoint"] = "https://id.example.com/register" }
        var response: JSONObject = ["client_id": "c", "registration_access_token": .string(token)]
        response["registration_client_uri"] = url.map(JSONValue.string)
        let changed = response
        double.on("/register") { _ throws(HTTPError) in .json(changed, status: 201) }
        for path in ["/register/c", "/c"] { double.on(path) { _ throws(HTTPError) in HTTPResponse(status: 204) } }
        let registered = try await RegisterClient(services: services, clientName: "authctl").run(try entry(), key: nil)
            .client.registered
        let stored = try #require(RegisteredClient(text: registered.text))
        #expect(stored == registered)
        #expect(await stored.delete(by: double) == isSent)
        let sent = double.requests(to: "/register/c") + double.requests(to: "/c")
        #expect(sent.map { $0.headers.first?.value } == (isSent ? ["Bearer token"] : []))
        #expect(sent.allSatisfy { $0.method == .delete && $0.narrowestZone == .global })
    }

    private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
    private static let exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

    @Test(
        arguments: [
            (nil, true, false, [deviceGrant]), (nil, false, true, []),
            (
                [deviceGrant, exchangeGrant, "client_credentials", "password"], true, false,
                [deviceGrant, exchangeGrant]
            ),
            (
                [deviceGrant, exchangeGrant, "client_credentials"], true, true,
                ["client_credentials", deviceGrant, exchangeGrant]
            ),
            ([deviceGrant], false, false, []), (["authorization_code"], true, true, []),
        ] as [([String]?, Bool, Bool, [String])])
    func `a client registers for the grant types that the metadata supports (RFC 7591 section 2)`(
        offered: [String]?, hasDeviceEndpoint: Bool, isConfidential: Bool, added: [String]
    ) async throws {
        metadata {
            $0["registration_endpoint"] = "https://id.example.com/register"
            $0["grant_types_supported"] = offered.map { JSONValue($0) }
            $0["token_endpoint_auth_methods_supported"] = ["none", "private_key_jwt"]
            if hasDeviceEndpoint { $0["device_authorization_endpoint"] = "https://id.example.com/device" }
        }
        double.on("/register") { _ throws(HTTPError) in .json(["client_id": "c"], status: 201) }
        let key = isConfidential ? try PrivateKey.generate(.ellipticCurve(.p256)) : nil
        _ = try await RegisterClient(services: services, clientName: "authctl").run(try entry(), key: key)
        let body = try StrictJSON.object(try #require(double.requests(to: "/register").last?.body))
        #expect(body["grant_types"]?.strings == ["authorization_code", "refresh_token"] + added)
    }

    @Test func `a registration that the provider refuses is repeated once without the additional grant types`()
        async throws
    {
        metadata {
            $0["registration_endpoint"] = "https://id.example.com/register"
            $0["device_authorization_endpoint"] = "https://id.example.com/device"
        }
        double.on("/register") { request throws(HTTPError) in
            let types = (try? StrictJSON.object(request.body ?? []))?["grant_types"]?.strings
            return types == ["authorization_code", "refresh_token"]
                ? .json(["client_id": "c"], status: 201) : .json(["error": "invalid_client_metadata"], status: 400)
        }
        let registered = try await RegisterClient(services: services, clientName: "authctl").run(try entry(), key: nil)
        #expect(registered.provider.clientID == "c" && double.requests(to: "/register").count == 2)
        double.on("/register") { _ throws(HTTPError) in .json(["error": "invalid_client_metadata"], status: 400) }
        await #expect(throws: OAuthError.refused(code: "invalid_client_metadata", description: nil, at: .registration))
        {
            try await RegisterClient(services: services, clientName: "authctl").run(try entry(), key: nil)
        }
        #expect(double.requests(to: "/register").count == 4)
    }

    @Test(
        arguments: [
            (["RS256", "PS256", "ES256"], true, "PS256"), (["EdDSA", "ES256"], true, "EdDSA"),
            (["ES256", "PS256"], true, "ES256"), (["RS256"], true, nil), (["ES256"], false, nil),
        ] as [([String], Bool, String?)])
    func `a client registers for FAPI 2.0 with an ID token algorithm of the profile`(
        offered: [String], isFAPI2: Bool, algorithm: String?
    ) async throws {
        metadata {
            $0["registration_endpoint"] = "https://id.example.com/register"
            $0["id_token_signing_alg_values_supported"] = JSONValue(offered)
        }
        double.on("/register") { _ throws(HTTPError) in .json(["client_id": "c"], status: 201) }
        _ = try await RegisterClient(services: services, clientName: "authctl").run(
            try entry { $0.isFAPI2 = isFAPI2 }, key: nil)
        let body = try StrictJSON.object(try #require(double.requests(to: "/register").last?.body))
        #expect(body["id_token_signed_response_alg"]?.string == algorithm)
    }

    // MARK: Discovery

    private static let oauthEndpoints = [
        "revocation_endpoint", "registration_endpoint", "device_authorization_endpoint", "introspection_endpoint",
        "pushed_authorization_request_endpoint",
    ]

    /// A server whose OAuth metadata has endpoints that its OpenID metadata lacks.
    private func splitDocuments(_ change: (inout JSONObject) -> Void = { _ in }) {
        metadata { $0["revocation_endpoint"] = nil }
        var oauth = double.metadata
        for name in Self.oauthEndpoints { oauth[name] = .string("https://id.example.com/" + name) }
        oauth["token_endpoint"] = "https://id.example.com/another-token-endpoint"
        oauth["token_endpoint_auth_signing_alg_values_supported"] = ["PS256"]
        change(&oauth)
        let document = oauth
        double.on("/.well-known/oauth-authorization-server") { _ throws(HTTPError) in .json(document) }
    }

    @Test func `members missing from the OpenID metadata are read from the OAuth metadata (RFC 8414)`() async throws {
        splitDocuments()
        let metadata = try await client().metadata
        #expect(metadata[.revocation]?.path == "/revocation_endpoint")
        #expect(metadata[.registration]?.path == "/registration_endpoint")
        #expect(metadata[.deviceAuthorization]?.path == "/device_authorization_endpoint")
        #expect(metadata.authenticationAlgorithms == [.ps256])
        #expect(metadata.tokenEndpoint.path == "/token", "the OpenID metadata has precedence")
    }

    @Test func `only OpenID metadata at its default URL is completed with the OAuth metadata`() async throws {
        splitDocuments()
        #expect(try await client { $0.discovery = .openIDInserted }.metadata[.registration] == nil)
        #expect(double.requests(to: "/.well-known/oauth-authorization-server").isEmpty)
        splitDocuments { $0["registration_endpoint"] = nil }
        #expect(try await client { $0.discovery = .oauth }.metadata[.registration] == nil)
        #expect(double.requests(to: "/.well-known/oauth-authorization-server").count == 1)
    }

    @Test(arguments: oauthEndpoints)
    func `an endpoint is read from the OAuth metadata if only this one is missing`(missing: String) async throws {
        splitDocuments()
        metadata {
            for name in Self.oauthEndpoints { $0[name] = .string("https://id.example.com/openid/" + name) }
            $0[missing] = nil
        }
        let metadata = try await client().metadata
        let endpoints = [
            metadata[.revocation], metadata[.registration], metadata[.deviceAuthorization],
            metadata[.introspection], metadata[.pushedRequest],
        ]
        #expect(endpoints.map { $0?.path } == Self.oauthEndpoints.map { ($0 == missing ? "/" : "/openid/") + $0 })
    }

    @Test func `OAuth metadata of another issuer is ignored, and an invalid endpoint is not used`() async throws {
        for issuer in ["https://id.example.com/a", "https://evil.example", nil] {
            splitDocuments { $0["issuer"] = issuer.map(JSONValue.string) }
            let metadata = try await client().metadata
            #expect(metadata[.revocation] == nil && metadata[.registration] == nil)
            #expect(metadata[.deviceAuthorization] == nil && metadata.authenticationAlgorithms == nil)
        }
        splitDocuments {
            $0["revocation_endpoint"] = "http://id.example.com/revoke"
            $0["device_authorization_endpoint"] = "https://127.0.0.1/device"
            $0["registration_endpoint"] = 5
        }
        let metadata = try await client().metadata
        #expect(metadata[.revocation] == nil && metadata[.registration] == nil)
        #expect(metadata[.deviceAuthorization] == nil)
        for (endpoint, fault) in [
            (.revocation, .plainHTTP), (.deviceAuthorization, .privateNetwork), (.registration, .notAString),
        ] as [(ProviderEndpoint, DiscoveryError.EndpointFault)] {
            #expect(metadata.endpoints[endpoint] == .failure(.invalidEndpoint(endpoint.rawValue, fault)))
        }
    }

    @Test func `missing OAuth metadata is requested only once, and never if it is not needed`() async throws {
        final class MemoryCache: DocumentCache {
            let all = Mutex<[String: CachedDocument]>([:])
            func document(for key: String) async -> CachedDocument? { all.withLock { $0[key] } }
            func store(_ document: CachedDocument, for key: String) async { all.withLock { $0[key] = document } }
        }
        var services = self.services
        services.cache = MemoryCache()
        for _ in 0..<3 {
            _ = try await ProviderClient.resolve(try entry(), keys: .init(), services: services)
            #expect(double.requests(to: "/.well-known/oauth-authorization-server").count == 1)
        }
        metadata { for name in Self.oauthEndpoints { $0[name] = .string("https://id.example.com/" + name) } }
        services.cache = MemoryCache()
        _ = try await ProviderClient.resolve(try entry(), keys: .init(), services: services)
        #expect(double.requests(to: "/.well-known/oauth-authorization-server").count == 1)
    }

    @Test func `configured endpoints replace missing metadata, require https and cannot be set for built-in providers`()
        async throws
    {
        let named = try HTTPURL("https://id.example.com/by-hand")
        let client = try await client {
            $0.deviceAuthorizationEndpoint = named
            $0.revocationEndpoint = named
        }
        #expect(client.metadata[.deviceAuthorization] == named && client.metadata[.revocation] == named)
        let endpoints = Provider.settings.filter { $0.kind == .endpoint }
        #expect(endpoints.count == 6)
        for setting in endpoints {
            for text in ["http://id.example.com/x", "x", "ftp://id.example.com/x"] {
                var entry = try entry()
                #expect(throws: SettingFault.notHTTPSURL(ServerText(text))) { try setting.set(.text(text), of: &entry) }
            }
            var builtIn = try Provider(builtIn: "github.com", clientID: "c")
            #expect(throws: SettingFault.builtIn) {
                try setting.set(.text("https://github.com/device"), of: &builtIn)
            }
        }
    }

    @Test func `keys, passphrase files and endpoints are read back from a saved configuration file`() async throws {
        let folder = try TemporaryFolder()
        let directory = ConfigDirectory(path: folder.path + "/config")
        try directory.create()
        var file = try ConfigFile(in: directory)
        let entry = try entry {
            $0.privateKeyFile = "/k.pem"
            $0.privateKeyPassphraseFile = "/passphrase"
            $0.keyAlgorithm = .ps512
            $0.keyID = "k"
            $0.assertionAudience = .tokenEndpoint
            $0.deviceAuthorizationEndpoint = try? HTTPURL("https://id.example.com/device")
            $0.revocationEndpoint = try? HTTPURL("https://id.example.com/revoke")
        }
        try file.set(entry, profile: "default")
        try file.save(in: directory)
        let read = try #require(try ConfigFile(in: directory).provider("oidc.test", profile: "default"))
        #expect(read.privateKeyFile == "/k.pem" && read.privateKeyPassphraseFile == "/passphrase")
        #expect(read.keyAlgorithm == .ps512 && read.keyID == "k")
        #expect(read.assertionAudience == .tokenEndpoint)
        #expect(read.deviceAuthorizationEndpoint == entry.deviceAuthorizationEndpoint)
        #expect(read.revocationEndpoint == entry.revocationEndpoint)
    }

    // MARK: Sign-in

    /// The parameters of the authorization request that a sign-in would send.
    private func sent(
        _ scopes: [String], preset: Dialect.Preset? = nil, _ change: (inout SignInRequest) -> Void = { _ in },
        parameters: [(String, String)] = []
    ) async throws -> [(name: String, value: String)] {
        let run = try SignInRun.good(double)
        var provider = Provider(
            id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: "c", preset: preset)
        provider.parameters = parameters
        let client = try await ProviderClient.resolve(provider, keys: .init(), services: services)
        var request = SignInRequest()
        request.scopes = scopes
        change(&request)
        let signIn = try SignIn(request, client: client, directory: run.directory, interface: run)
        let sent = try await signIn.beginPasted().sent
        return FormURLEncoded.decode(Array((sent.url.query ?? "").utf8)) ?? []
    }

    private func prompt(
        _ scopes: [String], preset: Dialect.Preset? = nil, _ change: (inout SignInRequest) -> Void = { _ in },
        parameters: [(String, String)] = []
    ) async throws -> String? {
        let prompts = try await sent(scopes, preset: preset, change, parameters: parameters)
            .filter { $0.name == "prompt" }
        #expect(prompts.count <= 1)
        return prompts.first?.value
    }

    @Test func `max_age requests the scope openid if the server lists it (OpenID Connect Core section 3.1.2.1)`()
        async throws
    {
        func scope(_ maximumAge: Int64?) async throws -> String? {
            try await sent([], preset: .oauth) { $0.maximumAge = maximumAge }.first { $0.name == "scope" }?.value
        }
        metadata { $0["scopes_supported"] = ["openid"] }
        #expect(try await scope(60) == "openid")
        #expect(try await scope(nil) == nil)
        metadata { $0["scopes_supported"] = ["notes"] }
        #expect(try await scope(60) == nil)
    }

    @Test func `a requested resource replaces the configured one, and other configured parameters remain`()
        async throws
    {
        let resource = try HTTPURL("https://api.example.com/notes")
        let configured = [("resource", "https://other.example.com/"), ("display", "page")]
        let sent = try await sent([], { $0.resource = resource }, parameters: configured)
        #expect(sent.filter { $0.name == "resource" }.map(\.value) == [resource.text])
        #expect(sent.filter { $0.name == "display" }.map(\.value) == ["page"])
    }

    @Test func `offline_access sets prompt=consent unless a prompt is given (OpenID Connect Core section 11)`()
        async throws
    {
        let offline = ["offline_access"]
        #expect(try await prompt([]) == nil)
        #expect(try await prompt(offline) == "consent")
        #expect(try await prompt(offline) { $0.prompt = "login" } == "login")
        #expect(try await prompt(offline) { $0.prompt = "none" } == "none")
        #expect(try await prompt(offline) { $0.parameters = [("prompt", "select_account")] } == "select_account")
        #expect(try await prompt(offline, parameters: [("prompt", "login")]) == "login")
        #expect(try await prompt(offline) { $0.operation = .reauthenticate(uid: "u") } == "login consent")
        #expect(try await prompt([]) { $0.operation = .reauthenticate(uid: "u") } == "login")
        // A prompt that the user chose is not changed.
        for (prompt, parameters, sent) in [
            (nil, [("ui", "x")], "login consent"), (nil, [("prompt", "login")], "login"), ("login", [], "login"),
        ] as [(String?, [(String, String)], String)] {
            let actual = try await self.prompt(offline) {
                ($0.operation, $0.prompt, $0.parameters) = (.reauthenticate(uid: "u"), prompt, parameters)
            }
            #expect(actual == sent)
        }
        for preset in Dialect.Preset.allCases {
            #expect(try await prompt(offline, preset: preset) == (preset == .oauth ? "consent" : nil), "\(preset)")
        }
        // A server without OpenID Connect.
        metadata {
            for name in ["id_token_signing_alg_values_supported", "scopes_supported", "jwks_uri"] { $0[name] = nil }
        }
        #expect(try await prompt(offline, preset: .oauth) == nil)
    }

    @Test func `parameters of a sign-in replace those in the query of the authorization endpoint`() async throws {
        metadata { $0["authorization_endpoint"] = "https://id.example.com/authorize?prompt=select_account&ui=compact" }
        #expect(try await prompt([]) == "select_account")
        #expect(try await prompt([]) { $0.operation = .reauthenticate(uid: "u") } == "login")
        #expect(try await prompt([]) { $0.parameters = [("prompt", "none")] } == "none")
        #expect(try await prompt(["offline_access"]) == "consent")
    }

    @Test(arguments: [
        ("http://127.0.0.1/cb?app=1", "http://127.0.0.1:4321/cb?app=1"),
        ("http://127.0.0.1:8400/cb?app=1", "http://127.0.0.1:4321/cb?app=1"),
        ("http://[::1]/?app=1&b", "http://[::1]:4321/?app=1&b"),
        ("https://signin.example.com/cb?app=1", "https://signin.example.com/cb?app=1"),
        ("HTTP://LocalHost:4321/cb", "HTTP://LocalHost:4321/cb"),
    ])
    func `the redirect URI is the registered one except for its port`(registered: String, sent: String) throws {
        let provider = try entry { $0.redirectURI = registered }
        let redirect = try RedirectURI(provider, port: 4321, responseMode: .query, isPasted: false)
        #expect(redirect.uri(boundTo: 4321) == sent && redirect.listener.path != "/cb?app=1")
    }

    @Test(arguments: [
        ("http://127.0.0.1:80/cb", 80), ("http://127.0.0.1/cb", nil), ("http://127.0.0.1/cb:80?u=http://h:80/", nil),
        ("http://[::1]:8400?p", 8400), ("http://[::80]/cb", nil), ("http://localhost:4321", 4321),
    ])
    func `only the port of the authority is the port of a redirect URI`(text: String, port: UInt16?) throws {
        #expect(try HTTPURL(text).explicitPort == port)
        let provider = try entry { $0.redirectURI = text }
        guard try HTTPURL(text).isLoopback else { return }
        let redirect = try RedirectURI(provider, port: nil, responseMode: .query, isPasted: false)
        #expect(redirect.listener.port == port ?? 0)
    }

    @Test func `the redirect URI that is shown for registration is the one that a sign-in sends`() throws {
        var providers = try Dialect.builtIn.map { try Provider(builtIn: $0.id, clientID: "c") }
        for preset in [nil] + Dialect.Preset.allCases.map(Optional.some) {
            providers.append(
                Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: "c", preset: preset))
        }
        for provider in providers where provider.dialect.redirect != .publicURL {
            let sent = try RedirectURI(provider, port: 8400, responseMode: .query, isPasted: false).uri(boundTo: 8400)
            #expect(provider.defaultRedirectURI?.replacing("PORT", with: "8400") == sent, "\(provider.id)")
            if provider.dialect.redirect != .anyPort(host: "localhost") { #expect(provider.exactRedirectURI() == sent) }
            let exact = try RedirectURI(provider, port: 4321, responseMode: .query, isPasted: false).uri(boundTo: 4321)
            #expect(
                provider.defaultRedirectURI?.replacing("PORT", with: "4321").replacing("8400", with: "4321") == exact)
        }
    }

    @Test func `every parameter that authctl sets in an authorization request is reserved`() throws {
        let request = try AuthorizationRequest(
            endpoint: HTTPURL("https://id.example.com/authorize"), clientID: "c", redirectURI: "http://127.0.0.1/",
            scopes: ["openid"], nonce: Nonce("n"), sentNonce: "n", parameters: [], responseMode: .formPost)
        #expect(Set(request.parameters.map(\.0)) == AuthorizationRequest.reservedParameters)
        for name in AuthorizationRequest.reservedParameters {
            #expect(throws: OAuthError.reservedParameter(name)) {
                try AuthorizationRequest(
                    endpoint: HTTPURL("https://id.example.com/authorize"), clientID: "c",
                    redirectURI: "http://127.0.0.1/", scopes: [], nonce: nil, sentNonce: nil, parameters: [(name, "x")])
            }
        }
    }

    @Test func `a sign-in without a refresh token reports how to get one`() async throws {
        let run = try SignInRun.good(double)
        let hasRefreshToken = Mutex(false)
        double.on("/token") { [unowned double] _ throws(HTTPError) in
            var response = double.tokenResponse()
            if !hasRefreshToken.withLock({ $0 }) { response["refresh_token"] = nil }
            return .json(response)
        }
        func notes(_ change: (inout SignInRequest) -> Void) async throws -> [SignInNote] {
            // Otherwise the provider would keep the first nonce that it receives.
            double.claims { $0["nonce"] = nil }
            return try await run.run(change).notes
        }
        #expect(try await notes { _ in } == [.offlineAccessNotRequested])
        #expect(
            try await notes {
                $0.scopes = ["offline_access"]
                $0.prompt = "login"
            } == [.offlineAccessRequiresConsent])
        #expect(try await notes { $0.scopes = ["offline_access"] } == [.offlineAccessRefused])
        let keycloak = Provider(
            id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID,
            preset: .keycloak)
        double.claims { $0["nonce"] = nil }
        #expect(try await run.run(entry: keycloak).notes == [], "Keycloak does not require the scope")
        hasRefreshToken.withLock { $0 = true }
        #expect(try await notes { $0.scopes = ["offline_access"] }.isEmpty)
    }

    @Test func `the refresh token of a client that signs in for itself is not stored`() async throws {
        let result = try await SignInRun.good(double).run(
            { $0.flow = .clientCredentials }, keys: ClientKeys(secret: ClientSecret("secret")))
        #expect(result.account.isMachine && !result.hasRefreshToken)
    }

    @Test func `an ID token without a nonce is refused, unless the configuration does not require one`() async throws {
        double.on("/token") { [unowned double] _ throws(HTTPError) in
            var response = double.tokenResponse()
            response["id_token"] = .string(double.sign(JSONValue.object(TestProvider.goodClaims).text))
            return .json(response)
        }
        let run = try SignInRun.good(double)
        #expect(try await run.failure().rejection == .nonceMissing)
        var entry = try run.entry
        entry.requiresNonce = false
        #expect(try await run.run(entry: entry).account.email == "ada@example.com")
    }

    @Test func `re-authentication accepts an ID token with the same iat only if its nonce is new`() async throws {
        let run = try SignInRun.good(double)
        let client = try await ProviderClient.resolve(try run.entry, keys: .init(), services: run.services())
        let uid = try await run.run().account.uid
        func reauthenticate(_ nonce: String?, issuedAt: Int64 = TestProvider.now) async throws {
            double.claims {
                $0["iat"] = JSONValue(issuedAt)
                $0["nonce"] = nonce.map(JSONValue.string)
            }
            _ = try await SignInWithIDToken(client: client, directory: run.directory).run(
                RawIDToken(double.idToken()), nonce: nonce.map { Nonce($0) }, as: .reauthenticate(uid: uid))
        }
        try await reauthenticate("nonce-of-this-proof")
        await #expect(throws: AccountRefusal.staleAuthentication) { try await reauthenticate("nonce-of-this-proof") }
        await #expect(throws: AccountRefusal.staleAuthentication) { try await reauthenticate(nil) }
        await #expect(throws: AccountRefusal.staleAuthentication) {
            try await reauthenticate("another-nonce", issuedAt: TestProvider.now - 1)
        }
        try await reauthenticate("yet-another-nonce")
    }

    @Test func `a sign-in with Apple without a key fails early, and a partly configured key is refused`() async throws {
        let run = try SignInRun.good(double)
        let provider = try Provider(builtIn: "apple.com", clientID: "com.example")
        let client = try await ProviderClient.resolve(provider, keys: .init(), services: services)
        #expect(client.missingCredential != nil)
        for flow in [SignInRequest.Flow.auto, .browser, .paste, .clientCredentials] {
            await #expect(throws: try #require(client.missingCredential)) {
                var request = SignInRequest()
                request.flow = flow
                _ = try await SignIn(request, client: client, directory: run.directory, interface: run).run()
            }
        }
        #expect(double.requests(to: "/auth/token").isEmpty)
        var partial = provider
        partial.teamID = "TEAM123456"
        await #expect(
            throws: ProviderError.invalid(setting: "apple.com", .incompleteSecret(missing: ["key_id", "private_key"]))
        ) {
            try await ProviderClient.resolve(partial, keys: .init(), services: services)
        }
    }
}
