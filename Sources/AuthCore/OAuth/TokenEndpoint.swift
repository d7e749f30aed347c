/// The requests of one client to its token and revocation endpoints (RFC 6749 section 3.2, RFC 7009).
public struct TokenEndpoint: Sendable {
    public let url: HTTPURL
    public let revocationURL: HTTPURL?
    let clientID: String
    /// Who client assertions are for, wherever they are sent.
    let audience: String
    var authentication: ClientAuthentication
    let revocationAuthentication: ClientAuthentication
    let transport: any HTTPTransport
    let clock: Clock
    let random: RandomSource
    let narrowestZone: NetworkZone
    let allowsPlainHTTP: Bool
    /// Its answers may be forms (GitHub).
    var acceptsForm = false
    /// What a refresh sends besides: some providers want the redirect URI again (GitLab).
    var refreshParameters: [(String, String)] = []

    /// The response and the server's clock (seconds since 1970), which tells how far off ours is.
    public struct Answer: Sendable {
        public let tokens: TokenResponse
        public let serverTime: Int64?
    }

    /// Redeems a code, once: nothing here is ever sent again (RFC 6749 section 4.1.3).
    /// - Throws: `OAuthError`, `HTTPError`.
    public func redeem(
        _ code: AuthorizationCode, verifier: CodeVerifier, redirectURI: String
    ) async throws -> Answer {
        try await tokens(
            [
                ("grant_type", "authorization_code"), ("code", code.revealed()), ("redirect_uri", redirectURI),
                ("code_verifier", verifier.revealed()),
            ], at: .token)
    }

    /// Asks for a new access token (RFC 6749 section 6).
    /// - Throws: `OAuthError`, `HTTPError`.
    public func refresh(_ token: RefreshToken) async throws -> Answer {
        try await tokens(
            [("grant_type", "refresh_token"), ("refresh_token", token.revealed())] + refreshParameters,
            at: .refresh)
    }

    /// What RFC 7009 names as `token_type_hint`.
    public enum TokenTypeHint: String, Sendable {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    /// Asks the provider to forget a token (RFC 7009 section 2.1).
    /// - Throws: `OAuthError`, `HTTPError`; a token the server does not know is no error.
    public func revoke(_ token: String, hint: TokenTypeHint) async throws {
        guard let revocationURL else { throw OAuthError.invalidResponse(.noEndpoint, at: .revocation) }
        let response = try await send(
            [("token", token), ("token_type_hint", hint.rawValue)], to: revocationURL,
            authentication: revocationAuthentication)
        guard response.status != 200 else { return }
        let object: JSONObject
        do {
            object = try TokenResponse.object(
                response, origin: revocationURL.origin, at: .revocation, now: clock.now())
        } catch {
            // Gone already, with the refresh token that made it: Google says so where RFC 7009 wants a 200.
            if case .refused("invalid_token", _, _) = error { return }
            throw error
        }
        guard (200...299).contains(response.status), object["error"] == nil else {
            throw OAuthError.invalidResponse(.status(response.status), at: .revocation)
        }
    }

    func tokens(
        _ parameters: [(String, String)], at endpoint: OAuthError.Endpoint
    ) async throws -> Answer {
        let response = try await send(parameters, to: url, authentication: authentication)
        let tokens = try TokenResponse(
            response, origin: url.origin, at: endpoint, acceptsForm: acceptsForm, now: clock.now())
        return Answer(tokens: tokens, serverTime: response.serverTime)
    }

    func send(
        _ parameters: [(String, String)], to target: HTTPURL, authentication: ClientAuthentication
    ) async throws -> HTTPResponse {
        let proof = try authentication.apply(
            clientID: clientID, audience: audience, now: clock.now(), random: random)
        // A pushed request has some of it already, and nothing may stand there twice (RFC 6749 section 3.2).
        let own = parameters.filter { parameter in !proof.parameters.contains { $0.0 == parameter.0 } }
        var request = HTTPRequest.form(target, own + proof.parameters, headers: proof.headers)
        request.narrowestZone = narrowestZone
        request.allowsPlainHTTP = allowsPlainHTTP
        return try await transport.answer(to: request)
    }
}
