import FoundationEssentials
import GRDB

/// The account directory on this machine: SQLite, every function one transaction.
public struct LocalDirectory: AccountDirectory {
    let store: Store
    let profile: String
    let oneAccountPerEmail: Bool

    public init(store: Store, profile: String, oneAccountPerEmail: Bool = true) {
        self.store = store
        self.profile = profile
        self.oneAccountPerEmail = oneAccountPerEmail
    }

    public func signIn(
        _ identity: Identity, now: Int64, session makeSession: @escaping @Sendable (String) -> Session
    ) async throws -> (account: Account, isNew: Bool) {
        let newUID = try store.random.bytes(14).hexadecimal
        let sealer = try await store.sealer(creating: true)
        let profile = self.profile
        let oneAccountPerEmail = self.oneAccountPerEmail
        return try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            let decision = LinkingRules.signIn(
                identity, owner: try rows.owner(of: identity.key),
                sameEmail: try identity.email.flatMap { try rows.account(email: $0) },
                oneAccountPerEmail: oneAccountPerEmail)
            let uid: String
            switch decision {
            case .conflict(let email, let providers):
                throw AccountConflict.existsWithDifferentCredential(email: email, providers: providers)
            case .open(let known):
                uid = known
                try rows.refresh(identity, of: known, now: now)
            case .create:
                uid = newUID
                try rows.create(identity, uid: newUID, now: now)
            }
            try SealedSession(makeSession(uid), sealer).put(db)
            try rows.makeCurrent(uid)
            guard let account = try rows.account(uid: uid) else { throw StoreError.damagedEntry("account") }
            return (account, decision == .create)
        }
    }

    public func accounts() async throws -> [Account] {
        try await rows { try $0.accounts() }
    }

    /// What names each account best, for completions; read on this thread.
    /// - Throws: GRDB's errors.
    public func accountNames() throws -> [String] {
        let profile = self.profile
        return try store.queue.read {
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

    public func session(account uid: String, provider: String) async throws -> Session? {
        let sealed = try await store.read { try SealedSession.fetch($0, account: uid, provider: provider) }
        return try await sealed?.opened(store.sealer(creating: false))
    }

    /// The one session that is meant, read and opened on this thread in one transaction: what a token costs that is
    /// handed out as it is. Nil when it must be chosen, refreshed or explained, for which there is `CurrentToken`.
    /// - Parameter isUsable: asked before a seal is opened.
    public func storedSession(
        account: String?, provider: String?, isUsable: (Session) -> Bool
    ) throws -> Session? {
        let sealed = try store.queue.read { db -> SealedSession? in
            let rows = AccountRows(db: db, profile: profile)
            guard let uid = try account.map({ try rows.uid(named: $0) }) ?? rows.currentUID() else { return nil }
            return try SealedSession.fetchOnly(db, account: uid, provider: provider)
        }
        guard let sealed, isUsable(sealed.withoutSecrets), let key = try store.vault.dataKey() else { return nil }
        return try sealed.opened(Sealer(key: key, random: store.random))
    }

    public func update(_ session: Session) async throws -> Bool {
        let sealed = try SealedSession(session, try await store.sealer(creating: false))
        return try await store.write { db in
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM session WHERE account_uid = ? AND provider_id = ?",
                arguments: [session.accountUID, session.providerID])
            // Signed out while the refresh was on its way: it stays signed out.
            guard isThere == true else { return false }
            try sealed.put(db)
            return true
        }
    }

    public func removeSessions(account uid: String) async throws {
        try await store.write { db in
            try db.execute(sql: "DELETE FROM session WHERE account_uid = ?", arguments: [uid])
            try db.execute(sql: "DELETE FROM current_account WHERE account_uid = ?", arguments: [uid])
        }
    }

    public func useNonce(_ nonce: Nonce, now: Int64) async throws -> Bool {
        let digest = Data(try HashFunction.sha256.digest(nonce.revealed().utf8))
        return try await store.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO used_nonce (digest, used_at) VALUES (?, ?)", arguments: [digest, now])
            return db.changesCount == 1
        }
    }

    private func rows<R: Sendable>(_ body: @escaping @Sendable (AccountRows) throws -> R) async throws -> R {
        let profile = self.profile
        return try await store.read { try body(AccountRows(db: $0, profile: profile)) }
    }
}
