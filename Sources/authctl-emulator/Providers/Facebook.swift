import AuthCore

extension EmulatedProvider {
    static let facebook = EmulatedProvider(
        id: "facebook.com",
        faults: Fault.all(
            Fault.authorization, Fault.tokens, Fault.idTokens.subtracting([.noIDToken]),
            [.refreshKeepsToken, .keySetError500, .noEmail, .otherApp])
    ) { site in
        let server = try AuthorizationServer(site, Facebook.rules)
        let graph = Facebook(server: server)
        return [
            .any("/.well-known/oauth/openid/jwks", server.issuer.keySet),
            .any("/.well-known/oauth/openid/jwks/", server.issuer.keySet),
            .get("/v*/dialog/oauth", server.authorize), server.consentPage,
            .post("/v*/oauth/access_token", server.tokens),
            .get("/v*/debug_token", graph.debug),
            .get("/v*/me", graph.me),
            .delete("/v*/me/permissions", graph.withdraw),
            server.directIDTokens,
        ]
    }
}

struct Facebook {
    let server: AuthorizationServer

    static let rules = OAuthRules(
        needsState: false, needsProofKey: false,
        redirectProblem: { redirectURI, registered in
            redirectURI.host == "localhost" || registered.contains(redirectURI.text)
                ? nil : "URL blocked: the redirect URI is not whitelisted in the app's client OAuth settings"
        },
        refusal: { _, _ in nil },
        denial: [
            ("error", "access_denied"), ("error_code", "200"), ("error_reason", "user_denied"),
            ("error_description", "Permissions error"),
        ], client: client, accessTokenPrefix: { _ in "EAAG" }, claims: claims,
        complete: { _, response, _ in
            response["token_type"] = "bearer"
            response["expires_in"] = 5_183_944
        }, errorReply: { _, refusal, _ in error(refusal.description, code: 100) })

    static func client(_ server: AuthorizationServer, _ request: Request) throws -> String {
        guard request.form["client_id"] == server.settings.clientID, let secret = request.form["client_secret"],
            secret == server.settings.clientSecret ?? ""
        else { throw Refusal("invalid_client", "Error validating client secret.") }
        return server.settings.clientID
    }

    static func claims(_ server: AuthorizationServer, of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var claims = JSONObject()
        claims["sub"] = .string("\(person.number)")
        claims["name"] = .string(person.name)
        if !server.has(.noEmail) { claims["email"] = .string(person.email) }
        claims["picture"] = .string("https://scontent.example/\(person.number).jpg")
        return claims
    }

    private static func error(
        _ message: String, _ type: String = "OAuthException", code: Int64, status: Int = 400
    ) -> Reply {
        .json(
            [
                "error": [
                    "message": .string(message), "type": .string(type), "code": JSONValue(code),
                    "fbtrace_id": "A1b2C3d4",
                ]
            ], status: status)
    }

    // MARK: Graph

    /// Checks `appsecret_proof`, if the client has a secret.
    private func isSecretProofValid(_ request: Request, _ token: String) -> Bool {
        guard let secret = server.settings.clientSecret else { return true }
        let proof = try? HashFunction.sha256.authenticationCode(of: Array(token.utf8), key: Array(secret.utf8))
        return proof?.hexadecimal == request.query["appsecret_proof"]
    }

    private func grant(_ request: Request) -> (grant: Grant?, refusal: Reply) {
        guard let token = request.bearerToken, let grant = server.grant(ofAccessToken: token) else {
            return (
                nil, Facebook.error("Invalid OAuth access token - Cannot parse access token", code: 190, status: 401)
            )
        }
        guard isSecretProofValid(request, token) else {
            return (
                nil,
                Facebook.error(
                    "API calls from the server require an appsecret_proof argument", "GraphMethodException", code: 100)
            )
        }
        return (grant, Reply(status: 200))
    }

    func me(_ request: Request) -> Reply {
        server.count("me")
        let (grant, refusal) = grant(request)
        guard let grant else { return refusal }
        let person = Person(user: grant.user)
        let fields = request.query["fields"]?.split(separator: ",") ?? ["id", "name"]
        var object = JSONObject()
        object["id"] = .string("\(person.number)")
        if fields.contains("name") { object["name"] = .string(person.name) }
        if fields.contains("email"), grant.scopes.contains("email"), !server.has(.noEmail) {
            object["email"] = .string(person.email)
        }
        if fields.contains("picture") {
            object["picture"] = [
                "data": ["height": 50, "url": .string("https://scontent.example/\(person.number).jpg")]
            ]
        }
        return .json(.object(object))
    }

    func debug(_ request: Request) -> Reply {
        server.count("debug_token")
        guard request.query["access_token"] == "\(server.settings.clientID)|\(server.settings.clientSecret ?? "")"
        else {
            return Facebook.error("Invalid OAuth access token signature.", code: 190)
        }
        guard let grant = request.query["input_token"].flatMap(server.grant(ofAccessToken:)) else {
            return .json([
                "data": [
                    "error": ["code": 190, "message": "Invalid OAuth access token."], "is_valid": false, "scopes": [],
                ]
            ])
        }
        return .json([
            "data": [
                "app_id": .string(server.has(.otherApp) ? "999999999999" : server.settings.clientID), "type": "USER",
                "expires_at": JSONValue(server.now() + 5_183_944), "is_valid": true, "scopes": JSONValue(grant.scopes),
                "user_id": .string("\(Person(user: grant.user).number)"),
            ]
        ])
    }

    func withdraw(_ request: Request) -> Reply {
        server.count("permissions DELETE")
        guard grant(request).grant != nil else { return grant(request).refusal }
        server.accessTokens[request.bearerToken ?? ""] = nil
        return .json(["success": true])
    }
}
