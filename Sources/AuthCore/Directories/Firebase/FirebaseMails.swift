extension FirebaseDirectory {
    package func sendPasswordReset(to email: String) async throws {
        try PasswordPolicy.check(email: email)
        try await toolkit.sendMail(.resetPassword, to: ["email": .string(email)])
    }

    package func sendVerification(for account: Account) async throws {
        guard account.email != nil else { throw AccountRefusal.noEmail }
        let token = try await freshToken(account.uid).revealed()
        try await toolkit.sendMail(.verifyEmail, secret: ["idToken": token])
    }

    package func sendSignIn(to email: String) async throws {
        try PasswordPolicy.check(email: email)
        // The page after the link. By default, every project authorizes this domain.
        let domain = project.settings.authDomain ?? "\(project.projectID).firebaseapp.com"
        try await toolkit.sendMail(
            .signIn,
            to: ["email": .string(email), "continueUrl": .string("https://\(domain)/"), "canHandleCodeInApp": true])
    }

    package func check(_ code: ActionCode, for action: MailAction, of email: String) async throws {
        // Without a new password, `resetPassword` only returns the purpose of the code.
        let purpose = try await toolkit.call("resetPassword", secret: ["oobCode": code.revealed()])
        let (kind, owner) = (purpose["requestType"]?.string, purpose["email"]?.string)
        guard kind == nil || kind == action.requestType else { throw ActionLink.Fault.notFor(action) }
        guard let owner, !isOneAddress(owner, email) else { return }
        throw ActionLink.Fault.otherAddress(owner)
    }

    func resetPassword(_ code: ActionCode, to password: Password) async throws {
        _ = try await toolkit.call(
            "resetPassword", secret: ["oobCode": code.revealed(), "newPassword": password.revealed()])
    }

    package func verifyEmail(_ code: ActionCode, of account: Account) async throws -> Account {
        _ = try await toolkit.call("update", secret: ["oobCode": code.revealed()])
        do {
            return try await reloaded(account.uid)
        } catch let error where !(error is CancellationError) {
            // The address was verified, even if the account cannot be read again.
            notice(.notSeen)
            var expected = account
            expected.isEmailVerified = true
            try await sessionStore.adopt(expected, with: [], makesCurrent: false)
            return expected
        }
    }
}

extension IdentityToolkit {
    fileprivate func sendMail(
        _ action: MailAction, to target: JSONObject = [:], secret: KeyValuePairs<String, String?> = [:]
    ) async throws {
        var body = target
        body["requestType"] = .string(action.requestType)
        _ = try await call("sendOobCode", with: body, secret: secret)
    }
}
