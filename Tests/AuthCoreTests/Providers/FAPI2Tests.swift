import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// The client requirements of the FAPI 2.0 Security Profile.
@Suite struct `FAPI 2.0 provider configurations` {
    let provider: TestProvider
    let keys: ClientKeys

    init() throws {
        provider = try TestProvider()
        keys = ClientKeys(privateKey: try .generate(.ellipticCurve(.p256)))
        metadata { _ in }
        provider.on("/token") { [provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            response["token_type"] = "DPoP"
            return .json(response)
        }
    }

    /// The metadata of a provider that complies with the profile, with one change.
    private func metadata(_ change: (inout JSONObject) -> Void) {
        var metadata = provider.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        metadata["device_authorization_endpoint"] = "https://id.example.com/device"
        metadata["dpop_signing_alg_values_supported"] = ["ES256", "PS256"]
        metadata["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        change(&metadata)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
    }

    private func entry(_ run: SignInRun, _ change: (inout Provider) -> Void = { _ in }) throws -> Provider {
        var entry = try run.entry
        entry.isFAPI2 = true
        change(&entry)
        return entry
    }

    /// The error of a sign-in that is refused before the browser opens.
    private func refusal(
        isDevice: Bool = false, keys: ClientKeys? = nil, entry changed: (inout Provider) -> Void = { _ in }
    ) async throws -> any Error {
        let run = try SignInRun.good(provider)
        let failure = try await run.failure(
            { if isDevice { $0.flow = .device } }, entry: try entry(run, changed), keys: keys ?? self.keys)
        #expect(run.opened.withLock { $0.isEmpty } && provider.requests(to: "/token").isEmpty)
        return failure
    }

    @Test func `a FAPI 2.0 sign-in uses PAR and DPoP-bound tokens by default`() async throws {
        let run = try SignInRun.good(provider)
        let result = try await run.run(entry: try entry(run), keys: keys)
        let session = try #require(
            try await run.directory.sessionStore.session(account: result.account.uid, provider: "oidc.test"))
        #expect(session.binding == .dpop)
        let url = try HTTPURL(try #require(run.opened.withLock { $0.first }))
        let named = FormURLEncoded.decode(Array((url.query ?? "").utf8))?.map(\.name)
        #expect(named?.sorted() == ["client_id", "request_uri"])
        let pushed = try #require(provider.requests(to: "/par").first).form
        #expect(pushed.contains { $0.name == "client_assertion" } && !pushed.contains { $0.name == "client_secret" })
    }

    @Test func `a FAPI 2.0 client with an RSA key signs with PS256`() async throws {
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(
            try entry(run), keys: ClientKeys(privateKey: try .generate(.rsa)), services: run.services())
        guard case .privateKeyJWT(_, .ps256, _) = client.authentication else {
            Issue.record("\(client.authentication.method)")
            return
        }
        #expect(client.fapi2Faults.isEmpty)
    }

    @Test func `DPoP proofs use only an algorithm of the FAPI 2.0 profile`() async throws {
        metadata { $0["dpop_signing_alg_values_supported"] = ["RS256", "ES384", "PS256"] }
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(try entry(run), keys: keys, services: run.services())
        #expect(try client.newProver(isRequested: false)?.key.algorithm == .ps256)
    }

    // MARK: The provider

    private static let missing: [(FAPI2Fault, String, JSONValue?)] = [
        (.noPushedRequests, "pushed_authorization_request_endpoint", nil),
        (.noResponseIssuer, "authorization_response_iss_parameter_supported", nil),
        (.unboundTokens, "dpop_signing_alg_values_supported", nil),
        (.unboundTokens, "dpop_signing_alg_values_supported", ["RS256", "ES384"]),
        (.idTokenAlgorithms([.es384, .rs256]), "id_token_signing_alg_values_supported", ["RS256", "ES384"]),
    ]

    @Test(arguments: 0..<5)
    func `a provider that does not support a FAPI 2.0 requirement is refused`(index: Int) async throws {
        let (fault, name, value) = Self.missing[index]
        metadata { $0[name] = value }
        let failure = try await refusal()
        #expect(failure == ProviderError.fapi2(provider: "oidc.test", fault) && failure.code == .unsupported)
    }

    @Test func `a FAPI 2.0 issuer with plain http is refused, even on loopback`() async throws {
        let run = try SignInRun.good(provider)
        var entry = Provider(id: "oidc.test", issuer: try HTTPURL("http://127.0.0.1:8080"), clientID: "c")
        entry.isFAPI2 = true
        metadata {
            for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
                $0[name] = .string("http://127.0.0.1:8080/" + name)
            }
            $0["issuer"] = "http://127.0.0.1:8080"
            $0["userinfo_endpoint"] = nil
            $0["revocation_endpoint"] = nil
        }
        let client = try await ProviderClient.resolve(entry, keys: keys, services: run.services())
        #expect(client.fapi2Faults.first == .plainHTTP("issuer"))
        #expect(throws: ProviderError.fapi2(provider: "oidc.test", .plainHTTP("issuer"))) { try client.tokenEndpoint() }
    }

    // MARK: The configuration

    @Test func `a FAPI 2.0 client requires a private key with a profile algorithm, and no secret`() async throws {
        let none = try await refusal(keys: ClientKeys())
        #expect(
            none == ProviderError.fapi2(provider: "oidc.test", .authentication(.none))
                && none.code == .invalidConfiguration)
        let secret = try await refusal(keys: ClientKeys(secret: ClientSecret("not-secret")))
        #expect(secret == ProviderError.fapi2(provider: "oidc.test", .secret) && secret.code == .invalidConfiguration)
        let both = ClientKeys(secret: ClientSecret("not-secret"), privateKey: keys.privateKey)
        #expect(try await refusal(keys: both) == ProviderError.fapi2(provider: "oidc.test", .secret))
        let p384 = ClientKeys(privateKey: try .generate(.ellipticCurve(.p384)))
        #expect(try await refusal(keys: p384) == ProviderError.fapi2(provider: "oidc.test", .clientAlgorithm(.es384)))
        let rsa = ClientKeys(privateKey: try .generate(.rsa))
        #expect(
            try await refusal(keys: rsa) { $0.keyAlgorithm = .rs256 }
                == ProviderError.fapi2(provider: "oidc.test", .clientAlgorithm(.rs256)))
    }

    @Test func `FAPI 2.0 refuses configured endpoints and an assertion audience other than the issuer`() async throws {
        let url = try HTTPURL("https://id.example.com/elsewhere")
        #expect(
            try await refusal { $0.pushedRequestEndpoint = url }
                == ProviderError.fapi2(provider: "oidc.test", .setting("pushed_authorization_request_endpoint")))
        #expect(
            try await refusal { $0.revocationEndpoint = url }
                == ProviderError.fapi2(provider: "oidc.test", .setting("revocation_endpoint")))
        #expect(
            try await refusal { $0.deviceAuthorizationEndpoint = url }
                == ProviderError.fapi2(provider: "oidc.test", .setting("device_authorization_endpoint")))
        #expect(
            try await refusal { $0.requiresNonce = false }
                == ProviderError.fapi2(provider: "oidc.test", .setting("nonce_required")))
        let failure = try await refusal { $0.assertionAudience = .tokenEndpoint }
        #expect(failure == ProviderError.fapi2(provider: "oidc.test", .audience))
    }

    @Test func `FAPI 2.0 is not supported for built-in providers`() async throws {
        var entry = try Provider(builtIn: "google.com", clientID: "c")
        entry.isFAPI2 = true
        let client = try await ProviderClient.resolve(
            entry, keys: keys, services: try SignInRun.good(provider).services())
        #expect(client.fapi2Faults.contains(.builtIn))
    }

    // MARK: A sign-in

    @Test func `FAPI 2.0 refuses the device flow and workload token exchange`() async throws {
        let failure = try await refusal(isDevice: true)
        #expect(failure == ProviderError.fapi2(provider: "oidc.test", .flow(.device)))
        #expect(provider.requests(to: "/device").isEmpty)
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(try entry(run), keys: keys, services: run.services())
        #expect(throws: ProviderError.fapi2(provider: "oidc.test", .flow(.workload))) {
            try SignInWithWorkload.Exchange(client: client, kind: .tokenExchange, scopes: [], parameters: [])
        }
    }

    @Test func `FAPI 2.0 refuses an authorization response without 'iss'`() async throws {
        let run = try SignInRun(provider) {
            [.query(FormURLEncoded.encode([("code", TestProvider.code), ("state", $0)]))]
        }
        let failure = try await run.failure(entry: try entry(run), keys: keys)
        #expect(failure == OAuthError.issuerMixUp && provider.requests(to: "/token").isEmpty)
    }

    @Test func `FAPI 2.0 refuses a request_uri with a lifetime of 600 seconds or more`() async throws {
        for (seconds, isAccepted) in [(599, true), (600, false)] {
            provider.on("/par") { _ throws(HTTPError) in
                .json(["request_uri": "urn:example:1", "expires_in": JSONValue(Int64(seconds))], status: 201)
            }
            let run = try SignInRun.good(provider)
            let client = try await ProviderClient.resolve(try entry(run), keys: keys, services: run.services())
            let prepared = try SignIn(
                SignInRequest(), client: client, directory: run.directory, interface: run)
            if isAccepted {
                _ = try await prepared.authorization(redirectURI: "http://127.0.0.1:1/callback")
            } else {
                await #expect(
                    throws: OAuthError.invalidResponse(
                        .malformed("expires_in", isNot: .shortSpan), at: .pushedAuthorization)
                ) {
                    try await prepared.authorization(redirectURI: "http://127.0.0.1:1/callback")
                }
            }
        }
    }

    @Test func `FAPI 2.0 refuses an RS256 ID token even if the provider supports RS256`() async throws {
        let rsa = try TestProvider(algorithm: .rs256)
        let run = try SignInRun.good(rsa)
        var metadata = rsa.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        metadata["dpop_signing_alg_values_supported"] = ["ES256"]
        metadata["id_token_signing_alg_values_supported"] = ["RS256", "PS256"]
        let changed = metadata
        rsa.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        rsa.on("/token") { [unowned rsa] _ throws(HTTPError) in
            var response = rsa.tokenResponse()
            response["token_type"] = "DPoP"
            return .json(response)
        }
        let failure = try await run.failure(entry: try entry(run), keys: keys)
        #expect(failure.rejection == .jose(.algorithm("RS256")) && failure.code == .invalidIDToken)
    }

    @Test func `FAPI 2.0 does not refresh tokens that are not sender-constrained`() async throws {
        provider.on("/token") { [provider] _ throws(HTTPError) in .json(provider.tokenResponse()) }
        let run = try SignInRun.good(provider)
        let result = try await run.run(keys: keys)
        let session = try #require(
            try await run.directory.sessionStore.session(account: result.account.uid, provider: "oidc.test"))
        let client = try await ProviderClient.resolve(try entry(run), keys: keys, services: run.services())
        #expect(throws: NotSignedIn.unbound(provider: "oidc.test")) { try client.prover(of: session) }
    }

    @Test func `FAPI 2.0 refreshes DPoP-bound tokens`() async throws {
        let run = try SignInRun.good(provider)
        let configured = try entry(run)
        _ = try await run.run(entry: configured, keys: keys)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        let result = try await CurrentToken(run.sessionServices(entry: configured, keys)).run(request)
        #expect(result.binding == .dpop && provider.count(of: "/token") == 2)
    }

    // MARK: Certificates

    @Test func `FAPI 2.0 accepts certificate-bound tokens, and refuses tokens that are not sender-constrained`()
        async throws
    {
        let pem = Array(TestCertificates.p256.utf8)
        let keys = ClientKeys(certificate: try ClientCertificate(pem: pem, key: PrivateKey(pem: pem)))
        func listed(_ object: inout JSONObject) {
            object["token_endpoint_auth_methods_supported"] = ["self_signed_tls_client_auth"]
            object["dpop_signing_alg_values_supported"] = nil
        }
        metadata { listed(&$0) }
        #expect(try await refusal(keys: keys) == ProviderError.fapi2(provider: "oidc.test", .unboundTokens))
        metadata {
            listed(&$0)
            $0["tls_client_certificate_bound_access_tokens"] = true
        }
        provider.on("/token") { [provider] _ throws(HTTPError) in .json(provider.tokenResponse()) }
        let run = try SignInRun.good(provider)
        let result = try await run.run(entry: try entry(run), keys: keys)
        let session = try await run.directory.sessionStore.session(account: result.account.uid, provider: "oidc.test")
        #expect(session?.binding == .certificate)
        // A JWT access token without a 'cnf' claim.
        provider.on("/token") { [provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            response["access_token"] = .string(provider.token([:], audience: "https://api.example.com"))
            return .json(response)
        }
        let other = try SignInRun.good(provider)
        let failure = try await other.failure(entry: try entry(other), keys: keys)
        #expect(failure == OAuthError.invalidResponse(.unbound, at: .token))
    }

    // MARK: Checks

    private static func isOfProfile(_ finding: ProviderCheck.Finding) -> Bool {
        if case .fapi2 = finding { true } else { false }
    }

    @Test func `the provider check reports each FAPI 2.0 requirement`() async throws {
        let run = try SignInRun.good(provider)
        let check = ProviderCheck(services: run.services())
        let complying = try await check.run(try entry(run), keys).filter(Self.isOfProfile)
        #expect(complying.count == 9 && complying.allSatisfy(\.isFine))
        metadata { $0["authorization_response_iss_parameter_supported"] = nil }
        let failing = try await check.run(try entry(run), ClientKeys()).filter { Self.isOfProfile($0) && !$0.isFine }
        #expect(failing.count == 2, "the client's authentication, and 'iss'")
        #expect(try await check.run(try run.entry, keys).contains(where: Self.isOfProfile) == false)
    }
}
