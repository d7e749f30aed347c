import AuthCore

extension FirebaseProject {
    /// An email, and the request that its code authorizes.
    struct Mail {
        let kind: String
        let email: String
        let code: String
        let link: String
        /// Seconds since 1970.
        let endsAt: Int64

        var shown: JSONValue {
            [
                "requestType": .string(kind), "email": .string(email), "oobCode": .string(code),
                "oobLink": .string(link),
            ]
        }
    }

    func mail(_ body: JSONObject) throws -> JSONObject {
        let kind = body["requestType"]?.string ?? ""
        let (email, mode): (String, String)
        switch kind {
        case "PASSWORD_RESET":
            (email, mode) = (body["email"]?.string ?? "", "resetPassword")
            guard owner(email: email) != nil else {
                guard site.has(.emailProtection) else { throw Refusal("EMAIL_NOT_FOUND") }
                return sent(email)
            }
        case "VERIFY_EMAIL": (email, mode) = (try user(body).email ?? "", "verifyEmail")
        case "VERIFY_AND_CHANGE_EMAIL":
            _ = try user(body)
            return sent(body["newEmail"]?.string ?? "")
        case "EMAIL_SIGNIN":
            (email, mode) = (body["email"]?.string ?? "", "signIn")
            guard body["canHandleCodeInApp"]?.bool == true else { throw Refusal("OPERATION_NOT_ALLOWED") }
            guard let url = body["continueUrl"]?.string else { throw Refusal("MISSING_CONTINUE_URI") }
            guard (try? HTTPURL(url))?.host == "\(id).firebaseapp.com" else {
                throw Refusal("UNAUTHORIZED_DOMAIN : Domain not allowlisted by project")
            }
        default: throw Refusal("MISSING_REQ_TYPE")
        }
        guard !email.isEmpty else { throw Refusal("MISSING_EMAIL") }
        guard !site.has(.mailLimit) else {
            throw Refusal(kind == "PASSWORD_RESET" ? "RESET_PASSWORD_EXCEED_LIMIT" : "TOO_MANY_ATTEMPTS_TRY_LATER")
        }
        let code = site.recorded(try site.token())
        let query = FormURLEncoded.encode([
            ("apiKey", "the-project-s-key"), ("mode", mode), ("oobCode", code),
            ("continueUrl", body["continueUrl"]?.string ?? ""), ("lang", "en"),
        ])
        let mail = Mail(
            kind: kind, email: email, code: code,
            link: "https://\(id).firebaseapp.com/__/auth/action?\(query)",
            endsAt: site.now() + (site.settings.codeLifetime ?? 3600))
        mails.append(mail)
        site.settings.mailbox?.append(mail.shown.text)
        return sent(email)
    }

    private func sent(_ email: String) -> JSONObject {
        ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email)]
    }

    func mailbox(_ request: Request) -> Reply { .json(["oobCodes": .array(mails.map(\.shown))]) }

    private func mail(of body: JSONObject) throws -> (index: Int, mail: Mail) {
        guard let index = mails.firstIndex(where: { $0.code == body["oobCode"]?.string }) else {
            throw Refusal("INVALID_OOB_CODE")
        }
        guard mails[index].endsAt > site.now() else { throw Refusal("EXPIRED_OOB_CODE") }
        return (index, mails[index])
    }

    /// `accounts:resetPassword`. Without a new password, it returns the type of the code, which remains valid.
    func resetPassword(_ body: JSONObject) throws -> JSONObject {
        let (index, mail) = try mail(of: body)
        var response: JSONObject = [
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": .string(mail.kind),
        ]
        // For a sign-in by email link, the client must already know the email address.
        if mail.kind != "EMAIL_SIGNIN" { response["email"] = .string(mail.email) }
        guard let password = body["newPassword"]?.string else { return response }
        guard mail.kind == "PASSWORD_RESET", var user = owner(email: mail.email) else {
            throw Refusal("INVALID_OOB_CODE")
        }
        try check(password)
        mails.remove(at: index)
        user.identities = []
        user.set(password)
        // The code proves that the user can read the mailbox.
        user.isVerified = true
        user.generation += 1
        user.validSince = site.now()
        users[user.uid] = user
        failures[mail.email] = nil
        return response
    }

    func signInWithEmailLink(_ body: JSONObject) throws -> JSONObject {
        let (index, mail) = try mail(of: body)
        guard mail.kind == "EMAIL_SIGNIN" else { throw Refusal("INVALID_OOB_CODE") }
        guard body["email"]?.string?.lowercased() == mail.email.lowercased() else {
            throw Refusal("INVALID_EMAIL : The email provided does not match the sign-in email address.")
        }
        let known = owner(email: mail.email)
        let linking = body["idToken"] == nil ? nil : try user(body)
        if let linking, let known, known.uid != linking.uid { throw Refusal("EMAIL_EXISTS") }
        mails.remove(at: index)
        var user =
            try linking ?? known
            ?? User(uid: newUID(), email: mail.email, createdAt: site.now(), lastLoginAt: site.now())
        if linking == nil, known?.isVerified == false {
            // The account's previous user had not verified the email address.
            user.identities = []
            user.set(nil)
            user.generation += 1
        }
        user.email = mail.email
        user.isVerified = true
        user.set(user.password, links: true)
        if let pending = try secondFactor(user, "password") { return pending }
        users[user.uid] = user
        // The ID token's provider is `password`, as at the service.
        var response = try tokens(user.uid, "password")
        response["kind"] = "identitytoolkit#EmailLinkSigninResponse"
        response["email"] = .string(mail.email)
        response["isNewUser"] = .bool(linking == nil && known == nil)
        return response
    }

    func applied(_ body: JSONObject) throws -> JSONObject {
        let (index, mail) = try mail(of: body)
        guard mail.kind == "VERIFY_EMAIL", var user = owner(email: mail.email) else {
            throw Refusal("INVALID_OOB_CODE")
        }
        mails.remove(at: index)
        user.isVerified = true
        users[user.uid] = user
        return ["localId": .string(user.uid), "email": .string(mail.email), "emailVerified": true]
    }
}
