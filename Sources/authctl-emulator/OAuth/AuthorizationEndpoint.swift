import AuthCore

/// The authorization endpoint (RFC 6749 section 3.1, RFC 7636, RFC 9207), and its consent page.
extension AuthorizationServer {
    func authorize(_ request: Request) throws -> Reply { try authorize(request, tenant: nil) }

    func authorize(_ request: Request, tenant: String?) throws -> Reply {
        count("authorize")
        let query: Form
        do {
            query = try parameters(request)
        } catch let refusal as Refusal {
            return Pages.problem(refusal.description)
        }
        if has(.mixUp), let target = settings.mixUpTarget { return .redirect(mixedUp(query, target)) }
        guard let clientID = query["client_id"] else { return Pages.problem("client_id is missing.") }
        guard let client = client(clientID) else { return Pages.problem("client_id is unknown: '\(clientID)'.") }
        let defaultURI = rules.needsStandardParameters ? nil : client.redirectURIs.first
        guard let redirectURI = query["redirect_uri"] ?? defaultURI else {
            return Pages.problem("redirect_uri is missing.")
        }
        if let problem = redirectProblem(redirectURI, client.redirectURIs) { return Pages.problem(problem) }
        let state = query["state"] ?? ""
        let mode = query["response_mode"].flatMap { rules.responseModes.contains($0) ? $0 : nil }
        let scopes = Scopes.split(query["scope"] ?? "")
        if let refusal = refusal(query, scopes) {
            let parameters = [("error", refusal.error), ("error_description", refusal.description)]
            return respond(redirectURI, state, parameters, mode, nil)
        }
        if has(.denialPage) { return Pages.problem("Access is denied.") }
        if let denial {
            let refusal =
                has(.ciCommands) ? [("error", "access_denied"), ("error_description", HostileText.commands)] : nil
            return respond(redirectURI, has(.denialWithoutState) ? "" : state, refusal ?? denial, mode, nil)
        }
        let grant = Grant(
            clientID: clientID, redirectURI: redirectURI, challenge: query["code_challenge"], nonce: query["nonce"],
            scopes: scopes,
            user: query["emulator_user"] ?? settings.user,
            hasConsent: query["prompt"]?.split(separator: " ").contains("consent") ?? false,
            proofKey: query["dpop_jkt"], tenant: tenant,
            authenticatedAt: now(), resource: query["resource"],
            context: has(.weakContext) ? nil : query["acr_values"]?.split(separator: " ").first.map { String($0) })
        if settings.approvesAutomatically { return try approve(grant, state, mode) }
        let id = try token()
        pending[id] = (grant, state, mode)
        return Pages.consent(id: id, clientID: clientID, user: query["login_hint"] ?? settings.user, scopes: scopes)
    }

    /// The reason why a redirect URI is not accepted. One with another scheme than http and https must be registered.
    func redirectProblem(_ redirectURI: String, _ registered: [String]) -> String? {
        if let url = try? HTTPURL(redirectURI) { return rules.redirectProblem(url, registered) }
        return registered.contains(redirectURI) ? nil : "The redirect URI '\(redirectURI)' is not registered."
    }

    /// The error response to an invalid request (RFC 6749 section 4.1.2.1).
    private func refusal(_ query: Form, _ scopes: [String]) -> Refusal? {
        let state = query["state"] ?? ""
        guard !state.isEmpty || !rules.needsState else { return Refusal("invalid_request", "state is missing.") }
        guard state.utf8.count <= 500 else { return Refusal("invalid_request", "state is longer than 500 characters.") }
        if let name = query.repeated { return Refusal("invalid_request", "\(name) is a duplicate parameter.") }
        let defaultType = rules.needsStandardParameters ? nil : "code"
        guard query["response_type"] ?? defaultType == "code" else {
            return Refusal("unsupported_response_type", "response_type must be code.")
        }
        if let mode = query["response_mode"], !rules.responseModes.contains(mode) {
            return Refusal("invalid_request", "response_mode '\(mode)' is not supported.")
        }
        let challenge = query["code_challenge"]
        guard challenge != nil || !rules.needsProofKey else { return Refusal("invalid_request", "PKCE is required.") }
        if let challenge, query["code_challenge_method"] != "S256" || challenge.utf8.count != 43 {
            return Refusal("invalid_request", "code_challenge_method must be S256.")
        }
        if let refusal = rules.refusal(query, scopes) { return refusal }
        if has(.openIDRefused), scopes.contains("openid") { return Refusal("invalid_scope", "openid is not allowed.") }
        let isStepUp = query["acr_values"] ?? query["max_age"] != nil
        if has(.contextRequiresOpenID), isStepUp, !scopes.contains("openid") {
            return Refusal("invalid_request", "acr_values and max_age require the scope openid.")
        }
        if let resource = query["resource"] {
            if has(.invalidTarget) {
                return Refusal("invalid_target", "No tokens are issued for the resource '\(resource)'.")
            }
            if has(.resourceNotTaken) {
                return Refusal("invalid_request", "AADSTS9010010: the resource parameter is not supported.")
            }
        }
        guard query["prompt"] != "none" || settings.approvesAutomatically || has(.accessDenied) else {
            return Refusal("login_required", "No user is signed in.")
        }
        return nil
    }

    private func mixedUp(_ query: Form, _ target: HTTPURL) -> String {
        let named = Form((target.query ?? "").utf8)
        let names = [
            "response_type", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
        ]
        return target.appending(
            names.compactMap { name in named[name] == nil ? query[name].map { (name, $0) } : nil })
    }

    func decide(_ request: Request) throws -> Reply {
        let form = request.form
        guard let id = form["id"], let (grant, state, mode) = pending.removeValue(forKey: id) else {
            return Pages.problem("This page has already been used.")
        }
        guard form["decision"] == "allow" else {
            return respond(grant.redirectURI, state, rules.denial, mode, nil)
        }
        var allowed = grant
        if let user = form["user"], !user.isEmpty { allowed.user = user }
        return try approve(allowed, state, mode)
    }

    private func approve(_ grant: Grant, _ state: String, _ mode: String?) throws -> Reply {
        let code = try token()
        settings.record?.add(code)
        var grant = grant
        grant.family = code
        codes[code] = (grant, now() + (settings.codeLifetime ?? rules.codeLifetime))
        return respond(grant.redirectURI, state, [("code", code)], mode, grant)
    }

    private func respond(
        _ redirectURI: String, _ state: String, _ parameters: [(String, String)], _ mode: String?, _ grant: Grant?
    ) -> Reply {
        var all = parameters
        if !state.isEmpty { all.append(("state", has(.wrongState) ? String(state.reversed()) : state)) }
        all += rules.responseParameters(self, grant) + callbackExtras(grant)
        return (mode == "form_post") != has(.otherResponseMode)
            ? Pages.formPost(to: redirectURI, all) : .redirect(redirectURI.appending(all))
    }
}

extension String {
    /// The redirect URI with parameters added to its query.
    func appending(_ parameters: [(String, String)]) -> String {
        guard !parameters.isEmpty else { return self }
        return self + (contains("?") ? "&" : "?") + FormURLEncoded.encode(parameters)
    }
}
