import AuthCore

/// Passwords, and what is done to one account.
extension FirebaseProject {
    func signUp(_ body: JSONObject) throws -> JSONValue {
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
        var user = User(uid: uid, email: email, createdAt: site.now(), lastLoginAt: site.now())
        user.set(password)
        users[uid] = user
        var answer = try tokens(uid, "password")
        answer["kind"] = "identitytoolkit#SignupNewUserResponse"
        return .object(answer)
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
        return .object(try tokens(user.uid, "password"))
    }

    // MARK: One account

    /// What a provider is called in answers.
    func named(_ provider: String) -> String {
        site.has(.escapesInProvider)
            ? provider + Hostile.escapes : site.has(.hostileProvider) ? Hostile.provider : provider
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
        // What is false or empty is absent.
        var object: JSONObject = [
            "localId": .string(site.has(.escapesInUID) ? Hostile.escapes : user.uid),
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

    func update(_ body: JSONObject) throws -> JSONValue {
        let isSensitive = body["email"] != nil || body["password"] != nil
        var user = try isSensitive ? recent(body) : user(body)
        if let email = body["email"]?.string {
            if site.has(.emailProtection) {
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
        var answer: JSONObject = [
            "kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(try site.token()),
        ]
        guard !site.has(.emailProtection) else { return .object(answer) }
        let user = owner(email: email)
        answer["registered"] = .bool(user != nil)
        if let user {
            answer["allProviders"] = JSONValue(user.providers.map(named))
            answer["signinMethods"] = JSONValue(user.providers.map(named))
        }
        return .object(answer)
    }
}
