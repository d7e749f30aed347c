import AuthCore

/// As `twitter.com` (X): codes of 30 seconds, redirect URIs compared whole, identifiers as strings.
final class XProvider: OpenIDProvider {
    override var codeLifetime: Int64 { 30 }

    override func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("GET", "/i/oauth2/authorize"): return try authorize(request)
        case ("POST", "/2/oauth2/token"): return try tokens(request)
        case ("POST", "/2/oauth2/revoke"): return revoke(request)
        case ("GET", "/2/users/me"): return me(request)
        default: return nil
        }
    }

    override func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        let known =
            registered.isEmpty
            ? ["http://127.0.0.1:8400/callback", "http://127.0.0.1:8400/callback/twitter.com"] : registered
        return known.contains(redirectURI.text)
            ? nil : "Something went wrong: the callback '\(redirectURI.text)' is not a registered one, port included"
    }

    override func refusal(of request: Form, scopes: [String]) -> Refusal? {
        scopes.isEmpty ? Refusal("invalid_scope", "scope is missing") : nil
    }

    override func responseParameters(_ grant: Grant?) -> [(String, String)] { [] }

    /// Confidential clients authenticate with Basic and nothing else.
    override func client(_ request: Request) throws -> String {
        guard settings.clientSecret != nil else { return try super.client(request) }
        guard request.basicCredentials != nil, request.form["client_secret"] == nil else {
            throw Refusal("unauthorized_client", "Missing valid authorization header", status: 401)
        }
        return try super.client(request)
    }

    override func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        response["token_type"] = "bearer"
        response["expires_in"] = 7200
        response["scope"] = .string(grant.scopes.joined(separator: " "))
        if grant.scopes.contains("offline.access") {
            let refreshToken = try token()
            refreshTokens[refreshToken] = grant
            response["refresh_token"] = .string(refreshToken)
        }
    }

    private func me(_ request: Request) -> Reply {
        count("me")
        guard let grant = bearer(request) else {
            return .json(
                ["title": "Unauthorized", "type": "about:blank", "status": 401, "detail": "Unauthorized"], status: 401)
        }
        guard grant.scopes.contains("users.read"), grant.scopes.contains("tweet.read") else {
            return .json(
                ["title": "Forbidden", "status": 403, "detail": "users.read and tweet.read are needed"], status: 403)
        }
        let person = Person(user: grant.user)
        let fields = request.query["user.fields"]?.split(separator: ",") ?? []
        var data = JSONObject()
        data["id"] = has(.numericID) ? JSONValue(person.number) : .string(person.longNumber)
        data["name"] = .string(person.name)
        data["username"] = .string(person.login)
        if fields.contains("profile_image_url") { data["profile_image_url"] = "https://pbs.example/photo.png" }
        if fields.contains("confirmed_email"), grant.scopes.contains("users.email") {
            data["confirmed_email"] = .string(person.email)
        }
        return .json(["data": .object(data)])
    }
}
