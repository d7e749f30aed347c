import AuthCore

/// Userinfo, revocation (RFC 7009), introspection, logout, and ID tokens for tests.
extension AuthorizationServer {
    func bearer(_ request: Request) -> Grant? { request.bearerToken.flatMap(grant(ofAccessToken:)) }

    /// The grant of an access token that has not expired.
    func grant(ofAccessToken token: String) -> Grant? {
        accessTokens[token].flatMap { $0.expiresAt.map { $0 <= now() } == true ? nil : $0 }
    }

    func userInfo(_ request: Request) throws -> Reply {
        count("userinfo")
        if has(.userInfo403) { return .json(["error": "insufficient_scope"], status: 403) }
        if has(.userInfoError500) { return .json(["error": "server_error"], status: 500) }
        let found: Grant?
        do {
            found = try granted(request)
        } catch let refusal as Refusal {
            let challenge = ("WWW-Authenticate", "DPoP error=\"\(refusal.error)\", algs=\"ES256 ES384 EdDSA\"")
            return .json(
                ["error": .string(refusal.error), "error_description": .string(refusal.description)], status: 401,
                headers: [challenge] + (refusal.nonce.map { [("DPoP-Nonce", $0)] } ?? []))
        }
        guard let grant = found else {
            let reason = request.authorization == nil ? "" : " error=\"invalid_token\""
            return .json(
                ["error": "invalid_token"], status: 401, headers: [("WWW-Authenticate", "Bearer" + reason)])
        }
        var claims = rules.claims(self, grant)
        if has(.userInfoWrongSubject) { claims["sub"] = "mallory" }
        site.change(&claims, Fault.change(claims:))
        return .json(.object(claims))
    }

    func revoke(_ request: Request) -> Reply {
        let form = request.form
        count("revoke \(form["token_type_hint"] ?? "")")
        if has(.revocationError503) { return .json(["error": "temporarily_unavailable"], status: 503) }
        guard (try? rules.client(self, request)) != nil else { return .json(["error": "invalid_client"], status: 401) }
        if has(.revocationUnsupported), form["token_type_hint"] == "access_token" {
            return .json(["error": "unsupported_token_type"], status: 400)
        }
        guard let token = form["token"] else {
            return refused(Refusal("invalid_request", "token is missing."), request)
        }
        refreshTokens[token] = nil
        accessTokens[token] = nil
        return Reply(
            status: 200, headers: has(.revocationEmptyJSON) ? [("Content-Type", "application/json")] : [])
    }

    /// Token introspection (RFC 7662).
    func introspect(_ request: Request) -> Reply {
        count("introspect")
        if has(.introspectionError503) { return .json(["error": "temporarily_unavailable"], status: 503) }
        if has(.introspectionRedirect) { return .redirect("https://attacker.example/introspect") }
        do {
            _ = try rules.client(self, request)
        } catch {
            return Reply(status: 401)
        }
        let token = request.form["token"] ?? ""
        guard !has(.introspectionInactive), let grant = grant(ofAccessToken: token) ?? refreshTokens[token]
        else {
            // Other members of an inactive response must be ignored.
            return .json(has(.introspectionInactive) ? ["active": false, "sub": "ada"] : ["active": false])
        }
        var response: JSONObject = [
            "active": true, "sub": .string(Person(user: grant.user).subject), "client_id": .string(grant.clientID),
            "iss": .string(issuer.name), "aud": .string(grant.clientID),
            "scope": .string(grant.scopes.joined(separator: " ")),
        ]
        response["iat"] = grant.issuedAt.map { JSONValue($0) }
        if refreshTokens[token] == nil {
            response["exp"] = grant.expiresAt.map { JSONValue($0) }
            response["token_type"] = grant.proofKey == nil ? "Bearer" : "DPoP"
        }
        response["cnf"] = confirmation(of: grant)
        return .json(.object(response))
    }

    /// Logout (OpenID Connect RP-Initiated Logout 1.0).
    func logout(_ request: Request) -> Reply {
        count("logout")
        let parameters = request.parameters
        guard let uri = parameters["post_logout_redirect_uri"] else { return Pages.loggedOut() }
        let hinted = parameters["id_token_hint"].flatMap { SharedIssuers.claims(of: $0)?["aud"]?.string }
        guard let client = client(parameters["client_id"] ?? hinted ?? settings.clientID) else {
            return Pages.problem("client_id is unknown: '\(parameters["client_id"] ?? "")'.")
        }
        if let problem = redirectProblem(uri, client.redirectURIs + client.logoutURIs) {
            return Pages.problem("post_logout_redirect_uri: \(problem)")
        }
        return .redirect(uri.appending(parameters["state"].map { [("state", $0)] } ?? []))
    }

    func directIDToken(_ request: Request) throws -> Reply {
        let grant = Grant(
            clientID: settings.clientID, redirectURI: "", challenge: nil, nonce: request.query["nonce"],
            scopes: ["openid", "profile", "email"], user: request.query["user"] ?? settings.user, tenant: nil,
            authenticatedAt: now())
        return Reply(
            status: 200, headers: [("Content-Type", "text/plain")],
            body: Array(try issuer.idToken(grant, claims: rules.claims(self, grant), accessToken: nil).utf8))
    }
}
