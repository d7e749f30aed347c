import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// DPoP (RFC 9449).
@Suite struct `DPoP-bound tokens` {
    let provider: TestProvider

    init() throws {
        provider = try TestProvider()
        metadata { $0["dpop_signing_alg_values_supported"] = ["RS256", "ES256"] }
        provider.on("/token") { [provider] _ throws(HTTPError) in .json(Self.bound(provider)) }
    }

    private func metadata(
        headers: [(name: String, value: String)] = [], _ change: (inout JSONObject) -> Void = { _ in }
    ) {
        var metadata = provider.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        change(&metadata)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed, headers: headers) }
    }

    private static func bound(_ provider: TestProvider) -> JSONObject {
        var response = provider.tokenResponse()
        response["token_type"] = "DPoP"
        return response
    }

    /// The DPoP proofs that were sent to a path, in order.
    private func proofs(_ path: String) throws -> [Proof] {
        try provider.requests(to: path).map { request in
            let sent = request.headers.filter { $0.name == "DPoP" }.map(\.value)
            #expect(sent.count == 1, "one DPoP header")
            let proof = try #require(sent.first)
            return try Proof(proof)
        }
    }

    private struct Proof {
        let header: JSONObject
        let claims: JSONObject
        let thumbprint: String

        init(_ text: String) throws {
            let token = try UnverifiedJWS(text)
            let parts = text.split(separator: ".").map(String.init)
            header = try StrictJSON.object(try #require(Base64URL.decode(parts[0])))
            let object = try #require(header["jwk"]?.object)
            let jwk = try #require(try JWK(object))
            let verified = try JWSVerifier(keys: JWKSet(keys: [jwk]), algorithms: [.es256]).verify(token)
            claims = try StrictJSON.object(verified.payload)
            thumbprint = try jwk.thumbprint()
        }

        func text(_ name: String) -> String? { claims[name]?.string }
    }

    private func signedIn(_ run: SignInRun) async throws -> Session {
        let result = try await run.run { $0.bindsTokens = true }
        return try #require(
            try await run.directory.sessionStore.session(account: result.account.uid, provider: "oidc.test"))
    }

    // MARK: The authorization server

    @Test func `the user cannot set dpop_jkt`() async throws {
        let run = try SignInRun.good(provider)
        await #expect(throws: OAuthError.reservedParameter("dpop_jkt")) {
            try await run.run {
                $0.bindsTokens = true
                $0.parameters = [("dpop_jkt", "of-another-key")]
            }
        }
    }

    @Test func `the token request has a DPoP proof with the key of dpop_jkt, which is new for each session (D1, D7)`()
        async throws
    {
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        let proof = try #require(try proofs("/token").first)
        #expect(proof.header["typ"] == "dpop+jwt" && proof.header["alg"] == "ES256")
        #expect(proof.text("htm") == "POST" && proof.text("htu") == "https://id.example.com/token")
        #expect(proof.claims["iat"] == JSONValue(TestProvider.now) && proof.claims["ath"] == nil)
        let parameters = provider.parameters(of: try #require(run.opened.withLock { $0.first }))
        #expect(parameters.first { $0.name == "dpop_jkt" }?.value == proof.thumbprint)
        #expect(session.binding == .dpop)
        #expect(try DPoPKey(try #require(session.bindingKey)).thumbprint() == proof.thumbprint)
        provider.claims { $0["nonce"] = nil }
        let other = try await signedIn(try SignInRun.good(provider))
        #expect(other.bindingKey != session.bindingKey, "each session has its own key")
    }

    @Test func `PAR and the token request have DPoP proofs with the same key (D7; RFC 9449 section 10.1)`() async throws
    {
        _ = try await SignInRun.good(provider).run {
            $0.bindsTokens = true
            $0.pushesRequest = true
        }
        let pushed = try #require(try proofs("/par").first)
        let redeemed = try #require(try proofs("/token").first)
        #expect(pushed.thumbprint == redeemed.thumbprint && pushed.text("jti") != redeemed.text("jti"))
        #expect(pushed.text("htu") == "https://id.example.com/par")
        let form = try #require(provider.requests(to: "/par").first).form
        #expect(form.first { $0.name == "dpop_jkt" }?.value == pushed.thumbprint)
    }

    @Test func `DPoP is refused before the browser opens if the provider lists no supported algorithm (D1)`()
        async throws
    {
        metadata { $0["dpop_signing_alg_values_supported"] = ["HS256", "none"] }
        let run = try SignInRun.good(provider)
        let failure = try await run.failure { $0.bindsTokens = true }
        #expect(failure == DiscoveryError.unsupported(.boundTokens) && failure.code == .unsupported)
        #expect(run.opened.withLock { $0.isEmpty })
        metadata { _ in }
        #expect(try await signedIn(try SignInRun.good(provider)).binding == .dpop)
    }

    @Test func `the provider check reports unsupported DPoP algorithms only if the client uses DPoP`() async throws {
        metadata { $0["dpop_signing_alg_values_supported"] = ["HS256"] }
        let run = try SignInRun.good(provider)
        let check = ProviderCheck(services: run.services())
        var entry = try run.entry
        #expect(try await check.run(entry, ClientKeys()).allSatisfy(\.isFine))
        entry.bindsTokens = true
        #expect(
            try await check.run(entry, ClientKeys()).contains { finding in
                if case .boundTokens = finding { !finding.isFine } else { false }
            })
    }

    @Test(arguments: ["RS384", "RS512", "PS384", "PS512"])
    func `a new DPoP key has the RSA algorithm that the provider lists (D1)`(algorithm: String) async throws {
        metadata { $0["dpop_signing_alg_values_supported"] = [.string(algorithm)] }
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(try run.entry, keys: ClientKeys(), services: run.services())
        #expect(try client.newProver(isRequested: true)?.key.algorithm.rawValue == algorithm)
    }

    @Test func `use_dpop_nonce repeats the token request with the nonce, a new jti and a new client assertion (D3)`()
        async throws
    {
        let requestCount = Mutex(0)
        provider.on("/token") { [provider] _ throws(HTTPError) in
            let count = requestCount.withLock { count in
                count += 1
                return count
            }
            guard count > 1 else {
                return .json(
                    ["error": "use_dpop_nonce"], status: 400, headers: [(name: "DPoP-Nonce", value: "nonce-1")])
            }
            return .json(Self.bound(provider), headers: [(name: "dpop-nonce", value: "nonce-2")])
        }
        let run = try SignInRun.good(provider)
        var entry = try run.entry
        entry.bindsTokens = true
        let client = try await ProviderClient.resolve(
            entry, keys: ClientKeys(privateKey: try .generate(.ellipticCurve(.p256))), services: run.services())
        var request = SignInRequest()
        request.acceptsPaste = true
        _ = try await SignIn(request, client: client, directory: run.directory, interface: run).run()
        let sent = try proofs("/token")
        #expect(sent.map { $0.text("nonce") } == [nil, "nonce-1"])
        #expect(sent[0].text("jti") != sent[1].text("jti") && sent[0].thumbprint == sent[1].thumbprint)
        let forms = provider.requests(to: "/token").map(\.form)
        let assertions = forms.map { $0.first { $0.name == "client_assertion" }?.value }
        #expect(assertions[0] != assertions[1])
        #expect(
            forms[0].first { $0.name == "code_verifier" }?.value == forms[1].first { $0.name == "code_verifier" }?.value
        )
    }

    @Test func `a second use_dpop_nonce error is not followed by a third token request (D3)`() async throws {
        provider.on("/token") { _ throws(HTTPError) in
            .json(["error": "use_dpop_nonce"], status: 400, headers: [(name: "DPoP-Nonce", value: "nonce-1")])
        }
        let failure = try await SignInRun.good(provider).failure { $0.bindsTokens = true }
        #expect(failure == OAuthError.refused(code: "use_dpop_nonce", description: nil, at: .token))
        #expect(provider.requests(to: "/token").count == 2)
    }

    @Test(arguments: ["dpOp", "Bearer", "MAC", "N_A"])
    func `only the token_type DPoP is accepted if DPoP was requested, in any case (D5)`(type: String) async throws {
        provider.on("/token") { [provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            response["token_type"] = .string(type)
            return .json(response)
        }
        if type == "dpOp" {
            _ = try await signedIn(SignInRun.good(provider))
            return
        }
        let failure = try await SignInRun.good(provider).failure { $0.bindsTokens = true }
        #expect(failure == OAuthError.invalidResponse(.malformed("token_type", isNot: .dpop), at: .token))
    }

    @Test func `a DPoP-bound token that was not requested is refused (D5)`() async throws {
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure == OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .token))
        #expect(
            try await SignInRun.good(provider).failure()
                == OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .token))
    }

    @Test func `a refresh uses the same DPoP key and refuses a bearer token (D6)`() async throws {
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        let services = try run.sessionServices()
        for _ in 0..<2 { #expect(try await CurrentToken(services).run(request).binding == .dpop) }
        let sent = try proofs("/token")
        #expect(sent.count == 3 && Set(sent.map(\.thumbprint)).count == 1)
        #expect(Set(sent.map { $0.text("jti") }).count == 3)
        // A refresh does not accept a bearer token either.
        provider.on("/token") { [provider] _ throws(HTTPError) in .json(provider.tokenResponse()) }
        await #expect(throws: OAuthError.invalidResponse(.malformed("token_type", isNot: .dpop), at: .refresh)) {
            try await CurrentToken(services).run(request)
        }
        let stored = try await run.directory.sessionStore.session(account: session.accountUID, provider: "oidc.test")
        #expect(stored?.accessToken == session.accessToken)
    }

    @Test func `a session without its DPoP key requires a new sign-in and sends no token request (D6)`() async throws {
        let run = try SignInRun.good(provider)
        var session = try await signedIn(run)
        session.bindingKey = nil
        _ = try await run.directory.sessionStore.replace(session)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        let services = try run.sessionServices()
        await #expect(throws: NotSignedIn.keyLost(provider: "oidc.test")) {
            try await CurrentToken(services).run(request)
        }
        #expect(provider.requests(to: "/token").count == 1)
        let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
        await #expect(throws: NotSignedIn.keyLost(provider: "oidc.test")) { try await call.run(services) }
    }

    // MARK: A resource

    @Test func `each API request has the authorization scheme DPoP and a new DPoP proof (D2)`() async throws {
        provider.on("/userinfo") { _ throws(HTTPError) in .json(["sub": "248289761001"]) }
        let run = try SignInRun.good(provider)
        let session = try await signedIn(run)
        let services = try run.sessionServices()
        var call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo?x=1"))
        call.headers = [(name: "DPoP", value: "mine"), (name: "X-Mine", value: "1")]
        for _ in 0..<2 { _ = try await call.run(services) }
        let requests = provider.requests(to: "/userinfo")
        for request in requests {
            let schemes = request.headers.filter { $0.name == "Authorization" }.map(\.value)
            #expect(schemes == ["DPoP \(TestProvider.accessToken)"])
            #expect(request.headers.contains { $0.name == "X-Mine" })
        }
        let sent = try proofs("/userinfo")
        let hash = Base64URL.encode(try HashFunction.sha256.digest(TestProvider.accessToken.utf8))
        #expect(sent.allSatisfy { $0.text("ath") == hash && $0.text("htm") == "GET" })
        #expect(sent.allSatisfy { $0.text("htu") == "https://id.example.com/userinfo" })
        #expect(sent[0].text("jti") != sent[1].text("jti"))
        #expect(try DPoPKey(try #require(session.bindingKey)).thumbprint() == sent[0].thumbprint)
    }

    @Test func `a DPoP-Nonce in a response to a request without a DPoP proof is ignored (G19)`() async throws {
        let headers = [(name: "dpop-nonce", value: "unrelated")]
        metadata(headers: headers)
        let keys = provider.keySet
        provider.on("/jwks") { _ throws(HTTPError) in .json(keys, headers: headers) }
        provider.on("/revoke") { _ throws(HTTPError) in HTTPResponse(status: 200, headers: headers) }
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let services = try run.sessionServices()
        try await services.client("oidc.test").tokenEndpoint().revoke("token-0001", hint: .accessToken)
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        _ = try await CurrentToken(services).run(request)
        provider.on("/userinfo") { _ throws(HTTPError) in .json(["sub": "x"]) }
        _ = try await APIRequest(url: try HTTPURL("https://id.example.com/userinfo")).run(services)
        #expect(!provider.requests(to: "/jwks").isEmpty && !provider.requests(to: "/revoke").isEmpty)
        #expect(try proofs("/token").map { $0.text("nonce") } == [nil, nil])
        #expect(try proofs("/userinfo").map { $0.text("nonce") } == [nil])
    }

    @Test func `a DPoP proof contains the newest nonce of its own server, also in another process (D4)`() async throws {
        let nonces = Mutex(["r-1", "r-2", "r-3"])
        provider.on("/token") { [provider] _ throws(HTTPError) in
            .json(Self.bound(provider), headers: [(name: "DPoP-Nonce", value: "as-1")])
        }
        provider.on("/userinfo") { request throws(HTTPError) in
            let expected = nonces.withLock { $0[0] }
            let proof = request.headers.first { $0.name == "DPoP" }?.value ?? ""
            let claims = (try? StrictJSON.object(Base64URL.decode(String(proof.split(separator: ".")[1])) ?? [])) ?? [:]
            guard claims["nonce"]?.string == expected else {
                return HTTPResponse(
                    status: 401,
                    headers: [
                        (name: "www-authenticate", value: #"DPoP error="use_dpop_nonce", error_description="x""#),
                        (name: "dpop-nonce", value: expected),
                    ])
            }
            let next = nonces.withLock { nonces in
                nonces.removeFirst()
                return nonces[0]
            }
            return .json(["sub": "x"], headers: [(name: "DPoP-Nonce", value: next)])
        }
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let store = try #require(
            try Store.open(
                in: ConfigDirectory(path: run.folder.path + "/config"), host: NonInteractiveVaultHost(), creating: false
            ))
        var services = run.services()
        services.cache = StoredDocuments(store: store)
        let (entry, withCache) = (try run.entry, services)
        // Each call simulates a separate process.
        for _ in 0..<2 {
            let session = SessionServices(
                directory: run.directory, clock: withCache.clock,
                lockDirectory: ConfigDirectory(path: run.folder.path + "/config"),
                client: { _ in try await ProviderClient.resolve(entry, keys: ClientKeys(), services: withCache) })
            let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
            #expect(try await call.run(session).response.status == 200)
        }
        // The first process got the nonce from the 401 response, the second one from the cache.
        #expect(try proofs("/userinfo").map { $0.text("nonce") } == [nil, "r-1", "r-2"])
    }

    @Test(arguments: [
        #"DPoP error="use_dpop_nonce""#, #"dPoP error="use_dpop_nonce""#, "Bearer, DPoP algs=\"ES256\", error=use_dpop_nonce",
    ])
    func `an API request is repeated only once if the API requires a DPoP nonce (D4)`(challenge: String) async throws {
        provider.on("/userinfo") { _ throws(HTTPError) in
            HTTPResponse(
                status: 401,
                headers: [
                    (name: "www-authenticate", value: challenge),
                    (name: "dpop-nonce", value: "n"),
                ])
        }
        let run = try SignInRun.good(provider)
        _ = try await signedIn(run)
        let call = APIRequest(url: try HTTPURL("https://id.example.com/userinfo"))
        #expect(try await call.run(run.sessionServices()).response.status == 401)
        #expect(provider.requests(to: "/userinfo").count == 2)
    }

    @Test(arguments: [
        [(name: "dpop-nonce", value: "a b")], [(name: "dpop-nonce", value: "a\"b")],
        [(name: "dpop-nonce", value: "n-1"), (name: "dpop-nonce", value: "n-2")],
        [(name: "dpop-nonce", value: String(repeating: "n", count: 2000))],
    ])
    func `an invalid, duplicate or oversized DPoP-Nonce header is ignored (RFC 9449 section 8.1)`(
        headers: [(name: String, value: String)]
    ) async throws {
        let nonces = DPoPNonces(Services(transport: provider, clock: Clock(now: { TestProvider.now })))
        let url = try HTTPURL("https://id.example.com/x")
        await nonces.learn(HTTPResponse(status: 200, headers: headers), from: url, of: .resource)
        #expect(await nonces.nonce(for: url, of: .resource) == nil)
    }

    @Test func `a DPoP nonce is only used at its server, as an authorization server or as a resource (D4)`()
        async throws
    {
        let nonces = DPoPNonces(Services(transport: provider, clock: Clock(now: { TestProvider.now })))
        let url = try HTTPURL("https://id.example.com/x")
        let response = HTTPResponse(status: 200, headers: [(name: "dpop-nonce", value: "n")])
        await nonces.learn(response, from: url, of: .authorization)
        #expect(await nonces.nonce(for: url, of: .authorization) == "n")
        #expect(await nonces.nonce(for: url, of: .resource) == nil)
        #expect(await nonces.nonce(for: try HTTPURL("https://id.example.com:8443/x"), of: .authorization) == nil)
    }

    @Test func `a DPoP nonce is stored for one day, and a damaged one is not sent`() async throws {
        let (cache, now) = (MemoryCache(), TestProvider.now)
        let url = try HTTPURL("https://id.example.com/x")
        func nonces(at time: Int64) -> DPoPNonces {
            DPoPNonces(Services(transport: provider, cache: cache, clock: Clock(now: { time })))
        }
        let response = HTTPResponse(status: 200, headers: [(name: "dpop-nonce", value: "n")])
        await nonces(at: now).learn(response, from: url, of: .resource)
        for (time, nonce) in [(now, "n"), (now + 86399, "n"), (now + 86400, nil), (now - 1, nil)] {
            #expect(await nonces(at: time).nonce(for: url, of: .resource) == nonce)
        }
        let key = try #require(await cache.keys.first)
        for body in [Array("a b".utf8), [0xff], []] {
            await cache.store(CachedDocument(body: body, fetchedAt: now, freshUntil: now + 1), for: key)
            #expect(await nonces(at: now).nonce(for: url, of: .resource) == nil)
        }
    }

    // MARK: Two steps

    @Test func `the second step of a two-step sign-in uses the DPoP key of dpop_jkt in the first step`() async throws {
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(try run.entry, keys: ClientKeys(), services: run.services())
        let steps = SignInInTwoSteps(run.directory.sessionStore, clock: run.services().clock)
        var request = SignInRequest()
        request.bindsTokens = true
        let signIn = try SignIn(request, client: client, directory: run.directory, interface: run)
        let begun = try await steps.begin(signIn, at: "oidc.test")
        try provider.begin(begun.authorizationURL)
        let parameters = provider.parameters(of: begun.authorizationURL)
        let state = try #require(parameters.first { $0.name == "state" }?.value)
        let found = try await steps.find(begun.id)
        let pasted = begun.redirectURI + "?" + SignInRun.goodQuery(state: state)
        _ = try await steps.complete(found, by: signIn, pasted: pasted)
        #expect(parameters.first { $0.name == "dpop_jkt" }?.value == (try proofs("/token").first?.thumbprint))
        // Another process found the sign-in before it was completed.
        await #expect(throws: SignInError.noPendingSignIn(begun.id)) {
            try await steps.complete(found, by: signIn, pasted: pasted)
        }
        #expect(provider.count(of: "/token") == 1, "the code is redeemed once")
    }
}
