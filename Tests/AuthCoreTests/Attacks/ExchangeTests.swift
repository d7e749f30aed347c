import AuthCoreTesting
import Testing

@testable import AuthCore

/// RFC 8693.
@Suite struct `Token exchange` {
    private static let tokenType = "urn:ietf:params:oauth:token-type:"
    private static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let other = "https://other.example.com"

    let provider: TestProvider
    let run: SignInRun

    init() throws {
        provider = try TestProvider()
        run = try SignInRun.good(provider)
        var metadata = provider.metadata
        metadata["dpop_signing_alg_values_supported"] = ["ES256"]
        let own = metadata
        // Each host is a separate issuer.
        provider.on("/.well-known/openid-configuration") { request throws(HTTPError) in
            .text(JSONValue.object(own).text.replacing(TestProvider.issuer, with: "https://\(request.url.host)"))
        }
    }

    /// Sets the response to a token exchange. Sign-ins get the default response.
    private func exchangeResponse(
        _ status: Int = 200, _ change: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) {
        provider.on("/token") { [provider] request throws(HTTPError) in
            let isBound = request.headers.contains { $0.name == "DPoP" }
            var response: JSONObject
            if request.form.contains(where: { $0 == (name: "grant_type", value: Self.grantType) }) {
                response = [
                    "access_token": "the-exchanged-token", "token_type": isBound ? "DPoP" : "Bearer", "expires_in": 300,
                    "issued_token_type": .string(Self.tokenType + "access_token"),
                ]
                change(&response)
                return .json(response, status: status)
            }
            response = provider.tokenResponse()
            if isBound { response["token_type"] = "DPoP" }
            return .json(response)
        }
    }

    private func client(_ id: String = "oidc.test", at issuer: String = TestProvider.issuer) async throws
        -> ProviderClient
    {
        let entry = Provider(id: id, issuer: try HTTPURL(issuer), clientID: TestProvider.clientID)
        return try await ProviderClient.resolve(
            entry, keys: ClientKeys(secret: ClientSecret("the-client-secret")), services: run.services())
    }

    private func otherIssuer() async throws -> ProviderClient { try await client("oidc.other", at: Self.other) }

    private func subject(_ kind: CurrentToken.Kind? = nil) async throws -> CurrentToken.Result {
        var request = CurrentToken.Request()
        (request.kind, request.isSubject) = (kind, true)
        return try await CurrentToken(try run.sessionServices()).run(request)
    }

    private func exchanges(_ host: String = "id.example.com") -> [[String: String]] {
        provider.requests(to: "/token").filter { $0.url.host == host }
            .map { request in Dictionary(request.form.map { ($0.name, $0.value) }) { $1 } }
            .filter { $0["grant_type"] == Self.grantType }
    }

    private func failure(_ body: () async throws -> some Any) async throws -> any Error {
        do {
            _ = try await body()
        } catch {
            return error
        }
        Issue.record("the exchange was not refused")
        return NotRefused()
    }

