import AuthCore

/// A Firebase project behind the paths of the official emulator, that behaves as the service does where the official one
/// does not: nonces are checked and used up, a credential that met a conflict gets a `pendingToken`, an old sign-in is too
/// old, `autoCreate: false` makes no account, and a password or address that changed ends the old tokens.
final class FirebaseEmulation: OpenIDProvider {
    /// One account, as `accounts:lookup` shows it.
    private struct User {
        var uid: String
        var email: String?
        var isVerified = false
        var name: String?
        var password: String?
        var createdAt: Int64
        var lastLoginAt: Int64
        /// Tokens from before are dead.
        var validSince: Int64 = 0
        var generation = 0
        var identities: [(provider: String, rawID: String, email: String?, name: String?)] = []

        var providers: [String] { identities.map(\.provider) }

        /// A password is an entry like any other, under the account's own address.
        mutating func set(_ password: String?) {
            self.password = password
            guard let password, !password.isEmpty else { return identities.removeAll { $0.provider == "password" } }
            guard !identities.contains(where: { $0.provider == "password" }), let email else { return }
            identities.append(("password", email, email, nil))
        }
    }

    struct Refusal: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// A person as a provider's credential says.
    struct Claimed {
        var provider: String
        var rawID: String
        var email: String?
        var isTrusted: Bool
        var name: String?
        /// What the answer says besides: the tokens that the project got, and the provider's own words.
        var said: JSONObject = [:]
    }

    private var users: [String: User] = [:]
    private var sessions: [String: (uid: String, generation: Int, authenticatedAt: Int64, provider: String)] = [:]
    private var usedNonces: Set<String> = []
    private var waiting: [String: Claimed] = [:]
    /// How often a wrong password was given for an address.
    private var failures: [String: Int] = [:]
    private var allowsDuplicateEmails = false
    /// The providers' flows that were begun, by their session.
    var flows: [String: Flow] = [:]

    static let projectID = "demo-project"
    override var issuer: String { "https://securetoken.google.com/\(FirebaseEmulation.projectID)" }

    override func errand(for request: Request) throws -> Errand? { redemption(request) }

