import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// Mutual TLS client authentication and certificate-bound tokens (RFC 8705).
@Suite struct `Client certificates` {
    let provider: TestProvider
    let certificate: ClientCertificate

    /// The certificate binding of the access tokens.
    private enum Form: Sendable { case bound, other, unbound, opaque }

    private static func certificate(_ text: String) throws -> ClientCertificate {
        let pem = Array(text.utf8)
        return try ClientCertificate(pem: pem, key: PrivateKey(pem: pem))
    }

    init() throws {
        provider = try TestProvider()
        certificate = try Self.certificate(TestCertificates.p256)
        metadata { _ in }
        tokenResponse(.bound)
    }

    private static let aliases: JSONObject = [
        "token_endpoint": "https://mtls.example.com/m/token",
        "revocation_endpoint": "https://mtls.example.com/m/revoke",
        "introspection_endpoint": "https://mtls.example.com/m/introspect",
        "pushed_authorization_request_endpoint": "https://mtls.example.com/m/par",
        "device_authorization_endpoint": "https://mtls.example.com/m/device",
        "userinfo_endpoint": "https://mtls.example.com/m/userinfo",
        "authorization_endpoint": "https://mtls.example.com/m/authorize",
    ]

    private func metadata(_ change: (inout JSONObject) -> Void) {
        var metadata = provider.metadata
        for name in ["pushed_authorization_request", "introspection", "device_authorization"] {
            metadata["\(name)_endpoint"] = .string("https://id.example.com/\(name)")
        }
        metadata["token_endpoint_auth_methods_supported"] = ["none", "tls_client_auth", "self_signed_tls_client_auth"]
        metadata["tls_client_certificate_bound_access_tokens"] = true
        metadata["mtls_endpoint_aliases"] = .object(Self.aliases)
        change(&metadata)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
    }

