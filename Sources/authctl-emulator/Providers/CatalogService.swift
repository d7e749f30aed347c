import AuthCore

extension EmulatedProvider {
    static let serviceFaults = Fault.all(
        Fault.authorization, Fault.tokens, Fault.device, Fault.api,
        [.refreshKeepsToken, .noRefreshToken, .revocationError503, .revocationEmptyJSON])

    /// A service of the catalog, as its entry describes it. One with ID tokens is an OpenID Provider.
    static func service(_ name: String) -> EmulatedProvider? {
        guard let entry = Catalog.named(name), let provider = try? entry.example() else { return nil }
        let isOpenID = !provider.isPlainOAuth
        return EmulatedProvider(
            id: name, supportsAlgorithms: isOpenID,
            faults: isOpenID ? openID.faults.union(serviceFaults) : serviceFaults
        ) { site in
            let service = CatalogService(provider: provider, secret: entry.secret)
            return service.endpoints(try AuthorizationServer(site, service.rules))
        }
    }
}

/// The endpoints of an entry, which accept only what the entry says.
private struct CatalogService: Sendable {
    let provider: Provider
    let secret: CatalogEntry.Secret

    func endpoints(_ server: AuthorizationServer) -> [Endpoint] {
        var endpoints = [server.consentPage, server.devicePage]
        if !provider.isPlainOAuth {
            endpoints = OpenIDProvider.endpoints(server)
        } else if let authorization = provider.authorizationEndpoint, let token = provider.tokenEndpoint {
            endpoints += [.any(authorization.path, server.authorize), .post(token.path, server.tokens)]
        } else {
            let issuer = OpenIDProvider(server: server)
            endpoints += [
                .get("/.well-known/oauth-authorization-server", issuer.oauthDiscovery),
                .any("/authorize", server.authorize), .post("/token", server.tokens),
                .post("/revoke", server.revoke), .post("/device_authorization", server.deviceAuthorization),
            ]
        }
        if let url = provider.revocationEndpoint { endpoints.append(.post(url.path, server.revoke)) }
        if let url = provider.deviceAuthorizationEndpoint {
            endpoints.append(.post(url.path, server.deviceAuthorization))
        }
        // Every other URL is the API's.
        return endpoints + [.any(nil) { api(server, $0) }]
    }

    var rules: OAuthRules {
        guard provider.isPlainOAuth else {
            var rules = OpenIDProvider.rules
            rules.redirectProblem = redirectProblem
            rules.refusal = { OAuthRules.openID($0, $1) ?? refusal($0, $1) }
            rules.client = client
            return rules
        }
        return OAuthRules(
            redirectProblem: redirectProblem, refusal: refusal,
            // The metadata promises it.
            responseParameters: { server, _ in provider.tokenEndpoint == nil ? [("iss", server.issuer.name)] : [] },
            client: client, complete: complete)
    }

    private func redirectProblem(_ uri: HTTPURL, _ registered: [String]) -> String? {
        let known = registered.isEmpty ? [provider.redirectURI].compactMap(\.self) : registered
        if known.contains(uri.text) { return nil }
        let isAnyPort = provider.redirectURI.flatMap { try? HTTPURL($0) }.map {
            $0.port == 80 && $0.host == uri.host && $0.path == uri.path
        }
        return isAnyPort == true ? nil : "The redirect URI '\(uri.text)' is not registered."
    }

    private func refusal(_ request: Form, _ scopes: [String]) -> Refusal? {
        let missing = provider.parameters.first { request[$0.0] != $0.1 }
        if let missing { return Refusal("invalid_request", "\(missing.0) must be \(missing.1).") }
        guard scopes.isEmpty || request["scope"] == scopes.joined(separator: provider.scopeSeparator) else {
            return Refusal("invalid_scope", "scope must be separated by '\(provider.scopeSeparator)'.")
        }
        return nil
    }

    private func client(_ server: AuthorizationServer, _ request: Request) throws -> String {
        guard secret != .required || server.settings.clientSecret != nil else {
            throw Refusal("invalid_client", "A client secret is required.", status: 401)
        }
        let isBasic = request.basicCredentials != nil
        switch provider.authenticationMethod {
        case .clientSecretBasic where !isBasic, .clientSecretPost where isBasic:
            throw Refusal("invalid_client", "The client must authenticate in another way.", status: 401)
        default: return try server.registeredClient(request)
        }
    }

    private func complete(_ server: AuthorizationServer, _ response: inout JSONObject, _ issued: Issued) throws {
        response["token_type"] = "bearer"
        response["scope"] = .string(issued.grant.scopes.joined(separator: provider.scopeSeparator))
        if !server.has(.noRefreshToken), !issued.isRefresh || !server.has(.refreshKeepsToken) {
            try server.addRefreshToken(of: issued.grant, to: &response)
        }
        if provider.userAPI.endpoint == nil { response.merge(person(server, issued.grant)) }
    }

    private func api(_ server: AuthorizationServer, _ request: Request) -> Reply? {
        server.count("api \(request.path)")
        guard let grant = server.bearer(request), !server.has(.apiUnauthorized) else {
            return .json(["message": "Unauthorized"], status: 401)
        }
        if server.has(.apiNotOK) { return .json(["ok": false, "error": "missing_scope"]) }
        if server.has(.apiErrors) { return .json(["data": .null, "errors": [["message": "Forbidden"]]]) }
        let isPosted = request.method == "POST"
        guard provider.userAPI.endpoint?.path != request.path || isPosted == (provider.userAPI.body != nil) else {
            return .json(["message": "Method Not Allowed"], status: 405)
        }
        let wrong = provider.apiHeaders.first { name, value in
            request.headers[name.lowercased()] != (value == "{client_id}" ? grant.clientID : value)
        }
        if let wrong { return .json(["message": .string("\(wrong.0) is missing or wrong")], status: 400) }
        var reply = Reply.json(.object(person(server, grant)))
        if server.has(.jsonAsHTML) { reply.headers[0] = ("Content-Type", "text/html") }
        return reply
    }

    /// What the API says about the user, at the paths of the entry.
    private func person(_ server: AuthorizationServer, _ grant: Grant) -> JSONObject {
        let (api, person) = (provider.userAPI, Person(user: grant.user))
        let uid = server.has(.numericID) ? JSONValue(person.number) : .string(person.longNumber)
        let values: [(String?, JSONValue)] = [
            (server.has(.noUserID) ? nil : api.uidPath, uid), (api.namePath, .string(person.name)),
            (api.emailPath, .string(person.email)),
        ]
        return values.reduce(into: JSONObject()) { object, pair in
            guard let path = pair.0 else { return }
            let parts = path.split(separator: ".").map(String.init)
            object = JSONValue.object(object).setting(parts[...], to: pair.1).object ?? object
        }
    }
}

extension JSONValue {
    /// This value with another one at a path; a part that is a number is an index.
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        let inner = (part(name) ?? .null).setting(path.dropFirst(), to: value)
        if Int(name) != nil { return .array([inner]) }
        var object = self.object ?? JSONObject()
        object[name] = inner
        return .object(object)
    }
}
