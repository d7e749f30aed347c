import AuthCore

/// An OpenID Provider in memory: what it issued, and the rules by which it answers. The base of every other one, which
/// overrides what its model does differently.
class OpenIDProvider {
    let settings: Settings
    let key: PrivateKey
    let keyID: String
    let now: @Sendable () -> Int64
    var codes: [String: (grant: Grant, expiresAt: Int64)] = [:]
    var refreshTokens: [String: Grant] = [:]
    var accessTokens: [String: Grant] = [:]
    private var pending: [String: (grant: Grant, state: String, mode: String?)] = [:]
    var devices: [String: Device] = [:]
    private(set) var clients: [String: Client]
    /// The `jti` of every client assertion that was taken.
    var usedAssertions: Set<String> = []

    /// A client as it is registered.
    struct Client {
        var secret: String?
        var key: PublicKey?
        var redirectURIs: [String]
    }
    private var counts: [String: Int64] = [:]

    init(_ settings: Settings, now: @escaping @Sendable () -> Int64) throws {
        self.settings = settings
        self.now = now
        key = try PrivateKey.generate(settings.algorithm.family)
        keyID = try JWK(key: key.publicKey, keyID: nil).thumbprint()
        let jwk = JWK(key: key.publicKey, keyID: keyID, algorithm: settings.algorithm)
        clients = [
            settings.clientID: Client(
                secret: settings.clientSecret, key: settings.clientKey, redirectURIs: settings.redirectURIs)
        ]
        Neighbours.add(issuer, jwk)
    }

    func has(_ fault: Fault) -> Bool { settings.faults.contains(fault) }

    func token(_ prefix: String = "") throws -> String { prefix + (try RandomSource.openSSL.token(bytes: 24)) }

    func count(_ name: String) { counts[name, default: 0] += 1 }

    // MARK: What others do differently

    /// Seconds a code is good for.
    var codeLifetime: Int64 { 600 }
    var needsState: Bool { true }
    var needsProofKey: Bool { true }
    var rotatesRefreshTokens: Bool { true }
    var issuer: String { settings.base }
    var saysWhenAuthenticated: Bool { true }