    /// Sets the responses of the token endpoint, at both of its URLs, and of the other endpoints.
    private func tokenResponse(_ form: Form, to other: ClientCertificate? = nil) {
        let thumbprint =
            form == .other ? "A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0" : (other ?? certificate).chain.thumbprint
        for path in ["/token", "/m/token"] {
            provider.on(path) { [provider] _ throws(HTTPError) in
                var response = provider.tokenResponse()
                switch form {
                case .opaque: break
                case .unbound: response["access_token"] = .string(provider.sign(#"{"sub":"a"}"#))
                case .bound, .other:
                    response["access_token"] = .string(
                        provider.sign(#"{"sub":"a","cnf":{"x5t#S256":"\#(thumbprint)"}}"#))
                }
                return .json(response)
            }
        }
        provider.on("/m/revoke") { _ throws(HTTPError) in HTTPResponse(status: 200) }
        for path in ["/userinfo", "/m/userinfo"] {
            provider.on(path) { _ throws(HTTPError) in .json(["sub": "248289761001", "email": "a@example.com"]) }
        }
    }

    private var keys: ClientKeys { ClientKeys(certificate: certificate) }

    private func signedIn(_ run: SignInRun, entry: Provider? = nil, _ keys: ClientKeys? = nil) async throws -> Session {
        provider.claims { $0["nonce"] = nil }
        let result = try await run.run(entry: entry, keys: keys ?? self.keys)
        return try #require(
            try await run.directory.sessionStore.session(account: result.account.uid, provider: "oidc.test"))
    }

    private func presented(_ path: String) -> [String?] {
        provider.requests(to: path).map { $0.clientCertificate?.chain.thumbprint }
    }

    private func form(_ path: String) -> [String: String] {
        let form = provider.requests(to: path).last?.form ?? []
        return Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: The authorization server

    @Test func `the token request has the client certificate and client ID and no other authentication (T1)`()
        async throws
    {
        for method: ClientAuthentication.Method? in [nil, .tlsClientAuth, .selfSignedTLSClientAuth] {
            var entry = try SignInRun.good(provider).entry
            entry.authenticationMethod = method
            _ = try await signedIn(try SignInRun.good(provider), entry: entry)
            let form = form("/m/token")
            #expect(form["client_id"] == "client-1" && form["code_verifier"] != nil)
            #expect(form["client_secret"] == nil && form["client_assertion"] == nil)
            let request = try #require(provider.requests(to: "/m/token").last)
            #expect(!request.headers.contains { $0.name.lowercased() == "authorization" })
        }
        #expect(presented("/m/token") == Array(repeating: certificate.chain.thumbprint, count: 3))
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test func `the client certificate is presented only to the mTLS endpoint aliases (T1)`() async throws {
        provider.claims { $0["email"] = nil }
        provider.on("/m/par") { _ throws(HTTPError) in
            .json(["request_uri": "urn:example:1", "expires_in": 60], status: 201)
        }
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        let services = try run.sessionServices(keys)
        let client = try await services.client("oidc.test")
        let endpoint = try client.tokenEndpoint()
        try await endpoint.revoke("t", hint: .accessToken)
        _ = try? await endpoint.push(
            try await signIn(run).authorization(redirectURI: "http://127.0.0.1/cb"),
            to: try #require(client.metadata[.pushedRequest]))
        _ = try? await endpoint.authorizeDevice(
            at: try #require(client.metadata[.deviceAuthorization]), scopes: [], nameOfURL: "verification_uri")
        _ = try? await IntrospectToken(client: client).run("t")
        for path in ["token", "revoke", "par", "device", "introspect", "userinfo"] {
            #expect(presented("/m/\(path)").contains(certificate.chain.thumbprint), "\(path)")
        }
        #expect(session.binding == .certificate)
        for path in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/jwks"] {
            #expect(presented(path).allSatisfy { $0 == nil }, "\(path)")
        }
        for path in ["/token", "/revoke", "/userinfo", "/m/authorize"] {
            #expect(provider.requests(to: path).isEmpty, "\(path)")
        }
        let opened = try #require(run.opened.withLock { $0.first })
        #expect(opened.hasPrefix("https://id.example.com/authorize?"))
    }

    private func signIn(_ run: SignInRun) async throws -> SignIn {
        let client = try await ProviderClient.resolve(try run.entry, keys: keys, services: run.services())
        return try SignIn(SignInRequest(), client: client, directory: run.directory, interface: run)
    }

    @Test func `an endpoint without an mTLS alias, or one that is configured, is used unchanged`() async throws {
        metadata { $0["mtls_endpoint_aliases"] = ["token_endpoint": "https://mtls.example.com/m/token"] }
        let run = try SignInRun.good(provider)
        var entry = try run.entry
        var client = try await ProviderClient.resolve(entry, keys: keys, services: run.services())
        #expect(client.metadata[.revocation]?.text == "https://id.example.com/revoke")
        #expect(client.metadata[.introspection]?.text == "https://id.example.com/introspection")
        metadata { _ in }
        entry.revocationEndpoint = try HTTPURL("https://id.example.com/mine")
        client = try await ProviderClient.resolve(entry, keys: keys, services: run.services())
        #expect(client.metadata[.revocation]?.text == "https://id.example.com/mine")
        #expect(client.metadata.tokenEndpoint.text == "https://mtls.example.com/m/token")
    }

    @Test func `an invalid mTLS endpoint alias is refused, but ignored by a client without a certificate`() async throws
    {
        for (alias, fault) in [
            ("http://mtls.example.com/token", .plainHTTP), ("https://10.0.0.1/token", .privateNetwork),
            (1, .notAString), ("no URL", .notAURL),
        ] as [(JSONValue, DiscoveryError.EndpointFault)] {
            metadata { $0["mtls_endpoint_aliases"] = ["token_endpoint": alias] }
            let failure = try await SignInRun.good(provider).failure(keys: keys)
            #expect(failure == DiscoveryError.invalidEndpoint("mtls_endpoint_aliases.token_endpoint", fault))
        }
        tokenResponse(.opaque)
        #expect(try await signedIn(try SignInRun.good(provider), ClientKeys()).binding == .bearer)
        #expect(provider.requests(to: "/m/token").isEmpty && presented("/token") == [nil])
    }

    @Test func `an mTLS endpoint alias that cannot be used is refused only when the endpoint is needed`() async throws {
        metadata {
            var aliases = Self.aliases
            aliases["revocation_endpoint"] = "http://mtls.example.com/m/revoke"
            $0["mtls_endpoint_aliases"] = .object(aliases)
        }
        let run = try SignInRun.good(provider)
        #expect(try await signedIn(run).binding == .certificate)
        var request = SignOut.Request()
        request.revokes = true
        let entry = try #require(await SignOut(run.sessionServices(keys)).run(request).ended.first)
        #expect(entry.revoked == .failed)
        #expect(
            entry.fault as? DiscoveryError
                == .invalidEndpoint("mtls_endpoint_aliases.revocation_endpoint", .plainHTTP))
        #expect(provider.requests(to: "/revoke").isEmpty && provider.requests(to: "/m/revoke").isEmpty)
    }

    @Test func `the default mTLS method is one that the provider lists and that fits the certificate`() async throws {
        let run = try SignInRun.good(provider)
        func method(_ text: String, _ methods: JSONValue) async throws -> ClientAuthentication.Method {
            metadata { $0["token_endpoint_auth_methods_supported"] = methods }
            let keys = ClientKeys(certificate: try Self.certificate(text))
            return try await ProviderClient.resolve(try run.entry, keys: keys, services: run.services()).authentication
                .method
        }
        let both: JSONValue = ["tls_client_auth", "self_signed_tls_client_auth"]
        #expect(try await method(TestCertificates.issued, both) == .tlsClientAuth)
        #expect(try await method(TestCertificates.rsa, both) == .selfSignedTLSClientAuth)
        #expect(try await method(TestCertificates.rsa, ["tls_client_auth"]) == .tlsClientAuth)
        #expect(try await method(TestCertificates.rsa, ["client_secret_basic"]) == .none)
    }

    @Test func `a private_key_jwt client with a certificate gets certificate-bound tokens (FAPI 2.0)`() async throws {
        metadata { $0["token_endpoint_auth_methods_supported"] = ["private_key_jwt"] }
        var keys = self.keys
        keys.privateKey = try .generate(.ellipticCurve(.p256))
        let session = try await signedIn(try SignInRun.good(provider), keys)
        #expect(session.binding == .certificate && form("/m/token")["client_assertion"] != nil)
        #expect(presented("/m/token") == [certificate.chain.thumbprint])
    }

    @Test func `an mTLS method without a certificate is refused before the browser opens (T1)`() async throws {
        for method: ClientAuthentication.Method in [.tlsClientAuth, .selfSignedTLSClientAuth] {
            let run = try SignInRun.good(provider)
            var entry = try run.entry
            entry.authenticationMethod = method
            let failure = try await run.failure(entry: entry)
            #expect(
                failure == ProviderError.invalid(setting: "oidc.test: auth_method", .certificateNeeded(method)))
            #expect(run.opened.withLock { $0.isEmpty })
        }
    }

    @Test func `an expired or not yet valid certificate is refused with its date before the browser opens (T2)`()
        async throws
    {
        let run = try SignInRun.good(provider)
        for (now, fault) in [
            (2_100_000_000, .certificateExpired(at: 2_082_585_600)),
            (1_700_000_000, .certificateNotYetValid(from: 1_767_225_600)),
        ] as [(Int64, SettingFault)] {
            let services = Services(transport: provider, clock: Clock(now: { now }))
            let client = try await ProviderClient.resolve(try run.entry, keys: keys, services: services)
            do {
                _ = try await SignIn(
                    SignInRequest(), client: client, directory: run.directory, interface: run
                ).run()
                Issue.record("not refused")
            } catch {
                #expect(error == ProviderError.invalid(setting: "oidc.test: certificate", fault))
            }
            let findings = try await ProviderCheck(services: services).run(try run.entry, keys)
            #expect(
                findings.contains { finding in
                    if case .certificate = finding { !finding.isFine } else { false }
                })
        }
        #expect(provider.requests(to: "/m/token").isEmpty && run.opened.withLock { $0.isEmpty })
    }

    // MARK: Bound tokens

    @Test func `a token that is bound to another certificate is refused (T2)`() async throws {
        tokenResponse(.other)
        let failure = try await SignInRun.good(provider).failure(keys: keys)
        #expect(failure == OAuthError.invalidResponse(.otherCertificate, at: .token))
    }

    @Test func `the binding of a token is read from the JWT, or from the metadata if the token is opaque`() async throws
    {
        tokenResponse(.unbound)
        #expect(try await signedIn(try SignInRun.good(provider)).binding == .bearer)
        tokenResponse(.opaque)
        #expect(try await signedIn(try SignInRun.good(provider)).binding == .certificate)
        metadata { $0["tls_client_certificate_bound_access_tokens"] = false }
        #expect(try await signedIn(try SignInRun.good(provider)).binding == .bearer)
        tokenResponse(.bound)
        #expect(try await signedIn(try SignInRun.good(provider)).binding == .certificate)
    }

    @Test func `a certificate-bound token is refused by a client without a certificate`() async throws {
        tokenResponse(.bound)
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure == OAuthError.invalidResponse(.otherCertificate, at: .token))
    }

    @Test(arguments: [#"{"alg":"HS256"}"#, #"{"alg":"ES256K","crit":["x"]}"#, "no JSON"])
    func `the certificate thumbprint in a token is read regardless of the token's header`(header: String) async throws {
        for thumbprint in [certificate.chain.thumbprint, "other"] {
            provider.on("/m/token") { [provider] _ throws(HTTPError) in
                var response = provider.tokenResponse()
                response["access_token"] = .string(
                    provider.sign(#"{"cnf":{"x5t#S256":"\#(thumbprint)"}}"#, header: header))
                return .json(response)
            }
            metadata { $0["tls_client_certificate_bound_access_tokens"] = nil }
            if thumbprint == "other" {
                #expect(
                    try await SignInRun.good(provider).failure(keys: keys)
                        == OAuthError.invalidResponse(.otherCertificate, at: .token))
            } else {
                #expect(try await signedIn(try SignInRun.good(provider)).binding == .certificate)
            }
        }
    }

    @Test func `tokens are DPoP-bound if both DPoP and a client certificate are used`() async throws {
        metadata { $0["dpop_signing_alg_values_supported"] = ["ES256"] }
        provider.on("/m/token") { [provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            response["token_type"] = "DPoP"
            return .json(response)
        }
        let result = try await SignInRun.good(provider).run({ $0.bindsTokens = true }, keys: keys)
        #expect(result.binding == .dpop && presented("/m/token") == [certificate.chain.thumbprint])
    }

    @Test func `the certificate is presented to an API only with a certificate-bound token (T2)`() async throws {
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
        _ = try await call.run(try run.sessionServices(keys))
        let request = try #require(provider.requests(to: "/userinfo").last)
        #expect(request.clientCertificate?.chain.thumbprint == certificate.chain.thumbprint)
        #expect(request.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Bearer ") })
        let alias = APIRequest(url: try HTTPURL("https://mtls.example.com/m/userinfo"))
        #expect(try await alias.run(try run.sessionServices(keys)).response.status == 200)
        var bearer = session
        bearer.grant.bind(to: nil)
        _ = try await run.directory.sessionStore.replace(bearer)
        _ = try await call.run(try run.sessionServices(keys))
        #expect(presented("/userinfo") == [certificate.chain.thumbprint, nil])
    }

    @Test func `a certificate-bound token is not sent to an API with a different certificate or without one (T2)`()
        async throws
    {
        metadata { $0["token_endpoint_auth_methods_supported"] = ["none"] }
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
        let other = ClientKeys(certificate: try Self.certificate(TestCertificates.rsa))
        await #expect(throws: NotSignedIn.otherCertificate(provider: "oidc.test")) {
            _ = try await call.run(try run.sessionServices(other))
        }
        await #expect(throws: NotSignedIn.certificateMissing(provider: "oidc.test")) {
            _ = try await call.run(try run.sessionServices())
        }
        #expect(provider.requests(to: "/userinfo").isEmpty)
    }

    @Test func `an mTLS client with a renewed certificate gets tokens bound to it by a refresh`() async throws {
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let renewed = try Self.certificate(TestCertificates.rsa)
        tokenResponse(.bound, to: renewed)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        let services = try run.sessionServices(ClientKeys(certificate: renewed))
        #expect(
            try await APIRequest(url: HTTPURL("https://id.example.com/userinfo")).run(services).response.status == 200)
        #expect(
            presented("/m/token").last == renewed.chain.thumbprint
                && presented("/userinfo") == presented("/m/token").suffix(1))
        #expect(try await CurrentToken(services).run(request).binding == .certificate)
        // A token that is bound to another certificate is not stored.
        tokenResponse(.other)
        await #expect(throws: OAuthError.invalidResponse(.otherCertificate, at: .token)) {
            _ = try await CurrentToken(services).run(request)
        }
        #expect(provider.requests(to: "/m/revoke").count == 1)
    }

    @Test(arguments: ["invalid_grant", "unauthorized_client", "invalid_request"])
    func `the refresh token is kept if the server rejects it with a renewed certificate`(code: String) async throws {
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        provider.on("/m/token") { _ throws(HTTPError) in .json(["error": .string(code)], status: 400) }
        let services = try run.sessionServices(
            ClientKeys(certificate: try Self.certificate(TestCertificates.rsa)))
        let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
        await #expect(throws: NotSignedIn.otherCertificate(provider: "oidc.test")) { try await call.run(services) }
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        await #expect(throws: NotSignedIn.otherCertificate(provider: "oidc.test")) {
            _ = try await CurrentToken(services).run(request)
        }
        let stored = try await run.directory.sessionStore.session(account: session.accountUID, provider: "oidc.test")
        #expect(stored?.refreshToken == session.refreshToken)
        tokenResponse(.bound)
        #expect(try await CurrentToken(try run.sessionServices(keys)).run(request).binding == .certificate)
    }

