import AuthCore

/// An OpenID Provider in memory: what it issued, and the rules by which it answers. Knows nothing of sockets.
actor EmulatedProvider {
    struct Settings: Sendable {
        var issuer: String
        var algorithm: SignatureAlgorithm
        var clientID: String
        var clientSecret: String?
        var user: String
        var faults: Set<Fault>
        var approvesItself: Bool
        /// Seconds.
        var accessTokenLifetime: Int64
        var idTokenLifetime: Int64
    }

    struct Reply: Sendable {
        var status: Int
        var headers: [(String, String)] = []
        var body: [UInt8] = []

        static func json(_ value: JSONValue, status: Int = 200, headers: [(String, String)] = []) -> Reply {
            Reply(
                status: status,
                headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
                body: Array(value.text.utf8))
        }

        static func html(_ text: String, status: Int = 200) -> Reply {
            Reply(status: status, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(text.utf8))
        }

        static func redirect(_ location: String) -> Reply { Reply(status: 303, headers: [("Location", location)]) }
    }

    private struct Grant {
        var clientID: String
        var redirectURI: String
        var challenge: String
        var nonce: String?
        var scopes: [String]
        var subject: String
        var authenticatedAt: Int64
    }

    private let settings: Settings
    private let key: PrivateKey
    private let keyID: String
    private let now: @Sendable () -> Int64
    private var pending: [String: (grant: Grant, state: String)] = [:]
    private var codes: [String: Grant] = [:]
    private var refreshTokens: [String: Grant] = [:]
    private var accessTokens: [String: Grant] = [:]
    private var clients: [String: (secret: String?, redirectURIs: [String])]
    private var counts: [String: Int64] = [:]

    init(_ settings: Settings, now: @escaping @Sendable () -> Int64) throws {
        self.settings = settings
        self.now = now
        key = try PrivateKey.generate(settings.algorithm.family)
        keyID = try JWK(key: key.publicKey, keyID: nil).thumbprint()
        clients = [settings.clientID: (settings.clientSecret, [])]
    }

    private func has(_ fault: Fault) -> Bool { settings.faults.contains(fault) }

    private func token() throws -> String { try RandomSource.openSSL.token(bytes: 24) }

    // MARK: Documents

    func discovery() -> Reply {
        let base = settings.issuer
        return .json([
            "issuer": .string(has(.discoveryWrongIssuer) ? base + "/" : base),
            "authorization_endpoint": .string(base + "/authorize"), "token_endpoint": .string(base + "/token"),
            "jwks_uri": .string(base + "/jwks"), "userinfo_endpoint": .string(base + "/userinfo"),
            "revocation_endpoint": .string(base + "/revoke"), "end_session_endpoint": .string(base + "/logout"),
            "registration_endpoint": .string(base + "/register"),
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(settings.algorithm.rawValue)],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "claims_supported": ["sub", "name", "email", "email_verified"],
            "authorization_response_iss_parameter_supported": true,
        ])
    }

    func keySet() -> Reply {
        count("jwks")
        if has(.keySetError500) { return .json(["error": "server_error"], status: 500) }
        let jwk = JWK(key: key.publicKey, keyID: keyID, algorithm: settings.algorithm)
        return .json(.object(JWKSet(keys: [jwk]).json), headers: [("Cache-Control", "max-age=3600")])
    }

    // MARK: Authorization endpoint

    func authorize(_ query: Form) throws -> Reply {
        count("authorize")
        guard let clientID = query["client_id"], let client = clients[clientID] else {
            return Pages.problem("client_id is missing or unknown: '\(query["client_id"] ?? "")'")
        }
        guard let redirectURI = query["redirect_uri"], let url = try? HTTPURL(redirectURI) else {
            return Pages.problem("redirect_uri is missing or no URL")
        }
        guard url.isLoopback || client.redirectURIs.contains(redirectURI) else {
            return Pages.problem("redirect_uri is neither loopback nor registered")
        }
        guard let state = query["state"], !state.isEmpty else {
            return answer(url, "", [("error", "invalid_request"), ("error_description", "state is missing")])
        }
        func refuse(_ error: String, _ description: String) -> Reply {
            answer(url, state, [("error", error), ("error_description", description)])
        }
        if let name = query.repeated { return refuse("invalid_request", "\(name) is there twice") }
        guard query["response_type"] == "code" else { return refuse("unsupported_response_type", "only code") }
        guard let challenge = query["code_challenge"], query["code_challenge_method"] == "S256",
            challenge.utf8.count == 43
        else { return refuse("invalid_request", "PKCE with S256 is required") }
        let scopes = Scopes.split(query["scope"] ?? "")
        guard scopes.contains("openid") else { return refuse("invalid_scope", "openid is missing") }
        if has(.accessDenied) { return refuse("access_denied", "the fault access-denied is on") }
        let grant = Grant(
            clientID: clientID, redirectURI: redirectURI, challenge: challenge, nonce: query["nonce"], scopes: scopes,
            subject: settings.user, authenticatedAt: now())
        if settings.approvesItself { return try approve(grant, state) }
        if query["prompt"] == "none" { return refuse("login_required", "nobody is signed in") }
        let id = try token()
        pending[id] = (grant, state)
        return Pages.consent(id: id, clientID: clientID, user: settings.user, scopes: scopes)
    }

    func decide(_ form: Form) throws -> Reply {
        guard let id = form["id"], let (grant, state) = pending.removeValue(forKey: id) else {
            return Pages.problem("this page was used already")
        }
        guard form["decision"] == "allow" else {
            let url = try HTTPURL(grant.redirectURI)
            return answer(url, state, [("error", "access_denied"), ("error_description", "the person declined")])
        }
        var allowed = grant
        if let user = form["user"], !user.isEmpty { allowed.subject = user }
        return try approve(allowed, state)
    }

    private func approve(_ grant: Grant, _ state: String) throws -> Reply {
        let code = try token()
        codes[code] = grant
        return answer(try HTTPURL(grant.redirectURI), state, [("code", code)])
    }

    private func answer(_ url: HTTPURL, _ state: String, _ parameters: [(String, String)]) -> Reply {
        var all = parameters
        if !state.isEmpty { all.append(("state", has(.wrongState) ? String(state.reversed()) : state)) }
        if !has(.missingResponseIssuer) {
            all.append(("iss", has(.wrongResponseIssuer) ? "https://attacker.example" : settings.issuer))
        }
        return .redirect(url.appending(all))
    }

    // MARK: Token endpoint

    func tokens(_ form: Form, authorization: String?) throws -> Reply {
        let grantType = form["grant_type"] ?? ""
        count("token \(grantType)")
        let isRefresh = grantType == "refresh_token"
        if has(.tokenRedirect) { return .redirect("https://attacker.example/token") }
        if has(.tokenHTML) { return .html("<html><body>Bad gateway</body></html>", status: 400) }
        if has(.tooManyRequests) { return .json(["error": "slow"], status: 429, headers: [("Retry-After", "7")]) }
        if has(isRefresh ? .refreshError500 : .tokenError500) { return .json(["error": "server_error"], status: 500) }
        guard let clientID = client(form, authorization) else {
            return .json(
                ["error": "invalid_client", "error_description": "client authentication failed"], status: 401,
                headers: [("WWW-Authenticate", "Basic realm=\"emulator\"")])
        }
        if let name = form.repeated { return refuse("invalid_request", "\(name) is there twice") }
        switch grantType {
        case "authorization_code": return try redeem(form, clientID)
        case "refresh_token": return try refresh(form, clientID)
        default: return refuse("unsupported_grant_type", "'\(grantType)'")
        }
    }

    private func refuse(_ error: String, _ description: String) -> Reply {
        .json(["error": .string(error), "error_description": .string(description)], status: 400)
    }

    /// The client that a request comes from; nil when it does not prove it.
    private func client(_ form: Form, _ authorization: String?) -> String? {
        var id = form["client_id"]
        var secret = form["client_secret"]
        if let authorization, authorization.hasPrefix("Basic ") {
            guard let pair = Base64Text.decode(String(authorization.dropFirst(6))),
                let colon = pair.firstIndex(of: ":"),
                let name = Form.unescape(String(pair[..<colon])),
                let value = Form.unescape(String(pair[pair.index(after: colon)...]))
            else { return nil }
            (id, secret) = (name, value)
        }
        guard let id, let client = clients[id] else { return nil }
        guard let wanted = client.secret else { return id }
        return secret.map { constantTimeEqual($0, wanted) } == true ? id : nil
    }

    private func redeem(_ form: Form, _ clientID: String) throws -> Reply {
        let code = form["code"] ?? ""
        if has(.tokenErrorEchoesCode) {
            return refuse(
                "invalid_grant", "code \(code) verifier \(form["code_verifier"] ?? "") \u{1B}[31mred\u{1B}[0m")
        }
        guard let grant = codes.removeValue(forKey: code) else {
            return refuse("invalid_grant", "the code is unknown or was used")
        }
        guard grant.clientID == clientID else { return refuse("invalid_grant", "the code is another client's") }
        guard grant.redirectURI == form["redirect_uri"] else {
            return refuse("invalid_grant", "redirect_uri is not the one of the authorization request")
        }
        let verifier = form["code_verifier"] ?? ""
        guard (43...128).contains(verifier.utf8.count),
            Base64URL.encode(try HashFunction.sha256.digest(verifier.utf8)) == grant.challenge
        else { return refuse("invalid_grant", "code_verifier does not match") }
        return try issue(grant, code: code, refreshing: nil)
    }

    private func refresh(_ form: Form, _ clientID: String) throws -> Reply {
        let token = form["refresh_token"] ?? ""
        if has(.refreshInvalidGrant) { return refuse("invalid_grant", "the fault refresh-invalid-grant is on") }
        guard let grant = refreshTokens[token], grant.clientID == clientID else {
            return refuse("invalid_grant", "the refresh token is unknown, revoked or was used")
        }
        if !has(.refreshKeepsToken) { refreshTokens[token] = nil }
        return try issue(grant, code: nil, refreshing: token)
    }

    private func issue(_ grant: Grant, code: String?, refreshing: String?) throws -> Reply {
        let accessToken = try token()
        accessTokens[accessToken] = grant
        var response: JSONObject = JSONObject()
        response["access_token"] = .string(accessToken)
        response["token_type"] = "Bearer"
        response["expires_in"] = JSONValue(settings.accessTokenLifetime)
        response["scope"] = .string(grant.scopes.joined(separator: " "))
        if !has(.noRefreshToken), refreshing == nil || !has(.refreshKeepsToken) {
            let refreshToken = try token()
            refreshTokens[refreshToken] = grant
            response["refresh_token"] = .string(refreshToken)
        }
        if !has(.noIDToken) {
            response["id_token"] = .string(try idToken(grant, accessToken, isRefresh: refreshing != nil))
        }
        return .json(.object(response))
    }

    private func idToken(_ grant: Grant, _ accessToken: String, isRefresh: Bool) throws -> String {
        let time = now()
        var claims = JSONObject()
        claims["iss"] = .string(has(.wrongIssuer) ? "https://attacker.example" : settings.issuer)
        claims["sub"] = .string(isRefresh && has(.refreshWrongSubject) ? "mallory" : grant.subject)
        claims["aud"] = .string(has(.wrongAudience) ? "another-client" : grant.clientID)
        let issuedAt = has(.expiredIDToken) ? time - 7200 : has(.futureIDToken) ? time + 7200 : time
        claims["iat"] = JSONValue(issuedAt)
        claims["exp"] = JSONValue(issuedAt + settings.idTokenLifetime)
        claims["auth_time"] = JSONValue(grant.authenticatedAt)
        if let nonce = grant.nonce, !has(.missingNonce), !isRefresh {
            claims["nonce"] = .string(has(.wrongNonce) ? String(nonce.reversed()) : nonce)
        }
        let hash = settings.algorithm.hash
        let half = try hash.digest(accessToken.utf8).prefix(hash.digestLength / 2)
        claims["at_hash"] = .string(Base64URL.encode(has(.wrongAccessTokenHash) ? ArraySlice(half.reversed()) : half))
        for member in profile(grant).members { claims[member.name] = member.value }
        if has(.algorithmNone) {
            let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
            return header + "." + Base64URL.encode(Array(JSONValue.object(claims).text.utf8)) + "."
        }
        let signer = JWSSigner(key: key, algorithm: settings.algorithm, keyID: has(.unknownKeyID) ? "unknown" : keyID)
        let token = try signer.sign(claims)
        guard has(.badSignature) else { return token }
        let parts = token.split(separator: ".")
        return parts[0] + "." + parts[1] + "." + parts[2].reversed().map { String($0) }.joined()
    }

    private func profile(_ grant: Grant) -> JSONObject {
        var profile = JSONObject()
        let name = grant.subject.prefix { $0 != "@" }
        if grant.scopes.contains("profile") {
            profile["name"] = .string(name.prefix(1).uppercased() + name.dropFirst() + " Example")
        }
        if grant.scopes.contains("email") {
            profile["email"] = .string(grant.subject.contains("@") ? grant.subject : grant.subject + "@example.com")
            profile["email_verified"] = true
        }
        return profile
    }

    // MARK: The other endpoints

    func userInfo(authorization: String?) -> Reply {
        count("userinfo")
        if has(.userInfoError500) { return .json(["error": "server_error"], status: 500) }
        guard let authorization, authorization.hasPrefix("Bearer "),
            let grant = accessTokens[String(authorization.dropFirst(7))]
        else { return .json(["error": "invalid_token"], status: 401, headers: [("WWW-Authenticate", "Bearer")]) }
        var claims = profile(grant)
        claims["sub"] = .string(has(.userInfoWrongSubject) ? "mallory" : grant.subject)
        return .json(.object(claims))
    }

    func revoke(_ form: Form, authorization: String?) -> Reply {
        count("revoke \(form["token_type_hint"] ?? "")")
        if has(.revocationError503) { return .json(["error": "temporarily_unavailable"], status: 503) }
        guard client(form, authorization) != nil else { return .json(["error": "invalid_client"], status: 401) }
        guard let token = form["token"] else { return refuse("invalid_request", "token is missing") }
        refreshTokens[token] = nil
        accessTokens[token] = nil
        return Reply(status: 200)
    }

    func register(_ body: [UInt8]) throws -> Reply {
        guard let object = try? StrictJSON.object(body), let uris = object["redirect_uris"]?.strings, !uris.isEmpty
        else {
            return refuse("invalid_redirect_uri", "redirect_uris is missing")
        }
        let clientID = try token()
        let method = object["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
        let secret = method == "none" ? nil : try token()
        clients[clientID] = (secret, uris)
        var reply = object
        reply["client_id"] = .string(clientID)
        if let secret { reply["client_secret"] = .string(secret) }
        return .json(.object(reply), status: 201)
    }

    func logout() -> Reply {
        count("logout")
        return Pages.loggedOut()
    }

    /// How often each thing was asked, for tests that count.
    func requestCounts() -> Reply {
        var object = JSONObject()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { object[name] = JSONValue(count) }
        return .json(.object(object))
    }

    private func count(_ name: String) { counts[name, default: 0] += 1 }
}
