import AuthCore

/// As `facebook.com`: the classic code flow, the Graph API with its object errors, and Limited Login's ID tokens.
final class FacebookProvider: OpenIDProvider {
    override var needsState: Bool { false }
    override var needsProofKey: Bool { false }

    override func route(_ request: Request) throws -> Reply? {
        if request.path.hasPrefix("/.well-known/oauth/openid/jwks") { return keySet() }
        let parts = request.path.split(separator: "/", maxSplits: 1)
        guard let version = parts.first, version.hasPrefix("v"), parts.count == 2 else { return nil }
        switch (request.method, String(parts[1])) {
        case ("GET", "dialog/oauth"): return try authorize(request)
        case ("POST", "oauth/access_token"): return try tokens(request)
        case ("GET", "debug_token"): return debug(request)
        case ("GET", "me"): return me(request)
        case ("DELETE", "me/permissions"): return withdraw(request)
        default: return nil
        }
    }

    override func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        redirectURI.host == "localhost" || registered.contains(redirectURI.text)
            ? nil : "URL blocked: the redirect URI is not whitelisted in the app's client OAuth settings"
    }

    override func refusal(of request: Form, scopes: [String]) -> Refusal? { nil }
    override func responseParameters(_ grant: Grant?) -> [(String, String)] { [] }

    override var denial: [(String, String)] {
        [
            ("error", "access_denied"), ("error_code", "200"), ("error_reason", "user_denied"),
            ("error_description", "Permissions error"),
        ]
    }

    override func client(_ request: Request) throws -> String {
        guard request.form["client_id"] == settings.clientID, let secret = request.form["client_secret"],
            secret == settings.clientSecret ?? ""
        else { throw Refusal("invalid_client", "Error validating client secret.") }
        return settings.clientID
    }

    override func newAccessToken() throws -> String { try token("EAAG") }

    override func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        response["token_type"] = "bearer"
        response["expires_in"] = 5_183_944
    }

    private func error(_ message: String, _ type: String = "OAuthException", code: Int64, status: Int = 400) -> Reply {
        .json(
            [
                "error": [
                    "message": .string(message), "type": .string(type), "code": JSONValue(code),
                    "fbtrace_id": "A1b2C3d4",
                ]
            ], status: status)
    }

    override func errorReply(_ refusal: Refusal, _ request: Request) -> Reply { error(refusal.description, code: 100) }

    // MARK: Graph

    /// The `appsecret_proof` that a token must come with.
    private func isProven(_ request: Request, _ token: String) -> Bool {
        guard let secret = settings.clientSecret else { return true }
        let proof = try? HashFunction.sha256.authenticationCode(of: Array(token.utf8), key: Array(secret.utf8))
        return proof?.hexadecimal == request.query["appsecret_proof"]
    }

    private func grant(_ request: Request) -> (grant: Grant?, refusal: Reply) {
        guard let token = request.bearerToken, let grant = accessTokens[token] else {
            return (nil, error("Invalid OAuth access token - Cannot parse access token", code: 190, status: 401))
        }
        guard isProven(request, token) else {
            return (
                nil,
                error(
                    "API calls from the server require an appsecret_proof argument", "GraphMethodException", code: 100)
            )
        }
        return (grant, Reply(status: 200))
    }

    private func me(_ request: Request) -> Reply {
        count("me")
        let (grant, refusal) = grant(request)
        guard let grant else { return refusal }
        let person = Person(user: grant.user)
        let fields = request.query["fields"]?.split(separator: ",") ?? ["id", "name"]
        var object = JSONObject()
        object["id"] = .string("\(person.number)")
        if fields.contains("name") { object["name"] = .string(person.name) }
        if fields.contains("email"), grant.scopes.contains("email"), !has(.noEmail) {
            object["email"] = .string(person.email)
        }
        if fields.contains("picture") {
            object["picture"] = [
                "data": ["height": 50, "url": .string("https://scontent.example/\(person.number).jpg")]
            ]
        }
        return .json(.object(object))
    }

    private func debug(_ request: Request) -> Reply {
        count("debug_token")
        guard request.query["access_token"] == "\(settings.clientID)|\(settings.clientSecret ?? "")" else {
            return error("Invalid OAuth access token signature.", code: 190)
        }
        guard let grant = request.query["input_token"].flatMap({ accessTokens[$0] }) else {
            return .json([
                "data": [
                    "error": ["code": 190, "message": "Invalid OAuth access token."], "is_valid": false, "scopes": [],
                ]
            ])
        }
        return .json([
            "data": [
                "app_id": .string(has(.otherApp) ? "999999999999" : settings.clientID), "type": "USER",
                "expires_at": JSONValue(now() + 5_183_944), "is_valid": true, "scopes": JSONValue(grant.scopes),
                "user_id": .string("\(Person(user: grant.user).number)"),
            ]
        ])
    }

    private func withdraw(_ request: Request) -> Reply {
        count("permissions DELETE")
        guard grant(request).grant != nil else { return grant(request).refusal }
        accessTokens[request.bearerToken ?? ""] = nil
        return .json(["success": true])
    }

    override func claims(of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var claims = JSONObject()
        claims["sub"] = .string("\(person.number)")
        claims["name"] = .string(person.name)
        if !has(.noEmail) { claims["email"] = .string(person.email) }
        claims["picture"] = .string("https://scontent.example/\(person.number).jpg")
        return claims
    }
}
