import AuthCore

extension FirebaseProject {
    func signUp(_ body: JSONObject) throws -> JSONValue {
        if body["email"] == nil, body["password"] == nil, body["idToken"] == nil { return .object(try anonymous()) }
        guard let email = body["email"]?.string, !email.isEmpty else { throw Refusal("MISSING_EMAIL") }
        guard let password = body["password"]?.string else { throw Refusal("MISSING_PASSWORD") }
        try check(password)
        if body["idToken"] != nil {
            var user = try user(body)
            guard owner(email: email).map({ $0.uid == user.uid }) ?? true else { throw Refusal("EMAIL_EXISTS") }
            user.email = user.email ?? email
            user.set(password, links: user.hasLinks)
            users[user.uid] = user
            return .object(try tokens(user.uid, "password"))
        }
        guard owner(email: email) == nil else { throw Refusal("EMAIL_EXISTS") }
        let uid = try newUID()
        var user = User(uid: uid, email: email, createdAt: site.now(), lastLoginAt: site.now())
        user.set(password)
        users[uid] = user
        var response = try tokens(uid, "password")
        response["kind"] = "identitytoolkit#SignupNewUserResponse"
        return .object(response)
    }

    private func anonymous() throws -> JSONObject {
        guard !site.has(.anonymousOff) else { throw Refusal("ADMIN_ONLY_OPERATION") }
        let uid = try newUID()
        users[uid] = User(uid: uid, createdAt: site.now(), lastLoginAt: site.now())
        var response = try tokens(uid, "anonymous")
        response["kind"] = "identitytoolkit#SignupNewUserResponse"
        return response
    }

    func signInWithPassword(_ body: JSONObject) throws -> JSONValue {
        let email = body["email"]?.string ?? ""
        guard failures[email, default: 0] < 5 else {
            throw Refusal("TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.")
        }
        guard let user = owner(email: email), user.password == body["password"]?.string, user.password != nil else {
            failures[email, default: 0] += 1
            throw Refusal("INVALID_LOGIN_CREDENTIALS")
        }
        failures[email] = nil
        if let pending = try secondFactor(user, "password") { return .object(pending) }
        return .object(try tokens(user.uid, "password"))
    }

    /// Signs in with a custom token, a JWT from the project's own server. Like the official emulator, accepts unsigned
    /// tokens and plain JSON. Checks the service account in `sub` if there is one.
    func signInWithCustomToken(_ body: JSONObject) throws -> JSONValue {
        guard let token = body["token"]?.string, !token.isEmpty else { throw Refusal("MISSING_CUSTOM_TOKEN") }
        site.settings.record?.add(token)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let payload = parts.count == 3 ? Base64URL.decode(String(parts[1])) : Array(token.utf8)
        guard let payload, let claims = try? StrictJSON.object(payload), let uid = claims["uid"]?.string, !uid.isEmpty
        else { throw Refusal("INVALID_CUSTOM_TOKEN : Invalid assertion format: \(token)") }
        if let subject = claims["sub"]?.string, !subject.hasSuffix("@\(id).iam.gserviceaccount.com") {
            throw Refusal("CREDENTIAL_MISMATCH : The custom token corresponds to a different Firebase project.")
        }
        let isNew = users[uid] == nil
        var user = users[uid] ?? User(uid: uid, createdAt: site.now(), lastLoginAt: site.now())
        user.tokenClaims = claims["claims"]?.object ?? [:]
        if let pending = try secondFactor(user, "custom") { return .object(pending) }
        users[uid] = user
        var response = try tokens(uid, "custom")
        // The service omits `localId`. The ID token contains it.
        response["localId"] = nil
        response["isNewUser"] = .bool(isNew)
        response["kind"] = "identitytoolkit#VerifyCustomTokenResponse"
        return .object(response)
    }

    func check(_ password: String) throws {
        guard password.count >= 6 else { throw Refusal("WEAK_PASSWORD : Password should be at least 6 characters") }
    }

    // MARK: One account

    func named(_ provider: String) -> String {
        site.has(.escapesInProvider)
            ? provider + HostileText.escapes : site.has(.hostileProvider) ? HostileText.provider : provider
    }