    override func route(_ request: Request) throws -> Reply? {
        switch (request.method, request.path) {
        case ("PATCH", "/emulator/v1/projects/\(FirebaseEmulation.projectID)/config"):
            let signIn = (try? StrictJSON.object(request.body))?["signIn"]?.object
            allowsDuplicateEmails = signIn?["allowDuplicateEmails"]?.bool ?? allowsDuplicateEmails
            return .json(["signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)]])
        case ("GET", "/emulator/oauth1"): return try authorizeX(request)
        default: break
        }
        guard request.query["key"] != "bad-key" else {
            return failure(
                400, "API key not valid. Please pass a valid API key.",
                ["status": "INVALID_ARGUMENT", "details": [["reason": "API_KEY_INVALID"]]])
        }
        guard request.query["key"] != nil else {
            return failure(403, "The request is missing a valid API key.", ["status": "PERMISSION_DENIED"])
        }
        if request.method == "GET", request.path == "/identitytoolkit.googleapis.com/v1/projects" {
            let hosts = settings.redirectURIs.compactMap { (try? HTTPURL($0))?.host }
            return .json(["projectId": "1234567890", "authorizedDomains": JSONValue(["localhost"] + hosts)])
        }
        do {
            if request.path == "/securetoken.googleapis.com/v1/token" { return .json(try refresh(request.form)) }
            if request.path == "/identitytoolkit.googleapis.com/v2/accounts:revokeToken" {
                if has(.revocationError503) { return failure(503, "UNAVAILABLE") }
                return .json(.object(try revokeToken(request.json ?? [:])))
            }
            let prefix = "/identitytoolkit.googleapis.com/v1/accounts:"
            guard request.method == "POST", request.path.hasPrefix(prefix), let body = request.json else { return nil }
            let operation = String(request.path.dropFirst(prefix.count))
            count(operation)
            switch operation {
            case "signUp": return .json(try signUp(body))
            case "signInWithPassword": return .json(try signInWithPassword(body))
            case "signInWithIdp": return .json(try signInWithIdP(body, request.fetched))
            case "lookup":
                return .json(["kind": "identitytoolkit#GetAccountInfoResponse", "users": [try shown(user(body))]])
            case "update": return .json(try update(body))
            case "delete": return .json(try delete(body))
            case "createAuthUri":
                return .json(try body["providerId"] == nil ? lookUp(body) : .object(begin(body)))
            case "sendOobCode": return .json(["email": body["newEmail"] ?? .null])
            default: return nil
            }
        } catch let refusal as Refusal {
            let message = JSONValue.string(refusal.message)
            return failure(
                400, refusal.message, ["errors": [["message": message, "domain": "global", "reason": "invalid"]]])
        }
    }

    /// An error in the service's form.
    private func failure(_ status: Int, _ message: String, _ more: JSONObject = [:]) -> Reply {
        var error: JSONObject = ["code": JSONValue(Int64(status)), "message": .string(message)]
        error.merge(more)
        return .json(["error": .object(error)], status: status)
    }

    // MARK: Tokens

    private func tokens(_ uid: String, _ provider: String, authenticatedAt: Int64? = nil) throws -> JSONObject {
        guard var user = users[uid] else { throw Refusal("USER_NOT_FOUND") }
        let time = now()
        let proven = authenticatedAt ?? time
        user.lastLoginAt = time
        users[uid] = user
        var claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(FirebaseEmulation.projectID), "sub": .string(uid),
            "user_id": .string(uid), "auth_time": JSONValue(proven), "iat": JSONValue(time),
            "exp": JSONValue(time + settings.idTokenLifetime), "firebase": ["sign_in_provider": .string(provider)],
            // The official emulator's tokens are distinct only by their second.
            "jti": .string(try token()),
        ]
        if let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(user.isVerified)
        }
        let header = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let idToken = header + "." + Base64URL.encode(Array(JSONValue.object(claims).text.utf8)) + "."
        let refreshToken = try token()
        sessions[refreshToken] = (uid, user.generation, proven, provider)
        settings.record?.add(idToken)
        settings.record?.add(refreshToken)
        return [
            "localId": .string(uid), "idToken": .string(idToken), "refreshToken": .string(refreshToken),
            "expiresIn": .string(String(settings.idTokenLifetime)),
        ]
    }

    private func refresh(_ form: Form) throws -> JSONValue {
        count("token \(form["grant_type"] ?? "")")
        if has(.refreshInvalidGrant) { throw Refusal("INVALID_REFRESH_TOKEN") }
        guard form["grant_type"] == "refresh_token" else { throw Refusal("INVALID_GRANT_TYPE") }
        guard let session = sessions[form["refresh_token"] ?? ""] else { throw Refusal("INVALID_REFRESH_TOKEN") }
        guard let user = users[session.uid] else { throw Refusal("USER_NOT_FOUND") }
        guard user.generation == session.generation else { throw Refusal("TOKEN_EXPIRED") }
        let fresh = try tokens(session.uid, session.provider, authenticatedAt: session.authenticatedAt)
        return [
            "id_token": fresh["idToken"] ?? .null, "access_token": fresh["idToken"] ?? .null,
            "refresh_token": fresh["refreshToken"] ?? .null, "expires_in": fresh["expiresIn"] ?? .null,
            "token_type": "Bearer", "user_id": .string(session.uid), "project_id": "1234567890",
        ]
    }

