import AuthCore

/// As `google.com`: two spellings of the issuer, scopes by other names, status 428 on a poll.
final class GoogleProvider: OpenIDProvider {
    override var saysCompleteURL: Bool { false }
    override var rotatesRefreshTokens: Bool { false }
    override var needsProofKey: Bool { false }
    override var needsState: Bool { false }
    override var verificationName: String { "verification_url" }
    override var deniedStatus: Int { 403 }
    override var pendingRefusal: Refusal { Refusal("authorization_pending", "Precondition Required", status: 428) }

    override var issuer: String {
        has(.oldIssuer) ? String(settings.base.drop { $0 != "/" }.dropFirst(2)) : settings.base
    }

    override func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("GET", "/o/oauth2/v2/auth"): return try authorize(request)
        case ("POST", "/token"): return try tokens(request)
        case ("POST", "/device/code"): return try deviceAuthorization(request)
        case ("GET", "/oauth2/v3/certs"): return keySet()
        case (_, "/v1/userinfo"): return userInfo(request)
        case ("POST", "/revoke"): return revokeAny(request)
        default: return nil
        }
    }

    override func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        redirectURI.isLoopback || registered.contains(redirectURI.text)
            ? nil : "Error 400: redirect_uri_mismatch"
    }

    override func responseParameters(_ grant: Grant?) -> [(String, String)] {
        // The answer names the issuer with its scheme, whatever the token does.
        let named = has(.wrongResponseIssuer) ? "https://attacker.example" : settings.base
        return (has(.missingResponseIssuer) ? [] : [("iss", named)]) + [("authuser", "0"), ("prompt", "consent")]
    }

    /// Desktop clients have a secret, and get 400 without it.
    override func client(_ request: Request) throws -> String {
        guard request.form["client_id"] == settings.clientID else {
            throw Refusal("invalid_client", "The OAuth client was not found.", status: 401)
        }
        guard let secret = request.form["client_secret"] else {
            throw Refusal("invalid_request", "client_secret is missing.")
        }
        guard secret == settings.clientSecret ?? "" else {
            throw Refusal("invalid_client", "Unauthorized", status: 401)
        }
        return settings.clientID
    }

    override func claims(of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var claims = super.claims(of: grant)
        claims["sub"] = .string("1" + person.longNumber)
        claims["azp"] = .string(grant.clientID)
        if let domain = settings.hostedDomain { claims["hd"] = .string(domain) }
        return claims
    }

    override func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        let root = "https://www.googleapis.com/auth/userinfo."
        let names = ["email": root + "email", "profile": root + "profile"]
        response["scope"] = .string(grant.scopes.map { names[$0] ?? $0 }.joined(separator: " "))
        if !isRefresh, !has(.noRefreshToken) {
            let refreshToken = try token("1//0")
            refreshTokens[refreshToken] = grant
            response["refresh_token"] = .string(refreshToken)
        }
        if !has(.noIDToken) { response["id_token"] = .string(try idToken(grant, accessToken, isRefresh: isRefresh)) }
    }

    override func newAccessToken() throws -> String { try token("ya29.") }

    /// Without client authentication: who has the token may end it.
    private func revokeAny(_ request: Request) -> Reply {
        count("revoke")
        guard let token = request.form["token"] ?? request.query["token"],
            accessTokens[token] != nil || refreshTokens[token] != nil
        else { return .json(["error": "invalid_token", "error_description": "Token expired or revoked"], status: 400) }
        // With a refresh token go the access tokens that it made.
        if let grant = refreshTokens.removeValue(forKey: token) {
            accessTokens = accessTokens.filter { $0.value.user != grant.user || $0.value.clientID != grant.clientID }
        }
        accessTokens[token] = nil
        return .json([:])
    }
}
