import AuthCore

/// As `apple.com`: answers are posted, the client secret is a signed JWT, the name comes once.
final class AppleProvider: OpenIDProvider {
    private var known: Set<String> = []

    override var codeLifetime: Int64 { 300 }
    override var rotatesRefreshTokens: Bool { false }
    override var needsState: Bool { false }
    override var needsProofKey: Bool { false }

    override func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("GET", "/auth/authorize"): return try authorize(request)
        case ("POST", "/auth/token"): return try tokens(request)
        case ("POST", "/auth/revoke"): return revoke(request)
        case ("GET", "/auth/keys"): return keySet()
        case ("GET", "/.well-known/openid-configuration"): return nil
        default: return nil
        }
    }

    override func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        let isDomain =
            redirectURI.host.contains { $0.isLetter } && redirectURI.host != "localhost"
            && !redirectURI.host.contains(":")
        guard redirectURI.isSecure, isDomain else {
            return "invalid_request: redirect_uri must be https with a domain name, '\(redirectURI.text)' is not"
        }
        return registered.isEmpty || registered.contains(redirectURI.text)
            ? nil : "invalid_request: redirect_uri is not registered"
    }

    override func refusal(of request: Form, scopes: [String]) -> Refusal? {
        let isPosted = request["response_mode"] == "form_post"
        guard isPosted || !(scopes.contains("name") || scopes.contains("email")) else {
            return Refusal("invalid_request", "response_mode must be form_post when name or email scope is requested.")
        }
        return nil
    }

    override func responseMode(_ request: Form) -> String? { request["response_mode"] }

    /// The name, at the first authorization of a person.
    override func responseParameters(_ grant: Grant?) -> [(String, String)] {
        guard let grant, grant.scopes.contains("name"), known.insert(grant.user).inserted else { return [] }
        let person = Person(user: grant.user)
        let user: JSONValue = [
            "name": ["firstName": .string(person.givenName), "lastName": "Example"], "email": .string(person.email),
        ]
        return [("user", user.text)]
    }

    override var denial: [(String, String)] { [("error", "user_cancelled_authorize")] }

    override func client(_ request: Request) throws -> String {
        let refuse = { (why: String) in Refusal("invalid_client", why) }
        guard request.form["client_id"] == settings.clientID else { throw refuse("client_id is unknown") }
        guard let secret = request.form["client_secret"] else { throw refuse("client_secret is missing") }
        guard let token = try? UnverifiedJWS(secret), token.header.algorithm == .es256 else {
            throw refuse("client_secret is no JWT with alg ES256")
        }
        guard let keyID = token.header.keyID, keyID == settings.keyID ?? keyID else { throw refuse("kid is wrong") }
        guard let key = settings.clientKey else { throw refuse("the emulator has no --client-key to check it with") }
        guard let verified = try? JWSVerifier(keys: JWKSet(keys: [JWK(key: key, keyID: keyID)])).verify(token),
            let claims = try? StrictJSON.object(verified.payload)
        else { throw refuse("the signature of client_secret is wrong") }
        guard claims["sub"]?.string == settings.clientID else { throw refuse("sub is not the client") }
        guard claims["aud"]?.string == issuer else { throw refuse("aud is not '\(issuer)'") }
        guard let team = claims["iss"]?.string, team == settings.teamID ?? team else {
            throw refuse("iss is not the team")
        }
        guard let issuedAt = claims["iat"]?.number?.integer, let expiresAt = claims["exp"]?.number?.integer,
            expiresAt > now(), expiresAt - issuedAt <= 15_777_000
        else { throw refuse("exp is missing, over, or more than 15777000 seconds after iat") }
        return settings.clientID
    }

    override func claims(of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var claims = JSONObject()
        claims["sub"] = .string("000792.\(person.hexadecimal.prefix(32)).0638")
        claims["nonce_supported"] = true
        if grant.scopes.contains("email") {
            let isRelay = has(.privateRelay)
            claims["email"] = .string(
                isRelay ? "\(person.hexadecimal.prefix(10))@privaterelay.appleid.com" : person.email)
            claims["email_verified"] = has(.textBooleans) ? "true" : true
            claims["is_private_email"] = has(.textBooleans) ? .string("\(isRelay)") : .bool(isRelay)
        }
        if has(.textBooleans) { claims["auth_time"] = .string("\(grant.authenticatedAt)") }
        return claims
    }

    /// A refresh yields an access token alone.
    override func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        guard !isRefresh else { return }
        try super.complete(&response, grant, accessToken: accessToken, isRefresh: isRefresh)
        response["scope"] = nil
    }
}
