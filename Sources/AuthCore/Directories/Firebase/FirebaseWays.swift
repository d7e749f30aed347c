/// Ways into a project that no provider is.
extension FirebaseDirectory {
    /// Opens the account that a custom token names, or makes it, and makes it current.
    func signIn(customToken token: CustomToken) async throws -> (account: Account, isNew: Bool) {
        let (tokens, isNew) = try await toolkit.signIn(customToken: token)
        return (try await adopt(tokens, nil, by: ProjectWay.customToken), isNew)
    }

    /// Takes a custom token as a new proof of an account.
    /// - Throws: `AccountConflict.userMismatch`; nothing is changed then.
    func reauthenticate(customToken token: CustomToken, as uid: String) async throws -> Account {
        let (tokens, _) = try await toolkit.signIn(customToken: token)
        guard tokens.uid.hasSameBytes(as: uid) else { throw AccountConflict.userMismatch }
        return try await adopt(tokens, nil, by: ProjectWay.customToken, isCurrent: false)
    }

    // MARK: A link in a mail

    /// Opens the account of an address by the link that came there, or makes it, and makes it current.
    func signIn(email: String, link code: ActionCode) async throws -> (account: Account, isNew: Bool) {
        let (tokens, isNew) = try await toolkit.signIn(email: email, link: code)
        return (try await adopt(tokens, nil, by: ProjectWay.emailLink), isNew)
    }

    /// Lets an account sign in by links to an address too.
    /// - Throws: `AccountConflict.emailAlreadyInUse`.
    func link(
        email: String, link code: ActionCode, to uid: String, hasConsent: Bool, now: Int64
    ) async throws -> Account {
        let token = try await freshToken(uid)
        var expected = try await current(token)
        let tokens: IdentityToolkit.Tokens
        do {
            (tokens, _) = try await toolkit.signIn(email: email, link: code, linkingTo: token)
        } catch let error as FirebaseError where error.projectCode == "EMAIL_EXISTS" {
            throw AccountConflict.emailAlreadyInUse(email)
        }
        guard tokens.uid.hasSameBytes(as: uid) else { throw FirebaseError.invalidResponse(.otherAccount("localId")) }
        expected.email = email
        expected.isEmailVerified = true
        if !expected.providerData.contains(where: { $0.key.providerID == PasswordProvider.id }) {
            // Links stand there as passwords do.
            expected.providerData.append(here(PasswordProvider.identity(email: email)))
        }
        return try await adopt(
            tokens, nil, by: ProjectWay.emailLink, isCurrent: false, consentedAt: hasConsent ? now : nil,
            otherwise: expected)
    }

    /// Takes a link that came to an address as a new proof of an account.
    /// - Throws: `AccountConflict.userMismatch`; nothing is changed then.
    func reauthenticate(email: String, link code: ActionCode, as uid: String) async throws -> Account {
        let (tokens, _) = try await toolkit.signIn(email: email, link: code)
        guard tokens.uid.hasSameBytes(as: uid) else { throw AccountConflict.userMismatch }
        return try await adopt(tokens, nil, by: ProjectWay.emailLink, isCurrent: false)
    }
}

/// Accounts of nobody in particular, and how they become somebody's.
extension FirebaseDirectory {
    /// Makes an anonymous account, and makes it current; the current one is taken where it is one already.
    func signInAnonymously() async throws -> (account: Account, isNew: Bool) {
        if let uid = try await ledger.currentUID(), let current = try await ledger.account(uid: uid),
            current.isAnonymous
        {
            do {
                _ = try await freshToken(uid)
                return (current, false)
            } catch let over as NotRenewed {
                // Another one is all that can be had.
                if over.isAccountGone { try await ledger.forget(uid) }
            }
        }
        let tokens = try await toolkit.signUpAnonymously()
        var expected = Account(
            uid: tokens.uid, email: nil, isEmailVerified: false, displayName: nil, photoURL: nil,
            createdAt: clock.now(), lastSignInAt: clock.now(), providerData: [])
        expected.isAnonymous = true
        return (try await adopt(tokens, nil, by: ProjectWay.anonymous, otherwise: expected), true)
    }

    package func linkPassword(
        _ password: Password, email: String, to uid: String, now: Int64
    ) async throws -> Account {
        let token = try await freshToken(uid)
        let account = try await current(token)
        guard !account.providerData.contains(where: { $0.key.providerID == PasswordProvider.id }) else {
            throw AccountConflict.providerAlreadyLinked(PasswordProvider.id)
        }
        return try await linkFirstPassword(password, email: email, to: account, token)
    }

    /// A first password is linked, not set: an update fails where addresses are protected from enumeration.
    func linkFirstPassword(
        _ password: Password, email: String, to account: Account, _ token: RawIDToken
    ) async throws -> Account {
        let tokens: IdentityToolkit.Tokens
        do {
            tokens = try await toolkit.signUp(email: email, password, linkingTo: token)
        } catch let error as FirebaseError where error.projectCode == "EMAIL_EXISTS" {
            throw AccountConflict.emailAlreadyInUse(email)
        }
        guard tokens.uid.hasSameBytes(as: account.uid) else {
            throw FirebaseError.invalidResponse(.otherAccount("localId"))
        }
        var expected = account
        expected.email = account.email ?? email
        expected.providerData.append(here(PasswordProvider.identity(email: email)))
        return try await adopt(tokens, nil, by: PasswordProvider.id, isCurrent: false, otherwise: expected)
    }
}

extension IdentityToolkit {
    func signUpAnonymously() async throws -> Tokens {
        try tokens(try await call("signUp", ["returnSecureToken": true], secrets: []))
    }

    func signIn(customToken token: CustomToken) async throws -> (Tokens, isNew: Bool) {
        let answer = try await call(
            "signInWithCustomToken", ["token": .string(token.revealed()), "returnSecureToken": true],
            secrets: [token.revealed()])
        return (try tokens(answer), answer["isNewUser"]?.bool == true)
    }

    /// - Parameter linkingTo: the ID token of the account that the address is attached to.
    func signIn(
        email: String, link code: ActionCode, linkingTo idToken: RawIDToken? = nil
    ) async throws -> (Tokens, isNew: Bool) {
        var body: JSONObject = ["email": .string(email), "oobCode": .string(code.revealed())]
        body["idToken"] = idToken.map { .string($0.revealed()) }
        let answer = try await call(
            "signInWithEmailLink", body, secrets: [code.revealed()] + [idToken?.revealed()].compactMap { $0 })
        return (try tokens(answer), answer["isNewUser"]?.bool == true)
    }
}
