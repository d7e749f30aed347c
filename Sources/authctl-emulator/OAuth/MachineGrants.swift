import AuthCore

/// Tokens without a user: client credentials, token exchange (RFC 8693) and JWT assertions (RFC 7523).
extension AuthorizationServer {
    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    static let types = "urn:ietf:params:oauth:token-type:"
    private static let accessTokenType = types + "access_token"

    /// The subject of a client assertion from another issuer; nil for a request without an assertion.
    func asserted(_ request: Request) throws -> String? {
        guard let assertion = request.form["client_assertion"] else { return nil }
        return try SharedIssuers.subject(of: assertion, audience: settings.base, now: now())
    }

    func clientCredentials(_ request: Request, _ clientID: String) throws -> Reply {
        // The credentials themselves were checked before.
        let isAuthenticated =
            request.form["client_assertion"] != nil || settings.clientSecret != nil
            || client(clientID)?.isKnownByCertificate == true
        guard isAuthenticated else {
            throw Refusal("unauthorized_client", "A public client cannot authenticate.")
        }
        return try machine(clientID, clientID, request, try proofKey(request))
    }

    func exchange(_ request: Request, _ clientID: String) throws -> Reply {
        let key = try proofKey(request)
        guard request.form["grant_type"] == AuthorizationServer.tokenExchange else {
            let token = request.form["assertion"] ?? ""
            if isIdentityAssertion(token) { return try redeemAssertion(request, clientID, key) }
            let subject = try SharedIssuers.subject(of: token, audience: settings.base, now: now())
            return try machine(clientID, subject, request, key)
        }
        if has(.exchangeRefused) { throw Refusal("invalid_request", "The token is not accepted.") }
        if has(.exchangeDenied) { throw Refusal("access_denied", "This token cannot be exchanged.") }
        if has(.exchangeUnauthorized) { throw Refusal("unauthorized_client", "The client may not exchange tokens.") }
        if has(.exchangeTarget) { throw Refusal("invalid_target", "The target is unknown.") }
        let isAssertion = request.form["requested_token_type"] == AuthorizationServer.identityAssertionType
        if isAssertion, !has(.exchangeOtherType) { return try issueAssertion(request, clientID) }
        if !isAssertion, let requestedType = request.form["requested_token_type"],
            requestedType != AuthorizationServer.accessTokenType
        {
            throw Refusal("invalid_request", "requested_token_type is not supported.")
        }
        var more: JSONObject = ["issued_token_type": .string(AuthorizationServer.accessTokenType)]
        if has(.exchangeUntyped) {
            more = ["issued_token_type": .string(AuthorizationServer.types + "jwt"), "token_type": "N_A"]
        }
        if has(.exchangeOtherType) { more["issued_token_type"] = .string(AuthorizationServer.types + "refresh_token") }
        if has(.exchangeUnnamed) { more["issued_token_type"] = nil }
        let person = try subject(request, clientID, key)
        return try machine(clientID, request.form["emulator_user"] ?? person, request, key, adding: more)
    }

    private func subject(_ request: Request, _ clientID: String, _ key: String?) throws -> String {
        guard let token = request.form["subject_token"] else {
            throw Refusal("invalid_request", "subject_token is missing.")
        }
        let isAccess = request.form["subject_token_type"] == AuthorizationServer.accessTokenType
        guard isAccess else {
            if let person = try? SharedIssuers.subject(of: token, audience: clientID, now: now()) { return person }
            return try SharedIssuers.subject(of: token, audience: settings.base, now: now())
        }
        if let grant = grant(ofAccessToken: token) {
            guard grant.proofKey == nil || grant.proofKey == key else {
                throw Refusal("invalid_request", "The token is bound to another key.")
            }
            return grant.user
        }
        guard let user = SharedIssuers.user(of: token) else {
            throw Refusal("invalid_request", "The token's issuer is not trusted.")
        }
        return user
    }

    func machine(
        _ clientID: String, _ subject: String, _ request: Request, _ key: String?, scopes: [String]? = nil,
        adding more: JSONObject = [:]
    ) throws -> Reply {
        let scopes = scopes ?? Scopes.split(request.form["scope"] ?? "")
        var grant = Grant(
            clientID: clientID, redirectURI: "", challenge: nil, nonce: nil, scopes: scopes, user: subject,
            proofKey: key, tenant: nil, authenticatedAt: now(),
            resource: request.form["resource"])
        if request.form["grant_type"] == AuthorizationServer.tokenExchange {
            grant.exchangedFor = request.form.all("audience") + request.form.all("resource")
        }
        if grant.proofKey == nil { grant.certificate = try bindingCertificate(of: request) }
        let time = now()
        grant.issuedAt = time
        let accessToken = try newAccessToken(of: grant)
        grant.expiresAt = time + settings.accessTokenLifetime
        accessTokens[accessToken] = grant
        var response: JSONObject = [
            "access_token": .string(accessToken), "token_type": tokenType(of: grant),
            "expires_in": JSONValue(settings.accessTokenLifetime), "scope": .string(scopes.joined(separator: " ")),
        ]
        response.merge(more)
        return rules.tokenReply(self, response, request)
    }
}
