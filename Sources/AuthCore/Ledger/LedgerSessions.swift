/// The sessions of a profile.
extension Ledger {
    package func sessions() async throws -> [SessionSummary] {
        try await read { try SealedSession.summaries($0.db, $0.home) }
    }

    package func sessions(account uid: String) async throws -> [SessionSummary] {
        try await read { try SealedSession.summaries($0.db, $0.home, account: uid) }
    }

    /// An account's session with a provider for one resource; with nil for the resource the one that is not bound to any.
    /// - Throws: `DirectoryMismatch` for a session that another directory made.
    package func session(account uid: String, provider: String, resource: HTTPURL? = nil) async throws -> Session? {
        try await opened(uid) {
            try SealedSession.fetch($0.db, $0.home, account: uid, provider: provider, resource: resource)
        }
    }

    private func opened(
        _ uid: String, _ fetch: @Sendable (LedgerRows) throws -> SealedSession?
    ) async throws -> Session? {
        guard let sealed = try await read({ try fetch($0) }) else {
            try await requireHere(uid)
            return nil
        }
        let sealer = try await store.sealer(creating: false)
        let earlier = sealed.isUnproven ? try await signedOrigin(uid, sealer) : nil
        return try sealed.opened(sealer, earlier: earlier)
    }

    /// Whose an identity is; nil for nobody's.
    func owner(of key: IdentityKey) async throws -> String? { try await read { try $0.accounts.ownerUID(of: key) } }

    /// What made the sessions of an account whose rows do not say.
    func signedOrigin(_ uid: String, _ sealer: Sealer) async throws -> DirectoryOrigin? {
        try await read {
            try SealedSession.fetch($0.db, $0.home, account: uid, provider: DirectorySession.id, resource: nil)
        }?
        .signedOrigin(sealer)
    }

    /// Looks whether an account's sessions, where it has any, are this directory's.
    /// - Throws: `DirectoryMismatch`.
    package func requireOwnSession(_ uid: String) async throws {
        let sessions = try await sessions(account: uid)
        guard let first = sessions.first else { return try await requireHere(uid) }
        guard !sessions.contains(where: { $0.directory == origin }) else { return }
        let made = try await signedOrigin(uid, store.sealer(creating: false))
        if made == origin { return }
        throw DirectoryMismatch(.session, provider: first.signInProvider, made: made, present: origin)
    }

    /// The session that `SessionRule` chooses of one account, read and opened on this thread in one transaction: the whole
    /// cost of a token that is printed as it is stored. Nil when it must be searched for, refreshed or explained, which
    /// `CurrentToken` does.
    /// - Parameters:
    ///   - settings: `config.yaml` as it is now: what directory the profile has stands there, and is remembered here.
    ///   - isUsable: asked before a seal is opened.
    package func storedSession(
        account: String?, provider: String?, settings: SettingsMark, isUsable: (Session) -> Bool
    ) throws -> Session? {
        let found = try store.blockingRead { db -> (SealedSession, VaultRow)? in
            guard let home = try RememberedDirectory(db: db, profile: profile).home(settings) else { return nil }
            let rows = AccountRows(db: db, home: home)
            guard let uid = try account.map({ try rows.uid(named: $0) }) ?? rows.currentUID() else { return nil }
            let sessions = try SealedSession.fetchGeneral(db, home, account: uid, provider: provider)
            let rule = SessionRule(named: uid, providers: provider.map { [$0] })
            guard case .session(let sealed, _) = rule(sessions) else { return nil }
            return try VaultRow.fetch(db).map { (sealed, $0) }
        }
        guard let (sealed, row) = found, !sealed.isUnproven, isUsable(sealed.withoutSecrets) else { return nil }
        return try sealed.opened(store.sealer(row))
    }

    /// Replaces the tokens of a session that is still there; false when it was signed out meanwhile.
    package func update(_ session: Session) async throws -> Bool {
        let sealed = try SealedSession(session, try await store.sealer(creating: false), in: origin)
        return try await write { rows in
            let isThere = try Bool.fetchOne(
                rows.db,
                sql: """
                    SELECT 1 FROM session WHERE home = ? AND account_uid = ? AND provider_id = ? AND resource = ?
                    """,
                arguments: [rows.home.id, session.accountUID, session.providerID, session.resource?.text ?? ""])
            // Signed out while the refresh was on its way: it stays signed out.
            guard isThere == true else { return false }
            try sealed.put(rows.db, rows.home)
            return true
        }
    }

    /// Empties the sessions of machines whose tokens have expired: such a token is kept no longer than it lives.
    package func forgetExpiredMachineTokens(now: Int64) async throws {
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

    /// Forgets sessions; the account stays, but is no longer current when none is left.
    /// - Parameters:
    ///   - provider: the only one whose session is forgotten; nil for all.
    ///   - unrevoked: what is kept of them for another try.
    /// - Throws: `DirectoryMismatch`, and nothing is forgotten.
    func removeSessions(
        account uid: String, provider: String? = nil, keeping unrevoked: [SealedUnrevoked] = [], now: Int64
    ) async throws {
        // What another directory made is not this one's to end.
        try await requireOwnSession(uid)
        try await write { rows in
            for session in unrevoked { try rows.unrevoked.put(session, now: now) }
            try rows.db.execute(
                sql:
                    "DELETE FROM session WHERE home = ? AND account_uid = ? AND provider_id = COALESCE(?, provider_id)",
                arguments: [rows.home.id, uid, provider])
            try rows.db.execute(
                sql: """
                    DELETE FROM current_account WHERE home = ?1 AND account_uid = ?2
                    AND NOT EXISTS (SELECT 1 FROM session WHERE home = ?1 AND account_uid = ?2)
                    """, arguments: [rows.home.id, uid])
        }
    }
}