    private func claims(_ body: JSONObject) throws -> JSONObject {
        let parts = (body["idToken"]?.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])),
            let claims = try? StrictJSON.object(bytes)
        else { throw Refusal("INVALID_ID_TOKEN") }
        guard (claims["exp"]?.number?.integer ?? 0) > now() else { throw Refusal("TOKEN_EXPIRED") }
        return claims
    }

    private func user(_ body: JSONObject) throws -> User {
        let claims = try claims(body)
        guard let user = users[claims["sub"]?.string ?? ""] else { throw Refusal("USER_NOT_FOUND") }
        guard (claims["iat"]?.number?.integer ?? 0) >= user.validSince else { throw Refusal("TOKEN_EXPIRED") }
        return user
    }

    private func recent(_ body: JSONObject) throws -> User {
        let user = try user(body)
        let provenAt = Seconds.time(try claims(body)["auth_time"]?.number?.integer ?? 0)
        guard now() - provenAt <= 300 else { throw Refusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") }
        return user
    }

    private func newUID() throws -> String { String(try token().filter { $0 != "-" && $0 != "_" }.prefix(28)) }

    private func owner(email: String) -> User? { users.values.first { $0.email == email } }

    private func owner(_ claimed: Claimed) -> User? {
        users.values.first { $0.identities.contains { $0.provider == claimed.provider && $0.rawID == claimed.rawID } }
    }

    // MARK: Passwords

    private func signUp(_ body: JSONObject) throws -> JSONValue {
        guard let email = body["email"]?.string, !email.isEmpty else { throw Refusal("ADMIN_ONLY_OPERATION") }
        guard let password = body["password"]?.string else { throw Refusal("MISSING_PASSWORD") }
        guard password.count >= 6 else { throw Refusal("WEAK_PASSWORD : Password should be at least 6 characters") }
        if body["idToken"] != nil {
            var user = try user(body)
            user.email = user.email ?? email
            user.set(password)
            users[user.uid] = user
            return .object(try tokens(user.uid, "password"))
        }
        guard owner(email: email) == nil else { throw Refusal("EMAIL_EXISTS") }
        let uid = try newUID()
        var user = User(uid: uid, email: email, createdAt: now(), lastLoginAt: now())
        user.set(password)
        users[uid] = user
        var answer = try tokens(uid, "password")
        answer["kind"] = "identitytoolkit#SignupNewUserResponse"
        return .object(answer)
    }

    private func signInWithPassword(_ body: JSONObject) throws -> JSONValue {
        let email = body["email"]?.string ?? ""
        guard failures[email, default: 0] < 5 else {
            throw Refusal("TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.")
        }
        guard let user = owner(email: email), user.password == body["password"]?.string, user.password != nil else {
            failures[email, default: 0] += 1
            throw Refusal("INVALID_LOGIN_CREDENTIALS")
        }
        failures[email] = nil
        return .object(try tokens(user.uid, "password"))
    }

    // MARK: Providers

    /// The person of a credential: its ID token is of a neighbour, with the nonce that was given.
    private func claimed(_ body: JSONObject, _ fetched: JSONObject?) throws -> Claimed {
        if let pending = body["pendingToken"]?.string {
            guard let claimed = waiting.removeValue(forKey: pending) else { throw Refusal("INVALID_PENDING_TOKEN") }
            return claimed
        }
        guard body["requestUri"]?.string?.isEmpty == false else { throw Refusal("MISSING_REQUEST_URI") }
        if body["sessionId"] != nil { return try redeemed(body, fetched) }
        let form = Form(Array((body["postBody"]?.string ?? "").utf8))
        guard let provider = form["providerId"], !provider.isEmpty else {
            throw Refusal(
                "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: \(body["requestUri"]?.string ?? "")?\(body["postBody"]?.string ?? "")"
            )
        }
        guard provider != "microsoft.com" else { throw Refusal("INVALID_CREDENTIAL_OR_PROVIDER_ID : microsoft.com") }
        if let idToken = form["id_token"] {
            guard let claims = Neighbours.claims(of: idToken) else {
                throw Refusal("INVALID_IDP_RESPONSE : Unable to parse \(idToken)")
            }
            try checkNonce(claims["nonce"]?.string, form["nonce"], isRequired: provider == "apple.com")
            let isVerified = claims["email_verified"]?.bool == true || claims["email_verified"]?.string == "true"
            return Claimed(
                provider: provider, rawID: claims["sub"]?.string ?? "", email: claims["email"]?.string,
                isTrusted: isVerified && FirebaseEmulation.trusts(provider, claims),
                name: claims["name"]?.string ?? form["user"].flatMap { FirebaseEmulation.name(in: $0) })
        }
        guard let accessToken = form["access_token"], let user = Neighbours.user(of: accessToken) else {
            throw Refusal(
                "INVALID_IDP_RESPONSE : Failed to fetch resource with access token \(form["access_token"] ?? "")")
        }
        let person = Person(user: user)
        return Claimed(
            provider: provider, rawID: String(person.number), email: person.email, isTrusted: false, name: person.name)
    }

    /// The name that Apple gives once, beside the token.
    static func name(in user: String) -> String? {
        let said = (try? StrictJSON.object(Array(user.utf8)))?["name"]?.object
        let words = [said?["firstName"]?.string, said?["lastName"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Whose word on an address counts.
    static func trusts(_ provider: String, _ claims: JSONObject) -> Bool {
        switch provider {
        case "apple.com": true
        case "google.com": claims["hd"] != nil || claims["email"]?.string?.hasSuffix("@gmail.com") == true
        default: provider.hasPrefix("oidc.")
        }
    }

    private func checkNonce(_ claim: String?, _ raw: String?, isRequired: Bool) throws {
        guard let claim else {
            if isRequired { throw Refusal("MISSING_OR_INVALID_NONCE : Nonce is missing in the request.") }
            return
        }
        guard let raw else { throw Refusal("MISSING_OR_INVALID_NONCE : Nonce is missing in the request.") }
        guard try HashFunction.sha256.digest(raw.utf8).hexadecimal == claim else {
            throw Refusal(
                "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"\(claim)\" does not match the SHA256 hash of the raw nonce \"\(raw)\" in the request."
            )
        }
        guard usedNonces.insert(raw).inserted else {
            throw Refusal(
                "MISSING_OR_INVALID_NONCE:Duplicate credential received. Please try again with a new credential.")
        }
    }

    private func signInWithIdP(_ body: JSONObject, _ fetched: JSONObject?) throws -> JSONValue {
        let claimed = try claimed(body, fetched)
        var answer = claimed.said
        answer["providerId"] = .string(claimed.provider)
        answer["federatedId"] = .string(claimed.rawID)
        if let email = claimed.email { answer["email"] = .string(email) }
        func refused() throws -> JSONValue {
            let pending = try token()
            settings.record?.add(pending)
            waiting[pending] = claimed
            answer["pendingToken"] = .string(pending)
            return .object(answer)
        }
        func failed(_ code: String) throws -> JSONValue {
            answer["errorMessage"] = .string(code)
            return try refused()
        }
        let known = owner(claimed)
        var user: User
        if body["idToken"] != nil {
            user = try self.user(body)
            if known != nil { return try failed("FEDERATED_USER_ID_ALREADY_LINKED") }
            if !allowsDuplicateEmails, let email = claimed.email, let other = owner(email: email),
                other.uid != user.uid
            {
                return try failed("EMAIL_EXISTS")
            }
            user.identities.append((claimed.provider, claimed.rawID, claimed.email, claimed.name))
            user.email = user.email ?? claimed.email
        } else if let known {
            user = known
        } else if !allowsDuplicateEmails, let email = claimed.email, let other = owner(email: email) {
            guard claimed.isTrusted else {
                answer["needConfirmation"] = true
                answer["verifiedProvider"] = .array(
                    other.providers.filter { $0 != "password" }.map { .string(named($0)) })
                return try refused()
            }
            user = other
            if !user.isVerified {
                // Whoever had it before had proven nothing.
                user.identities = []
                user.set(nil)
                user.generation += 1
                user.validSince = now()
            }
            user.isVerified = true
            user.identities.append((claimed.provider, claimed.rawID, claimed.email, claimed.name))
        } else {
            guard body["autoCreate"]?.bool != false else { throw Refusal("USER_NOT_FOUND") }
            user = User(
                // Where an address can be several accounts', it is none's.
                uid: try newUID(), email: allowsDuplicateEmails ? nil : claimed.email, isVerified: claimed.isTrusted,
                name: claimed.name,
                createdAt: now(), lastLoginAt: now())
            user.identities = [(claimed.provider, claimed.rawID, claimed.email, claimed.name)]
            answer["isNewUser"] = true
        }
        users[user.uid] = user
        answer.merge(try tokens(user.uid, claimed.provider))
        return .object(answer)
    }

    // MARK: One account

    /// What a provider is called in answers.
    private func named(_ provider: String) -> String {
        has(.escapesInProvider)
            ? provider + Hostile.escapes : has(.hostileProvider) ? Hostile.provider : provider
    }

    private func shown(_ user: User) -> JSONValue {
        let entries: [JSONValue] = user.identities.map { identity in
            var entry: JSONObject = [
                "providerId": .string(named(identity.provider)), "rawId": .string(identity.rawID),
                "federatedId": .string(identity.rawID),
            ]
            if let email = identity.email { entry["email"] = .string(email) }
            if let name = identity.name { entry["displayName"] = .string(name) }
            return .object(entry)
        }
        // What is false or empty is absent.
        var object: JSONObject = [
            "localId": .string(has(.escapesInUID) ? Hostile.escapes : user.uid),
            "createdAt": .string(String(user.createdAt * 1000)),
            "lastLoginAt": .string(String(user.lastLoginAt * 1000)), "validSince": .string(String(user.validSince)),
            "providerUserInfo": .array(entries),
        ]
        if let email = user.email { object["email"] = .string(email) }
        if user.isVerified { object["emailVerified"] = true }
        if let name = user.name { object["displayName"] = .string(name) }
        if user.password != nil { object["passwordHash"] = "UkVEQUNURUQ=" }
        return .object(object)
    }

    private func update(_ body: JSONObject) throws -> JSONValue {
        let isSensitive = body["email"] != nil || body["password"] != nil
        var user = try isSensitive ? recent(body) : user(body)
        if let email = body["email"]?.string {
            if has(.emailProtection) {
                throw Refusal("OPERATION_NOT_ALLOWED : Please verify the new email before changing email.")
            }
            guard owner(email: email).map({ $0.uid == user.uid }) ?? true else { throw Refusal("EMAIL_EXISTS") }
            user.email = email
            user.isVerified = false
            for index in user.identities.indices where user.identities[index].provider == "password" {
                user.identities[index] = ("password", email, email, nil)
            }
        }
        if let password = body["password"]?.string { user.set(password) }
        for provider in body["deleteProvider"]?.strings ?? [] {
            user.identities.removeAll { $0.provider == provider }
            if provider == "password" { user.set(nil) }
        }
        if isSensitive { user.generation += 1 }
        users[user.uid] = user
        var answer: JSONObject = ["localId": .string(user.uid)]
        if isSensitive { answer.merge(try tokens(user.uid, "password")) }
        return .object(answer)
    }

    private func revokeToken(_ body: JSONObject) throws -> JSONObject {
        count("revokeToken \(body["tokenType"]?.string ?? "")")
        guard try user(body).providers.contains(body["providerId"]?.string ?? "") else {
            throw Refusal("INVALID_PROVIDER_ID")
        }
        guard let token = body["token"]?.string, !token.isEmpty else { throw Refusal("INVALID_REQ_TYPE") }
        return [:]
    }

    private func delete(_ body: JSONObject) throws -> JSONValue {
        users[try recent(body).uid] = nil
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }

    private func lookUp(_ body: JSONObject) throws -> JSONValue {
        guard let email = body["identifier"]?.string else { throw Refusal("MISSING_IDENTIFIER") }
        guard body["continueUri"] != nil else { throw Refusal("MISSING_CONTINUE_URI") }
        var answer: JSONObject = ["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(try token())]
        guard !has(.emailProtection) else { return .object(answer) }
        let user = owner(email: email)
        answer["registered"] = .bool(user != nil)
        if let user {
            answer["allProviders"] = JSONValue(user.providers.map(named))
            answer["signinMethods"] = JSONValue(user.providers.map(named))
        }
        return .object(answer)
    }
}
