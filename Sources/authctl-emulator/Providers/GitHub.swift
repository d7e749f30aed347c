import AuthCore

extension EmulatedProvider {
    static let gitHub = EmulatedProvider(
        id: "github.com",
        faults: Fault.all(
            Fault.authorization, Fault.tokens, Fault.device,
            [
                .noRefreshToken, .refreshKeepsToken, .formTokens, .expiringTokens, .expiringOAuthApp,
                .unverifiedEmail, .otherApp, .noCredentialRevocation, .longInstallationTokens, .otherRepositories,
            ])
    ) { site in
        let server = try AuthorizationServer(site, GitHub.rules)
        let api = GitHub(server: server)
        let apps = GitHubApps(server)
        let signIn: [Endpoint] = [
            .get("/login/oauth/authorize", server.authorize), server.consentPage,
            .post("/login/oauth/access_token") { try server.tokens($0.readingJSON) },
            .post("/login/device/code") { try server.deviceAuthorization($0.readingJSON) }, server.devicePage,
            .any("/login/device", server.decideDevice),
            .get("/emulator/personal-token", api.newPersonalToken), .get("/emulator/app-key", apps.newKey),
        ]
        return signIn
            + ["", "/api/v3"].flatMap { root -> [Endpoint] in
                [
                    .get(root + "/user", api.user), .get(root + "/user/emails", api.emails),
                    .post(root + "/credentials/revoke", api.revokeCredentials),
                    .any(root + "/applications/\(site.settings.clientID)/token", api.application),
                ] + apps.endpoints(root)
            }
    }
}

struct GitHub {
    let server: AuthorizationServer

    static let rules = OAuthRules(
        needsState: false, needsProofKey: false, redirectProblem: redirectProblem, refusal: { _, _ in nil },
        needsStandardParameters: false, client: client, accessTokenPrefix: { isApp($0) ? "ghu_" : "gho_" },
        complete: complete, tokenReply: tokenReply, errorReply: errorReply,
        device: .init(sendsCompleteURL: false, page: "/login/device"))

    private static func isApp(_ settings: Settings) -> Bool {
        !settings.faults.contains(.noRefreshToken) && settings.faults.contains(.expiringTokens)
    }

    private static func hasExpiringTokens(_ settings: Settings) -> Bool {
        isApp(settings) || settings.faults.contains(.expiringOAuthApp)
    }

    /// A device grant has no redirect URI.
    private static func isOfDevice(_ grant: Grant) -> Bool { grant.redirectURI.isEmpty }

    static func redirectProblem(_ redirectURI: HTTPURL, _ registered: [String]) -> String? {
        if registered.isEmpty {
            return redirectURI.isLoopback ? nil : "redirect_uri is not associated with this application"
        }
        // Loopback redirect URIs may have any port. The path must be the registered one, or below it.
        let fits = registered.contains { text in
            guard let known = try? HTTPURL(text) else { return false }
            let isHost = known.isLoopback ? known.host == redirectURI.host : known.origin == redirectURI.origin
            return isHost && (redirectURI.path == known.path || redirectURI.path.hasPrefix(known.path + "/"))
        }
        return fits ? nil : "redirect_uri is not associated with this application"
    }

    static func client(_ server: AuthorizationServer, _ request: Request) throws -> String {
        let refreshed = request.form["refresh_token"].flatMap { server.refreshTokens[$0] }
        let isDevice =
            request.form["grant_type"]?.hasSuffix("device_code") == true || refreshed.map(isOfDevice) == true
        guard request.form["client_id"] == server.settings.clientID else {
            throw Refusal("incorrect_client_credentials", "The client_id is not known.")
        }
        // Without its secret, a client can only use the device flow and refresh its tokens.
        guard isDevice || request.form["client_secret"] == server.settings.clientSecret ?? "" else {
            throw Refusal("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
        }
        return server.settings.clientID
    }

    static func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        response["token_type"] = "bearer"
        let isOffline = issued.grant.scopes.contains("offline_access")
        response["scope"] = .string(issued.grant.scopes.filter { $0 != "offline_access" }.joined(separator: ","))
        guard hasExpiringTokens(server.settings) else {
            response["expires_in"] = nil
            return
        }
        response["expires_in"] = 28800
        // In the device flow, an OAuth app only gets a refresh token if it requests one.
        guard isApp(server.settings) || !isOfDevice(issued.grant) || isOffline else { return }
        try server.addRefreshToken("ghr_", of: issued.grant, to: &response)
        response["refresh_token_expires_in"] = 15_897_600
    }

    private static func requestsForm(_ server: AuthorizationServer, _ request: Request) -> Bool {
        server.has(.formTokens) || !request.acceptsJSON
    }

    static func tokenReply(_ server: AuthorizationServer, _ object: JSONObject, _ request: Request) -> Reply {
        guard requestsForm(server, request) else { return .json(.object(object)) }
        return .form(object.members.map { ($0.name, $0.value.string ?? $0.value.number?.text ?? "") })
    }

    /// GitHub's error responses have status 200, and an `error_uri` that is only a path.
    static func errorReply(_ server: AuthorizationServer, _ refusal: Refusal, _ request: Request) -> Reply {
        let names = ["invalid_grant": "bad_verification_code"]
        let isRefresh = request.form["grant_type"] == "refresh_token"
        let error = isRefresh && refusal.error == "invalid_grant" ? "bad_refresh_token" : names[refusal.error]
        let pairs = [
            ("error", error ?? refusal.error), ("error_description", refusal.description),
            ("error_uri", "/apps/managing-oauth-apps/troubleshooting"),
        ]
        guard !requestsForm(server, request) else { return .form(pairs) }
        var object = JSONObject()
        for (name, value) in pairs { object[name] = .string(value) }
        return .json(.object(object))
    }

