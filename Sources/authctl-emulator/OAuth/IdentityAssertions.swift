import AuthCore

/// Identity assertions (ID-JAG, draft-ietf-oauth-identity-assertion-authz-grant-03): issuing them for other servers,
/// and redeeming them as grants.
extension AuthorizationServer {
    static let identityAssertionType = types + "id-jag"
    static let assertionProfile = "urn:ietf:params:oauth:grant-profile:id-jag"
    private static let jwtType = "oauth-id-jag+jwt"
    private static let lifetime: Int64 = 300

    func issueAssertion(_ request: Request, _ clientID: String) throws -> Reply {
        let form = request.form
        func refuse(_ why: String) -> Refusal { Refusal("invalid_request", why) }
        guard form["subject_token_type"] == AuthorizationServer.types + "id_token", let token = form["subject_token"]
        else { throw refuse("subject_token is not an ID token.") }
        guard let audience = form["audience"], audience != issuer.name else {
            throw refuse("audience is missing, or is this provider.")
        }
        let person = try SharedIssuers.subject(of: token, audience: clientID, now: now())
        guard SharedIssuers.claims(of: token)?["iss"]?.string == issuer.name else {
            throw refuse("The ID token is of another issuer.")
        }
        let time = now() - (has(.assertionExpired) ? 3600 : 0)
        let id = try has(.assertionRepeated) ? "the-same" : self.token()
        var claims: JSONObject = [
            "iss": .string(issuer.name), "sub": .string(person), "jti": .string(id),
            "aud": .string(has(.assertionOtherAudience) ? "https://other.example" : audience),
            "client_id": .string(has(.assertionOtherClient) ? "another-client" : clientID),
            "iat": JSONValue(time), "exp": JSONValue(time + AuthorizationServer.lifetime),
        ]
        let resource = has(.assertionOtherResource) ? "https://other.example/api" : form["resource"]
        if let resource { claims["resource"] = .string(resource) }
        if let scope = form["scope"] { claims["scope"] = .string(scope) }
        let signer = JWSSigner(key: issuer.key, algorithm: settings.algorithm, keyID: issuer.keyID)
        let type = has(.assertionUntyped) ? "JWT" : AuthorizationServer.jwtType
        let assertion = site.recorded(try signer.sign(claims, type: type))
        return rules.tokenReply(
            self,
            [
                "access_token": .string(assertion), "token_type": "N_A",
                "issued_token_type": .string(AuthorizationServer.identityAssertionType),
                "expires_in": JSONValue(AuthorizationServer.lifetime),
            ], request)
    }

    /// Whether an assertion is an ID-JAG, and not a CI system's token. Only the presence of `client_id` is checked
    /// here.
    func isIdentityAssertion(_ assertion: String) -> Bool {
        SharedIssuers.claims(of: assertion)?["client_id"] != nil
    }

    func redeemAssertion(_ request: Request, _ clientID: String, _ key: String?) throws -> Reply {
        func refuse(_ why: String) -> Refusal { Refusal("invalid_grant", "The assertion's \(why).") }
        let text = request.form["assertion"] ?? ""
        guard let claims = SharedIssuers.claims(of: text), let token = try? UnverifiedJWS(text) else {
            throw refuse("signature is wrong")
        }
        guard token.header.type == AuthorizationServer.jwtType else {
            throw refuse("typ is not \(AuthorizationServer.jwtType)")
        }
        guard client(clientID).map({ $0.secret != nil || $0.key != nil || $0.isKnownByCertificate }) == true else {
            throw Refusal("unauthorized_client", "A public client cannot use assertions.")
        }
        guard let name = claims["iss"]?.string, name != issuer.name else { throw refuse("iss is this server") }
        guard claims["aud"] == .string(issuer.name) else { throw refuse("aud is not '\(issuer.name)'") }
        guard claims["client_id"] == .string(clientID) else { throw refuse("client_id is not the client") }
        guard let end = claims["exp"]?.number?.integer, now() < end else { throw refuse("lifetime is over") }
        guard let begin = claims["iat"]?.number?.integer, begin <= now() + 60 else { throw refuse("iat is missing") }
        guard let id = claims["jti"]?.string, usedAssertions.insert("\(name) \(id)").inserted else {
            throw refuse("jti is missing, or was used before")
        }
        guard let person = claims["sub"]?.string else { throw refuse("sub is missing") }
        if let resource = claims["resource"], resource != JSONValue(request.form["resource"]) {
            throw Refusal("invalid_target", "resource is not that of the assertion.")
        }
        return try machine(clientID, person, request, key, scopes: Scopes.split(claims["scope"]?.string ?? ""))
    }
}
