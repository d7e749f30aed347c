import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore
@testable import authctl

/// Pushed authorization requests (RFC 9126).
@Suite struct `A pushed request` {
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
            #expect(Set(pairs.map(\.name)).count == pairs.count, "a name is a duplicate")
            return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    @Test func `carries all of it, and the browser its name alone (P1; RFC 9126 sections 2.1 and 4)`() async throws {
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

    @Test func `whose name is over is said to be so, and whoever came with it in time is still waited for`()
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
    func `proves the client as the token endpoint wants it (P1)`(method: ClientAuthentication.Method) async throws {
        var entry = try SignInRun.good(provider).entry
        entry.authenticationMethod = method
        entry.pushesRequests = true
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        let client = try await ProviderClient.resolve(
            entry, ClientKeys(secret: ClientSecret("a-shared-secret-0001"), privateKey: key),
            services: try SignInRun.good(provider).services())
        let asked = ProviderRequest(client: client, request: SignInRequest(), began: TestProvider.now, prover: nil)
        _ = try await asked.unattendedAuthorization()
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

    @Test func `is used by itself where the provider takes no other (P2)`() async throws {
        metadata { $0["require_pushed_authorization_requests"] = true }
        _ = try await SignInRun.good(provider).run()
        #expect(provider.requests(to: "/par").count == 1)
    }

    @Test(arguments: [true, false])
    func `that has nowhere to go ends the sign-in before anybody is sent anywhere (P2)`(isAsked: Bool) async throws {
        metadata {
            $0["pushed_authorization_request_endpoint"] = .null
            $0["require_pushed_authorization_requests"] = .bool(!isAsked)
        }
        let run = try SignInRun.good(provider)
        let failure = try await run.failure { $0.pushesRequest = isAsked }
        #expect(failure.exitCode == 78 && failure.code == "unsupported")
        #expect(run.opened.withLock { $0.isEmpty })
    }

    static let refusals: [(HTTPResponse, Int32)] = [
        (.json(["error": "invalid_request"], status: 400), 65), (.json(["error": "invalid_client"], status: 401), 78),
        (.text("too large", status: 413, type: "text/plain"), 65),
        (HTTPResponse(status: 429, headers: [(name: "retry-after", value: "7")]), 69),
        (HTTPResponse(status: 503), 69),
        (.json(["request_uri": "urn:x:1", "expires_in": 60], status: 200), 65),
        (.json(["expires_in": 60], status: 201), 65), (.json(["request_uri": "", "expires_in": 60], status: 201), 65),
        (.json(["request_uri": "urn:x y", "expires_in": 60], status: 201), 65),
        (.json(["request_uri": "urn:x:1"], status: 201), 65),
        (.json(["request_uri": "urn:x:1", "expires_in": 0], status: 201), 65),
        (HTTPResponse(status: 303, headers: [(name: "location", value: "https://id.example.com/other")]), 65),
    ]

    @Test(arguments: refusals)
    func `that is not taken opens no browser, and is never sent another way (P3)`(
        answer: HTTPResponse, exitCode: Int32
    ) async throws {
        provider.on("/par") { _ throws(HTTPError) in answer }
        let run = try SignInRun.good(provider)
        let failure = try await run.failure { $0.pushesRequest = true }
        #expect(failure.exitCode == exitCode, "\(failure.lines)")
        #expect(run.opened.withLock { $0.isEmpty })
        #expect(provider.requests(to: "/par").count == 1)
    }

    @Test func `is made anew for each sign-in (P4; RFC 9126 section 7.3)`() async throws {
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

    @Test func `says until when its URL is good`() async throws {
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(
            try run.entry, ClientKeys(), services: run.services())
        let signIn = SignIn(client: client, directory: run.directory, interface: run)
        var request = SignInRequest()
        request.pushesRequest = true
        let begun = try await SignInInTwoSteps(run.directory.sessionStore, clock: run.services().clock).begin(
            .own(signIn), request)
        #expect(begun.urlExpiresAt == TestProvider.now + 60 && begun.expiresAt == TestProvider.now + 300)
    }

    @Test(arguments: [("request_uri", "urn:evil"), ("request", "eyJ")])
    func `names no other request (RFC 9126 section 2.1)`(name: String, value: String) async throws {
        let run = try SignInRun.good(provider)
        let failure = try await run.failure {
            $0.pushesRequest = true
            $0.parameters = [(name, value)]
        }
        #expect(failure.exitCode == 64 && run.opened.withLock { $0.isEmpty })
    }

    @Test func `that somebody exchanged for theirs brings an answer that is not believed (P5)`() async throws {
        // Their code, from their issuer; and their code under our state, which our verifier does not fit.
        let other = try SignInRun(provider) { [.query(SignInRun.goodQuery(state: $0) + "&iss=https://evil.example")] }
        #expect(try await other.failure { $0.pushesRequest = true }.exitCode == 65)
        provider.on("/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: 400) }
        #expect(try await SignInRun.good(provider).failure { $0.pushesRequest = true }.exitCode == 65)
        let nonce = try TestProvider()
        nonce.claims { $0["nonce"] = "somebody-else's" }
        var metadata = nonce.metadata
        metadata["pushed_authorization_request_endpoint"] = "https://id.example.com/par"
        let changed = metadata
        nonce.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        #expect(try await SignInRun.good(nonce).failure { $0.pushesRequest = true }.code == "missing-or-invalid-nonce")
    }
}