    // MARK: API

    /// Creates a personal access token, as in GitHub's settings: `kind=fine-grained`, or classic with `scope`; of
    /// `user`, for `expires-in` seconds.
    func newPersonalToken(_ request: Request) throws -> Reply {
        let isFineGrained = request.query["kind"] == "fine-grained"
        let token = server.site.recorded(try server.token(isFineGrained ? GitHub.fineGrained : "ghp_"))
        server.accessTokens[token] = Grant(
            clientID: "", redirectURI: "", challenge: nil, nonce: nil,
            scopes: isFineGrained ? [] : Scopes.split(request.query["scope"] ?? "read:user,user:email"),
            user: request.query["user"] ?? server.settings.user, tenant: nil, authenticatedAt: server.now(),
            expiresAt: request.query["expires-in"].flatMap(Int64.init).map { server.now() + $0 })
        return Reply(status: 200, headers: [("Content-Type", "text/plain")], body: Array("\(token)\n".utf8))
    }

    private static let fineGrained = "github_pat_"

    private func refused(_ request: Request) -> Reply? {
        guard request.headers["user-agent"]?.isEmpty == false else {
            return .json(
                ["message": "Request forbidden by administrative rules: a User-Agent is required"], status: 403)
        }
        return server.bearer(request) == nil
            ? .json(["message": "Bad credentials", "status": "401"], status: 401) : nil
    }

    private func headers(_ request: Request, _ grant: Grant) -> [(String, String)] {
        let token = request.bearerToken ?? ""
        var headers: [(String, String)] = []
        if !token.hasPrefix(GitHub.fineGrained) {
            headers.append(("X-OAuth-Scopes", grant.scopes.joined(separator: ", ")))
        }
        if grant.clientID.isEmpty, let expiry = grant.expiresAt {
            let time = HTTPDate.rfc3339(expiry).dropLast().replacing("T", with: " ")
            headers.append(("GitHub-Authentication-Token-Expiration", "\(time) UTC"))
        }
        return headers
    }

    func user(_ request: Request) -> Reply {
        server.count("user")
        guard let grant = server.bearer(request) else { return refused(request) ?? Reply(status: 401) }
        if let refused = refused(request) { return refused }
        let person = Person(user: grant.user)
        return .json(
            [
                "login": .string(person.login), "id": JSONValue(person.number), "name": .string(person.name),
                "email": .null, "avatar_url": .string("https://avatars.example/\(person.number)"), "type": "User",
            ], headers: headers(request, grant))
    }

    /// The email addresses, on two pages. The primary address is on the second page.
    func emails(_ request: Request) -> Reply {
        server.count("emails")
        guard let grant = server.bearer(request) else { return refused(request) ?? Reply(status: 401) }
        guard request.bearerToken?.hasPrefix(GitHub.fineGrained) != true else {
            return .json(["message": "Resource not accessible by personal access token", "status": "403"], status: 403)
        }
        guard grant.scopes.contains("user:email") || grant.scopes.contains("user") else {
            return .json(["message": "Not Found", "status": "404"], status: 404)
        }
        func entry(_ address: String, primary: Bool, verified: Bool) -> JSONValue {
            ["email": .string(address), "primary": .bool(primary), "verified": .bool(verified), "visibility": .null]
        }
        let person = Person(user: grant.user)
        // The next page is at the requested host, because the API may have another host than the sign-in.
        let scheme = server.settings.base.prefix { $0 != ":" }
        let here = request.headers["host"].map { "\(scheme)://\($0)" } ?? server.settings.base
        guard request.query["page"] == "2" else {
            return .json(
                [entry("old-" + person.email, primary: false, verified: true)],
                headers: [("Link", "<\(here)\(request.path)?per_page=100&page=2>; rel=\"next\"")])
        }
        return .json([entry(person.email, primary: true, verified: !server.has(.unverifiedEmail))])
    }

    func application(_ request: Request) -> Reply {
        server.count("application \(request.method)")
        guard let pair = request.basicCredentials, pair.name == server.settings.clientID,
            pair.secret == server.settings.clientSecret ?? ""
        else { return .json(["message": "Bad credentials"], status: 401) }
        guard let token = request.json?["access_token"]?.string else {
            return .json(["message": "access_token is missing in the JSON body"], status: 422)
        }
        // A personal access token does not belong to a client.
        guard let grant = server.grant(ofAccessToken: token), !grant.clientID.isEmpty, !server.has(.otherApp) else {
            return .json(["message": "Not Found"], status: 404)
        }
        switch request.method {
        case "DELETE":
            server.accessTokens[token] = nil
            return Reply(status: 204)
        case "POST":
            let person = Person(user: grant.user)
            return .json([
                "id": 1, "scopes": JSONValue(grant.scopes), "expires_at": .null,
                "app": ["client_id": .string(server.settings.clientID), "name": "emulated"],
                "user": ["id": JSONValue(person.number), "login": .string(person.login)],
            ])
        default: return Reply(status: 405)
        }
    }

    func revokeCredentials(_ request: Request) -> Reply {
        server.count("credentials revoke")
        if server.has(.noCredentialRevocation) { return .json(["message": "Not Found"], status: 404) }
        for token in request.json?["credentials"]?.strings ?? [] {
            server.accessTokens[token] = nil
            server.refreshTokens[token] = nil
        }
        return Reply(status: 202)
    }
}
