import AuthCore

extension EmulatedProvider {
    /// `twitter.com` (X). Codes expire after 30 seconds, redirect URIs are compared as a whole, and identifiers are
    /// strings.
    static let x = EmulatedProvider(
        id: "twitter.com",
        faults: Fault.all(
            Fault.authorization, Fault.tokens, [.refreshKeepsToken, .rawBasic, .revocationError503, .numericID])
    ) { site in
        let server = try AuthorizationServer(site, X.rules)
        return [
            .get("/i/oauth2/authorize", server.authorize), server.consentPage,
            .post("/2/oauth2/token", server.tokens),
            .post("/2/oauth2/revoke", server.revoke),
            .get("/2/users/me") { X.me(server, $0) },
        ]
    }
}

/// X's OAuth rules, and the API call `/2/users/me`.
enum X {
    static let rules = OAuthRules(
        codeLifetime: 30, redirectProblem: redirectProblem,
        refusal: { _, scopes in scopes.isEmpty ? Refusal("invalid_scope", "scope is missing.") : nil },
        client: client, complete: complete)

    static func redirectProblem(_ redirectURI: HTTPURL, _ registered: [String]) -> String? {
        let known =
            registered.isEmpty
            ? ["http://127.0.0.1:8400/callback", "http://127.0.0.1:8400/callback/twitter.com"] : registered
        return known.contains(redirectURI.text)
            ? nil : "Something went wrong: the callback '\(redirectURI.text)' is not a registered one, port included"
    }

    static func client(_ server: AuthorizationServer, _ request: Request) throws -> String {
        if server.settings.clientSecret != nil {
            guard request.basicCredentials != nil, request.form["client_secret"] == nil else {
                throw Refusal("unauthorized_client", "Missing valid authorization header", status: 401)
            }
        }
        return try server.registeredClient(request)
    }

    static func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        response["token_type"] = "bearer"
        response["expires_in"] = 7200
        response["scope"] = .string(issued.grant.scopes.joined(separator: " "))
        if issued.grant.scopes.contains("offline.access") {
            try server.addRefreshToken(of: issued.grant, to: &response)
        }
    }

    static func me(_ server: AuthorizationServer, _ request: Request) -> Reply {
        server.count("me")
        guard let grant = server.bearer(request) else {
            return .json(
                ["title": "Unauthorized", "type": "about:blank", "status": 401, "detail": "Unauthorized"], status: 401)
        }
        guard grant.scopes.contains("users.read"), grant.scopes.contains("tweet.read") else {
            return .json(
                ["title": "Forbidden", "status": 403, "detail": "The scopes users.read and tweet.read are required."],
                status: 403)
        }
        let person = Person(user: grant.user)
        let fields = request.query["user.fields"]?.split(separator: ",") ?? []
        var data = JSONObject()
        data["id"] = server.has(.numericID) ? JSONValue(person.number) : .string(person.longNumber)
        data["name"] = .string(person.name)
        data["username"] = .string(person.login)
        if fields.contains("profile_image_url") { data["profile_image_url"] = "https://pbs.example/photo.png" }
        if fields.contains("confirmed_email"), grant.scopes.contains("users.email") {
            data["confirmed_email"] = .string(person.email)
        }
        return .json(["data": .object(data)])
    }
}