    /// The endpoint that a request is for.
    func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("GET", "/.well-known/openid-configuration"): return discovery()
        case ("GET", "/.well-known/oauth-authorization-server"): return oauthDiscovery()
        case ("GET", "/jwks"): return keySet()
        case (_, "/authorize"): return try authorize(request)
        case ("POST", "/token"): return try tokens(request)
        case (_, "/userinfo"): return userInfo(request)
        case ("POST", "/revoke"): return revoke(request)
        case ("POST", "/device_authorization"): return try deviceAuthorization(request)
        case ("POST", "/register"): return try register(request.body)
        case (_, "/logout"): return logout()
        default: return nil
        }
    }

    /// Why a redirect URI is not one a client may use; nil when it is.
    func problem(with redirectURI: HTTPURL, registered: [String]) -> String? {
        // Without one that is registered every loopback one is fine; else any port, and host and path as they are there
        // (RFC 8252 section 7.3).
        let known = registered.compactMap { try? HTTPURL($0) }.filter(\.isLoopback)
        let fits =
            known.isEmpty
            ? redirectURI.isLoopback : known.contains { $0.host == redirectURI.host && $0.path == redirectURI.path }
        return fits || registered.contains(redirectURI.text) ? nil : "redirect_uri is neither loopback nor registered"
    }

    /// Why an authorization request is refused at the redirect URI; nil when it is not.
    func refusal(of request: Form, scopes: [String]) -> Refusal? {
        scopes.contains("openid") ? nil : Refusal("invalid_scope", "openid is missing")
    }

    /// The `response_mode` that an answer has; nil for a query.
    func responseMode(_ request: Form) -> String? { nil }

    /// The parameters beside `code` or `error`.
    func responseParameters(_ grant: Grant?) -> [(String, String)] {
        if has(.missingResponseIssuer) { return [] }
        return [("iss", has(.wrongResponseIssuer) ? "https://attacker.example" : issuer)]
    }

    /// A token response as this provider spells it.
    func tokenReply(_ object: JSONObject, _ request: Request) -> Reply { .json(.object(object)) }

    /// An error of the token endpoint as this provider spells it.
    func errorReply(_ refusal: Refusal, _ request: Request) -> Reply {
        .json(
            ["error": .string(refusal.error), "error_description": .string(refusal.description)],
            status: refusal.status,
            headers: refusal.status == 401 ? [("WWW-Authenticate", "Basic realm=\"emulator\"")] : [])
    }

    /// The ID token's claims without those that every one has.
    func claims(of grant: Grant) -> JSONObject {
        var claims = profile(grant)
        claims["sub"] = .string(grant.user)
        return claims
    }

    /// The parts of a token response that are this provider's own.
    func complete(_ response: inout JSONObject, _ grant: Grant, accessToken: String, isRefresh: Bool) throws {
        response["scope"] = .string(grant.scopes.joined(separator: " "))
        let isOffline = grant.scopes.contains("offline_access") && grant.hasConsent
        if !has(.noRefreshToken), isOffline || !has(.offlineWantsConsent), !isRefresh || !has(.refreshKeepsToken) {
            let refreshToken = try token()
            refreshTokens[refreshToken] = grant
            response["refresh_token"] = .string(refreshToken)
        }
        if !has(.noIDToken) {
            response["id_token"] = .string(try idToken(grant, accessToken, isRefresh: isRefresh))
        }
    }

    /// How a poll before the person decided is answered.
    var pendingRefusal: Refusal { Refusal("authorization_pending", "the person has not decided yet") }

    /// The status of a device flow's other refusals.
    var deniedStatus: Int { 400 }

    /// It gives a URL with the code in it.
    var saysCompleteURL: Bool { true }

    /// What the device authorization endpoint calls the page to visit.
    var verificationName: String { "verification_uri" }

    func newAccessToken() throws -> String { try token() }

    // MARK: Documents

    func discovery() -> Reply {
        count("discovery")
        let elsewhere = ["revocation_endpoint", "registration_endpoint", "device_authorization_endpoint"]
        var object = metadata
        if has(.endpointsInOAuthDocument) || has(.oauthDocumentWrongIssuer) {
            for name in elsewhere { object[name] = nil }
        }
        return .json(.object(object))
    }

    /// RFC 8414: the same, but for the faults of either.
    private func oauthDiscovery() -> Reply {
        count("oauth discovery")
        var object = metadata
        if has(.oauthDocumentWrongIssuer) { object["issuer"] = .string(settings.base + "/") }
        return .json(.object(object))
    }

    /// What it says of itself.
    private var metadata: JSONObject {
        let base = settings.base
        var object: JSONObject = [
            "issuer": .string(has(.discoveryWrongIssuer) ? base + "/" : base),
            "authorization_endpoint": .string(base + "/authorize"), "token_endpoint": .string(base + "/token"),
            "jwks_uri": .string(base + "/jwks"), "userinfo_endpoint": .string(base + "/userinfo"),
            "revocation_endpoint": .string(base + "/revoke"), "end_session_endpoint": .string(base + "/logout"),
            "registration_endpoint": .string(base + "/register"),
            "device_authorization_endpoint": .string(base + "/device_authorization"),
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": [
                "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
                "client_credentials", .string(OpenIDProvider.tokenExchange), .string(OpenIDProvider.jwtBearer),
            ], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(settings.algorithm.rawValue)],
            "token_endpoint_auth_methods_supported": [
                "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "claims_supported": ["sub", "name", "email", "email_verified"],
            "authorization_response_iss_parameter_supported": .bool(!has(.mixUp)),
        ]
        if let algorithms = settings.clientAlgorithm.map({ [$0] }) ?? settings.clientKey?.family.algorithms {
            object["token_endpoint_auth_signing_alg_values_supported"] = JSONValue(algorithms.map(\.rawValue))
        }
        return object
    }

    func keySet() -> Reply {
        count("jwks")
        if has(.keySetError500) { return .json(["error": "server_error"], status: 500) }
        let jwk = JWK(key: key.publicKey, keyID: keyID, algorithm: settings.algorithm)
        return .json(.object(JWKSet(keys: [jwk]).json), headers: [("Cache-Control", "max-age=3600")])
    }

    // MARK: Authorization endpoint

    func authorize(_ request: Request, tenant: String? = nil) throws -> Reply {
        count("authorize")
        let query = request.parameters
        if has(.mixUp), let target = settings.mixUpTarget { return .redirect(mixedUp(query, target)) }
        guard let clientID = query["client_id"], let client = clients[clientID] else {
            return Pages.problem("client_id is missing or unknown: '\(query["client_id"] ?? "")'")
        }
        guard let redirectURI = query["redirect_uri"], let url = try? HTTPURL(redirectURI) else {
            return Pages.problem("redirect_uri is missing or no URL")
        }
        if let problem = problem(with: url, registered: client.redirectURIs) { return Pages.problem(problem) }
        let state = query["state"] ?? ""
        let mode = responseMode(query)
        func refuse(_ error: String, _ description: String) -> Reply {
            answer(url, state, [("error", error), ("error_description", description)], mode, nil)
        }
        guard !state.isEmpty || !needsState else { return refuse("invalid_request", "state is missing") }
        guard state.utf8.count <= 500 else { return refuse("invalid_request", "state is longer than 500 characters") }
        if let name = query.repeated { return refuse("invalid_request", "\(name) is there twice") }
        guard query["response_type"] == "code" else { return refuse("unsupported_response_type", "only code") }
        let challenge = query["code_challenge"]
        guard challenge != nil || !needsProofKey else { return refuse("invalid_request", "PKCE is required") }
        if let challenge, query["code_challenge_method"] != "S256" || challenge.utf8.count != 43 {
            return refuse("invalid_request", "only PKCE with S256")
        }
        let scopes = Scopes.split(query["scope"] ?? "")
        if let refusal = refusal(of: query, scopes: scopes) { return refuse(refusal.error, refusal.description) }
        if has(.accessDenied) { return answer(url, state, denial, mode, nil) }
        let grant = Grant(
            clientID: clientID, redirectURI: redirectURI, challenge: challenge, nonce: query["nonce"], scopes: scopes,
            user: query["emulator_user"] ?? settings.user,
            hasConsent: query["prompt"]?.split(separator: " ").contains("consent") ?? false, tenant: tenant,
            authenticatedAt: now())
        if settings.approvesItself { return try approve(grant, state, mode) }
        if query["prompt"] == "none" { return refuse("login_required", "nobody is signed in") }
        let id = try token()
        pending[id] = (grant, state, mode)
        return Pages.consent(id: id, clientID: clientID, user: settings.user, scopes: scopes)
    }

    /// The same request at another provider, as that one's client; what the target's query has already stays.
    private func mixedUp(_ query: Form, _ target: HTTPURL) -> String {
        let named = Form((target.query ?? "").utf8)
        let names = [
            "response_type", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
        ]
        return target.appending(
            names.compactMap { name in named[name] == nil ? query[name].map { (name, $0) } : nil })
    }

    /// What a person who declines sends back.
    var denial: [(String, String)] { [("error", "access_denied"), ("error_description", "the person declined")] }

    private func decide(_ form: Form) throws -> Reply {
        guard let id = form["id"], let (grant, state, mode) = pending.removeValue(forKey: id) else {
            return Pages.problem("this page was used already")
        }
        guard form["decision"] == "allow" else {
            return answer(try HTTPURL(grant.redirectURI), state, denial, mode, nil)
        }
        var allowed = grant
        if let user = form["user"], !user.isEmpty { allowed.user = user }
        return try approve(allowed, state, mode)
    }

    private func approve(_ grant: Grant, _ state: String, _ mode: String?) throws -> Reply {
        let code = try token()
        settings.record?.add(code)
        codes[code] = (grant, now() + (settings.codeLifetime ?? codeLifetime))
        return answer(try HTTPURL(grant.redirectURI), state, [("code", code)], mode, grant)
    }

    private func answer(
        _ url: HTTPURL, _ state: String, _ parameters: [(String, String)], _ mode: String?, _ grant: Grant?
    ) -> Reply {
        var all = parameters
        if !state.isEmpty { all.append(("state", has(.wrongState) ? String(state.reversed()) : state)) }
        all += responseParameters(grant)
        return mode == "form_post" ? Pages.formPost(to: url.text, all) : .redirect(url.appending(all))
    }

    // MARK: Token endpoint

    func tokens(_ request: Request) throws -> Reply {
        let form = request.form
        let grantType = form["grant_type"] ?? ""
        count("token \(grantType)")
        let isRefresh = grantType == "refresh_token"
        if has(.tokenRedirect) { return .redirect("https://attacker.example/token") }
        if has(.tokenHTML) { return .html("<html><body>Bad gateway</body></html>", status: 400) }
        if has(.tooManyRequests) { return .json(["error": "slow"], status: 429, headers: [("Retry-After", "7")]) }
        if has(isRefresh ? .refreshError500 : .tokenError500) { return .json(["error": "server_error"], status: 500) }
        if has(.echoSecret) { return errorReply(Refusal("invalid_client", Form.echo(request), status: 401), request) }
        if has(.escapesInError) { return errorReply(Refusal(Hostile.escapes, Hostile.escapes), request) }
        do {
            let clientID = try client(request)
            if let name = form.repeated { throw Refusal("invalid_request", "\(name) is there twice") }
            switch grantType {
            case "authorization_code": return try redeem(request, clientID)
            case "refresh_token": return try refresh(request, clientID)
            case "urn:ietf:params:oauth:grant-type:device_code": return try poll(request, clientID)
            case "client_credentials": return try clientCredentials(request, clientID)
            case OpenIDProvider.tokenExchange, OpenIDProvider.jwtBearer: return try exchange(request, clientID)
            default: throw Refusal("unsupported_grant_type", "'\(grantType)'")
            }
        } catch let refusal as Refusal {
            return errorReply(refusal, request)
        }
    }

    /// The client that a request comes from.
    /// - Throws: `Refusal` when it does not prove it.
    func client(_ request: Request) throws -> String {
        var id = request.form["client_id"]
        var secret = request.form["client_secret"]
        let basic = has(.rawBasic) ? request.rawBasicCredentials : request.basicCredentials
        if let pair = basic { (id, secret) = (pair.name, pair.secret) }
        guard let id, let client = clients[id] else {
            throw Refusal("invalid_client", "client_id is unknown", status: 401)
        }
        if let key = client.key {
            try checkAssertion(request, of: id, key)
            return id
        }
        if try asserted(request) != nil { return id }
        guard let wanted = client.secret else { return id }
        guard let secret else { throw Refusal("invalid_client", "client_secret is missing", status: 401) }
        guard constantTimeEqual(secret, wanted) else {
            throw Refusal("invalid_client", "client_secret is wrong", status: 401)
        }
        return id
    }

    private func redeem(_ request: Request, _ clientID: String) throws -> Reply {
        let form = request.form
        let code = form["code"] ?? ""
        if has(.tokenErrorEchoesCode) {
            throw Refusal(
                "invalid_grant", "code \(code) verifier \(form["code_verifier"] ?? "") \u{1B}[31mred\u{1B}[0m")
        }
        guard let (grant, expiresAt) = codes.removeValue(forKey: code) else {
            throw Refusal("invalid_grant", "the code is unknown or was used")
        }
        guard now() < expiresAt else { throw Refusal("invalid_grant", "the code has expired") }
        guard grant.clientID == clientID else { throw Refusal("invalid_grant", "the code is another client's") }
        guard grant.redirectURI == form["redirect_uri"] else {
            throw Refusal("invalid_grant", "redirect_uri is not the one of the authorization request")
        }
        if let challenge = grant.challenge {
            let verifier = form["code_verifier"] ?? ""
            guard (43...128).contains(verifier.utf8.count),
                Base64URL.encode(try HashFunction.sha256.digest(verifier.utf8)) == challenge
            else { throw Refusal("invalid_grant", "code_verifier does not match") }
        }
        return try issue(grant, request, isRefresh: false)
    }

    private func refresh(_ request: Request, _ clientID: String) throws -> Reply {
        let token = request.form["refresh_token"] ?? ""
        if has(.refreshInvalidGrant) { throw Refusal("invalid_grant", "the fault refresh-invalid-grant is on") }
        guard let grant = refreshTokens[token], grant.clientID == clientID else {
            throw Refusal("invalid_grant", "the refresh token is unknown, revoked or was used")
        }
        if rotatesRefreshTokens, !has(.refreshKeepsToken) { refreshTokens[token] = nil }
        return try issue(grant, request, isRefresh: true)
    }

    func issue(_ grant: Grant, _ request: Request, isRefresh: Bool) throws -> Reply {
        var grant = grant
        if has(.fewerScopes), let last = grant.scopes.popLast(), grant.scopes.isEmpty { grant.scopes = [last] }
        let accessToken = try newAccessToken()
        accessTokens[accessToken] = grant
        Neighbours.add(accessToken, of: grant.user)
        var response = JSONObject()
        response["access_token"] = .string(accessToken)
        response["token_type"] = "Bearer"
        response["expires_in"] = JSONValue(settings.accessTokenLifetime)
        try complete(&response, grant, accessToken: accessToken, isRefresh: isRefresh)
        return tokenReply(response, request)
    }

    // MARK: ID tokens

    /// - Parameter accessToken: for `at_hash`; nil where the provider sends none.
    func idToken(_ grant: Grant, _ accessToken: String?, isRefresh: Bool) throws -> String {
        let time = now()
        var claims = JSONObject()
        claims["iss"] = .string(has(.wrongIssuer) ? "https://attacker.example" : issuer)
        claims["aud"] = .string(has(.wrongAudience) ? "another-client" : grant.clientID)
        let issuedAt = has(.expiredIDToken) ? time - 7200 : has(.futureIDToken) ? time + 7200 : time
        claims["iat"] = JSONValue(issuedAt)
        claims["exp"] = JSONValue(issuedAt + settings.idTokenLifetime)
        if saysWhenAuthenticated {
            claims["auth_time"] = JSONValue(grant.authenticatedAt - (has(.staleAuthTime) ? 3600 : 0))
        }
        if let nonce = grant.nonce, !has(.missingNonce), !isRefresh {
            claims["nonce"] = .string(has(.wrongNonce) ? String(nonce.reversed()) : nonce)
        }
        if let accessToken {
            let hash = settings.algorithm.hash
            let half = try hash.digest(accessToken.utf8).prefix(hash.digestLength / 2)
            claims["at_hash"] = .string(
                Base64URL.encode(has(.wrongAccessTokenHash) ? ArraySlice(half.reversed()) : half))
        }
        claims.merge(self.claims(of: grant))
        if isRefresh, has(.refreshWrongSubject) { claims["sub"] = "mallory" }
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

    /// The claims that scopes `profile` and `email` ask for.
    func profile(_ grant: Grant) -> JSONObject {
        let person = Person(user: grant.user)
        var profile = JSONObject()
        if grant.scopes.contains("profile") {
            profile["name"] = .string(has(.escapesInName) ? Hostile.escapes : person.name)
        }
        if grant.scopes.contains("email") {
            profile["email"] = .string(
                has(.hostileEmail)
                    ? Hostile.email : has(.escapesInEmail) ? "\(Hostile.escapes)@example.com" : person.email)
            profile["email_verified"] = true
        }
        return profile
    }

    // MARK: The other endpoints

    /// The grant of the access token in a request.
    func bearer(_ request: Request) -> Grant? { request.bearerToken.flatMap { accessTokens[$0] } }

    func userInfo(_ request: Request) -> Reply {
        count("userinfo")
        if has(.userInfoError500) { return .json(["error": "server_error"], status: 500) }
        guard let grant = bearer(request) else {
            return .json(["error": "invalid_token"], status: 401, headers: [("WWW-Authenticate", "Bearer")])
        }
        var claims = self.claims(of: grant)
        if has(.userInfoWrongSubject) { claims["sub"] = "mallory" }
        return .json(.object(claims))
    }

    func revoke(_ request: Request) -> Reply {
        let form = request.form
        count("revoke \(form["token_type_hint"] ?? "")")
        if has(.revocationError503) { return .json(["error": "temporarily_unavailable"], status: 503) }
        guard (try? client(request)) != nil else { return .json(["error": "invalid_client"], status: 401) }
        guard let token = form["token"] else {
            return errorReply(Refusal("invalid_request", "token is missing"), request)
        }
        refreshTokens[token] = nil
        accessTokens[token] = nil
        return Reply(status: 200)
    }

    private func register(_ body: [UInt8]) throws -> Reply {
        guard let object = try? StrictJSON.object(body), let uris = object["redirect_uris"]?.strings, !uris.isEmpty
        else {
            return .json(
                ["error": "invalid_redirect_uri", "error_description": "redirect_uris is missing"], status: 400)
        }
        let clientID = try token()
        var reply = object
        if has(.registersSecret) { reply["token_endpoint_auth_method"] = "client_secret_post" }
        let method = reply["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
        var key: PublicKey?
        if method == "private_key_jwt" {
            key = try? object["jwks"].flatMap { try JWKSet(Array($0.text.utf8)).keys.first?.key }
            guard key != nil else {
                return .json(
                    ["error": "invalid_client_metadata", "error_description": "jwks is missing or holds no key"],
                    status: 400)
            }
        }
        let secret = method == "none" || key != nil ? nil : try token()
        clients[clientID] = Client(secret: secret, key: key, redirectURIs: uris)
        reply["client_id"] = .string(has(.escapesInClientID) ? clientID + Hostile.escapes : clientID)
        if let secret { reply["client_secret"] = .string(secret) }
        return .json(.object(reply), status: 201)
    }

    func logout() -> Reply {
        count("logout")
        return Pages.loggedOut()
    }

    /// An ID token as an app on the person's device would get it, for clients that are handed one.
    private func handedIDToken(_ request: Request) throws -> Reply {
        let grant = Grant(
            clientID: settings.clientID, redirectURI: "", challenge: nil, nonce: request.query["nonce"],
            scopes: ["openid", "profile", "email"], user: request.query["user"] ?? settings.user, tenant: nil,
            authenticatedAt: now())
        return Reply(
            status: 200, headers: [("Content-Type", "text/plain")],
            body: Array(try idToken(grant, nil, isRefresh: false).utf8))
    }

    /// What must be asked elsewhere before a request can be answered.
    func errand(for request: Request) throws -> Errand? { nil }

    /// Answers one request.
    final func reply(to request: Request) throws -> Reply {
        let reply = try answer(to: request)
        settings.record?.add(request, reply)
        return reply
    }

    private func answer(to request: Request) throws -> Reply {
        switch request.path {
        case "/emulator/decision": return try decide(request.form)
        case "/emulator/device": return try decideDevice(request)
        case "/emulator/id-token": return try handedIDToken(request)
        // How often each thing was asked, for tests that count.
        case "/emulator/requests":
            var object = JSONObject()
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) { object[name] = JSONValue(count) }
            return .json(.object(object))
        default: return try route(request) ?? Pages.problem("there is nothing at '\(request.path)'", status: 404)
        }
    }
}
