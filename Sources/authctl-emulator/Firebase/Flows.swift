import AuthCore
import FoundationEssentials

extension FirebaseProject {
    /// A sign-in that waits for its callback.
    struct Flow {
        var provider: String
        var continueURI: String
        var mark: String
        var verifier: String
        var token: (url: HTTPURL, clientID: String, secret: String?)?
        var user: String?
    }

    func begin(_ body: JSONObject) throws -> JSONObject {
        let provider = body["providerId"]?.string ?? ""
        guard let continueURI = body["continueUri"]?.string else { throw Refusal("MISSING_CONTINUE_URI") }
        guard let url = try? HTTPURL(continueURI), !continueURI.contains("#"), !continueURI.contains("state=") else {
            throw Refusal("INVALID_CONTINUE_URI")
        }
        guard url.isLoopback || site.settings.redirectURIs.contains(continueURI) else {
            throw Refusal("UNAUTHORIZED_DOMAIN : Domain not allowlisted by project")
        }
        let custom = body["customParameter"]?.object ?? JSONObject()
        for member in custom.members
        where ["client_id", "response_type", "scope", "redirect_uri", "state"].contains(member.name) {
            throw Refusal("INVALID_CUSTOM_PARAMETER : \(member.name)")
        }
        let sessionID = try body["sessionId"]?.string ?? site.token()
        site.settings.record?.add(sessionID)
        let mark = try site.token()
        let verifier = try RandomSource.openSSL.token()
        var flow = Flow(provider: provider, continueURI: continueURI, mark: mark, verifier: verifier)
        let page: String
        if provider == "twitter.com" {
            let parameters = custom.members.map { ($0.name, $0.value.string ?? "") }
            page = try HTTPURL(site.settings.base + "/emulator/oauth1").appending([("oauth_token", mark)] + parameters)
        } else {
            page = try send(provider, &flow, custom, Scopes.split(body["oauthScope"]?.string ?? ""))
        }
        flows[sessionID] = flow
        return [
            "kind": "identitytoolkit#CreateAuthUriResponse", "authUri": .string(page), "providerId": .string(provider),
            "sessionId": .string(sessionID),
        ]
    }

    private func send(
        _ provider: String, _ flow: inout Flow, _ custom: JSONObject, _ requestedScopes: [String]
    ) throws -> String {
        guard let entry = SharedIssuers.provider(provider.hasPrefix("oidc.") ? "openid" : provider) else {
            throw Refusal("OPERATION_NOT_ALLOWED: The identity provider configuration is not found.")
        }
        let base = try HTTPURL(entry.base)
        var endpoints = (try HTTPURL(entry.base + "/authorize"), try HTTPURL(entry.base + "/token"))
        var scopes = ["openid", "profile", "email"]
        if Provider.isBuiltIn(provider) {
            var known = try Provider(builtIn: provider, clientID: entry.clientID, baseURL: base)
            if let tenant = custom["tenant"]?.string { known.tenant = tenant }
            scopes = known.scopes
            if let metadata = try known.fixedMetadata() {
                endpoints = (metadata.authorizationEndpoint, metadata.tokenEndpoint)
            }
        }
        flow.token = (endpoints.1, entry.clientID, try entry.clientSecret ?? signedSecret(entry))
        let challenge = Base64URL.encode(try HashFunction.sha256.digest(flow.verifier.utf8))
        var parameters = [
            ("response_type", "code"), ("client_id", entry.clientID), ("redirect_uri", flow.continueURI),
            ("scope", Scopes.split((scopes + requestedScopes).joined(separator: " ")).joined(separator: " ")),
            ("state", flow.mark), ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        if provider == "apple.com" { parameters.append(("response_mode", "form_post")) }
        for member in custom.members where member.name != "tenant" {
            parameters.append((member.name, member.value.string ?? ""))
        }
        return endpoints.0.appending(parameters)
    }

    private func signedSecret(_ entry: SharedIssuers.Entry) throws -> String? {
        guard let path = entry.clientKey, let team = entry.teamID,
            let pem = try? Data(contentsOf: URL(filePath: path))
        else { return nil }
        let time = site.now()
        let claims: JSONObject = [
            "iss": .string(team), "sub": .string(entry.clientID), "aud": .string(entry.base),
            "iat": JSONValue(time), "exp": JSONValue(time + 300),
        ]
        return try JWSSigner(key: try PrivateKey(pem: Array(pem)), algorithm: .es256, keyID: entry.keyID).sign(claims)
    }

    func authorizeX(_ request: Request) throws -> Reply {
        let token = request.query["oauth_token"] ?? ""
        guard let (id, flow) = flows.first(where: { $0.value.mark == token }) else {
            return Pages.problem("The request token is unknown.")
        }
        let back = try HTTPURL(flow.continueURI)
        if site.has(.accessDenied) { return .redirect(back.appending([("denied", token)])) }
        flows[id]?.user = request.query["emulator_user"] ?? site.settings.user
        site.settings.record?.add(flow.verifier)
        return .redirect(back.appending([("oauth_token", token), ("oauth_verifier", flow.verifier)]))
    }

    private func redirectParameters(_ body: JSONObject) -> (Flow, Form)? {
        guard let flow = flows[body["sessionId"]?.string ?? ""], let uri = body["requestUri"]?.string,
            uri.hasPrefix(flow.continueURI)
        else { return nil }
        let query = uri.firstIndex(of: "?").map { uri[uri.index(after: $0)...] } ?? ""
        return (flow, Form(Array((body["postBody"]?.string ?? String(query)).utf8)))
    }

    func redemption(_ request: Request) -> UpstreamRequest? {
        guard request.path.hasSuffix("accounts:signInWithIdp"), let body = request.json,
            let (flow, form) = redirectParameters(body), let token = flow.token, form["state"] == flow.mark,
            let code = form["code"]
        else { return nil }
        var pairs = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", flow.continueURI),
            ("client_id", token.clientID), ("code_verifier", flow.verifier),
        ]
        if let secret = token.secret { pairs.append(("client_secret", secret)) }
        return UpstreamRequest(url: token.url, form: pairs)
    }

