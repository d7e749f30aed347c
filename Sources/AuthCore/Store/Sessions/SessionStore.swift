/// The local state of one directory of one profile: sessions, pending credentials, the current account, and the last
/// known state of accounts. The rules for accounts are in the directories.
package struct SessionStore: Sendable {
    package let store: Store
    package let profile: String
    package internal(set) var origin = DirectoryOrigin.local

    package func withOrigin(_ origin: DirectoryOrigin) -> SessionStore {
        SessionStore(store: store, profile: profile, origin: origin)
    }

    func read<R: Sendable>(_ body: @Sendable (SessionStoreRows) throws -> R) async throws -> R {
        try await store.read { try body(rows($0)) }
    }

    /// Blocks this thread while another process is in the way.
    private func blockingRead<R: Sendable>(_ body: @Sendable (SessionStoreRows) throws -> R) throws -> R {
        try store.blockingRead { try body(rows($0)) }
    }

    private func rows(_ db: Database) throws -> SessionStoreRows {
        let directoryID = try DirectoryID(reading: db, profile: profile, origin: origin)
        return SessionStoreRows(db: db, profile: profile, directoryID: directoryID)
    }

    func write<R: Sendable>(_ body: @Sendable (SessionStoreRows) throws -> R) async throws -> R {
        try await store.write {
            try body(
                SessionStoreRows(
                    db: $0, profile: profile, directoryID: DirectoryID(writing: $0, profile: profile, origin: origin)))
        }
    }

    // MARK: Accounts

    package func accounts() async throws -> [Account] { try await read { try $0.accounts.accounts() } }
    package func account(uid: String) async throws -> Account? { try await read { try $0.accounts.account(uid: uid) } }
    func accounts(uids: some Sequence<String> & Sendable) async throws -> [Account] {
        try await read { try $0.accounts.accounts(uids: uids) }
    }
    package func accountCount(provider: String? = nil) async throws -> Int {
        try await read { try $0.accounts.count(provider: provider) }
    }
    package func accounts(named name: String) async throws -> [Account] {
        try await read { try $0.accounts.accounts(named: name) }
    }
    /// The accounts that match a name: the one with this uid or alias, or else those with this address, or else those of
    /// the session with this name, or else those with an identity of this address or whose address differs only in case,
    /// or else the only one whose uid begins with the name.
    /// - Throws: also if the name is the uid of one account and the alias of another.
    package func accounts(matching name: String) async throws -> [Account] {
        try await read { sessionStore in
            let rows = sessionStore.accounts
            let (owner, called) = (try rows.account(uid: name), try rows.account(name: name))
            if let owner, let called, owner.uid != called.uid { throw Self.ambiguous(name, [owner, called]) }
            if let account = owner ?? called { return [account] }
            let named = try rows.accounts(named: name)
            guard named.isEmpty else { return named }
            let ofSession = try rows.accounts(of: SessionName(name))
            guard ofSession.isEmpty else { return ofSession }
            guard AccountName.isUIDPrefix(name) else { return try rows.accounts(linkedEmail: name) }
            let begun = try rows.accounts(uidPrefix: name).filter { AccountName.isMade(uid: $0.uid) }
            guard begun.count < 2 else { throw Self.ambiguous(name, begun) }
            return begun
        }
    }

    private static func ambiguous(_ name: String, _ accounts: [Account]) -> NotSignedIn {
        .ambiguousPrefix(name, accounts: accounts.map { $0.label == $0.uid ? $0.uid : "\($0.uid) (\($0.label))" })
    }

    package func name(_ account: Account, _ name: String?) async throws {
        if let name, !AccountName.isName(name) { throw AccountNameError.noName(name) }
        try await write { sessionStore in
            let rows = sessionStore.accounts
            guard let name else {
                guard try rows.existing(account.uid).name != nil else {
                    throw AccountNameError.unnamed(account: account.known)
                }
                return try rows.name(account.uid, nil)
            }
            if let owner = try rows.account(name: name), owner.uid != account.uid {
                throw AccountNameError.taken(name, owner: owner.known)
            }
            guard try !rows.isTaken(uid: name) else { throw AccountNameError.uid(name) }
            try rows.name(account.uid, name)
        }
    }

    package func currentUID() async throws -> String? { try await read { try $0.accounts.currentUID() } }
    /// - Parameter provider: that of the account's session which becomes its default one; nil if that does not change.
    package func makeCurrent(_ uid: String, session provider: String? = nil) async throws {
        try await write { rows in
            _ = try rows.accounts.existing(uid)
            try rows.accounts.makeCurrent(uid)
            if let provider { try rows.makeDefault(provider, of: uid) }
        }
    }

    /// The alias, address or uid of each account, for completions. Reads on the calling thread.
    package func accountNames() throws -> [String] {
        try blockingRead { rows in
            try String.fetchAll(
                rows.db,
                """
                SELECT COALESCE(name, email, uid) FROM account LEFT JOIN account_name
                ON account_name.home = account.home AND account_uid = uid
                WHERE account.home = \(rows.directoryID.id) ORDER BY 1
                """)
        }
    }

    package func names(now: Int64) throws -> (pending: [String], profiles: [String]) {
        try blockingRead { rows in
            (try rows.pending.all(now: now).map(\.id), try SessionStore.profileNames(rows.db))
        }
    }

    package func requireRecentLogin(_ uid: String, now: Int64) async throws {
        try await requireOwnSession(uid)
        try await read { try $0.requireRecentLogin(uid, now: now) }
    }

    package func profileNames() async throws -> [String] { try await read { try SessionStore.profileNames($0.db) } }

    private static func profileNames(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            """
            SELECT DISTINCT profile FROM home
            WHERE EXISTS (SELECT 1 FROM account WHERE account.home = home.id) ORDER BY profile
            """)
    }

    // MARK: Nonces

    /// The minimum and maximum seconds that a used nonce is remembered, for any lifetime of its token.
    private static let nonceMemory: ClosedRange<Int64> = 30 * 86400...3660 * 86400

    /// Remembers that the nonce of an imported ID token was used. Returns false if it was used before.
    /// - Parameter end: the token's expiry in seconds since 1970. The nonce is remembered for longer.
    package func useNonce(_ nonce: Nonce, until end: Int64, now: Int64) async throws -> Bool {
        // As long as a token with this nonce could be replayed.
        let memory = SessionStore.nonceMemory
        let keptUntil = min(max(end, now + memory.lowerBound), now + memory.upperBound)
        let digest = try HashFunction.sha256.digest(nonce.revealed().utf8)
        return try await store.write { db in
            try db.execute(
                """
                INSERT OR IGNORE INTO used_nonce (digest, used_at, kept_until) VALUES (\(digest), \(now), \(keptUntil))
                """)
            let isNew = db.changesCount == 1
            try db.execute("DELETE FROM used_nonce WHERE kept_until < \(now - ExpectedIDToken.clockSkew)")
            return isNew
        }
    }
}

