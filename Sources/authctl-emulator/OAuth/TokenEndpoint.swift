import AuthCore

/// The token endpoint (RFC 6749 section 3.2), with the grants that have no separate file.
extension AuthorizationServer {
    func tokens(_ request: Request) throws -> Reply {
        let form = request.form
        let grantType = form["grant_type"] ?? (rules.needsStandardParameters ? "" : "authorization_code")
        count("token \(grantType)")
        let isRefresh = grantType == "refresh_token"
        if has(.tokenRedirect) { return .redirect("https://attacker.example/token") }
        if has(.tokenHTML) { return .html("<html><body>Bad gateway</body></html>", status: 400) }
        if has(.tooManyRequests) { return .json(["error": "slow"], status: 429, headers: [("Retry-After", "7")]) }
        if has(isRefresh ? .refreshError500 : .tokenError500) { return .json(["error": "server_error"], status: 500) }
        if has(.echoSecret) { return refused(Refusal("invalid_client", Form.echo(request), status: 401), request) }
        if has(.escapesInError) { return refused(Refusal(HostileText.escapes, HostileText.escapes), request) }
        do {
            // RFC 8693 section 2.1.
            let isExchange = grantType == AuthorizationServer.tokenExchange
            if let name = form.repeated(except: isExchange ? ["audience", "resource"] : []) {
                throw Refusal("invalid_request", "\(name) is a duplicate parameter.")
            }
            let clientID = try rules.client(self, request)
            switch grantType {
            case "authorization_code": return try redeem(request, clientID)
            case "refresh_token": return try refresh(request, clientID)
            case has(.deviceGrant) ? "device_code" : "urn:ietf:params:oauth:grant-type:device_code":
                return try poll(request, clientID)
            case "client_credentials": return try clientCredentials(request, clientID)
            case AuthorizationServer.tokenExchange, AuthorizationServer.jwtBearer:
                return try exchange(request, clientID)
            default: throw Refusal("unsupported_grant_type", "'\(grantType)'")
            }
        } catch let refusal as Refusal {
            return refused(refusal, request)
        }
    }

    private func redeem(_ request: Request, _ clientID: String) throws -> Reply {
        let form = request.form
        let code = form["code"] ?? ""
        let key = try proofKey(request)
        if has(.tokenErrorEchoesCode) {
            throw Refusal(
                "invalid_grant", "code \(code) verifier \(form["code_verifier"] ?? "") \u{1B}[31mred\u{1B}[0m")
        }
        guard let (grant, expiresAt) = codes.removeValue(forKey: code) else {
            revokeFamily(of: code)
            throw Refusal("invalid_grant", "The code is unknown or was used.")
        }
        used[code] = code
        if has(.redirectURIRefused), form["redirect_uri"] != nil {
            throw Refusal("invalid_request", "redirect_uri is not allowed.")
        }
        if has(.proofKeyRefused), form["code_verifier"] != nil, clients[clientID]?.secret != nil {
            throw Refusal("invalid_request", "code_verifier is not allowed with a secret.")
        }
        try checkResource(request, grant)
        guard now() < expiresAt else { throw Refusal("invalid_grant", "The code has expired.") }
        guard grant.clientID == clientID else { throw Refusal("invalid_grant", "The code belongs to another client.") }
        let redirectURI = form["redirect_uri"] ?? (rules.needsStandardParameters ? nil : grant.redirectURI)
        guard grant.redirectURI == redirectURI else {
            throw Refusal("invalid_grant", "redirect_uri is not the one of the authorization request.")
        }
        if let challenge = grant.challenge {
            guard let verifier = form["code_verifier"] else {
                throw Refusal("invalid_grant", "code_verifier is missing.")
            }
            guard (43...128).contains(verifier.utf8.count),
                Base64URL.encode(try HashFunction.sha256.digest(verifier.utf8)) == challenge
            else { throw Refusal("invalid_grant", "code_verifier does not match.") }
        }
        guard grant.proofKey == nil || grant.proofKey == key else {
            throw Refusal("invalid_grant", "The code is bound to another key.")
        }
        return try issue(bound(grant, to: key), request, isRefresh: false)
    }

    private func bound(_ grant: Grant, to key: String?) -> Grant {
        var grant = grant
        grant.proofKey = key
        return grant
    }

    private func refresh(_ request: Request, _ clientID: String) throws -> Reply {
        let token = request.form["refresh_token"] ?? ""
        let key = try proofKey(request)
        if has(.refreshInvalidGrant) { throw Refusal("invalid_grant", "The fault refresh-invalid-grant is on.") }
        let isFirst = site.number(of: "token refresh_token") == 1
        guard var grant = refreshTokens[token], grant.clientID == clientID else {
            revokeFamily(of: token)
            throw Refusal("invalid_grant", "The refresh token is unknown, revoked or was used.")
        }
        if let end = grant.endsAt, now() >= end { throw Refusal("invalid_grant", "The session has ended.") }
        guard grant.proofKey == key else { throw Refusal("invalid_dpop_proof", "The tokens are bound to another key.") }
        try checkCertificate(request, for: grant)
        try checkResource(request, grant)
        if let scope = request.form["scope"] {
            let scopes = Scopes.split(scope)
            guard !rules.revokesFamilies || Set(scopes).isSubset(of: grant.scopes) else {
                throw Refusal("invalid_scope", "scope has a value that was not granted.")
            }
            if rules.revokesFamilies { (grant.scopes, grant.refreshScopes) = (scopes, grant.scopes) }
        }
        if rules.rotatesRefreshTokens, !has(.refreshKeepsToken) {
            let isUsed = used.updateValue(grant.family ?? "", forKey: token) != nil
            if isUsed || !has(.refreshWindow) { refreshTokens[token] = nil }
        }
        let reply = try issue(grant, request, isRefresh: true)
        guard isFirst, has(.refreshLost) || has(.refreshHangs) else { return reply }
        return has(.refreshLost) ? .noResponse : .hangs
    }

