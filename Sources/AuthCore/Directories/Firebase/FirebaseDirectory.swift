/// The account directory that is a Firebase Auth or Identity Platform project. Accounts, linking rules and conflicts are
/// the project's; what this machine knows of them, and its sessions, stand in the local store.
public struct FirebaseDirectory: AccountDirectory {
    let toolkit: IdentityToolkit
    public let ledger: Ledger
    let fetcher: DocumentFetcher
    let clock: Clock
    /// Told what a person should know: that the project merged accounts, say.
    let notice: @Sendable (DirectoryNote) -> Void
    private var project: FirebaseProject { toolkit.project }

    /// - Parameter ledger: of its sessions only those count that this project made.
    public init(
        project: FirebaseProject, ledger: Ledger, transport: any HTTPTransport, fetcher: DocumentFetcher,
        clock: Clock,
        notice: @escaping @Sendable (DirectoryNote) -> Void
    ) {
        toolkit = IdentityToolkit(project: project, transport: transport)
        self.ledger = ledger.keeping(project.origin)
        self.fetcher = fetcher
        self.clock = clock
        self.notice = notice
    }

    // MARK: Ways in

    public func signIn(_ credential: AccountCredential, now: Int64) async throws -> (account: Account, isNew: Bool) {
        guard !credential.identity.isMachine else { throw AccountRefusal.machine }
        let entry = try await signIn(Presented(credential), now: now)
        return (entry.account, entry.isNew)
    }

    public func link(
        _ credential: AccountCredential, to uid: String, hasConsent: Bool, now: Int64
    ) async throws -> Account {
        guard !credential.identity.isMachine else { throw AccountRefusal.machine }
        return try await link(Presented(credential), to: uid, hasConsent: hasConsent, now: now).account
    }

    public func reauthenticate(_ credential: AccountCredential, as uid: String, now: Int64) async throws -> Account {
        try await reauthenticate(Presented(credential), as: uid, now: now).account
    }

    /// What a way in came to, and the credential that it was.
    struct Entry: Sendable {
        let account: Account
        var isNew = false
        let credential: AccountCredential
    }

    func signIn(_ presented: Presented, now: Int64) async throws -> Entry {
        let (tokens, isNew, credential) = try await signedIn(presented, now: now)
        let account = try await adopt(tokens, credential, by: presented.providerID)
        return Entry(account: account, isNew: isNew, credential: credential)
    }

    func link(_ presented: Presented, to uid: String, hasConsent: Bool, now: Int64) async throws -> Entry {
        let token = try await freshToken(uid)
        let account = try await current(token)
        let provider = presented.providerID
        guard !account.providerData.contains(where: { $0.key.providerID == provider }) else {
            throw AccountConflict.providerAlreadyLinked(provider)
        }
        if !hasConsent, let asking = LinkingRules.asking(provider, account, Dialect.wantingConsent) {
            throw AccountRefusal.consentRequired(provider: asking)
        }
        let (tokens, _, credential) = try await signedIn(presented, linkingTo: token, now: now)
        guard tokens.uid.hasSameBytes(as: uid) else {
            throw FirebaseError.invalidResponse(.otherAccount("localId"))
        }
        var expected = account
        expected.providerData.append(here(credential.identity))
        let linked = try await adopt(
            tokens, credential, by: provider, isCurrent: false, consentedAt: hasConsent ? now : nil,
            otherwise: expected)
        return Entry(account: linked, credential: credential)
    }

    func reauthenticate(_ presented: Presented, as uid: String, now: Int64) async throws -> Entry {
        let outcome: IdentityToolkit.Outcome
        do {
            outcome = try await toolkit.signInWithIdP(presented.shown, makesAccount: false)
        } catch let error as FirebaseError where ["USER_NOT_FOUND", "EMAIL_NOT_FOUND"].contains(error.code) {
            throw AccountConflict.userMismatch
        }
        guard case .signedIn(let tokens, _, let answer) = outcome, tokens.uid.hasSameBytes(as: uid) else {
            throw AccountConflict.userMismatch
        }
        let credential = presented.credential(answer)
        let account = try await adopt(tokens, credential, by: presented.providerID, isCurrent: false)
        return Entry(account: account, credential: credential)
    }

