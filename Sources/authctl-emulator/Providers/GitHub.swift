import AuthCore

/// As `github.com`, or a GitHub Enterprise Server: no ID tokens, forms unless JSON is asked for, errors with status 200.
final class GitHubProvider: OpenIDProvider {
    /// GitHub Apps have tokens that expire; OAuth apps have not.
    private var isApp: Bool { !has(.noRefreshToken) && has(.expiringTokens) }

    override var saysCompleteURL: Bool { false }
    override var needsState: Bool { false }
    override var needsProofKey: Bool { false }

    override func route(_ request: Request) throws -> Reply? {
        // An Enterprise Server has the API below another path.
        let path = request.path.hasPrefix("/api/v3/") ? String(request.path.dropFirst(7)) : request.path
        switch (request.method, path) {
        case ("GET", "/login/oauth/authorize"): return try authorize(request)
        case ("POST", "/login/oauth/access_token"): return try tokens(request)
        case ("POST", "/login/device/code"): return try deviceAuthorization(request)
        case ("GET", "/user"): return user(request)
        case ("GET", "/user/emails"): return emails(request, request.path)
        case ("POST", "/credentials/revoke"): return revokeCredentials(request)
        default:
            if path == "/applications/\(settings.clientID)/token" { return application(request) }
            return nil
        }
    }

    override func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        if registered.isEmpty {
            return redirectURI.isLoopback ? nil : "redirect_uri is not associated with this application"
        }
        // Loopback takes any port; the path is equal to or below the registered one.
        let fits = registered.contains { text in
            guard let known = try? HTTPURL(text) else { return false }
            let isHost = known.isLoopback ? known.host == redirectURI.host : known.origin == redirectURI.origin
            return isHost && (redirectURI.path == known.path || redirectURI.path.hasPrefix(known.path + "/"))
        }
        return fits ? nil : "redirect_uri is not associated with this application"
    }

    override func refusal(of request: Form, scopes: [String]) -> Refusal? { nil }
    override func responseParameters(_ grant: Grant?) -> [(String, String)] { [] }

    override func client(_ request: Request) throws -> String {
        let isDevice = request.form["grant_type"]?.hasSuffix("device_code") == true
        guard request.form["client_id"] == settings.clientID else {
            throw Refusal("incorrect_client_credentials", "The client_id is not known.")
        }
        // There are no public clients but for the device flow.
        guard isDevice || request.form["client_secret"] == settings.clientSecret ?? "" else {
            throw Refusal("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
        }
        return settings.clientID
    }

    override func newAccessToken() throws -> String { try token(isApp ? "ghu_" : "gho_") }

    override func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        response["token_type"] = "bearer"
        response["scope"] = .string(grant.scopes.joined(separator: ","))
        guard isApp else {
            response["expires_in"] = nil
            return
        }
        response["expires_in"] = 28800
        let refreshToken = try token("ghr_")
        refreshTokens[refreshToken] = grant
        response["refresh_token"] = .string(refreshToken)
        response["refresh_token_expires_in"] = 15_897_600
    }

    private func wantsForm(_ request: Request) -> Bool { has(.formTokens) || !request.acceptsJSON }

    override func tokenReply(_ object: JSONObject, _ request: Request) -> Reply {
        guard wantsForm(request) else { return .json(.object(object)) }
        return .form(object.members.map { ($0.name, $0.value.string ?? $0.value.number?.text ?? "") })
    }

    /// Status 200, and a documentation page that is only a path.
    override func errorReply(_ refusal: Refusal, _ request: Request) -> Reply {
        let names = ["invalid_grant": "bad_verification_code"]
        let isRefresh = request.form["grant_type"] == "refresh_token"
        let error = isRefresh && refusal.error == "invalid_grant" ? "bad_refresh_token" : names[refusal.error]
        let pairs = [
            ("error", error ?? refusal.error), ("error_description", refusal.description),
            ("error_uri", "/apps/managing-oauth-apps/troubleshooting"),
        ]
        guard !wantsForm(request) else { return .form(pairs) }
        var object = JSONObject()
        for (name, value) in pairs { object[name] = .string(value) }
        return .json(.object(object))
    }

    // MARK: API

    private func refused(_ request: Request) -> Reply? {
        guard request.headers["user-agent"]?.isEmpty == false else {
            return .json(["message": "Request forbidden by administrative rules: a User-Agent is needed"], status: 403)
        }
        return bearer(request) == nil ? .json(["message": "Bad credentials", "status": "401"], status: 401) : nil
    }

    private func user(_ request: Request) -> Reply {
        count("user")
        guard let grant = bearer(request) else { return refused(request) ?? Reply(status: 401) }
        if let refused = refused(request) { return refused }
        let person = Person(user: grant.user)
        return .json([
            "login": .string(person.login), "id": JSONValue(person.number), "name": .string(person.name),
            "email": .null, "avatar_url": .string("https://avatars.example/\(person.number)"), "type": "User",
        ])
    }

    /// Two pages: the primary address is on the second one.
    private func emails(_ request: Request, _ path: String) -> Reply {
        count("emails")
        guard let grant = bearer(request) else { return refused(request) ?? Reply(status: 401) }
        guard grant.scopes.contains("user:email") || grant.scopes.contains("user") else {
            return .json(["message": "Not Found", "status": "404"], status: 404)
        }
        func entry(_ address: String, primary: Bool, verified: Bool) -> JSONValue {
            ["email": .string(address), "primary": .bool(primary), "verified": .bool(verified), "visibility": .null]
        }
        let person = Person(user: grant.user)
        guard request.query["page"] == "2" else {
            return .json(
                [entry("old-" + person.email, primary: false, verified: true)],
                headers: [("Link", "<\(settings.base)\(path)?per_page=100&page=2>; rel=\"next\"")])
        }
        return .json([entry(person.email, primary: true, verified: !has(.unverifiedEmail))])
    }

    /// "Check a token" and "Delete an app token".
    private func application(_ request: Request) -> Reply {
        count("application \(request.method)")
        guard let pair = request.basicCredentials, pair.name == settings.clientID,
            pair.secret == settings.clientSecret ?? ""
        else { return .json(["message": "Bad credentials"], status: 401) }
        guard let token = request.json?["access_token"]?.string else {
            return .json(["message": "access_token is missing in the JSON body"], status: 422)
        }
        guard let grant = accessTokens[token], !has(.otherApp) else {
            return .json(["message": "Not Found"], status: 404)
        }
        switch request.method {
        case "DELETE":
            accessTokens[token] = nil
            return Reply(status: 204)
        case "POST":
            let person = Person(user: grant.user)
            return .json([
                "id": 1, "scopes": JSONValue(grant.scopes), "expires_at": .null,
                "app": ["client_id": .string(settings.clientID), "name": "emulated"],
                "user": ["id": JSONValue(person.number), "login": .string(person.login)],
            ])
        default: return Reply(status: 405)
        }
    }

    private func revokeCredentials(_ request: Request) -> Reply {
        count("credentials revoke")
        for token in request.json?["credentials"]?.strings ?? [] {
            accessTokens[token] = nil
            refreshTokens[token] = nil
        }
        return Reply(status: 202)
    }
}
