import AuthCore

extension EmulatedProvider {
    /// An OpenID Provider that follows the standards exactly.
    static let openID = EmulatedProvider(
        id: "openid", supportsAlgorithms: true,
        faults: Fault.all(
            Fault.authorization, Fault.responseIssuer, Fault.tokens, Fault.idTokens, Fault.device, Fault.userInfo,
            Fault.profile, Fault.pushed, Fault.proofs, Fault.certificates, Fault.exchange, Fault.resource,
            Fault.refresh,
            Fault.metadata,
            [
                .keySetError500, .refreshKeepsToken, .noRefreshToken, .offlineRequiresConsent, .rawBasic,
                .revocationError503, .noClientManagement, .registersSecret, .escapesInClientID, .ciCommands,
                .introspectionError503, .introspectionRedirect, .introspectionInactive, .secretInBody, .secretInBasic,
                .registersUnnamed, .registersEmptyMethod, .registersExpiredSecret, .revocationEmptyJSON,
            ])
    ) { try OpenIDProvider.endpoints(AuthorizationServer($0, OpenIDProvider.rules)) }
}

/// The metadata, client registration and OAuth rules of an OpenID Provider. Other providers use some of the rules.
struct OpenIDProvider {
    let server: AuthorizationServer

    static func endpoints(_ server: AuthorizationServer) -> [Endpoint] {
        let provider = OpenIDProvider(server: server)
        return [
            .get("/.well-known/openid-configuration", provider.discovery),
            .get("/.well-known/openid-configuration/tenant", provider.discovery),
            .get("/.well-known/oauth-authorization-server", provider.oauthDiscovery),
            .get("/openid", provider.movedDiscovery),
            .get("/jwks", server.issuer.keySet),
            .any("/authorize", server.authorize), server.consentPage,
            .post("/par", server.push),
            .post("/token", server.tokens),
            .any("/userinfo", server.userInfo),
            .post("/revoke", server.revoke),
            .post("/introspect", server.introspect),
            .post("/device_authorization", server.deviceAuthorization), server.devicePage,
            .post("/register", provider.register), .delete("/register", provider.unregister),
            .any("/logout", server.logout),
            server.directIDTokens,
        ] + ProtectedResource(server: server).endpoints
    }

    static let rules = OAuthRules(
        issuer: {
            $0.faults.contains(.issuerPath)
                ? $0.base + "/tenant" : $0.faults.contains(.issuerSlash) ? $0.base + "/" : $0.base
        },
        responseModes: ["query", "form_post"],
        responseParameters: { server, _ in
            if server.has(.missingResponseIssuer) { return [] }
            return [("iss", server.has(.wrongResponseIssuer) ? "https://attacker.example" : server.issuer.name)]
        },
        revokesFamilies: true, claims: claims, complete: complete)

    static func claims(_ server: AuthorizationServer, of grant: Grant) -> JSONObject {
        var claims = profile(server, grant)
        claims["sub"] = .string(Person(user: grant.user).subject)
        if let context = grant.context { claims["acr"] = .string(context) }
        return claims
    }

    static func profile(_ server: AuthorizationServer, _ grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var profile = JSONObject()
        if grant.scopes.contains("profile") {
            profile["name"] = .string(
                server.has(.escapesInName)
                    ? HostileText.escapes : server.has(.ciCommands) ? HostileText.commands : person.name)
        }
        if grant.scopes.contains("email") {
            profile["email"] = .string(
                server.has(.hostileEmail)
                    ? HostileText.email
                    : server.has(.escapesInEmail) ? "\(HostileText.escapes)@example.com" : person.email)
            profile["email_verified"] = true
        }
        return profile
    }