    public func unlink(_ provider: String, from uid: String, now: Int64) async throws -> Account {
        let token = try await freshToken(uid)
        // The server takes off what is not there, and the last one.
        let account = try await current(token)
        try LinkingRules.unlink(provider, from: account)
        try await ledger.requireRecentLogin(uid, now: now)
        var left = account
        left.providerData.removeAll { $0.key.providerID == provider }
        return try await changed(
            uid, token, ["deleteProvider": JSONValue([provider])], to: left, forgetting: [provider])
    }

    // MARK: Passwords

    public func signUp(email: String, _ password: Password, now: Int64) async throws -> Account {
        let tokens: IdentityToolkit.Tokens
        do {
            tokens = try await toolkit.signUp(email: email, password)
        } catch let error as FirebaseError where error.code == "EMAIL_EXISTS" {
            throw AccountConflict.emailAlreadyInUse(email)
        }
        return try await adopt(
            tokens, nil, by: PasswordProvider.id,
            otherwise: described(tokens.uid, PasswordProvider.identity(email: email), now: now))
    }

    public func signIn(email: String, _ password: Password, now: Int64) async throws -> Account {
        try await adopt(try await tokens(email, password), nil, by: PasswordProvider.id)
    }

    public func reauthenticate(
        email: String, _ password: Password, as uid: String, now: Int64
    ) async throws -> Account {
        let tokens = try await tokens(email, password)
        guard tokens.uid.hasSameBytes(as: uid) else { throw AccountConflict.userMismatch }
        return try await adopt(tokens, nil, by: PasswordProvider.id, isCurrent: false)
    }

    private func tokens(_ email: String, _ password: Password) async throws -> IdentityToolkit.Tokens {
        do {
            return try await toolkit.signIn(email: email, password)
        } catch let error as FirebaseError {
            // The project may tell an unknown address from a wrong password; whoever guesses learns it not from us.
            guard ["EMAIL_NOT_FOUND", "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"].contains(error.code) else {
                throw error
            }
            throw PasswordError.wrong
        }
    }

    public func setPassword(_ password: Password, of uid: String, now: Int64) async throws -> Account {
        try await ledger.requireRecentLogin(uid, now: now)
        let token = try await freshToken(uid)
        let account = try await current(token)
        if account.providerData.contains(where: { $0.key.providerID == PasswordProvider.id }) {
            return try await changed(
                uid, token, ["password": .string(password.revealed())], to: account, secrets: [password.revealed()])
        }
        guard let email = account.email else { throw AccountRefusal.noEmail }
        // A first password is linked, not set: an update fails where addresses are protected from enumeration.
        let tokens = try await toolkit.signUp(email: email, password, linkingTo: token)
        var expected = account
        expected.providerData.append(here(PasswordProvider.identity(email: email)))
        return try await adopt(tokens, nil, by: PasswordProvider.id, isCurrent: false, otherwise: expected)
    }

    // MARK: The account

    public func setEmail(_ email: String, of uid: String, now: Int64) async throws -> Account {
        try await ledger.requireRecentLogin(uid, now: now)
        let token = try await freshToken(uid)
        do {
            let before = try await ledger.account(uid: uid)
            return try await changed(
                uid, token, ["email": .string(email)], to: before.map { FirebaseAccount.moved($0, to: email) })
        } catch let error as FirebaseError {
            switch error.code {
            case "EMAIL_EXISTS": throw AccountConflict.emailAlreadyInUse(email)
            case "OPERATION_NOT_ALLOWED", "EMAIL_CHANGE_NEEDS_VERIFICATION":
                try await toolkit.sendEmailChange(token, to: email)
                throw FirebaseError.emailNeedsVerification
            default: throw error
            }
        }
    }

