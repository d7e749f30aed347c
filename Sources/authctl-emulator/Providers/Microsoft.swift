import AuthCore

extension EmulatedProvider {
    static let microsoft = EmulatedProvider(
        id: "microsoft.com",
        faults: Fault.all(
            Fault.authorization, Fault.tokens, Fault.idTokens.subtracting([.wrongAccessTokenHash]), Fault.device,
            Fault.userInfo, [.personalAccount, .foreignKey, .templateIssuer, .verifiedDomain])
    ) { site in
        let server = try AuthorizationServer(site, Microsoft.rules)
        let tenants = Microsoft(server: server)
        return [
            .get("/oidc/userinfo", server.userInfo),
            .get("/v1.0/me", tenants.me), .get("/v1.0/me/photo/$value", tenants.photo),
            .get("/*/v2.0/.well-known/openid-configuration", tenants.metadata),
            .get("/*/discovery/v2.0/keys", tenants.keySet),
            .get("/*/oauth2/v2.0/authorize", tenants.authorize), server.consentPage,
            .post("/*/oauth2/v2.0/token", server.tokens),
            .post("/*/oauth2/v2.0/devicecode", tenants.deviceAuthorization), server.devicePage,
            .any("/*/oauth2/v2.0/logout", server.logout),
            server.directIDTokens,
        ]
    }
}

struct Microsoft {
    let server: AuthorizationServer

    private static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    private static let domain = "contoso.example"

    static let rules = OAuthRules(
        issuer: { "\($0.base)/\($0.faults.contains(.templateIssuer) ? "{tenantid}" : tenantID($0))/v2.0" },
        needsState: false, needsProofKey: false, redirectProblem: redirectProblem, refusal: refusal,
        responseParameters: { _, _ in [("session_state", "a4b1c2d3-0000-0000-0000-000000000000")] },
        rotatesRefreshTokens: false, claims: claims, complete: complete, errorReply: errorReply,
        device: .init(sendsCompleteURL: false))

    private static func tenantID(_ settings: Settings) -> String {
        settings.faults.contains(.personalAccount) ? personalTenant : settings.tenant
    }

    // MARK: Tenants

    private static func tenant(of request: Request) -> String {
        request.path.split(separator: "/").first.map { String($0) } ?? ""
    }

    func authorize(_ request: Request) throws -> Reply {
        let tenant = Self.tenant(of: request)
        if let problem = problem(with: tenant) { return Pages.problem(problem) }
        return try server.authorize(request, tenant: tenant)
    }

    func deviceAuthorization(_ request: Request) throws -> Reply {
        try server.deviceAuthorization(request, tenant: Self.tenant(of: request))
    }

    func problem(with tenant: String) -> String? {
        switch tenant {
        case "common", server.settings.tenant, Self.domain, Self.tenantID(server.settings): nil
        case "organizations":
            server.has(.personalAccount) ? "AADSTS50020: a personal account is not in an organization" : nil
        case "consumers": server.has(.personalAccount) ? nil : "AADSTS50020: this is not a personal account"
        default: "AADSTS90002: Tenant '\(tenant)' not found."
        }
    }

    func metadata(_ request: Request) -> Reply {
        let tenant = Self.tenant(of: request)
        guard problem(with: tenant) == nil else {
            return .json(
                ["error": "invalid_tenant", "error_description": "AADSTS90002: Tenant not found."], status: 400)
        }
        let isTemplate = tenant == "common" || tenant == "organizations"
        let root = "\(server.settings.base)/\(tenant)"
        return .json([
            "issuer": .string(
                "\(server.settings.base)/\(isTemplate ? "{tenantid}" : Self.tenantID(server.settings))/v2.0"),
            "authorization_endpoint": .string(root + "/oauth2/v2.0/authorize"),
            "token_endpoint": .string(root + "/oauth2/v2.0/token"),
            "jwks_uri": .string(root + "/discovery/v2.0/keys"), "response_types_supported": ["code"],
        ])
    }