    static func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        let grant = issued.grant
        response["scope"] = .string(grant.scopes.joined(separator: " "))
        let isOffline = grant.scopes.contains("offline_access") && grant.hasConsent
        if !server.has(.noRefreshToken), isOffline || !server.has(.offlineRequiresConsent),
            !issued.isRefresh || !server.has(.refreshKeepsToken)
        {
            try server.addRefreshToken(of: grant, to: &response)
        }
        // Apple issues an ID token without the scope `openid`. With a resource, the scope is required.
        if grant.resource == nil || grant.scopes.contains("openid") { try server.addIDToken(issued, to: &response) }
    }

    // MARK: Documents

    func discovery(_ request: Request) -> Reply? {
        server.count("discovery")
        if server.has(.discovery400) { return .json(["message": "Bad Request"], status: 400) }
        let hasPath = request.path.hasSuffix("/tenant")
        guard !server.has(.withoutOpenID), hasPath == server.has(.issuerPath) else { return nil }
        if server.has(.discoveryRelative) { return .redirect("../openid?v=2#top") }
        if server.has(.discoveryMoved) { return .redirect("https://id.example.com/.well-known/openid-configuration") }
        if server.has(.discoveryHTML) { return .html("<!doctype html><title>Not here</title>") }
        let others = ["revocation_endpoint", "registration_endpoint", "device_authorization_endpoint"]
        var object = metadata
        if server.has(.endpointsInOAuthDocument) || server.has(.oauthDocumentWrongIssuer) {
            for name in others { object[name] = nil }
        }
        return .json(.object(object))
    }

    /// The target of the fault `discovery-relative`.
    func movedDiscovery(_ request: Request) -> Reply? {
        server.has(.discoveryRelative) && request.query["v"] == "2" ? .json(.object(metadata)) : nil
    }

    /// The metadata of RFC 8414.
    func oauthDiscovery(_ request: Request) -> Reply? {
        server.count("oauth discovery")
        guard !server.has(.discoveryMoved) else { return nil }
        if server.has(.discovery400) { return .json(["message": "Bad Request"], status: 400) }
        if server.has(.oauthDocument403) { return Reply(status: 403) }
        var object = metadata
        if server.has(.oauthDocumentWrongIssuer) { object["issuer"] = .string(server.settings.base + "/other") }
        return .json(.object(object))
    }

    private var metadata: JSONObject {
        let base = server.settings.base
        var object: JSONObject = [
            "issuer": .string(server.has(.discoveryWrongIssuer) ? base + "/other" : server.issuer.name),
            "authorization_endpoint": .string(base + "/authorize"), "token_endpoint": .string(base + "/token"),
            "jwks_uri": .string(base + "/jwks"), "userinfo_endpoint": .string(base + "/userinfo"),
            "revocation_endpoint": .string(base + "/revoke"), "end_session_endpoint": .string(base + "/logout"),
            "introspection_endpoint": .string(base + "/introspect"),
            "registration_endpoint": .string(base + "/register"),
            "device_authorization_endpoint": .string(base + "/device_authorization"),
            "response_types_supported": ["code"], "response_modes_supported": JSONValue(server.rules.responseModes),
            "grant_types_supported": [
                "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
                "client_credentials", .string(AuthorizationServer.tokenExchange),
                .string(AuthorizationServer.jwtBearer),
            ], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": JSONValue(
                (server.has(.rs256IDToken) ? ["RS256"] : []) + [server.settings.algorithm.rawValue]),
            "token_endpoint_auth_methods_supported": JSONValue(server.authenticationMethods),
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "claims_supported": ["sub", "name", "email", "email_verified"],
            "identity_chaining_requested_token_types_supported": [.string(AuthorizationServer.identityAssertionType)],
            "authorization_grant_profiles_supported": [.string(AuthorizationServer.assertionProfile)],
            "authorization_response_iss_parameter_supported": .bool(
                !server.has(.mixUp) && !server.has(.unadvertisedIssuer)),
        ]
        server.addCertificates(to: &object)
        if !server.has(.noProofs) {
            object["dpop_signing_alg_values_supported"] = JSONValue(AuthorizationServer.proofAlgorithms.map(\.rawValue))
        }
        let requiresPushed = server.has(.requiresPushed) || server.has(.pushedWithoutEndpoint)
        if !server.has(.pushedWithoutEndpoint), !server.has(.noPushed) {
            object["pushed_authorization_request_endpoint"] = .string(base + "/par")
        }
        if requiresPushed { object["require_pushed_authorization_requests"] = true }
        if server.has(.metadataDocuments) { object["client_id_metadata_document_supported"] = true }
        if server.has(.noRegistration) { object["registration_endpoint"] = nil }
        if server.has(.authorizeQuery) {
            object["authorization_endpoint"] = .string(base + "/authorize?prompt=select_account&ui=compact")
        }
        if server.has(.registersUnnamed) {
            object["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"]
        }
        let optional = [
            "end_session_endpoint", "introspection_endpoint", "device_authorization_endpoint", "userinfo_endpoint",
            "revocation_endpoint", "pushed_authorization_request_endpoint",
        ]
        if server.has(.emptyMetadata) {
            for name in optional { object[name] = "" }
            for name in ["code_challenge_methods_supported", "grant_types_supported"] { object[name] = [] }
            for name in ["mtls_endpoint_aliases", "claims_supported"] { object[name] = .null }
        }
        if server.has(.wrongMetadata) { for name in optional { object[name] = "none" } }
        if server.has(.withoutOpenID) {
            for name in [
                "userinfo_endpoint", "id_token_signing_alg_values_supported", "subject_types_supported",
                "claims_supported", "end_session_endpoint",
            ] {
                object[name] = nil
            }
            // The keys of its access tokens.
            if !server.settings.givesJWTs { object["jwks_uri"] = nil }
            object["scopes_supported"] = ["offline_access"]
        }
        if let algorithms = server.settings.clientAlgorithm.map({ [$0] })
            ?? server.settings.clientKey?.family.algorithms
        {
            object["token_endpoint_auth_signing_alg_values_supported"] = JSONValue(algorithms.map(\.rawValue))
        }
        server.site.change(&object, Fault.change(metadata:))
        return object
    }

    // MARK: Registration

    func register(_ request: Request) throws -> Reply {
        guard let object = try? StrictJSON.object(request.body), let uris = object["redirect_uris"]?.strings,
            !uris.isEmpty
        else {
            return .json(
                ["error": "invalid_redirect_uri", "error_description": "redirect_uris is missing"], status: 400)
        }
        server.count("register")
        let ending = server.has(.ciCommands) ? HostileText.commands : server.has(.registersUnnamed) ? "/1" : ""
        let clientID = try server.token() + ending
        var reply = object
        if server.has(.registersSecret) { reply["token_endpoint_auth_method"] = "client_secret_post" }
        let method = reply["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
        var key: PublicKey?
        if method == "private_key_jwt" {
            key = try? object["jwks"].flatMap { try JWKSet(Array($0.text.utf8)).keys.first?.key }
            guard key != nil else {
                return .json(
                    [
                        "error": "invalid_client_metadata",
                        "error_description": "jwks is missing or does not contain a key",
                    ],
                    status: 400)
            }
        }
        let secret =
            !server.has(.registersExpiredSecret) && method == "none" || key != nil ? nil : try server.token()
        var registrationToken: String?
        if !server.has(.noClientManagement) {
            let token = server.site.recorded(try server.token())
            registrationToken = token
            reply["registration_access_token"] = .string(token)
            reply["registration_client_uri"] = .string("\(server.settings.base)/register?client=\(clientID)")
        }
        server.clients[clientID] = .init(
            secret: secret, key: key, redirectURIs: uris,
            logoutURIs: object["post_logout_redirect_uris"]?.strings ?? [], registrationToken: registrationToken)
        reply["client_id"] = .string(server.has(.escapesInClientID) ? clientID + HostileText.escapes : clientID)
        if let secret {
            reply["client_secret"] = .string(secret)
            reply["client_secret_expires_at"] = JSONValue(server.has(.registersExpiredSecret) ? server.now() - 60 : 0)
        }
        if server.has(.registersUnnamed) { reply["token_endpoint_auth_method"] = nil }
        if server.has(.registersEmptyMethod) { reply["token_endpoint_auth_method"] = "" }
        if server.has(.emptyMetadata) { reply["registration_client_uri"] = "" }
        return .json(.object(reply), status: 201)
    }

    /// Deletes a client (RFC 7592 section 2.3).
    func unregister(_ request: Request) -> Reply {
        server.count("unregister")
        guard let id = request.query["client"], let token = server.clients[id]?.registrationToken,
            request.bearerToken == token
        else { return Reply(status: 401) }
        server.clients[id] = nil
        return Reply(status: 204)
    }
}