    func redeemed(_ body: JSONObject, _ fetched: JSONObject?) throws -> Claimed {
        guard let (flow, form) = redirectParameters(body), let sessionID = body["sessionId"]?.string else {
            throw Refusal("INVALID_IDP_RESPONSE : the session is unknown")
        }
        flows[sessionID] = nil
        if flow.provider == "twitter.com" { return try redeemed(flow, form) }
        guard let fetched, let accessToken = fetched["access_token"]?.string else {
            throw Refusal("INVALID_IDP_RESPONSE : the code \(form["code"] ?? "") could not be redeemed")
        }
        var claimed: Claimed
        var userInfo: JSONObject
        if let claims = fetched["id_token"]?.string.flatMap({ SharedIssuers.claims(of: $0) }) {
            claimed = Claimed(
                provider: flow.provider, rawID: (claims["oid"] ?? claims["sub"])?.string ?? "",
                email: claims["email"]?.string,
                isTrusted: claims["email_verified"]?.bool == true && FirebaseProject.trusts(flow.provider, claims),
                name: claims["name"]?.string)
            userInfo = claims
            let formName = form["user"].flatMap { FirebaseProject.name(in: $0) }
            claimed.name = claimed.name ?? formName
        } else if let user = SharedIssuers.user(of: accessToken) {
            let person = Person(user: user)
            claimed = Claimed(
                provider: flow.provider, rawID: String(person.number), email: person.email, isTrusted: false,
                name: person.name)
            userInfo = ["id": JSONValue(person.number), "login": .string(person.login)]
        } else {
            throw Refusal("INVALID_IDP_RESPONSE : Failed to fetch resource with \(accessToken)")
        }
        userInfo["email"] = JSONValue(claimed.email)
        claimed.profile = try profileFields(claimed, userInfo)
        claimed.profile["oauthAccessToken"] = .string(accessToken)
        claimed.profile["oauthIdToken"] = fetched["id_token"]
        claimed.profile["oauthExpireIn"] = fetched["expires_in"]
        return claimed
    }

    /// Redeems the verifier of OAuth 1.0a, which needs no request to another server here.
    private func redeemed(_ flow: Flow, _ form: Form) throws -> Claimed {
        guard form["oauth_token"] == flow.mark, form["oauth_verifier"] == flow.verifier, let user = flow.user else {
            throw Refusal("INVALID_IDP_RESPONSE : the verifier \(form["oauth_verifier"] ?? "") is not the token's")
        }
        let person = Person(user: user)
        var claimed = Claimed(
            provider: flow.provider, rawID: person.longNumber, email: person.email, isTrusted: false, name: person.name)
        claimed.profile = try profileFields(
            claimed, ["id_str": .string(person.longNumber), "screen_name": .string(person.login)])
        claimed.profile["screenName"] = .string(person.login)
        claimed.profile["oauthAccessToken"] = .string(site.recorded(try site.token()))
        claimed.profile["oauthTokenSecret"] = .string(site.recorded(try site.token()))
        return claimed
    }

    private func profileFields(_ claimed: Claimed, _ userInfo: JSONObject) throws -> JSONObject {
        var fields: JSONObject = ["rawUserInfo": .string(JSONValue.object(userInfo).text)]
        if let name = claimed.name { fields["displayName"] = .string(name) }
        if claimed.isTrusted { fields["emailVerified"] = true }
        return fields
    }
}
