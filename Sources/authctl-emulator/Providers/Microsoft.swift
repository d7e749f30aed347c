import AuthCore

/// As `microsoft.com`: every tenant an issuer, keys that name theirs, errors of several lines, Microsoft Graph.
final class MicrosoftProvider: OpenIDProvider {
    private static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    /// The one verified domain, and the tenant it belongs to.
    private static let domain = "contoso.example"

    override var saysCompleteURL: Bool { false }
    override var rotatesRefreshTokens: Bool { false }
    override var needsProofKey: Bool { false }
    override var needsState: Bool { false }

    private var tenantID: String { has(.personalAccount) ? Self.personalTenant : settings.tenant }
    override var issuer: String {
        has(.templateIssuer) ? "\(settings.base)/{tenantid}/v2.0" : "\(settings.base)/\(tenantID)/v2.0"
    }

    override func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("GET", "/oidc/userinfo"): return userInfo(request)
        case ("GET", "/v1.0/me"): return me(request)
        case ("GET", "/v1.0/me/photo/$value"): return photo(request)
        default: break
        }
        let parts = request.path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let tenant = String(parts[0])
        switch (request.method, String(parts[1])) {
        case ("GET", "v2.0/.well-known/openid-configuration"): return metadata(tenant)
        case ("GET", "discovery/v2.0/keys"): return keySet()
        case ("GET", "oauth2/v2.0/authorize"):
            if let problem = problem(with: tenant) { return Pages.problem(problem) }
            return try authorize(request, tenant: tenant)
        case ("POST", "oauth2/v2.0/token"): return try tokens(request)
        case ("POST", "oauth2/v2.0/devicecode"): return try deviceAuthorization(request, tenant: tenant)
        case (_, "oauth2/v2.0/logout"): return logout()
        default: return nil
        }
    }

    /// Why the person cannot sign in by this tenant's name.
    private func problem(with tenant: String) -> String? {
        switch tenant {
        case "common", settings.tenant, Self.domain, tenantID: nil
        case "organizations":
            has(.personalAccount) ? "AADSTS50020: a personal account is not in an organization" : nil
        case "consumers": has(.personalAccount) ? nil : "AADSTS50020: this is no personal account"
        default: "AADSTS90002: Tenant '\(tenant)' not found."
        }
    }

    private func metadata(_ tenant: String) -> Reply {
        guard problem(with: tenant) == nil else {
            return .json(
                ["error": "invalid_tenant", "error_description": "AADSTS90002: Tenant not found."], status: 400)
        }
        let isTemplate = tenant == "common" || tenant == "organizations"
        let root = "\(settings.base)/\(tenant)"
        return .json([
            "issuer": .string("\(settings.base)/\(isTemplate ? "{tenantid}" : tenantID)/v2.0"),
            "authorization_endpoint": .string(root + "/oauth2/v2.0/authorize"),
            "token_endpoint": .string(root + "/oauth2/v2.0/token"),
            "jwks_uri": .string(root + "/discovery/v2.0/keys"), "response_types_supported": ["code"],
        ])
    }

    /// One key for every tenant, unless the fault says that it is another tenant's own.
    override func keySet() -> Reply {
        count("jwks")
        let tenant = has(.foreignKey) ? "11111111-2222-3333-4444-555555555555" : "{tenantid}"
        let jwk = JWK(key: key.publicKey, keyID: keyID, issuer: "\(settings.base)/\(tenant)/v2.0")
        return .json(.object(JWKSet(keys: [jwk]).json), headers: [("Cache-Control", "max-age=86400")])
    }

    override func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        // The port of localhost is ignored; 127.0.0.1 is another host.
        if redirectURI.host == "localhost", registered.isEmpty { return nil }
        let fits = registered.contains { text in
            guard let known = try? HTTPURL(text) else { return false }
            return known.host == redirectURI.host && known.path == redirectURI.path
                && (known.host == "localhost" || known.origin == redirectURI.origin)
        }
        return fits ? nil : "AADSTS50011: The redirect URI '\(redirectURI.text)' does not match the configured ones."
    }

    override func refusal(of request: Form, scopes: [String]) -> Refusal? {
        if request["prompt"] == "select_account", request["login_hint"] != nil {
            return Refusal("invalid_request", "AADSTS90023: prompt=select_account does not go with login_hint")
        }
        return super.refusal(of: request, scopes: scopes)
    }

    override func responseParameters(_ grant: Grant?) -> [(String, String)] {
        [("session_state", "a4b1c2d3-0000-0000-0000-000000000000")]
    }

    override func errorReply(_ refusal: Refusal, _ request: Request) -> Reply {
        let names = ["authorization_pending": "authorization_pending", "access_denied": "authorization_declined"]
        return .json(
            [
                "error": .string(names[refusal.error] ?? refusal.error),
                "error_description": .string(
                    "AADSTS70008: \(refusal.description)\r\nTrace ID: 0b1f\r\nCorrelation ID: 7c2a\r\nTimestamp: 2026-11-21 08:00:00Z"
                ),
                "error_codes": [70008], "trace_id": "0b1f", "correlation_id": "7c2a",
            ], status: refusal.status)
    }

    override func claims(of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        let hex = person.hexadecimal
        var claims = JSONObject()
        claims["ver"] = "2.0"
        claims["tid"] = .string(tenantID)
        claims["sub"] = .string("pairwise-" + hex.prefix(20))
        if grant.scopes.contains("profile") {
            claims["oid"] = .string(objectID(hex))
            claims["name"] = .string(person.name)
            claims["preferred_username"] = .string(person.email)
        }
        if grant.scopes.contains("email") {
            claims["email"] = .string(person.email)
            if has(.verifiedDomain) { claims["xms_edov"] = "1" }
        }
        return claims
    }

    private func objectID(_ hex: String) -> String {
        let digits = Array(hex)
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        if has(.personalAccount) { return "00000000-0000-0000-\(part(0..<4))-\(part(4..<16))" }
        return "\(part(0..<8))-\(part(8..<12))-\(part(12..<16))-\(part(16..<20))-\(part(20..<32))"
    }

    override func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        response["scope"] = .string(grant.scopes.filter { $0 != "offline_access" }.joined(separator: " "))
        response["ext_expires_in"] = response["expires_in"]
        if grant.scopes.contains("offline_access") {
            let refreshToken = try token("0.A")
            refreshTokens[refreshToken] = grant
            response["refresh_token"] = .string(refreshToken)
        }
        // No at_hash, no c_hash.
        if !has(.noIDToken) { response["id_token"] = .string(try idToken(grant, nil, isRefresh: isRefresh)) }
    }

    // MARK: Microsoft Graph

    private var unauthorized: Reply {
        .json(["error": ["code": "InvalidAuthenticationToken", "message": "Access token is empty."]], status: 401)
    }

    private func me(_ request: Request) -> Reply {
        count("me")
        guard let grant = bearer(request) else { return unauthorized }
        let person = Person(user: grant.user)
        return .json([
            "id": .string(objectID(person.hexadecimal)), "displayName": .string(person.name),
            "userPrincipalName": .string(person.email), "mail": .string(person.email),
        ])
    }

    /// Bytes that are no text: a JPEG's head and every byte value.
    private func photo(_ request: Request) -> Reply {
        guard bearer(request) != nil else { return unauthorized }
        return Reply(
            status: 200, headers: [("Content-Type", "image/jpeg")], body: [0xFF, 0xD8, 0xFF, 0xE0] + Array(0...255))
    }
}