    func shown(_ user: User) -> JSONValue {
        let entries: [JSONValue] = user.identities.map { identity in
            var entry: JSONObject = [
                "providerId": .string(named(identity.provider)), "rawId": .string(identity.rawID),
                "federatedId": .string(identity.rawID),
            ]
            if let email = identity.email { entry["email"] = .string(email) }
            if let name = identity.name { entry["displayName"] = .string(name) }
            return .object(entry)
        }
        // False and empty fields are omitted.
        var object: JSONObject = [
            "localId": .string(site.has(.escapesInUID) ? HostileText.escapes : user.uid),
            "createdAt": .string(String(user.createdAt * 1000)),
            "lastLoginAt": .string(String(user.lastLoginAt * 1000)), "validSince": .string(String(user.validSince)),
            "providerUserInfo": .array(entries),
        ]
        if let email = user.email { object["email"] = .string(email) }
        if user.isVerified { object["emailVerified"] = true }
        if let name = user.name { object["displayName"] = .string(name) }
        if let photo = user.photo { object["photoUrl"] = .string(photo) }
        if !user.claims.members.isEmpty { object["customAttributes"] = .string(JSONValue.object(user.claims).text) }
        if !user.factors.isEmpty { object["mfaInfo"] = .array(user.factors.map(\.shown)) }
        if user.hasLinks { object["emailLinkSignin"] = true }
        if user.password != nil { object["passwordHash"] = "UkVEQUNURUQ=" }
        return .object(object)
    }

    func update(_ body: JSONObject) throws -> JSONValue {
        if body["oobCode"] != nil { return .object(try applied(body)) }
        let isSensitive = body["email"] != nil || body["password"] != nil
        var user = try isSensitive ? recent(body) : user(body)
        if let email = body["email"]?.string {
            if site.has(.emailProtection) {
                throw Refusal("OPERATION_NOT_ALLOWED : Please verify the new email before changing email.")
            }
            guard owner(email: email).map({ $0.uid == user.uid }) ?? true else { throw Refusal("EMAIL_EXISTS") }
            user.move(to: email)
            user.isVerified = false
        }
        if let password = body["password"]?.string {
            try check(password)
            user.set(password, links: user.hasLinks)
        }
        if let name = body["displayName"]?.string { user.name = name }
        if let photo = body["photoUrl"]?.string { user.photo = photo }
        for attribute in body["deleteAttribute"]?.strings ?? [] {
            switch attribute {
            case "DISPLAY_NAME": user.name = nil
            case "PHOTO_URL": user.photo = nil
            default: throw Refusal("INVALID_REQ_TYPE")
            }
        }
        for provider in body["deleteProvider"]?.strings ?? [] {
            user.identities.removeAll { $0.provider == provider }
            if provider == "password" { user.set(nil) }
        }
        if isSensitive { user.generation += 1 }
        users[user.uid] = user
        var response: JSONObject = ["localId": .string(user.uid)]
        if isSensitive { response.merge(try tokens(user.uid, "password")) }
        return .object(response)
    }

    func administer(_ body: JSONObject) throws -> JSONObject {
        guard let uid = body["localId"]?.string, var user = users[uid] else { throw Refusal("USER_NOT_FOUND") }
        user.isDisabled = body["disableUser"]?.bool ?? user.isDisabled
        user.isVerified = body["emailVerified"]?.bool ?? user.isVerified
        user.name = body["displayName"]?.string ?? user.name
        if let email = body["email"]?.string { user.move(to: email) }
        if let mfa = body["mfa"]?.object { user.factors = try enrolled(mfa["enrollments"]?.array ?? []) }
        if let text = body["customAttributes"]?.string { user.claims = try StrictJSON.object(Array(text.utf8)) }
        users[uid] = user
        return ["localId": .string(uid)]
    }

    func revokeToken(_ body: JSONObject) throws -> JSONObject {
        site.count("revokeToken \(body["tokenType"]?.string ?? "")")
        guard try user(body).providers.contains(body["providerId"]?.string ?? "") else {
            throw Refusal("INVALID_PROVIDER_ID")
        }
        guard let token = body["token"]?.string, !token.isEmpty else { throw Refusal("INVALID_REQ_TYPE") }
        return [:]
    }

    func delete(_ body: JSONObject) throws -> JSONValue {
        users[try recent(body).uid] = nil
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }

    func lookUp(_ body: JSONObject) throws -> JSONValue {
        guard let email = body["identifier"]?.string else { throw Refusal("MISSING_IDENTIFIER") }
        guard body["continueUri"] != nil else { throw Refusal("MISSING_CONTINUE_URI") }
        var response: JSONObject = [
            "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(try site.token()),
        ]
        guard !site.has(.emailProtection) else { return .object(response) }
        let user = owner(email: email)
        response["registered"] = .bool(user != nil)
        if let user {
            response["allProviders"] = JSONValue(user.providers.map(named))
            response["signinMethods"] = JSONValue(user.methods.map(named))
        }
        return .object(response)
    }
}
