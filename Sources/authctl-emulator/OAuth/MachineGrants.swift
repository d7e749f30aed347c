import AuthCore

/// Tokens for programs: client credentials, and the tokens of neighbours exchanged (RFC 8693, RFC 7523).
extension AuthorizationServer {
    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

    /// The subject of a client assertion that a neighbour made; nil for a request without one.
    func asserted(_ request: Request) throws -> String? {
        guard let assertion = request.form["client_assertion"] else { return nil }
        return try Neighbours.subject(of: assertion, audience: settings.base, now: now())
    }

    func clientCredentials(_ request: Request, _ clientID: String) throws -> Reply {
        // The client itself was checked before.
        let isProven =
            request.form["client_assertion"] != nil || settings.clientSecret != nil
            || client(clientID)?.isKnownByCertificate == true
        guard isProven else {
            throw Refusal("unauthorized_client", "a public client has nothing that proves it")
        }
        return try machine(clientID, clientID, request)
    }

    func exchange(_ request: Request, _ clientID: String) throws -> Reply {
        let isExchange = request.form["grant_type"] == AuthorizationServer.tokenExchange
        guard let token = request.form[isExchange ? "subject_token" : "assertion"] else {
            throw Refusal("invalid_request", "the token is missing")
        }
        let subject = try Neighbours.subject(of: token, audience: settings.base, now: now())
        return try machine(
            clientID, subject, request,
            adding: isExchange ? ["issued_token_type": .string(AuthorizationServer.accessTokenType)] : [:])
    }

    private func machine(
        _ clientID: String, _ subject: String, _ request: Request, adding more: JSONObject = [:]
    ) throws -> Reply {
        let scopes = Scopes.split(request.form["scope"] ?? "")
        var grant = Grant(
            clientID: clientID, redirectURI: "", challenge: nil, nonce: nil, scopes: scopes, user: subject,
            proofKey: try provenKey(request), tenant: nil, authenticatedAt: now(),
            resource: request.form["resource"])
        if grant.proofKey == nil { grant.certificate = try bindingCertificate(of: request) }
        let accessToken = try newAccessToken(of: grant)
        accessTokens[accessToken] = grant
        var response: JSONObject = [
            "access_token": .string(accessToken), "token_type": tokenType(of: grant),
            "expires_in": JSONValue(settings.accessTokenLifetime), "scope": .string(scopes.joined(separator: " ")),
        ]
        response.merge(more)
        return rules.tokenReply(self, response, request)
    }
}