    /// Revokes all tokens of the sign-in whose code or refresh token was used before.
    private func revokeFamily(of token: String) {
        guard rules.revokesFamilies, let family = used[token] else { return }
        refreshTokens = refreshTokens.filter { $0.value.family != family }
        accessTokens = accessTokens.filter { $0.value.family != family }
    }

    /// The resource of the code or the refresh token must be repeated byte for byte (RFC 8707 section 2.2).
    private func checkResource(_ request: Request, _ grant: Grant) throws {
        if let resource = request.form["resource"] { count("token for \(resource)") }
        guard request.form["resource"] == grant.resource else {
            throw Refusal("invalid_target", "resource is not the one of the authorization request.")
        }
    }

    func issue(_ grant: Grant, _ request: Request, isRefresh: Bool) throws -> Reply {
        var grant = grant
        if has(.fewerScopes) || has(.scopeInCallback), let last = grant.scopes.popLast(), grant.scopes.isEmpty {
            grant.scopes = [last]
        }
        if has(.ciCommands), !grant.scopes.contains(HostileText.commands) { grant.scopes.append(HostileText.commands) }
        if grant.proofKey == nil { grant.certificate = try bindingCertificate(of: request) }
        let time = now()
        grant.issuedAt = time
        grant.endsAt = grant.endsAt ?? settings.sessionLifetime.map { time + $0 }
        let accessToken = try newAccessToken(of: grant)
        SharedIssuers.add(accessToken, of: grant.user)
        var response = JSONObject()
        response["access_token"] = .string(accessToken)
        response["token_type"] = tokenType(of: grant)
        response["expires_in"] = JSONValue(settings.accessTokenLifetime)
        try rules.complete(self, &response, Issued(grant: grant, accessToken: accessToken, isRefresh: isRefresh))
        grant.expiresAt = response["expires_in"]?.number?.integer.map { time + $0 }
        accessTokens[accessToken] = grant
        if let end = grant.endsAt {
            // GitHub and Google have the first name, Keycloak the second one. 0 would mean no end.
            let names = ["refresh_token_expires_in", "refresh_expires_in"]
            response[names.first { response[$0] != nil } ?? names[1]] = JSONValue(max(1, end - time))
        }
        makeOdd(&response, isRefresh)
        site.change(&response, Fault.change(tokens:))
        for member in settings.tokenMembers.members { response[member.name] = member.value }
        var reply = marked(rules.tokenReply(self, response, request))
        if has(.tokenChallenge) { reply.headers.append(("WWW-Authenticate", "Bearer realm=\"emulator\"")) }
        return reply
    }

    private func makeOdd(_ response: inout JSONObject, _ isRefresh: Bool) {
        if isRefresh {
            if has(.refreshExpired) { response["expires_in"] = 0 }
            if has(.refreshUntyped), site.number(of: "token refresh_token") == 1 { response["token_type"] = nil }
            if has(.refreshNoIDToken) { response["id_token"] = nil }
        }
        if has(.emptyMembers) {
            for name in ["error", "error_description", "issued_token_type"] { response[name] = "" }
        }
        guard has(.unnamedScopes) || has(.scopeList), var scopes = response["scope"]?.string.map(Scopes.split) else {
            return
        }
        if has(.unnamedScopes) { scopes.removeAll { ["openid", "offline_access"].contains($0) } }
        response["scope"] = has(.scopeList) ? JSONValue(scopes) : .string(scopes.joined(separator: " "))
    }

    private func marked(_ reply: Reply) -> Reply {
        var reply = reply
        if has(.byteOrderMark) { reply.body = [0xEF, 0xBB, 0xBF] + reply.body }
        if has(.jsonAsHTML) { reply.headers[0] = ("Content-Type", "text/html; charset=utf-8") }
        return reply
    }

    func refused(_ refusal: Refusal, _ request: Request) -> Reply {
        var refusal = refusal
        if has(.ciCommands) { refusal.description = HostileText.commands }
        var reply = marked(deviating(refusal) ?? rules.errorReply(self, refusal, request))
        if has(.textErrors) { reply.headers[0] = ("Content-Type", "text/plain") }
        return reply
    }

    func addRefreshToken(_ prefix: String = "", of grant: Grant, to response: inout JSONObject) throws {
        let refreshToken = try token(prefix)
        var grant = grant
        if let scopes = grant.refreshScopes { (grant.scopes, grant.refreshScopes) = (scopes, nil) }
        refreshTokens[refreshToken] = grant
        response["refresh_token"] = .string(refreshToken)
    }

    func addIDToken(_ issued: Issued, to response: inout JSONObject, hashesAccessToken: Bool = true) throws {
        guard !has(.noIDToken) else { return }
        response["id_token"] = .string(
            try issuer.idToken(
                issued.grant, claims: rules.claims(self, issued.grant),
                accessToken: hashesAccessToken ? issued.accessToken : nil, isRefresh: issued.isRefresh))
    }
}
