/// The requests of one client to its token and revocation endpoints (RFC 6749 section 3.2, RFC 7009).
package struct TokenEndpoint: Sendable {
    package let url: HTTPURL
    package let revocationURL: HTTPURL?
    let clientID: String
    let audience: String
    var authentication: ClientAuthentication
    let revocationAuthentication: ClientAuthentication
    /// The client certificate in TLS (RFC 8705), used with every authentication method.
    var certificate: ClientCertificate?
    var prover: DPoPProver?
    let services: Services
    let narrowestZone: NetworkZone
    let allowsPlainHTTP: Bool
    var acceptsForm = false
    var refreshParameters: [(String, String)] = []
    var scopeSeparator = " "
    /// The target resource (RFC 8707 section 2.2); nil if there is none.
    var resource: String?

    var forResource: [(String, String)] { resource.map { [("resource", $0)] } ?? [] }

    /// Redeems a code once (RFC 6749 section 4.1.3). A repeated request is one that the server rejected before it
    /// looked at the code.
    package func redeem(
        _ code: AuthorizationCode, verifier: CodeVerifier, redirectURI: String
    ) async throws -> TokenResponse {
        try await tokens(
            [
                ("grant_type", "authorization_code"), ("code", code.revealed()), ("redirect_uri", redirectURI),
                ("code_verifier", verifier.revealed()),
            ], at: .token)
    }

    /// Requests a new access token (RFC 6749 section 6).
    /// - Parameter received: called with the refresh token and the ID token before the rest of the response is checked.
    func refresh(
        _ token: RefreshToken, received: (RefreshToken?, RawIDToken?) -> Void = { _, _ in }
    ) async throws -> TokenResponse {
        try await tokens(
            [("grant_type", "refresh_token"), ("refresh_token", token.revealed())] + refreshParameters, at: .refresh,
            received: received)
    }

    /// The values of `token_type_hint` (RFC 7009).
    package enum TokenTypeHint: String, Sendable, CaseIterable {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }

    /// Revokes a token (RFC 7009 section 2.1).
    package func revoke(_ token: String, hint: TokenTypeHint) async throws {
        guard let revocationURL else { throw OAuthError.invalidResponse(.noEndpoint, at: .revocation) }
        let response = try await send(
            [("token", token), ("token_type_hint", hint.rawValue)], to: revocationURL,
            authentication: revocationAuthentication)
        guard response.status != 200, response.status != 204 else { return }
        do {
            _ = try TokenResponse.object(
                response, origin: revocationURL.origin, at: .revocation, now: services.clock.now())
        } catch {
            // The token was revoked with its refresh token. RFC 7009 requires status 200 for this, but Google sends an
            // error.
            if case .refused("invalid_token", _, _) = error { return }
            throw error
        }
        guard (200...299).contains(response.status) else {
            throw OAuthError.invalidResponse(.status(response.status), at: .revocation)
        }
    }

    func tokens(
        _ parameters: [(String, String)], at endpoint: OAuthError.Endpoint,
        received: (RefreshToken?, RawIDToken?) -> Void = { _, _ in }
    ) async throws -> TokenResponse {
        let response = try await send(parameters + forResource, to: url)
        try checkCertificate(response, at: endpoint)
        return try TokenResponse(
            response, origin: url.origin, at: endpoint, acceptsForm: acceptsForm, isBound: prover != nil,
            now: services.clock.now(), received: received)
    }

    /// Sends a request with client authentication and a DPoP proof. Repeats it once with the server's nonce (RFC 9449
    /// section 8), and once with the server's time if it rejected this machine's. Each request has a new client
    /// assertion.
    /// - Parameter authentication: nil for that of the token endpoint.
    func send(
        _ parameters: [(String, String)], to target: HTTPURL, authentication: ClientAuthentication? = nil
    ) async throws -> HTTPResponse {
        let authentication = authentication ?? self.authentication
        var tries = RequestRetries(url: target, services: services)
        let codes: Set<String> = Set(authentication.isSignedWithTime ? ["invalid_client"] : []).union(
            prover == nil ? [] : [DPoPProver.refusal])
        while true {
            let ahead = services.serverTimes.ahead(at: target)
            let response = try await send(once: parameters, to: target, authentication, ahead: ahead)
            let requiresNonce =
                prover != nil && (400...401).contains(response.status) && response.header("dpop-nonce") != nil
                && response.error == "use_dpop_nonce"
            let now = services.clock.now() + ahead
            guard tries.isDue(after: response, requiresNonce: requiresNonce, refusing: codes, now: now) else {
                return response
            }
        }
    }

    /// Some servers and reverse proxies reject a certificate without an OAuth error.
    func checkCertificate(_ response: HTTPResponse, at endpoint: OAuthError.Endpoint) throws(OAuthError) {
        guard certificate != nil, [400, 401, 403].contains(response.status), response.error == nil else { return }
        throw .refused(code: "invalid_client", description: nil, at: endpoint)
    }

    private func send(
        once parameters: [(String, String)], to target: HTTPURL, _ authentication: ClientAuthentication, ahead: Int64
    ) async throws -> HTTPResponse {
        let proof = try authentication.apply(
            clientID: clientID, audience: audience, now: services.clock.now() + ahead, random: services.random)
        // A pushed request contains some of these parameters, and parameters must not be repeated (RFC 6749 section
        // 3.2).
        let own = parameters.filter { parameter in !proof.parameters.contains { $0.0 == parameter.0 } }
        var request = HTTPRequest.form(target, with: own + proof.parameters, headers: proof.headers)
        request.narrowestZone = narrowestZone
        request.allowsPlainHTTP = allowsPlainHTTP
        request.clientCertificate = certificate
        guard let prover else { return try await services.transport.response(to: request) }
        let value = try await prover.proof("POST", for: target, of: .authorization, ahead: ahead)
        request.headers.append((name: "DPoP", value: value))
        let response = try await services.transport.response(to: request)
        await prover.nonces.learn(response, from: target, of: .authorization)
        return response
    }
}
