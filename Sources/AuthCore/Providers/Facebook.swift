extension Dialect {
    static let facebook = Dialect(
        endpoints: Endpoints(
            issuer: .spellings(["https://www.facebook.com", "https://facebook.com"]),
            authorization: "https://www.facebook.com/\(Facebook.version)/dialog/oauth",
            token: "https://graph.facebook.com/\(Facebook.version)/oauth/access_token",
            keys: [
                "https://www.facebook.com/.well-known/oauth/openid/jwks/",
                "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
            ],
            api: "https://graph.facebook.com/\(Facebook.version)", apiHosts: ["https://graph.facebook.com"]),
        hasIDTokens: false, defaultScopes: ["public_profile", "email"],
        knownParameters: [
            KnownParameter("auth_type", .rerequest),
            KnownParameter("display", .oneOf(["page", "popup", "touch"])),
            KnownParameter("config_id", .businessConfiguration),
        ],
        optionNames: [.language: "locale"], nonceMode: .sha256, requiresNonceWithGivenIDTokens: true,
        redirect: .anyPort(host: "localhost"), secretMethod: .clientSecretPost,
        secretReason: .redeemsOnlyWithSecret("Facebook"),
        // All errors have the same code. Only the message for an invalid authorization code contains "code".
        refusesClient: { _, text in text.hasPrefix("Error validating") && !text.contains(" code") },
        person: Facebook.person,
        identity: Facebook.identity, checksAccessToken: Facebook.check, revocation: .call(Facebook.revoke),
        reauthentication: [("auth_type", "reauthenticate")],
        registration: .init(
            url: "https://developers.facebook.com/apps", kind: .facebookLogin,
            fields: [.name("App name"), .redirectURI("Valid OAuth Redirect URIs")],
            details: [.clientID("App ID", .digits), .clientSecret("App secret")], owner: "Facebook"))
}

enum Facebook {
    static let version = "v23.0"

    private static func proof(_ api: ProviderAPI) throws -> [(String, String)] {
        guard let secret = api.secret, let token = api.accessToken else { return [] }
        let code = try HashFunction.sha256.authenticationCode(
            of: Array(token.revealed().utf8), key: Array(secret.revealed().utf8))
        return [("appsecret_proof", code.hexadecimal)]
    }

    @Sendable static func person(_ api: ProviderAPI) async throws -> JSONObject {
        try await api.send(to: "/me", query: [("fields", "id,name,email,picture")] + proof(api)).object()
    }

    @Sendable static func identity(_ source: ProfileSource) throws -> Identity {
        let id = source.claims.members.isEmpty ? ProfileSource.bounded(source.userInfo?["id"]) : try source.subject()
        guard let id, id.utf8.allSatisfy(\.isDigit) else {
            throw OAuthError.invalidResponse(.malformed("id", isNot: .digits), at: .profile)
        }
        let picture = source.userInfo?["picture"]?.object?["data"]?.object?["url"]
        return Identity(
            key: source.key(id), email: source.text("email"),
            displayName: source.text("name"), photoURL: ProfileSource.bounded(picture) ?? source.text("picture"))
    }

    /// Checks that the token was issued to this app. Otherwise any app's token could be used to sign in.
    @Sendable static func check(_ api: ProviderAPI) async throws -> CheckedAccessToken {
        guard let secret = api.secret, let token = api.accessToken else { throw CredentialError.secretNeeded }
        let page = try await api.send(
            to: "/debug_token",
            query: [("input_token", token.revealed()), ("access_token", "\(api.clientID)|\(secret.revealed())")],
            proof: .none,
            at: .tokenCheck)
        let response = try page.object(at: .tokenCheck)
        guard let data = response["data"]?.object, data["is_valid"]?.bool == true, let user = data["user_id"]?.string
        else {
            let text = response["data"]?.object?["error"]?.object?["message"]?.string
            throw CredentialError.invalid(text.map(page.shown))
        }
        guard data["app_id"]?.string?.hasSameBytes(as: api.clientID) == true else { throw CredentialError.otherClient }
        // 0 means that the token does not expire.
        let expiresAt = Seconds.time(of: data["expires_at"])
        return CheckedAccessToken(
            federatedID: user, scopes: data["scopes"]?.strings ?? [], expiresAt: expiresAt == 0 ? nil : expiresAt)
    }

    @Sendable static func revoke(_ api: ProviderAPI) async throws {
        let query = try proof(api)
        let path = "/me/permissions" + (query.isEmpty ? "" : "?" + FormURLEncoded.encode(query))
        let page = try await api.send(.delete, to: path, at: .revocation)
        guard page.status == 200, page.json.object?["success"]?.bool == true else {
            throw OAuthError.invalidResponse(.status(page.status), at: .revocation)
        }
    }
}
