/// The account directory on this machine: SQLite, every function one transaction.
public struct LocalDirectory: AccountDirectory {
    let store: Store
    let profile: String
    let oneAccountPerEmail: Bool
    let passwordCost: PasswordHash.Cost
    /// What makes the sessions that go in, and the only one whose sessions come out: this directory itself, or the one
    /// elsewhere whose sessions it keeps.
    public let origin: DirectoryOrigin

    public init(
        store: Store, profile: String, oneAccountPerEmail: Bool = true, passwordCost: PasswordHash.Cost = .current,
        origin: DirectoryOrigin = .local
    ) {
        self.passwordCost = passwordCost
        self.origin = origin
        self.store = store
        self.profile = profile
        self.oneAccountPerEmail = oneAccountPerEmail
    }

    public func signIn(_ credential: AccountCredential, now: Int64) async throws -> (account: Account, isNew: Bool) {
        let newUID = try store.random.bytes(14).hexadecimal
        let sealer = try await store.sealer(creating: true)
        let (profile, oneAccountPerEmail, random) = (self.profile, self.oneAccountPerEmail, store.random)
        let origin = self.origin
        return try await store.write { db -> Outcome<(Account, Bool)> in
            let rows = AccountRows(db: db, profile: profile)
            let pending = PendingRows(db: db, profile: profile, origin: origin)
            try pending.removeExpired(now: now)
            let identity = credential.identity
            let decision = LinkingRules.signIn(
                identity, owner: try rows.owner(of: identity.key),
                sameEmail: try identity.email.flatMap { try rows.account(email: $0) },
                oneAccountPerEmail: oneAccountPerEmail)
            let uid: String
            switch decision {
            case .conflict(let email, let other, let providers):
                let id = try LocalDirectory.keep(
                    credential, .accountExists, for: other, pending, sealer, random: random, now: now)
                return .refused(
                    AccountConflict.existsWithDifferentCredential(email: email, providers: providers, pendingID: id))
            case .machine: return .refused(AccountRefusal.machine)
            case .open(let known):
                uid = known
                try rows.refresh(identity, of: known, now: now)
                try pending.remove(provider: identity.key.providerID, account: known)
            case .create:
                uid = newUID
                try rows.create(identity, uid: newUID, now: now)
            }
            try SealedSession(Session(credential.grant, of: uid), sealer).put(db, by: origin)
            try rows.makeCurrent(uid)
            return .done((try rows.existing(uid), decision == .create))
        }.get()
    }

    public func accounts() async throws -> [Account] {
        try await rows { try $0.accounts() }
    }

    public func account(uid: String) async throws -> Account? {
        try await rows { try $0.account(uid: uid) }
    }

    public func accounts(named name: String) async throws -> [Account] {
        try await rows { try $0.accounts(named: name) }
    }

    public func providers(of email: String) async throws -> EmailLookup? {
        let found = try await accounts(named: email).filter { $0.email == email }
        return EmailLookup(
            isRegistered: !found.isEmpty, providers: found.flatMap { $0.providerData.map(\.key.providerID) })
    }

    public func requireRecentLogin(_ uid: String, now: Int64) async throws {
        let origin = self.origin
        try await requireOwnSession(uid)
        try await rows { try $0.requireRecentLogin(uid, in: origin, now: now) }
    }

