/// The account directory of a Firebase Auth or Identity Platform project. The project has the accounts, and decides
/// about links and conflicts. The local store has copies of the accounts, and the sessions of this machine.
package struct FirebaseDirectory: AccountDirectory {
    let toolkit: IdentityToolkit
    package let sessionStore: SessionStore
    let fetcher: DocumentFetcher
    let clock: Clock
    let notice: @Sendable (DirectoryNote) -> Void
    var project: FirebaseProject { toolkit.project }

    package init(
        project: FirebaseProject, sessionStore: SessionStore, transport: any HTTPTransport, fetcher: DocumentFetcher,
        clock: Clock, secondFactor: @escaping SecondFactor.CodePrompt = { _ in nil },
        notice: @escaping @Sendable (DirectoryNote) -> Void
    ) {
        let sessionStore = sessionStore.withOrigin(project.origin)
        self.sessionStore = sessionStore
        toolkit = IdentityToolkit(
            project: project, transport: transport, secondFactor: secondFactor,
            sessionEnded: { await FirebaseDirectory.discard($0, in: sessionStore, now: clock.now()) })
        self.fetcher = fetcher
        self.clock = clock
        self.notice = notice
    }

    // MARK: Sign-in, links

    package func signIn(_ credential: AccountCredential, now: Int64) async throws -> (account: Account, isNew: Bool) {
        guard !credential.identity.isMachine else { throw AccountRefusal.machine }
        let entry = try await signIn(ProjectCredential(credential), now: now)
        return (entry.account, entry.isNew)
    }

    package func link(
        _ credential: AccountCredential, to uid: String, hasConsent: Bool, now: Int64
    ) async throws -> Account {
        guard !credential.identity.isMachine else { throw AccountRefusal.machine }
        return try await link(ProjectCredential(credential), to: uid, hasConsent: hasConsent, now: now).account
    }

    package func reauthenticate(_ credential: AccountCredential, as uid: String, now: Int64) async throws -> Account {
        try await reauthenticate(ProjectCredential(credential), as: uid).account
    }

    struct Entry: Sendable {
        let account: Account
        var isNew = false
        let credential: AccountCredential
    }

    func signIn(_ presented: ProjectCredential, now: Int64) async throws -> Entry {
        let (tokens, isNew, credential) = try await signedIn(presented, now: now)
        let account = try await adopt(tokens, of: credential, by: presented.providerID)
        return Entry(account: account, isNew: isNew, credential: credential)
    }

    func link(_ presented: ProjectCredential, to uid: String, hasConsent: Bool, now: Int64) async throws -> Entry {
        let token = try await freshToken(uid)
        let account = try await current(token)
        let provider = presented.providerID
        try account.requireNone(of: provider)
        if !hasConsent, let consentProvider = LinkingRules.providerRequiringConsent(provider, for: account) {
            throw AccountRefusal.consentRequired(provider: consentProvider)
        }
        let (tokens, _, credential) = try await signedIn(presented, linkingTo: token, now: now)
        try requireSame(tokens.uid, as: uid, in: "localId")
        var expected = account
        expected.providerData.append(inProject(credential.identity))
        let linked = try await adopt(
            tokens, of: credential, by: provider, isCurrent: false, consentedAt: hasConsent ? now : nil,
            otherwise: expected)
        return Entry(account: linked, credential: credential)
    }

    func reauthenticate(_ presented: ProjectCredential, as uid: String) async throws -> Entry {
        let outcome: IdentityToolkit.Outcome
        do {
            outcome = try await toolkit.signInWithIdP(presented.idpCredential, makesAccount: false)
        } catch let error as FirebaseError where ["USER_NOT_FOUND", "EMAIL_NOT_FOUND"].contains(error.projectCode) {
            throw AccountConflict.userMismatch
        }
        guard case .signedIn(let tokens, _, let response) = outcome, tokens.uid.hasSameBytes(as: uid) else {
            throw AccountConflict.userMismatch
        }
        let credential = presented.credential(response)
        let account = try await adopt(tokens, of: credential, by: presented.providerID, isCurrent: false)
        return Entry(account: account, credential: credential)
    }

    package func unlink(_ provider: String, from uid: String, now: Int64) async throws -> Account {
        let token = try await freshToken(uid)
        // The server also accepts an identity that is not linked, and the last one; both are refused here first.
        let account = try await current(token)
        try LinkingRules.unlink(provider, from: account)
        try await sessionStore.requireRecentLogin(uid, now: now)
        var left = account
        left.providerData.removeAll { $0.key.providerID == provider }
        return try await changed(
            uid, token: token, changes: ["deleteProvider": JSONValue([provider])], to: left, forgetting: [provider])
    }

    // MARK: Passwords

    package func signUp(email: String, _ password: Password, now: Int64) async throws -> Account {
        let tokens = try await registering(email) { try await toolkit.signUp(email: email, password) }
        return try await adopt(
            tokens, of: nil, by: PasswordProvider.id,
            otherwise: Account(uid: tokens.uid, inProject(PasswordProvider.identity(email: email)), now: now))
    }

    func registering<Result>(_ email: String, _ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as FirebaseError where error.projectCode == "EMAIL_EXISTS" {
            throw AccountConflict.emailAlreadyInUse(email)
        }
    }

    package func signIn(email: String, _ password: Password, now: Int64) async throws -> Account {
        try await adopt(try await tokens(email, password), of: nil, by: PasswordProvider.id)
    }

    package func reauthenticate(
        email: String, _ password: Password, as uid: String, now: Int64
    ) async throws -> Account {
        try await reauthenticated(try await tokens(email, password), as: uid, by: PasswordProvider.id)
    }

    private func tokens(_ email: String, _ password: Password) async throws -> IdentityToolkit.Tokens {
        do { return try await toolkit.signIn(email: email, password) } catch let error as FirebaseError {
            // The project may distinguish an unknown address from a wrong password. This error does not, so that
            // attackers cannot guess addresses.
            guard ["EMAIL_NOT_FOUND", "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"].contains(error.projectCode)
            else { throw error }
            throw PasswordError.wrongInProject
        }
    }

    package func setPassword(_ password: Password, of uid: String, now: Int64) async throws -> Account {
        try await sessionStore.requireRecentLogin(uid, now: now)
        let token = try await freshToken(uid)
        let account = try await current(token)
        if account.has(PasswordProvider.id) {
            return try await changed(uid, token: token, to: account, password: password)
        }
        guard let email = account.email else { throw AccountRefusal.noEmail }
        return try await linkFirstPassword(password, email: email, to: account, token: token)
    }

    // MARK: The account

    package func isOneAddress(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

    package func setEmail(_ email: String, of uid: String, now: Int64) async throws -> Account {
        try await sessionStore.requireRecentLogin(uid, now: now)
        let token = try await freshToken(uid)
        do {
            let before = try await sessionStore.account(uid: uid)
            return try await changed(
                uid, token: token, changes: ["email": .string(email)],
                to: before.map { FirebaseAccount.moved($0, to: email) })
        } catch let error as FirebaseError {
            switch error.projectCode {
            case "EMAIL_EXISTS": throw AccountConflict.emailAlreadyInUse(email)
            case "OPERATION_NOT_ALLOWED", "EMAIL_CHANGE_NEEDS_VERIFICATION":
                try await toolkit.sendEmailChange(token, to: email)
                throw FirebaseError.emailNeedsVerification(email)
            default: throw error
            }
        }
    }

    package func forgetIfDeleted(_ uid: String) async throws -> Bool {
        guard try await !sessionStore.sessions(account: uid).isEmpty else {
            try await sessionStore.requireInThisDirectory(uid)
            throw AccountRefusal.signedOut(uid: uid)
        }
        switch try await sessionEnd(of: uid) {
        case nil, .disabled: return false
        case .ended: throw AccountRefusal.signedOut(uid: uid)
        case .accountDeleted:
            try await sessionStore.forget(uid)
            return true
        }
    }

    /// Asks the project why the account's session is over; nil if it is not.
    private func sessionEnd(of uid: String) async throws -> ProjectSessionEnded.Cause? {
        do {
            _ = try await toolkit.lookup(try await freshToken(uid))
            return nil
        } catch let over as ProjectSessionEnded {
            return over.cause
        } catch let error as FirebaseError {
            guard let cause = error.sessionEnd else { throw error }
            return cause
        }
    }

    package func delete(_ uid: String, now: Int64) async throws {
        // An anonymous account cannot re-authenticate, so the project decides whether it can be deleted.
        let isAnonymous = try await sessionStore.account(uid: uid)?.isAnonymous == true
        if !isAnonymous { try await sessionStore.requireRecentLogin(uid, now: now) }
        let token = try await freshToken(uid)
        for provider in try await current(token).providerIDs {
            guard Dialect.named(provider)?.project.requiresRevocation == true else { continue }
            try await revoke(provider, of: uid, with: token)
        }
        do {
            try await toolkit.delete(token)
        } catch let error as FirebaseError where error.projectCode == "USER_NOT_FOUND" {
            // The account was already deleted.
        } catch let error as FirebaseError where isAnonymous && error.projectCode == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" {
            throw AccountRefusal.anonymous(uid: uid)
        }
        try await sessionStore.forget(uid)
    }

    /// Revokes the provider's grant, because it must not outlive the account. Grants from other machines are not known
    /// on this machine, and do not prevent the deletion.
    private func revoke(_ provider: String, of uid: String, with token: RawIDToken) async throws {
        let session = try await sessionStore.session(account: uid, provider: provider)
        let refused: DirectoryNote.Reason
        do {
            if let refreshToken = session?.refreshToken {
                return try await toolkit.revoke(refreshToken.revealed(), as: .refresh, of: provider, by: token)
            }
            if let accessToken = session?.accessToken {
                return try await toolkit.revoke(accessToken.revealed(), as: .access, of: provider, by: token)
            }
            refused = .noToken
        } catch let error as FirebaseError {
            switch error {
            case .refused(let code, _): refused = .refused(code: code)
            case .noSuchCall: refused = .notEmulated
            default: throw error
            }
        }
        notice(.notRevoked(provider: provider, because: refused))
    }

    package func check(_ password: Password, of email: String) {}

    package func providers(of email: String) async throws -> EmailLookup? { try await toolkit.providers(of: email) }
}