    func keySet(_ request: Request) -> Reply {
        server.count("jwks")
        let tenant = server.has(.foreignKey) ? "11111111-2222-3333-4444-555555555555" : "{tenantid}"
        let jwk = JWK(
            key: server.issuer.key.publicKey, keyID: server.issuer.keyID,
            issuer: "\(server.settings.base)/\(tenant)/v2.0")
        return .json(.object(JWKSet(keys: [jwk]).json), headers: [("Cache-Control", "max-age=86400")])
    }

    // MARK: Rules

    static func redirectProblem(_ redirectURI: HTTPURL, _ registered: [String]) -> String? {
        // The port of `localhost` is ignored. This does not apply to 127.0.0.1.
        if redirectURI.host == "localhost", registered.isEmpty { return nil }
        let fits = registered.contains { text in
            guard let known = try? HTTPURL(text) else { return false }
            return known.host == redirectURI.host && known.path == redirectURI.path
                && (known.host == "localhost" || known.origin == redirectURI.origin)
        }
        return fits ? nil : "AADSTS50011: The redirect URI '\(redirectURI.text)' does not match the configured ones."
    }

    static func refusal(_ request: Form, _ scopes: [String]) -> Refusal? {
        if request["prompt"] == "select_account", request["login_hint"] != nil {
            return Refusal("invalid_request", "AADSTS90023: prompt=select_account cannot be used with login_hint.")
        }
        return OAuthRules.openID(request, scopes)
    }

    static func errorReply(_ server: AuthorizationServer, _ refusal: Refusal, _ request: Request) -> Reply {
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

    static func claims(_ server: AuthorizationServer, of grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        let hex = person.hexadecimal
        var claims = JSONObject()
        claims["ver"] = "2.0"
        claims["tid"] = .string(tenantID(server.settings))
        claims["sub"] = .string("pairwise-" + hex.prefix(20))
        if grant.scopes.contains("profile") {
            claims["oid"] = .string(objectID(hex, isPersonal: server.has(.personalAccount)))
            claims["name"] = .string(person.name)
            claims["preferred_username"] = .string(person.email)
        }
        if grant.scopes.contains("email") {
            claims["email"] = .string(person.email)
            if server.has(.verifiedDomain) { claims["xms_edov"] = "1" }
        }
        return claims
    }

    private static func objectID(_ hex: String, isPersonal: Bool) -> String {
        let digits = Array(hex)
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        if isPersonal { return "00000000-0000-0000-\(part(0..<4))-\(part(4..<16))" }
        return "\(part(0..<8))-\(part(8..<12))-\(part(12..<16))-\(part(16..<20))-\(part(20..<32))"
    }

    static func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        let scopes = issued.grant.scopes
        response["scope"] = .string(scopes.filter { $0 != "offline_access" }.joined(separator: " "))
        response["ext_expires_in"] = response["expires_in"]
        if scopes.contains("offline_access") { try server.addRefreshToken("0.A", of: issued.grant, to: &response) }
        try server.addIDToken(issued, to: &response, hashesAccessToken: false)
    }

    // MARK: Microsoft Graph

    private var unauthorized: Reply {
        .json(["error": ["code": "InvalidAuthenticationToken", "message": "Access token is empty."]], status: 401)
    }

    func me(_ request: Request) -> Reply {
        server.count("me")
        guard let grant = server.bearer(request) else { return unauthorized }
        let person = Person(user: grant.user)
        return .json([
            "id": .string(Self.objectID(person.hexadecimal, isPersonal: server.has(.personalAccount))),
            "displayName": .string(person.name),
            "userPrincipalName": .string(person.email), "mail": .string(person.email),
        ])
    }

    /// A photo that is not text: a JPEG header and every byte value.
    func photo(_ request: Request) -> Reply {
        guard server.bearer(request) != nil else { return unauthorized }
        return Reply(
            status: 200, headers: [("Content-Type", "image/jpeg")], body: [0xFF, 0xD8, 0xFF, 0xE0] + Array(0...255))
    }
}