    public func delete(_ uid: String, now: Int64) async throws {
        let (profile, origin) = (self.profile, self.origin)
        try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            try rows.requireRecentLogin(uid, in: origin, now: now)
            try rows.remove(uid)
        }
    }

    /// Accounts that live here are there as long as they are listed.
    public func forgetIfGone(_ uid: String) async throws -> Bool { false }

    public func setEmail(_ email: String, of uid: String, now: Int64) async throws -> Account {
        let (profile, oneAccountPerEmail, origin) = (self.profile, self.oneAccountPerEmail, self.origin)
        return try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            let account = try rows.existing(uid)
            guard !account.isMachine else { throw AccountRefusal.machine }
            try rows.requireRecentLogin(uid, in: origin, now: now)
            let other = try oneAccountPerEmail ? rows.account(email: email) : nil
            let password = PasswordProvider.identity(email: email)
            let passwordOwner = try rows.owner(of: password.key)
            guard other.map({ $0.uid == uid }) ?? true, passwordOwner.map({ $0.uid == uid }) ?? true else {
                throw AccountConflict.emailAlreadyInUse(email)
            }
            guard account.email != email else { return account }
            try db.execute(
                sql: "UPDATE account SET email = ?, email_verified = 0 WHERE uid = ?", arguments: [email, uid])
            // Who signs in with a password signs in with the new address.
            try db.execute(
                sql: "UPDATE identity SET federated_id = ?1, email = ?1 WHERE account_uid = ?2 AND provider_id = ?3",
                arguments: [email, uid, PasswordProvider.id])
            return try rows.existing(uid)
        }
    }

    /// What names each account best, for completions; read on this thread.
    /// - Throws: `StoreError`.
    public func accountNames() throws -> [String] {
        let profile = self.profile
        return try store.blockingRead {
            try String.fetchAll(
                $0, sql: "SELECT COALESCE(email, uid) FROM account WHERE profile = ? ORDER BY 1", arguments: [profile])
        }
    }

    public func currentUID() async throws -> String? {
        try await rows { try $0.currentUID() }
    }

    public func makeCurrent(_ uid: String) async throws {
        let profile = self.profile
        try await store.write { try AccountRows(db: $0, profile: profile).makeCurrent(uid) }
    }

    public func sessions() async throws -> [SessionSummary] {
        let profile = self.profile
        return try await store.read { try SealedSession.summaries($0, profile: profile) }
    }

    public func sessions(account uid: String) async throws -> [SessionSummary] {
        let profile = self.profile
        return try await store.read { try SealedSession.summaries($0, profile: profile, account: uid) }
    }

    public func session(account uid: String, provider: String) async throws -> Session? {
        guard let sealed = try await store.read({ try SealedSession.fetch($0, account: uid, provider: provider) })
        else { return nil }
        let sealer = try await store.sealer(creating: false)
        let earlier = sealed.isOfUnknownOrigin ? try await signedOrigin(uid, sealer) : nil
        return try sealed.opened(sealer, in: origin, earlier: earlier)
    }

    /// What made the sessions of an account whose rows do not say.
    private func signedOrigin(_ uid: String, _ sealer: Sealer) async throws -> DirectoryOrigin? {
        try await store.read { try SealedSession.fetch($0, account: uid, provider: DirectorySession.id) }?
            .signedOrigin(sealer)
    }

    public func requireOwnSession(_ uid: String) async throws {
        let sessions = try await sessions(account: uid)
        guard let first = sessions.first, !sessions.contains(where: { $0.directory == origin }) else { return }
        var made = first.directory
        if made == nil {
            made = try await signedOrigin(uid, store.sealer(creating: false))
            if made == origin { return }
        }
        throw MadeElsewhere(.session, provider: first.signInProvider, made: made, present: origin)
    }

    /// The one session that is meant, read and opened on this thread in one transaction: what a token costs that is
    /// handed out as it is. Nil when it must be chosen, refreshed or explained, for which there is `CurrentToken`.
    /// - Parameters:
    ///   - settings: `config.yaml` as it is now: what directory the profile has stands there, and is remembered here.
    ///   - isUsable: asked before a seal is opened.
    public func storedSession(
        account: String?, provider: String?, settings: SettingsMark, isUsable: (Session) -> Bool
    ) throws -> Session? {
        let found = try store.blockingRead { db -> (SealedSession, DirectoryOrigin)? in
            guard let origin = try RememberedDirectory(db: db, profile: profile).origin(settings) else { return nil }
            let rows = AccountRows(db: db, profile: profile)
            guard let uid = try account.map({ try rows.uid(named: $0) }) ?? rows.currentUID() else { return nil }
            return try SealedSession.fetchOnly(db, account: uid, provider: provider).map { ($0, origin) }
        }
        guard let (sealed, origin) = found, sealed.isMade(by: origin), isUsable(sealed.withoutSecrets),
            let key = try store.vault.dataKey()
        else { return nil }
        return try sealed.opened(Sealer(key: key, random: store.random), in: origin)
    }

    public func renewed(_ session: Session, now: Int64) async throws -> Session? { nil }

    public func update(_ session: Session) async throws -> Bool {
        let sealed = try SealedSession(session, try await store.sealer(creating: false))
        let origin = self.origin
        return try await store.write { db in
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM session WHERE account_uid = ? AND provider_id = ?",
                arguments: [session.accountUID, session.providerID])
            // Signed out while the refresh was on its way: it stays signed out.
            guard isThere == true else { return false }
            try sealed.put(db, by: origin)
            return true
        }
    }

    public func forgetExpiredMachineTokens(now: Int64) async throws {
        try await store.write { db in
            // The session stays: it says how new ones are got.
            try db.execute(
                sql: """
                    UPDATE session SET access_token = NULL, id_token = NULL
                    WHERE renewal IS NOT NULL AND COALESCE(expires_at, 0) <= ?1 AND COALESCE(id_token_expires_at, 0) <= ?1
                    AND COALESCE(access_token, id_token) IS NOT NULL AND COALESCE(expires_at, id_token_expires_at) IS NOT NULL
                    """, arguments: [now])
        }
    }

    public func removeSessions(account uid: String) async throws {
        // What another directory made is not this one's to end.
        try await requireOwnSession(uid)
        try await store.write { db in
            try db.execute(sql: "DELETE FROM session WHERE account_uid = ?", arguments: [uid])
            try db.execute(sql: "DELETE FROM current_account WHERE account_uid = ?", arguments: [uid])
        }
    }

    /// Seconds that a used nonce is remembered, however short the life of its token was, and however long.
    private static let nonceMemory: ClosedRange<Int64> = 30 * 86400...3660 * 86400

    public func useNonce(_ nonce: Nonce, until end: Int64, now: Int64) async throws -> Bool {
        // As long as a token with it could be shown again.
        let memory = LocalDirectory.nonceMemory
        let keptUntil = min(max(end, now + memory.lowerBound), now + memory.upperBound)
        let digest = try HashFunction.sha256.digest(nonce.revealed().utf8)
        return try await store.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO used_nonce (digest, used_at, kept_until) VALUES (?, ?, ?)",
                arguments: [digest, now, keptUntil])
            let isNew = db.changesCount == 1
            try db.execute(
                sql: "DELETE FROM used_nonce WHERE kept_until < ?", arguments: [now - ExpectedIDToken.clockSkew])
            return isNew
        }
    }

    private func rows<R: Sendable>(_ body: @escaping @Sendable (AccountRows) throws -> R) async throws -> R {
        let profile = self.profile
        return try await store.read { try body(AccountRows(db: $0, profile: profile)) }
    }
}