    public func forgetIfGone(_ uid: String) async throws -> Bool {
        guard try await !ledger.sessions(account: uid).isEmpty else { throw AccountRefusal.signedOut(uid: uid) }
        do {
            _ = try await toolkit.lookup(try await freshToken(uid))
            return false
        } catch let error as FirebaseError where error.code == "USER_NOT_FOUND" {
        } catch let over as NotRenewed where over.isAccountGone {
        } catch is NotRenewed {
            // Only a new sign-in can tell.
            return false
        } catch let error as FirebaseError where error.code.map(FirebaseError.endsSession.contains) == true {
            return false
        }
        try await ledger.forget(uid)
        return true
    }

    public func delete(_ uid: String, now: Int64) async throws {
        try await ledger.requireRecentLogin(uid, now: now)
        let token = try await freshToken(uid)
        for identity in try await current(token).providerData {
            let provider = identity.key.providerID
            guard Dialect.named(provider)?.project.wantsRevocation == true else { continue }
            try await revoke(provider, uid, token)
        }
        do {
            try await toolkit.delete(token)
        } catch let error as FirebaseError where error.code == "USER_NOT_FOUND" {
            // Somebody was faster.
        }
        try await ledger.forget(uid)
    }

    /// Takes back what the provider gave for the account: it must not outlive it. What was given elsewhere is not known
    /// here, and keeps nobody from deleting.
    private func revoke(_ provider: String, _ uid: String, _ token: RawIDToken) async throws {
        let session = try await ledger.session(account: uid, provider: provider)
        let refused: DirectoryNote.Reason
        do {
            if let refreshToken = session?.refreshToken {
                return try await toolkit.revoke(refreshToken.revealed(), .refresh, of: provider, token)
            }
            if let accessToken = session?.accessToken {
                return try await toolkit.revoke(accessToken.revealed(), .access, of: provider, token)
            }
            refused = .noToken
        } catch let error as FirebaseError {
            switch error {
            case .refused(let code, _): refused = .refused(code: code)
            case .notThere: refused = .notEmulated
            default: throw error
            }
        }
        notice(.notRevoked(provider: provider, because: refused))
    }

    public func providers(of email: String) async throws -> EmailLookup? {
        try await toolkit.providers(of: email)
    }

    // MARK: Sessions

    public func renewed(_ session: Session, now: Int64) async throws -> Session? {
        guard session.providerID == DirectorySession.id else { return nil }
        guard let refreshToken = session.refreshToken else { throw NotRenewed() }
        let tokens: IdentityToolkit.Tokens
        do {
            tokens = try await toolkit.refresh(refreshToken)
        } catch let error as FirebaseError {
            guard let code = error.code, FirebaseError.endsSession.contains(code) else { throw error }
            throw NotRenewed(isAccountGone: code == "USER_NOT_FOUND")
        }
        guard tokens.uid.hasSameBytes(as: session.subject) else { throw AccountConflict.userMismatch }
        let verified = try await verify(tokens, now)
        var renewed = session
        renewed.idToken = tokens.idToken
        renewed.idTokenExpiresAt = verified.expiresAt
        renewed.refreshToken = tokens.refreshToken
        return renewed
    }

    /// An ID token of the account with at least five minutes to live: one request for it, however many processes ask.
    private func freshToken(_ uid: String) async throws -> RawIDToken {
        if let token = try await storedToken(uid).fresh { return token }
        return try await SessionLock.holding(
            account: uid, provider: DirectorySession.id, in: ledger.store.directory, clock: clock
        ) {
            let (session, fresh) = try await storedToken(uid)
            if let fresh { return fresh }
            guard let renewed = try await renewed(session, now: clock.now()), let token = renewed.idToken,
                try await ledger.update(renewed)
            else { throw NotRenewed() }
            return token
        }
    }

    private func storedToken(_ uid: String) async throws -> (session: Session, fresh: RawIDToken?) {
        guard let session = try await ledger.session(account: uid, provider: DirectorySession.id) else {
            throw NotRenewed()
        }
        guard let end = session.idTokenExpiresAt, end - clock.now() > 300 else { return (session, nil) }
        return (session, session.idToken)
    }

    /// The account as the project has it now.
    private func current(_ token: RawIDToken) async throws -> Account {
        try FirebaseAccount.read(try await toolkit.lookup(token), project)
    }

