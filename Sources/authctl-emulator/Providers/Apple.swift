import AuthCore

extension EmulatedProvider {
    static let apple = EmulatedProvider(
        id: "apple.com",
        faults: Fault.all(
            Fault.authorization, Fault.tokens, Fault.idTokens,
            [
                .noRefreshToken, .offlineRequiresConsent, .keySetError500, .revocationError503, .textBooleans,
                .privateRelay,
            ])
    ) { site in
        let server = try AuthorizationServer(site, Apple.rules)
        return [
            .get("/auth/authorize", server.authorize), server.consentPage,
            .post("/auth/token", server.tokens),
            .post("/auth/revoke", server.revoke),
            .get("/auth/keys", server.issuer.keySet),
            server.directIDTokens,
        ]
    }
}

enum Apple {
    static let rules = OAuthRules(
        codeLifetime: 300, needsState: false, needsProofKey: false, redirectProblem: redirectProblem, refusal: refusal,
        responseModes: ["query", "form_post"], responseParameters: responseParameters,
        denial: [("error", "user_cancelled_authorize")], client: client, rotatesRefreshTokens: false, claims: claims,
        complete: complete)

    static func redirectProblem(_ redirectURI: HTTPURL, _ registered: [String]) -> String? {
        let isDomain =
            redirectURI.host.contains { $0.isLetter } && redirectURI.host != "localhost"
            && !redirectURI.host.contains(":")
        guard redirectURI.isSecure, isDomain else {
            return "invalid_request: redirect_uri must be https with a domain name, '\(redirectURI.text)' is not"
        }
        return registered.isEmpty || registered.contains(redirectURI.text)
            ? nil : "invalid_request: redirect_uri is not registered"
    }

    static func refusal(_ request: Form, _ scopes: [String]) -> Refusal? {
        let isPosted = request["response_mode"] == "form_post"
        guard isPosted || !(scopes.contains("name") || scopes.contains("email")) else {
            return Refusal("invalid_request", "response_mode must be form_post when name or email scope is requested.")
        }
        return nil
    }

    static func responseParameters(_ server: AuthorizationServer, _ grant: Grant?) -> [(String, String)] {
        guard let grant, grant.scopes.contains("name"), server.introduced.insert(grant.user).inserted else { return [] }
        let person = Person(user: grant.user)
        let user: JSONValue = [
            "name": ["firstName": .string(person.givenName), "lastName": "Example"], "email": .string(person.email),
        ]
        return [("user", user.text)]
    }

    static func client(_ server: AuthorizationServer, _ request: Request) throws -> String {
        let refuse = { (why: String) in Refusal("invalid_client", why) }
        guard request.form["client_id"] == server.settings.clientID else { throw refuse("client_id is unknown.") }
        guard let secret = request.form["client_secret"] else { throw refuse("client_secret is missing.") }
        guard let token = try? UnverifiedJWS(secret), token.header.algorithm == .es256 else {
            throw refuse("client_secret is not a JWT with alg ES256.")
        }
        guard let keyID = token.header.keyID, keyID == server.settings.keyID ?? keyID else {
            throw refuse("kid is wrong.")
        }
        guard let key = server.settings.clientKey else {
            throw refuse("The emulator has no --client-key to check it with.")
        }
        guard let verified = try? JWSVerifier(keys: JWKSet(keys: [JWK(key: key, keyID: keyID)])).verify(token),
            let claims = try? StrictJSON.object(verified.payload)
        else { throw refuse("The signature of client_secret is wrong.") }
        guard claims["sub"]?.string == server.settings.clientID else { throw refuse("sub is not the client.") }
        guard claims["aud"]?.string == server.issuer.name else { throw refuse("aud is not '\(server.issuer.name)'.") }
        guard let team = claims["iss"]?.string, team == server.settings.teamID ?? team else {
            throw refuse("iss is not the team.")
        }
        guard let issuedAt = claims["iat"]?.number?.integer, let expiresAt = claims["exp"]?.number?.integer,
            expiresAt > server.now(), expiresAt - issuedAt <= 15_777_000
        else { throw refuse("exp is missing, expired, or more than 15777000 seconds after iat.") }
        return server.settings.clientID
    }

    static func claims(_ server: AuthorizationServer, of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var claims = JSONObject()
        claims["sub"] = .string("000792.\(person.hexadecimal.prefix(32)).0638")
        claims["nonce_supported"] = true
        if grant.scopes.contains("email") {
            let isRelay = server.has(.privateRelay)
            claims["email"] = .string(
                isRelay ? "\(person.hexadecimal.prefix(10))@privaterelay.appleid.com" : person.email)
            claims["email_verified"] = server.has(.textBooleans) ? "true" : true
            claims["is_private_email"] = server.has(.textBooleans) ? .string("\(isRelay)") : .bool(isRelay)
        }
        if server.has(.textBooleans) { claims["auth_time"] = .string("\(grant.authenticatedAt)") }
        return claims
    }

    static func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        guard !issued.isRefresh else { return }
        try OpenIDProvider.complete(server, &response, issued)
        response["scope"] = nil
    }
}
