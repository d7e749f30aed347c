extension FirebaseDirectory {
    /// Stores the tokens of a re-authentication, which must be for the account `uid`.
    func reauthenticated(_ tokens: IdentityToolkit.Tokens, as uid: String, by provider: String) async throws -> Account
    {
        guard tokens.uid.hasSameBytes(as: uid) else { throw AccountConflict.userMismatch }
        return try await adopt(tokens, of: nil, by: provider, isCurrent: false)
    }

    func link(
        email: String, link code: ActionCode, to uid: String, hasConsent: Bool, now: Int64
    ) async throws -> Account {
        let token = try await freshToken(uid)
        var expected = try await current(token)
        let (tokens, _) = try await registering(email) {
            try await toolkit.signIn(email: email, link: code, linkingTo: token)
        }
        try requireSame(tokens.uid, as: uid, in: "localId")
        expected.email = email
        expected.isEmailVerified = true
        if !expected.has(PasswordProvider.id) {
            // The project lists an email link as a password.
            expected.providerData.append(inProject(PasswordProvider.identity(email: email)))
        }
        return try await adopt(
            tokens, of: nil, by: ProjectSignInProvider.emailLink, isCurrent: false, consentedAt: hasConsent ? now : nil,
            otherwise: expected)
    }
}

extension FirebaseDirectory {
    func signInAnonymously() async throws -> (account: Account, isNew: Bool) {
        if let uid = try await sessionStore.currentUID(), let current = try await sessionStore.account(uid: uid),
            current.isAnonymous
        {
            do {
                _ = try await freshToken(uid)
                return (current, false)
            } catch AccountRefusal.signedOut {
                // An anonymous account cannot sign in again, so a new one is created.
            } catch let over as ProjectSessionEnded {
                if over.cause == .accountDeleted { try await sessionStore.forget(uid) }
            }
        }
        let tokens = try await toolkit.signUpAnonymously()
        var expected = Account(uid: tokens.uid, createdAt: clock.now(), lastSignInAt: clock.now(), providerData: [])
        expected.isAnonymous = true
        return (try await adopt(tokens, of: nil, by: ProjectSignInProvider.anonymous, otherwise: expected), true)
    }

    package func linkPassword(_ password: Password, email: String, to uid: String, now: Int64) async throws -> Account {
        // An anonymous account cannot re-authenticate.
        if try await sessionStore.account(uid: uid)?.isAnonymous != true {
            try await sessionStore.requireRecentLogin(uid, now: now)
        }
        let token = try await freshToken(uid)
        let account = try await current(token)
        try account.requireNone(of: PasswordProvider.id)
        return try await linkFirstPassword(password, email: email, to: account, token: token)
    }

    func linkFirstPassword(
        _ password: Password, email: String, to account: Account, token: RawIDToken
    ) async throws -> Account {
        let tokens = try await registering(email) { try await toolkit.signUp(email: email, password, linkingTo: token) }
        try requireSame(tokens.uid, as: account.uid, in: "localId")
        var expected = account
        expected.email = account.email ?? email
        expected.providerData.append(inProject(PasswordProvider.identity(email: email)))
        return try await adopt(tokens, of: nil, by: PasswordProvider.id, isCurrent: false, otherwise: expected)
    }
}

extension IdentityToolkit {
    func signUpAnonymously() async throws -> Tokens {
        try tokens(try await call("signUp", with: ["returnSecureToken": true]))
    }

    func signIn(customToken token: CustomToken) async throws -> (tokens: Tokens, isNew: Bool) {
        let response = try await call(
            "signInWithCustomToken", with: ["returnSecureToken": true], secret: ["token": token.revealed()])
        return (try tokens(response), response["isNewUser"]?.bool == true)
    }

    func signIn(
        email: String, link code: ActionCode, linkingTo idToken: RawIDToken? = nil
    ) async throws -> (tokens: Tokens, isNew: Bool) {
        let response = try await call(
            "signInWithEmailLink", with: ["email": .string(email)],
            secret: ["oobCode": code.revealed(), "idToken": idToken?.revealed()])
        return (try tokens(response), response["isNewUser"]?.bool == true)
    }
}