    /// Changes an account at the project.
    /// - Parameter expected: what it is then, should the project not say; nil where nothing is known of it here.
    private func changed(
        _ uid: String, _ token: RawIDToken, _ changes: JSONObject, to expected: Account?, secrets: [String] = [],
        forgetting: [String] = []
    ) async throws -> Account {
        if let tokens = try await toolkit.update(token, changes, secrets: secrets) {
            // The old ones have died.
            let provider = try await ledger.session(account: uid, provider: DirectorySession.id)?.signInProvider
            return try await adopt(
                tokens, nil, by: provider ?? PasswordProvider.id, isCurrent: false, forgetting: forgetting,
                otherwise: expected)
        }
        let before = try await ledger.account(uid: uid)
        let account = keeping(try await seen(token, otherwise: expected), before)
        try await ledger.adopt(account, [], makesCurrent: false, forgetting: forgetting)
        return account
    }

    /// The account after a change that the project has made: whatever keeps it from being seen now, the change is done.
    private func seen(_ token: RawIDToken, otherwise expected: Account?) async throws -> Account {
        guard let expected else { return try await current(token) }
        do {
            let account = try await current(token)
            guard account.uid.hasSameBytes(as: expected.uid) else {
                throw FirebaseError.invalidResponse(.otherAccount("users"))
            }
            return account
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            notice(.notSeen)
            return expected
        }
    }

    /// An identity as this project has it.
    private func here(_ identity: Identity) -> Identity {
        var identity = identity
        identity.key = IdentityKey(
            providerID: identity.key.providerID, authority: project.authority, federatedID: identity.key.federatedID)
        return identity
    }

    /// A new account, as far as it is known without the project's description.
    private func described(_ uid: String, _ identity: Identity, now: Int64) -> Account {
        Account(
            uid: uid, email: identity.email, isEmailVerified: identity.isEmailVerified,
            displayName: identity.displayName, photoURL: identity.photoURL, createdAt: now, lastSignInAt: now,
            providerData: [here(identity)])
    }

    // MARK: From an answer to what stands here

    /// - Throws: `AccountConflict` with the credential kept for later, where the project refuses it for another account.
    private func signedIn(
        _ presented: Presented, linkingTo token: RawIDToken? = nil, now: Int64
    ) async throws -> (tokens: IdentityToolkit.Tokens, isNew: Bool, AccountCredential) {
        switch try await toolkit.signInWithIdP(presented.shown, linkingTo: token) {
        case .needsConfirmation(let email, let providers, let answer):
            throw try await conflict(presented.credential(answer), email, providers, now)
        case .refused(let error, let answer): throw try await translated(error, presented.credential(answer), now)
        case .signedIn(let tokens, let isNew, let answer): return (tokens, isNew, presented.credential(answer))
        }
    }

    /// Keeps a session that the project has made, and what it says of the account.
    /// - Parameter expected: the account as a change that the project has made leaves it. With it the session is kept
    ///   before anything else is asked: the tokens that it replaces are dead.
    private func adopt(
        _ tokens: IdentityToolkit.Tokens, _ credential: AccountCredential?, by provider: String, isCurrent: Bool = true,
        consentedAt: Int64? = nil, forgetting: [String] = [], otherwise expected: Account? = nil
    ) async throws -> Account {
        let now = clock.now()
        let before = try await ledger.account(uid: tokens.uid)
        let session = try await session(tokens, by: provider, expected == nil, now: now)
        // Only what has tokens of its own is worth keeping beside it.
        var sessions = [session]
        if let grant = credential?.grant, grant.accessToken != nil || grant.idToken != nil {
            sessions.append(Session(grant, of: tokens.uid))
        }
        func complete(_ account: Account) -> Account {
            var account = keeping(account, before, credential?.identity)
            guard let consentedAt else { return account }
            for index in account.providerData.indices
            where Dialect.wantingConsent.contains(account.providerData[index].key.providerID) {
                account.providerData[index].consentedAt = consentedAt
            }
            return account
        }
        if let expected {
            try await ledger.adopt(complete(expected), sessions, makesCurrent: isCurrent, forgetting: forgetting)
        }
        let account = complete(try await seen(tokens.idToken, otherwise: expected))
        guard account.uid.hasSameBytes(as: tokens.uid) else {
            throw FirebaseError.invalidResponse(.otherAccount("users"))
        }
        tellOfMerge(before, account, forgetting)
        try await ledger.adopt(
            account, expected == nil ? sessions : [], makesCurrent: isCurrent, forgetting: forgetting)
        return account
    }

