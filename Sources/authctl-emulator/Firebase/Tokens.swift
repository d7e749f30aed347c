import AuthCore

extension FirebaseProject {
    func tokens(_ uid: String, _ provider: String) throws -> JSONObject {
        try tokens(uid, Method(provider: provider))
    }

    func tokens(_ uid: String, _ method: Method, authenticatedAt: Int64? = nil) throws -> JSONObject {
        guard var user = users[uid] else { throw Refusal("USER_NOT_FOUND") }
        guard !user.isDisabled else { throw Refusal("USER_DISABLED : The user account has been disabled.") }
        let time = site.now()
        let authenticated = authenticatedAt ?? time
        user.lastLoginAt = time
        users[uid] = user
        var claims: JSONObject = [
            "iss": .string(FirebaseProject.issuer(of: id)), "aud": .string(id), "sub": .string(uid),
            "user_id": .string(uid), "auth_time": JSONValue(authenticated), "iat": JSONValue(time),
            "exp": JSONValue(time + site.settings.idTokenLifetime), "firebase": .object(firebaseClaim(user, method)),
            // Unlike the official emulator's tokens, two tokens of the same second differ.
            "jti": .string(try site.token()),
        ]
        for claim in user.claims.members + user.tokenClaims.members { claims[claim.name] = claim.value }
        if let name = user.name { claims["name"] = .string(name) }
        if let photo = user.photo { claims["picture"] = .string(photo) }
        if let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(user.isVerified)
        }
        let idToken = try signed(claims)
        let refreshToken = try site.token()
        sessions[refreshToken] = ProjectSession(
            uid: uid, tenant: tenant, generation: user.generation, authenticatedAt: authenticated, method: method)
        site.settings.record?.add(idToken)
        site.settings.record?.add(refreshToken)
        return [
            "localId": .string(uid), "idToken": .string(idToken), "refreshToken": .string(refreshToken),
            "expiresIn": .string(String(site.settings.idTokenLifetime)),
        ]
    }

    private func firebaseClaim(_ user: User, _ method: Method) -> JSONObject {
        var identities = JSONObject()
        if let email = user.email { identities["email"] = JSONValue([email]) }
        for identity in user.identities where identity.provider != "password" {
            identities[identity.provider] = JSONValue([identity.rawID])
        }
        var claim: JSONObject = ["identities": .object(identities), "sign_in_provider": .string(method.provider)]
        if let factor = method.factor {
            claim["sign_in_second_factor"] = "totp"
            claim["second_factor_identifier"] = .string(factor)
        }
        if !tenant.isEmpty { claim["tenant"] = .string(tenant) }
        return claim
    }

    private func signed(_ claims: JSONObject) throws -> String {
        if let issuer {
            return try JWSSigner(key: issuer.key, algorithm: site.settings.algorithm, keyID: issuer.keyID).sign(claims)
        }
        let header = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        return header + "." + Base64URL.encode(Array(JSONValue.object(claims).text.utf8)) + "."
    }

    func refresh(_ form: Form) throws -> JSONValue {
        site.count("token \(form["grant_type"] ?? "")")
        if site.has(.refreshQuota) { throw Refusal("QUOTA_EXCEEDED : Exceeded quota for token refreshes.") }
        if site.has(.refreshInvalidGrant) { throw Refusal("INVALID_REFRESH_TOKEN") }
        guard form["grant_type"] == "refresh_token" else { throw Refusal("INVALID_GRANT_TYPE") }
        guard let session = sessions[form["refresh_token"] ?? ""] else { throw Refusal("INVALID_REFRESH_TOKEN") }
        tenant = session.tenant
        guard let user = users[session.uid] else { throw Refusal("USER_NOT_FOUND") }
        guard !user.isDisabled else { throw Refusal("USER_DISABLED") }
        guard user.generation == session.generation else { throw Refusal("TOKEN_EXPIRED") }
        let fresh = try tokens(session.uid, session.method, authenticatedAt: session.authenticatedAt)
        return [
            "id_token": fresh["idToken"] ?? .null, "access_token": fresh["idToken"] ?? .null,
            "refresh_token": fresh["refreshToken"] ?? .null, "expires_in": fresh["expiresIn"] ?? .null,
            "token_type": "Bearer", "user_id": .string(session.uid), "project_id": "1234567890",
        ]
    }

    func claims(_ body: JSONObject) throws -> JSONObject {
        let parts = (body["idToken"]?.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])),
            let claims = try? StrictJSON.object(bytes)
        else { throw Refusal("INVALID_ID_TOKEN") }
        guard (claims["exp"]?.number?.integer ?? 0) > site.now() else { throw Refusal("TOKEN_EXPIRED") }
        return claims
    }

    func user(_ body: JSONObject) throws -> User {
        let claims = try claims(body)
        guard let user = users[claims["sub"]?.string ?? ""] else { throw Refusal("USER_NOT_FOUND") }
        guard (claims["iat"]?.number?.integer ?? 0) >= user.validSince else { throw Refusal("TOKEN_EXPIRED") }
        return user
    }

    func recent(_ body: JSONObject) throws -> User {
        let user = try user(body)
        let authenticatedAt = Seconds.time(try claims(body)["auth_time"]?.number?.integer ?? 0)
        guard site.now() - authenticatedAt <= 300 else { throw Refusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") }
        return user
    }
}