    @Test(arguments: [400, 401, 403])
    func `an HTML 4xx response to a client with a certificate is reported as invalid_client`(status: Int) async throws {
        for path in ["/m/token", "/m/device", "/m/par"] {
            provider.on(path) { _ throws(HTTPError) in .text("<html>", status: status, type: "text/html") }
        }
        let device = try await SignInRun.good(provider).failure({ $0.flow = .device }, keys: keys)
        #expect(device == OAuthError.refused(code: "invalid_client", description: nil, at: .deviceAuthorization))
        let pushed = try await SignInRun.good(provider).failure({ $0.pushesRequest = true }, keys: keys)
        #expect(pushed == OAuthError.refused(code: "invalid_client", description: nil, at: .pushedAuthorization))
        let failure = try await SignInRun.good(provider).failure(keys: keys)
        #expect(failure == OAuthError.refused(code: "invalid_client", description: nil, at: .token))
        provider.on("/m/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: status) }
        let named = try await SignInRun.good(provider).failure(keys: keys)
        #expect(named == OAuthError.refused(code: "invalid_grant", description: nil, at: .token))
    }

    @Test func `API requests with a renewed certificate refresh the token only once`() async throws {
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let renewed = try Self.certificate(TestCertificates.rsa)
        tokenResponse(.bound, to: renewed)
        let services = try run.sessionServices(ClientKeys(certificate: renewed))
        let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
        for _ in 0..<3 { _ = try await call.run(services) }
        #expect(provider.requests(to: "/m/token").count == 2, "the sign-in, and one refresh")
    }

    @Test func `a refresh that returns a token without certificate binding is refused, and the old token is kept`()
        async throws
    {
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        tokenResponse(.unbound)
        await #expect(throws: OAuthError.invalidResponse(.bindingLost, at: .refresh)) {
            _ = try await CurrentToken(try run.sessionServices(keys)).run(request)
        }
        let stored = try await run.directory.sessionStore.session(account: session.accountUID, provider: "oidc.test")
        #expect(stored?.accessToken == session.accessToken && stored?.binding == .certificate)
        // Without the certificate, other client authentication is not used to refresh a certificate-bound token.
        metadata { $0["token_endpoint_auth_methods_supported"] = ["client_secret_basic"] }
        let secret = ClientKeys(secret: ClientSecret("s"))
        let count = provider.requests(to: "/token").count + provider.requests(to: "/m/token").count
        await #expect(throws: NotSignedIn.certificateMissing(provider: "oidc.test")) {
            _ = try await CurrentToken(try run.sessionServices(secret)).run(request)
        }
        #expect(provider.requests(to: "/token").count + provider.requests(to: "/m/token").count == count)
    }

    @Test func `a machine's certificate-bound session is never renewed with an unbound token`() async throws {
        let run = try SignInRun.good(provider)
        let machine = try await run.run({ $0.flow = .clientCredentials }, keys: keys).account.uid
        var request = CurrentToken.Request(account: machine)
        request.forcesRefresh = true
        tokenResponse(.unbound)
        await #expect(throws: OAuthError.invalidResponse(.bindingLost, at: .refresh)) {
            try await CurrentToken(try run.sessionServices(keys)).run(request)
        }
    }

    @Test func `the certificate's key signs a client assertion only if private_key_jwt is listed or configured`()
        async throws
    {
        let keys = ClientKeys(privateKey: certificate.key, certificate: certificate)
        let expected: [(listed: String, configured: ClientAuthentication.Method?, isSigned: Bool)] = [
            ("none", nil, false), ("private_key_jwt", nil, true),
            ("private_key_jwt", ClientAuthentication.Method.none, false),
            ("private_key_jwt", .selfSignedTLSClientAuth, false), ("none", .privateKeyJWT, true),
        ]
        for (listed, configured, isSigned) in expected {
            metadata { $0["token_endpoint_auth_methods_supported"] = [.string(listed)] }
            let run = try SignInRun.good(provider)
            var entry = try run.entry
            entry.authenticationMethod = configured
            _ = try await signedIn(run, entry: entry, keys)
            let assertion = form("/m/token")["client_assertion"]
            #expect((assertion != nil) == isSigned, "\(listed), \(configured?.rawValue ?? "not configured")")
            guard let assertion else { continue }
            let set = JWKSet(keys: [JWK(key: certificate.key.publicKey, keyID: nil)])
            _ = try JWSVerifier(keys: set).verify(try UnverifiedJWS(assertion))
        }
        #expect(provider.requests(to: "/m/token").count == expected.count)
    }

    @Test func `the certificate's key is not used for private_key_jwt if no private key is configured`() async throws {
        metadata { $0["token_endpoint_auth_methods_supported"] = ["private_key_jwt"] }
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run, keys)
        #expect(form("/m/token")["client_assertion"] == nil)
        var entry = try run.entry
        entry.authenticationMethod = .privateKeyJWT
        let keyNeeded = ProviderError.invalid(setting: "oidc.test: auth_method", .keyNeeded(.privateKeyJWT))
        let (required, keys) = (entry, self.keys)
        await #expect(throws: keyNeeded) {
            try await ProviderClient.resolve(required, keys: keys, services: run.services())
        }
    }

    @Test func `a public client does not refresh with another certificate, and keeps its refresh token`() async throws {
        metadata { $0["token_endpoint_auth_methods_supported"] = ["none"] }
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        let other = ClientKeys(certificate: try Self.certificate(TestCertificates.rsa))
        await #expect(throws: NotSignedIn.otherCertificate(provider: "oidc.test")) {
            _ = try await CurrentToken(try run.sessionServices(other)).run(request)
        }
        #expect(provider.requests(to: "/m/token").count == 1)
        let stored = try await run.directory.sessionStore.session(account: session.accountUID, provider: "oidc.test")
        #expect(stored?.refreshToken != nil)
    }

    @Test func `a certificate-bound token is not returned as a bearer token, and has no DPoP proof (T2)`() async throws
    {
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let current = CurrentToken(try run.sessionServices(keys))
        let result = try await current.run(CurrentToken.Request())
        #expect(throws: TokenBindingError.bearerOnly(provider: "oidc.test", .certificate)) { _ = try result.bearer() }
        await #expect(throws: TokenBindingError.byCertificate(provider: "oidc.test")) {
            _ = try await current.proof(
                for: CurrentToken.Request(), method: "GET", url: try HTTPURL("https://id.example.com/x"))
        }
    }
}