    /// The session of an answer. Where the keys cannot be had that would verify its ID token, and the session must not be
    /// lost, that token is left out: the first use gets a new one, and verifies it.
    private func session(
        _ tokens: IdentityToolkit.Tokens, by provider: String, _ mustVerify: Bool, now: Int64
    ) async throws -> Session {
        let grant = Grant(
            providerID: DirectorySession.id, issuer: project.issuer, clientID: project.projectID,
            tokens: Tokens(refreshToken: tokens.refreshToken, tokenOrigin: ""), subject: tokens.uid, lastProvenAt: 0,
            source: .directory(by: provider))
        var session = Session(grant, of: tokens.uid)
        do {
            let accepted = try await verify(tokens, now)
            session.idToken = tokens.idToken
            session.idTokenExpiresAt = accepted.expiresAt
            session.authenticatedAt = accepted.authenticatedAt
            session.lastProvenAt = min(accepted.authenticatedAt ?? now, now)
        } catch let error where !mustVerify && (error is HTTPError || error is DocumentError) {
            notice(.keysUnavailable)
        }
        return session
    }

    /// What the project does not tell of an identity stays as it was told here.
    private func keeping(_ account: Account, _ before: Account?, _ new: Identity? = nil) -> Account {
        var account = account
        for index in account.providerData.indices {
            let key = account.providerData[index].key
            let known = before?.providerData.first { $0.key == key }
            account.providerData[index].consentedAt = known?.consentedAt
            let isNew = new?.key.providerID == key.providerID
            account.providerData[index].tenantID = isNew ? new?.tenantID : known?.tenantID
        }
        return account
    }

    /// A trusted provider's sign-in may take other providers off the account: that must not go unsaid.
    private func tellOfMerge(_ before: Account?, _ now: Account, _ expected: [String]) {
        guard let before else { return }
        let left = Set(now.providerData.map(\.key.providerID) + expected)
        let gone = before.providerData.map(\.key.providerID).filter { !left.contains($0) }
        guard !gone.isEmpty else { return }
        notice(.merged(gone))
    }

    // MARK: Conflicts

    private func conflict(
        _ credential: AccountCredential, _ email: String?, _ providers: [String], _ now: Int64
    ) async throws -> AccountConflict {
        var waiting = credential
        if let email { waiting.identity.email = email }
        let id = try await ledger.keep(waiting, .accountExists, now: now)
        // An empty list means a password, or a way in that no provider is.
        return .existsWithDifferentCredential(
            email: email ?? credential.identity.email ?? "",
            providers: providers.isEmpty ? [PasswordProvider.id] : providers,
            pendingID: id)
    }

    private func translated(
        _ error: FirebaseError, _ credential: AccountCredential, _ now: Int64
    ) async throws -> any Error {
        switch error.code {
        case "FEDERATED_USER_ID_ALREADY_LINKED":
            let id = try await ledger.keep(credential, .alreadyInUse, now: now)
            return AccountConflict.credentialAlreadyInUse(
                provider: credential.identity.key.providerID, email: credential.identity.email, pendingID: id)
        case "EMAIL_EXISTS": return AccountConflict.emailAlreadyInUse(credential.identity.email ?? "")
        default: return error
        }
    }

    // MARK: ID tokens

    private func verify(_ tokens: IdentityToolkit.Tokens, _ now: Int64) async throws -> AcceptedFirebaseToken {
        try await FirebaseTokenVerifier(project: project, fetcher: fetcher).verify(
            tokens.idToken, of: tokens.uid, now: now)
    }
}
