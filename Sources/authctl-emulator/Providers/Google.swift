import AuthCore

extension EmulatedProvider {
    static let google = EmulatedProvider(
        id: "google.com",
        faults: Fault.all(
            Fault.authorization, Fault.responseIssuer, Fault.tokens, Fault.idTokens, Fault.device, Fault.userInfo,
            Fault.profile, [.noRefreshToken, .keySetError500, .oldIssuer])
    ) { site in
        let server = try AuthorizationServer(site, Google.rules)
        return [
            .get("/o/oauth2/v2/auth", server.authorize), server.consentPage,
            .post("/token", server.tokens),
            .post("/device/code", server.deviceAuthorization), server.devicePage,
            .get("/oauth2/v3/certs", server.issuer.keySet),
            .any("/v1/userinfo", server.userInfo),
            .get("/.well-known/openid-configuration") { _ in Google.metadata(server) },
            .post("/revoke") { Google.revoke(server, $0) },
            server.directIDTokens,
        ]
    }
}

enum Google {
    static let rules = OAuthRules(
        issuer: { $0.faults.contains(.oldIssuer) ? String($0.base.drop { $0 != "/" }.dropFirst(2)) : $0.base },
        needsState: false, needsProofKey: false,
        redirectProblem: { redirectURI, registered in
            redirectURI.isLoopback || registered.contains(redirectURI.text) ? nil : "Error 400: redirect_uri_mismatch"
        },
        responseParameters: responseParameters, client: client, rotatesRefreshTokens: false,
        accessTokenPrefix: { _ in "ya29." }, claims: claims, complete: complete,
        device: .init(
            sendsCompleteURL: false, verificationName: "verification_url",
            pendingRefusal: Refusal("authorization_pending", "Precondition Required", status: 428), deniedStatus: 403))

    static func responseParameters(_ server: AuthorizationServer, _ grant: Grant?) -> [(String, String)] {
        let named = server.has(.wrongResponseIssuer) ? "https://attacker.example" : server.settings.base
        return (server.has(.missingResponseIssuer) ? [] : [("iss", named)]) + [
            ("authuser", "0"), ("prompt", "consent"),
        ]
    }

    /// Desktop clients also have a secret. Without it, the status is 400.
    static func client(_ server: AuthorizationServer, _ request: Request) throws -> String {
        guard request.form["client_id"] == server.settings.clientID else {
            throw Refusal("invalid_client", "The OAuth client was not found.", status: 401)
        }
        guard let secret = request.form["client_secret"] else {
            throw Refusal("invalid_request", "client_secret is missing.")
        }
        guard secret == server.settings.clientSecret ?? "" else {
            throw Refusal("invalid_client", "Unauthorized", status: 401)
        }
        return server.settings.clientID
    }

    static func claims(_ server: AuthorizationServer, of grant: Grant) -> JSONObject {
        var claims = OpenIDProvider.claims(server, of: grant)
        claims["sub"] = .string("1" + Person(user: grant.user).longNumber)
        claims["azp"] = .string(grant.clientID)
        if let domain = server.settings.hostedDomain { claims["hd"] = .string(domain) }
        return claims
    }

    static func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        let root = "https://www.googleapis.com/auth/userinfo."
        let names = ["email": root + "email", "profile": root + "profile"]
        response["scope"] = .string(issued.grant.scopes.map { names[$0] ?? $0 }.joined(separator: " "))
        if !issued.isRefresh, !server.has(.noRefreshToken) {
            try server.addRefreshToken("1//0", of: issued.grant, to: &response)
        }
        try server.addIDToken(issued, to: &response)
    }

    static func metadata(_ server: AuthorizationServer) -> Reply {
        func at(_ path: String) -> JSONValue { .string(server.settings.base + path) }
        return .json([
            "issuer": at(""), "authorization_endpoint": at("/o/oauth2/v2/auth"), "token_endpoint": at("/token"),
            "userinfo_endpoint": at("/v1/userinfo"), "jwks_uri": at("/oauth2/v3/certs"),
            "revocation_endpoint": at("/revoke"), "device_authorization_endpoint": at("/device/code"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "code_challenge_methods_supported": ["plain", "S256"], "id_token_signing_alg_values_supported": ["RS256"],
            "authorization_response_iss_parameter_supported": true,
        ])
    }

    /// Revokes a token without client authentication.
    static func revoke(_ server: AuthorizationServer, _ request: Request) -> Reply {
        server.count("revoke")
        guard let token = request.form["token"] ?? request.query["token"],
            server.accessTokens[token] != nil || server.refreshTokens[token] != nil
        else { return .json(["error": "invalid_token", "error_description": "Token expired or revoked"], status: 400) }
        // Revoking a refresh token also revokes its access tokens.
        if let grant = server.refreshTokens.removeValue(forKey: token) {
            server.accessTokens = server.accessTokens.filter {
                $0.value.user != grant.user || $0.value.clientID != grant.clientID
            }
        }
        server.accessTokens[token] = nil
        return .json([:])
    }
}
