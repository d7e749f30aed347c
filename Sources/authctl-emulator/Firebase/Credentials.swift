import AuthCore

extension FirebaseProject {
    func claimed(_ body: JSONObject, _ fetched: JSONObject?) throws -> Claimed {
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
            guard let claims = SharedIssuers.claims(of: idToken) else {
                throw Refusal("INVALID_IDP_RESPONSE : Unable to parse \(idToken)")
            }
            try checkNonce(claims["nonce"]?.string, form["nonce"], isRequired: provider == "apple.com")
            let isVerified = claims["email_verified"]?.bool == true || claims["email_verified"]?.string == "true"
            return Claimed(
                provider: provider, rawID: claims["sub"]?.string ?? "", email: claims["email"]?.string,
                isTrusted: isVerified && FirebaseProject.trusts(provider, claims),
                name: claims["name"]?.string ?? form["user"].flatMap { FirebaseProject.name(in: $0) })
        }
        guard let accessToken = form["access_token"], let user = SharedIssuers.user(of: accessToken) else {
            throw Refusal(
                "INVALID_IDP_RESPONSE : Failed to fetch resource with access token \(form["access_token"] ?? "")")
        }
        let person = Person(user: user)
        return Claimed(
            provider: provider, rawID: String(person.number), email: person.email, isTrusted: false, name: person.name)
    }

    static func name(in user: String) -> String? {
        let name = (try? StrictJSON.object(Array(user.utf8)))?["name"]?.object
        let words = [name?["firstName"]?.string, name?["lastName"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    static func trusts(_ provider: String, _ claims: JSONObject) -> Bool {
        switch provider {
        case "apple.com": true
        case "google.com": claims["hd"] != nil || claims["email"]?.string?.hasSuffix("@gmail.com") == true
        default: provider.hasPrefix("oidc.")
        }
    }

    func checkNonce(_ claim: String?, _ raw: String?, isRequired: Bool) throws {
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

    func signInWithIdP(_ body: JSONObject, _ fetched: JSONObject?) throws -> JSONValue {
        let claimed = try claimed(body, fetched)
        var response = claimed.profile
        response["providerId"] = .string(claimed.provider)
        response["federatedId"] = .string(claimed.rawID)
        if let email = claimed.email { response["email"] = .string(email) }
        switch try decision(claimed, body) {
        case .signedIn(let user, let isNew):
            if isNew { response["isNewUser"] = true }
            if let pending = try secondFactor(user, claimed.provider) {
                response.merge(pending)
            } else {
                users[user.uid] = user
                response.merge(try tokens(user.uid, claimed.provider))
            }
            return .object(response)
        case .failed(let code): response["errorMessage"] = .string(code)
        case .needsConfirmation(let user):
            response["needConfirmation"] = true
            response["verifiedProvider"] = .array(
                user.providers.filter { $0 != "password" }.map { .string(named($0)) })
        }
        let pending = site.recorded(try site.token())
        waiting[pending] = claimed
        response["pendingToken"] = .string(pending)
        return .object(response)
    }

    private enum Decision {
        case signedIn(User, isNew: Bool = false)
        /// The identity stays pending, as for `needsConfirmation`.
        case failed(String)
        case needsConfirmation(by: User)
    }

    private func decision(_ claimed: Claimed, _ body: JSONObject) throws -> Decision {
        let known = owner(claimed)
        // If several accounts may share an email address, it does not identify an account.
        let email = allowsDuplicateEmails ? nil : claimed.email
        let namesake = email.flatMap { owner(email: $0) }
        if body["idToken"] != nil {
            var user = try user(body)
            if known != nil { return .failed("FEDERATED_USER_ID_ALREADY_LINKED") }
            if let namesake, namesake.uid != user.uid { return .failed("EMAIL_EXISTS") }
            user.identities.append(claimed.identity)
            user.email = user.email ?? claimed.email
            return .signedIn(user)
        }
        if let known { return .signedIn(known) }
        guard var user = namesake else {
            guard body["autoCreate"]?.bool != false else { throw Refusal("USER_NOT_FOUND") }
            var user = User(
                uid: try newUID(), email: email, isVerified: claimed.isTrusted, name: claimed.name,
                createdAt: site.now(), lastLoginAt: site.now())
            user.identities = [claimed.identity]
            return .signedIn(user, isNew: true)
        }
        guard claimed.isTrusted else { return .needsConfirmation(by: user) }
        if !user.isVerified {
            // The account's previous user had not verified the email address.
            user.identities = []
            user.set(nil)
            user.generation += 1
            user.validSince = site.now()
        }
        user.isVerified = true
        user.identities.append(claimed.identity)
        return .signedIn(user)
    }
}
