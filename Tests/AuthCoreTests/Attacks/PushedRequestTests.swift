import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

/// PAR (RFC 9126).
@Suite struct `Pushed authorization requests` {
    let provider: TestProvider

    init() throws {
        provider = try TestProvider()
        metadata()
    }

    private func metadata(_ change: (inout JSONObject) -> Void = { _ in }) {
        var metadata = provider.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        change(&metadata)
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
    }

    private var pushed: [String: String] {
        get throws {
            let pairs = try #require(provider.requests(to: "/par").last).form
            #expect(Set(pairs.map(\.name)).count == pairs.count, "duplicate parameter")
            return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    @Test func `P1: the browser gets only client_id and request_uri; the rest is pushed (RFC 9126 sections 2.1 and 4)`()
        async throws
    {
        let run = try SignInRun.good(provider)
        _ = try await run.run {
            $0.pushesRequest = true
            $0.loginHint = "ada@example.com"
        }
        let form = try pushed
        #expect(provider.requests(to: "/par").first?.method == .post)
        #expect(form["response_type"] == "code" && form["code_challenge_method"] == "S256")
        #expect(form["login_hint"] == "ada@example.com" && form["client_id"] == TestProvider.clientID)
        for name in ["redirect_uri", "scope", "state", "nonce", "code_challenge"] {
            #expect(form[name] != nil, "\(name)")
        }
        #expect(form["request_uri"] == nil)
        let url = try #require(run.opened.withLock { $0.first })
        #expect(
            url == "https://id.example.com/authorize?client_id=client-1"
                + "&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A1")
    }

    @Test func `a request that is too long for a URL can be pushed`() async throws {
        let claims = #"{"userinfo":{"\#(String(repeating: "x", count: 9000))":null}}"#
        _ = try await SignInRun.good(provider).run {
            $0.pushesRequest = true
            $0.parameters = [("claims", claims)]
        }
        #expect(try pushed["claims"] == claims)
    }

    @Test func `a request_uri that expires before the timeout is reported, and a later callback is still accepted`()
        async throws
    {
        let run = try SignInRun.good(provider)
        run.late.withLock { $0 = true }
        let result = try await run.run {
            $0.pushesRequest = true
            $0.acceptsPaste = false
        }
        #expect(result.account.email == "ada@example.com")
        #expect(run.pages.withLock { $0.map(\.urlExpiresIn) } == [60])
        provider.claims { $0["nonce"] = nil }
        // A request URI that is valid for the whole timeout.
        let other = try SignInRun.good(provider)
        _ = try await other.run {
            $0.pushesRequest = true
            $0.timeout = 60
        }
        #expect(other.pages.withLock { $0.map(\.urlExpiresIn) } == [nil])
    }

    @Test(arguments: [
        ClientAuthentication.Method.clientSecretBasic, .clientSecretPost, .clientSecretJWT, .privateKeyJWT,
    ])
    func `P1: a pushed request uses the client authentication method of the token endpoint`(
        method: ClientAuthentication.Method
    ) async throws {
        var entry = try SignInRun.good(provider).entry
        entry.authenticationMethod = method
        entry.pushesRequests = true
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(
            entry, keys: ClientKeys(secret: ClientSecret("a-shared-secret-0001"), privateKey: key), services: run.services())
        let signIn = try SignIn(SignInRequest(), client: client, directory: run.directory, interface: run)
        _ = try await signIn.beginPasted()
        let form = try pushed
        let basic = provider.requests(to: "/par")[0].headers.first { $0.name == "Authorization" }
        #expect(form["client_id"] == TestProvider.clientID)
        #expect((basic != nil) == (method == .clientSecretBasic))
        #expect((form["client_secret"] != nil) == (method == .clientSecretPost))
        #expect((form["client_assertion"] != nil) == (method == .clientSecretJWT || method == .privateKeyJWT))
        guard let assertion = form["client_assertion"] else { return }
        let claims = try StrictJSON.object(
            try #require(Base64URL.decode(String(assertion.split(separator: ".")[1]))))
        #expect(claims["aud"] == .string(TestProvider.issuer))
    }

    @Test func `P2: the authorization request is pushed by default if the provider requires it`() async throws {
        metadata { $0["require_pushed_authorization_requests"] = true }
        _ = try await SignInRun.good(provider).run()
        #expect(provider.requests(to: "/par").count == 1)
    }

    @Test(arguments: [true, false])
    func `P2: a sign-in that needs PAR fails before a browser opens if the provider has no PAR endpoint`(
        isRequested: Bool
    ) async throws {
        metadata {
            $0["pushed_authorization_request_endpoint"] = .null
            $0["require_pushed_authorization_requests"] = .bool(!isRequested)
        }
        let run = try SignInRun.good(provider)
        let failure = try await run.failure { $0.pushesRequest = isRequested }
        #expect(failure == DiscoveryError.unsupported(.pushedRequests) && failure.code == .unsupported)
        #expect(run.opened.withLock { $0.isEmpty })
    }

    static let refusals: [(HTTPResponse, OAuthError)] = [
        (
            .json(["error": "invalid_request"], status: 400),
            .refused(code: "invalid_request", description: nil, at: .pushedAuthorization)
        ),
        (
            .json(["error": "invalid_client"], status: 401),
            .refused(code: "invalid_client", description: nil, at: .pushedAuthorization)
        ),
        (.text("too large", status: 413, type: "text/plain"), invalid(.noObject(status: 413))),
        (
            HTTPResponse(status: 429, headers: [(name: "retry-after", value: "7")]),
            .tooManyRequests(origin: "https://id.example.com:443", retryAfter: 7)
        ),
        (HTTPResponse(status: 503), .unavailable(status: 503, origin: "https://id.example.com:443")),
        (.json(["request_uri": "urn:x:1", "expires_in": 60], status: 200), invalid(.status(200))),
        (.json(["expires_in": 60], status: 201), invalid(.missing("request_uri"))),
        (
            .json(["request_uri": "", "expires_in": 60], status: 201),
            invalid(.malformed("request_uri", isNot: .token))
        ),
        (
            .json(["request_uri": "urn:x y", "expires_in": 60], status: 201),
            invalid(.malformed("request_uri", isNot: .token))
        ),
        (.json(["request_uri": "urn:x:1"], status: 201), invalid(.malformed("expires_in", isNot: .span))),
        (
            .json(["request_uri": "urn:x:1", "expires_in": 0], status: 201),
            invalid(.malformed("expires_in", isNot: .span))
        ),
        (
            HTTPResponse(status: 303, headers: [(name: "location", value: "https://id.example.com/other")]),
            invalid(.redirect(303))
        ),
    ]

    private static func invalid(_ fault: ResponseFault) -> OAuthError {
        .invalidResponse(fault, at: .pushedAuthorization)
    }

    @Test(arguments: refusals)
    func `P3: a pushed request that fails opens no browser, and is not sent a second time`(
        response: HTTPResponse, error: OAuthError
    ) async throws {
        provider.on("/par") { _ throws(HTTPError) in response }
        let run = try SignInRun.good(provider)
        let failure = try await run.failure { $0.pushesRequest = true }
        #expect(failure == error)
        #expect(run.opened.withLock { $0.isEmpty })
        #expect(provider.requests(to: "/par").count == 1)
    }

    @Test func `P4: each sign-in pushes a new state, nonce and code challenge (RFC 9126 section 7.3)`() async throws {
        var seen: [[String: String]] = []
        for _ in 0..<2 {
            let run = try SignInRun.good(provider)
            provider.claims { $0["nonce"] = nil }
            _ = try await run.run { $0.pushesRequest = true }
            var form = try pushed
            form["url"] = run.opened.withLock { $0.first }
            seen.append(form)
        }
        for name in ["state", "nonce", "code_challenge", "url"] { #expect(seen[0][name] != seen[1][name], "\(name)") }
    }

    @Test func `a two-step sign-in with a pushed request returns the expiry of its authorization URL`() async throws {
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(
            try run.entry, keys: ClientKeys(), services: run.services())
        var request = SignInRequest()
        request.pushesRequest = true
        let signIn = try SignIn(request, client: client, directory: run.directory, interface: run)
        let begun = try await SignInInTwoSteps(run.directory.sessionStore, clock: run.services().clock).begin(
            signIn, at: "oidc.test")
        #expect(begun.urlExpiresAt == TestProvider.now + 60 && begun.expiresAt == TestProvider.now + 300)
    }

    @Test(arguments: [("request_uri", "urn:evil"), ("request", "eyJ")])
    func `a pushed request cannot contain the parameter request or request_uri (RFC 9126 section 2.1)`(
        name: String, value: String
    ) async throws {
        let run = try SignInRun.good(provider)
        let failure = try await run.failure {
            $0.pushesRequest = true
            $0.parameters = [(name, value)]
        }
        #expect(failure == OAuthError.reservedParameter(name) && run.opened.withLock { $0.isEmpty })
    }

    @Test func `P5: the response to a request_uri that an attacker replaced is refused by issuer, code or nonce`()
        async throws
    {
        // The attacker's code with the attacker's issuer; then with the correct issuer, where the code verifier does
        // not match.
        let other = try SignInRun(provider) { [.query(SignInRun.goodQuery(state: $0) + "&iss=https://evil.example")] }
        #expect(
            try await other.failure { $0.pushesRequest = true }
                == OAuthError.invalidResponse(.repeated("iss"), at: .authorization))
        provider.on("/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: 400) }
        #expect(
            try await SignInRun.good(provider).failure { $0.pushesRequest = true }
                == OAuthError.refused(code: "invalid_grant", description: nil, at: .token))
        let nonce = try TestProvider()
        nonce.claims { $0["nonce"] = "somebody-else's" }
        var metadata = nonce.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        let changed = metadata
        nonce.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        #expect(try await SignInRun.good(nonce).failure { $0.pushesRequest = true }.code == .missingOrInvalidNonce)
    }
}