    @Test func `X1: an exchange sends the current access token and the requested target, and stores nothing`()
        async throws
    {
        exchangeResponse()
        _ = try await run.run()
        let before = try await run.directory.sessionStore.sessions()
        let exchange = TokenExchange(client: try await client())
        var request = TokenExchange.Request()
        request.audiences = ["b"]
        request.resource = try HTTPURL("https://b.example/api/")
        request.scopes = ["read", "write"]
        for _ in 1...2 {
            let exchanged = try await exchange.run(try await subject(), request).result
            #expect(exchanged.token == .access(AccessToken("the-exchanged-token")))
            #expect(exchanged.expiresAt == TestProvider.now + 300 && exchanged.binding == .bearer)
            #expect(try exchanged.bearer() == exchanged.token)
        }
        #expect(exchanges().count == 2, "each call sends a new request")
        #expect(
            exchanges()[0] == [
                "grant_type": Self.grantType, "subject_token": "the-access-token-0001",
                "subject_token_type": Self.tokenType + "access_token",
                "requested_token_type": Self.tokenType + "access_token", "audience": "b",
                "resource": "https://b.example/api/", "scope": "read write",
            ])
        let sent = try #require(provider.requests(to: "/token").last)
        #expect(sent.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Basic ") })
        let after = try await run.directory.sessionStore.sessions()
        #expect(
            after.map(\.providerID) == before.map(\.providerID) && after.map(\.expiresAt) == before.map(\.expiresAt))
        #expect(try await subject().token == .access(AccessToken(TestProvider.accessToken)))
    }

    @Test func `an exchange uses the ID token as the subject token if it is requested (RFC 8693 section 3)`()
        async throws
    {
        exchangeResponse()
        _ = try await run.run()
        let own = try await subject(.id)
        _ = try await TokenExchange(client: try await client()).run(own, TokenExchange.Request())
        let sent = try #require(exchanges().first)
        #expect(sent["subject_token_type"] == Self.tokenType + "id_token")
        #expect(sent["subject_token"] == own.token.revealed())
        #expect(sent["audience"] == nil && sent["resource"] == nil && sent["scope"] == nil)
    }

    @Test(arguments: ["refresh_token", "id_token", "saml2", nil])
    func `an exchanged token of another type than requested is refused (RFC 8693 section 2.2.1)`(type: String?)
        async throws
    {
        exchangeResponse { $0["issued_token_type"] = type.map { .string(Self.tokenType + $0) } }
        _ = try await run.run()
        let exchange = TokenExchange(client: try await client())
        let failure = try await failure { try await exchange.run(try await subject(), TokenExchange.Request()) }
        #expect(
            failure == OAuthError.invalidResponse(.malformed("issued_token_type", isNot: .accessToken), at: .exchange)
                && failure.code == .invalidResponse)
    }

    @Test func `an exchanged token with the token_type N_A is not returned as a bearer token`() async throws {
        exchangeResponse {
            $0["token_type"] = "N_A"
            $0["issued_token_type"] = .string(Self.tokenType + "jwt")
        }
        _ = try await run.run()
        let exchanged = try await TokenExchange(client: try await client()).run(
            try await subject(), TokenExchange.Request()
        ).result
        #expect(exchanged.token.revealed() == "the-exchanged-token")
        #expect(exchanged.expiresAt == TestProvider.now + 300)
        #expect(exchanged.issued?.isAccess == false && exchanged.issued?.name == Self.tokenType + "jwt")
        #expect(throws: TokenBindingError.noTokenType(provider: "oidc.test")) { try exchanged.bearer() }
        // Other token requests do not accept the token type N_A.
        provider.on("/token") { [provider] _ throws(HTTPError) in
            var response = provider.tokenResponse()
            response["token_type"] = "N_A"
            return .json(response)
        }
        #expect(
            try await SignInRun.good(provider).failure()
                == OAuthError.invalidResponse(.malformed("token_type", isNot: .bearer), at: .token))
    }

    @Test(arguments: [
        ("invalid_target", ErrorCode.invalidConfiguration), ("invalid_client", .invalidConfiguration),
        ("unauthorized_client", .invalidConfiguration), ("invalid_scope", .invalidConfiguration),
        ("unsupported_grant_type", .invalidConfiguration), ("access_denied", .accessDenied),
        ("invalid_request", .invalidCredential), ("invalid_grant", .invalidCredential),
    ])
    func `a rejected exchange is not retried, also not with another grant (wif-no-retry, wif-grant-fallback)`(
        error: String, code: ErrorCode
    ) async throws {
        exchangeResponse(400) {
            $0 = ["error": .string(error), "error_description": "the-access-token-0001 is not for here"]
        }
        _ = try await run.run()
        let count = provider.count(of: "/token")
        let exchange = TokenExchange(client: try await client())
        let failure = try await failure { try await exchange.run(try await subject(), TokenExchange.Request()) }
        let description = ServerText("the-access-token-0001 is not for here", secrets: ["the-access-token-0001"])
        #expect(failure == OAuthError.refused(code: error, description: description, at: .exchange))
        #expect(failure.code == code)
        #expect(provider.count(of: "/token") == count + 1)
    }

    // MARK: Bound tokens

    @Test func `a DPoP-bound session gets an exchanged token that is bound to its key, at its own provider`()
        async throws
    {
        exchangeResponse()
        _ = try await run.run { $0.bindsTokens = true }
        let exchange = TokenExchange(client: try await client())
        let exchanged = try await exchange.run(try await subject(), TokenExchange.Request())
        #expect(exchanged.result.binding == .dpop)
        #expect(throws: TokenBindingError.bearerOnly(provider: "oidc.test", .dpop)) { try exchanged.result.bearer() }
        let sessionStore = run.directory.sessionStore
        let uid = try #require(try await sessionStore.currentUID())
        let session = try #require(try await sessionStore.session(account: uid, provider: "oidc.test"))
        let proof = try #require(provider.requests(to: "/token").last?.headers.first { $0.name == "DPoP" }?.value)
        let header = try #require(Base64URL.decode(String(proof.prefix { $0 != "." })))
        let object = try StrictJSON.object(header)
        let key = try #require(object["jwk"]?.object)
        let thumbprint = try DPoPKey(try #require(session.bindingKey)).thumbprint()
        #expect(try JWK(key)?.thumbprint() == thumbprint)
        _ = try await exchanged.proof("GET", try HTTPURL("https://b.example/"))
    }

    @Test func `the token_type N_A is refused if the session is DPoP-bound (RFC 9449 section 5)`() async throws {
        exchangeResponse { $0["token_type"] = "N_A" }
        _ = try await run.run { $0.bindsTokens = true }
        let exchange = TokenExchange(client: try await client())
        let failure = try await failure { try await exchange.run(try await subject(), TokenExchange.Request()) }
        #expect(
            failure == OAuthError.invalidResponse(.malformed("token_type", isNot: .dpop), at: .exchange)
                && failure.code == .invalidResponse)
    }

    @Test func `an exchange for a DPoP proof is refused before the request if there is no DPoP key`() async throws {
        exchangeResponse()
        _ = try await run.run()
        var request = TokenExchange.Request()
        request.use = .proof
        let exchange = TokenExchange(client: try await client())
        await #expect(throws: TokenBindingError.exchangedUnbound(provider: "oidc.test")) {
            try await exchange.run(try await subject(), request)
        }
        #expect(exchanges().isEmpty)
    }

    @Test func `a DPoP-bound access token is not exchanged at another issuer, but an ID token is`() async throws {
        exchangeResponse()
        _ = try await run.run { $0.bindsTokens = true }
        let exchange = TokenExchange(client: try await otherIssuer())
        let bound = try await subject()
        await #expect(throws: TokenBindingError.otherIssuer(provider: "oidc.test", .dpop, at: "oidc.other")) {
            try await exchange.run(bound, TokenExchange.Request())
        }
        #expect(exchanges("other.example.com").isEmpty)
        let exchanged = try await exchange.run(try await subject(.id), TokenExchange.Request())
        await #expect(throws: TokenBindingError.exchangedUnbound(provider: "oidc.other")) {
            try await exchanged.proof("GET", try HTTPURL("https://b.example/"))
        }
        #expect(exchanged.result.binding == .bearer && exchanges("other.example.com").count == 1)
    }

    @Test func `a DPoP-bound access token is also exchanged at another provider configuration of its issuer`()
        async throws
    {
        exchangeResponse()
        _ = try await run.run { $0.bindsTokens = true }
        let exchange = TokenExchange(client: try await client("oidc.same"))
        #expect(try await exchange.run(try await subject(), TokenExchange.Request()).result.binding == .dpop)
    }

    @Test func `an exchanged token with a new DPoP key can be used only with the DPoP proof from the same call`()
        async throws
    {
        exchangeResponse()
        _ = try await run.run()
        var entry = Provider(id: "oidc.other", issuer: try HTTPURL(Self.other), clientID: TestProvider.clientID)
        entry.bindsTokens = true
        let client = try await ProviderClient.resolve(entry, keys: ClientKeys(), services: run.services())
        let exchange = TokenExchange(client: client)
        let token = try await subject()
        var request = TokenExchange.Request()
        for use in [TokenExchange.Use.stored, .bearer] {
            request.use = use
            await #expect(throws: TokenBindingError.bearerOnly(provider: "oidc.other", .dpop)) {
                try await exchange.run(token, request)
            }
        }
        #expect(exchanges("other.example.com").isEmpty, "no token is requested that cannot be used")
        request.use = .proof
        let exchanged = try await exchange.run(token, request)
        _ = try await exchanged.proof("GET", try HTTPURL("https://b.example/"))
    }

    // MARK: Which provider sees which token

    @Test func `a resource's token is exchanged at another issuer only if its session was named`() async throws {
        exchangeResponse()
        _ = try await run.run { $0.resource = try? HTTPURL("https://a.example/mcp") }
        let token = try await subject()
        let exchange = TokenExchange(client: try await otherIssuer())
        var request = TokenExchange.Request()
        let failure = try await failure { try await exchange.run(token, request) }
        #expect(
            failure
                == RequestRefused.exchange(
                    resource: "https://a.example/mcp", provider: "oidc.test", at: "oidc.other"))
        #expect(exchanges("other.example.com").isEmpty)
        request.isSessionNamed = true
        _ = try await exchange.run(token, request)
        #expect(exchanges("other.example.com").count == 1)
        // The token's issuer already knows the token, so no consent is required.
        _ = try await TokenExchange(client: try await client()).run(token, TokenExchange.Request())
    }

    @Test func `an exchange is refused if the configured issuer is no longer the session's`() async throws {
        exchangeResponse()
        _ = try await run.run()
        let exchange = TokenExchange(client: try await client("oidc.test", at: Self.other))
        let token = try await subject()
        await #expect(throws: NotSignedIn.otherIssuer(provider: "oidc.test", issuer: TestProvider.issuer)) {
            try await exchange.run(token, TokenExchange.Request())
        }
        #expect(exchanges("other.example.com").isEmpty)
    }

    @Test(arguments: ["github.com", "google.com", "microsoft.com", "apple.com", "facebook.com", "twitter.com"])
    func `token exchange is unsupported at built-in providers that do not offer it`(id: String) async throws {
        let client = try await ProviderClient.resolve(
            try Provider(builtIn: id, clientID: "c"), keys: ClientKeys(), services: run.services())
        exchangeResponse()
        _ = try await run.run()
        let token = try await subject()
        let failure = try await failure {
            try await TokenExchange(client: client).run(token, TokenExchange.Request())
        }
        #expect(failure == DiscoveryError.unsupported(.tokenExchange) && failure.code == .unsupported)
    }
}