/// The rows of one directory of one profile inside one transaction.
struct SessionStoreRows {
    let db: Database
    let profile: String
    let directoryID: DirectoryID

    var origin: DirectoryOrigin { directoryID.origin }
    var accounts: AccountRows { AccountRows(db: db, directoryID: directoryID) }
    var pending: PendingRows { PendingRows(db: db, directoryID: directoryID) }
    var remembered: RememberedDirectory { RememberedDirectory(db: db, profile: profile) }

    func put(_ session: Session, _ sealer: Sealer) throws {
        try SealedSession(session, by: sealer, in: origin).put(db, directoryID)
    }

    /// Makes this session the one that is used if only its account is known.
    func makeDefault(_ provider: String, of uid: String) throws {
        try db.execute(
            "UPDATE session SET is_default = (provider_id = \(provider) AND resource = '') WHERE \(accounts.isOf(uid))")
    }

    /// Makes the account's only session with tokens the default one, before another is added.
    func keepDefault(of uid: String) throws {
        try db.execute(
            """
            UPDATE session SET is_default = 1 WHERE \(accounts.isOf(uid)) AND resource = ''
            AND provider_id <> \(PasswordProvider.id) AND (SELECT COUNT(*) FROM session
                WHERE \(accounts.isOf(uid)) AND resource = '' AND provider_id <> \(PasswordProvider.id)) = 1
            """)
    }

    func requireRecentLogin(_ uid: String, now: Int64) throws {
        let lastAuthentication = try accounts.lastProvenAt(uid, now: now)
        guard let lastAuthentication, RecentLogin.isRecent(lastAuthentication, now: now) else {
            throw AccountRefusal.requiresRecentLogin
        }
    }
}
