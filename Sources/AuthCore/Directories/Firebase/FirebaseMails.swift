extension FirebaseDirectory {
    func sendPasswordReset(to email: String) async throws {
        try await toolkit.sendMail(.resetPassword, ["email": .string(email)])
    }

    func sendVerification(of uid: String) async throws {
        let token = try await freshToken(uid).revealed()
        try await toolkit.sendMail(.verifyEmail, secret: ["idToken": token])
    }

    func sendSignIn(to email: String) async throws {
        // The page that the link leads on to, on a domain that a project has authorized from its start.
        let domain = project.settings.authDomain ?? "\(project.projectID).firebaseapp.com"
        try await toolkit.sendMail(
            .signIn,
            ["email": .string(email), "continueUrl": .string("https://\(domain)/"), "canHandleCodeInApp": true])
    }

    func check(_ code: ActionCode, for action: MailAction, of email: String) async throws {
        // Without a password, the call that resets one only returns the purpose of a code.
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

    func verifyEmail(_ code: ActionCode, of account: Account, now: Int64) async throws -> Account {
        _ = try await toolkit.call("update", secret: ["oobCode": code.revealed()])
        do {
            return try await reloaded(account.uid, now: now)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The change is done even if it cannot be read again.
            notice(.notSeen)
            var expected = account
            expected.isEmailVerified = true
            try await sessionStore.adopt(expected, [], makesCurrent: false)
            return expected
        }
    }
}

extension IdentityToolkit {
    fileprivate func sendMail(
        _ action: MailAction, _ target: JSONObject = [:], secret: KeyValuePairs<String, String?> = [:]
    ) async throws {
        var body = target
        body["requestType"] = .string(action.requestType)
        _ = try await call("sendOobCode", body, secret: secret)
    }
}
