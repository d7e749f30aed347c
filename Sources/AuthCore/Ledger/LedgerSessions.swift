/// The sessions of a profile.
extension Ledger {
    public func sessions() async throws -> [SessionSummary] {
        try await read { try SealedSession.summaries($0.db, profile: $0.profile) }
    }

    public func sessions(account uid: String) async throws -> [SessionSummary] {
        try await read { try SealedSession.summaries($0.db, profile: $0.profile, account: uid) }
    }

    /// - Throws: `MadeElsewhere` for a session that another directory made.
    public func session(account uid: String, provider: String) async throws -> Session? {
        guard let sealed = try await read({ try SealedSession.fetch($0.db, account: uid, provider: provider) })
        else { return nil }
        let sealer = try await store.sealer(creating: false)
        let earlier = sealed.isOfUnknownOrigin ? try await signedOrigin(uid, sealer) : nil
        return try sealed.opened(sealer, in: origin, earlier: earlier)
    }

    /// What made the sessions of an account whose rows do not say.
    private func signedOrigin(_ uid: String, _ sealer: Sealer) async throws -> DirectoryOrigin? {
        try await read { try SealedSession.fetch($0.db, account: uid, provider: DirectorySession.id) }?
            .signedOrigin(sealer)
    }

    /// Looks whether an account's sessions, where it has any, are this directory's.
    /// - Throws: `MadeElsewhere`.
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
        let found = try store.blockingRead { db -> (SealedSession, DirectoryOrigin, VaultRow)? in
            guard let origin = try RememberedDirectory(db: db, profile: profile).origin(settings) else { return nil }
            let rows = AccountRows(db: db, profile: profile)
            guard let uid = try account.map({ try rows.uid(named: $0) }) ?? rows.currentUID() else { return nil }
            guard let sealed = try SealedSession.fetchOnly(db, account: uid, provider: provider) else { return nil }
            return try VaultRow.fetch(db).map { (sealed, origin, $0) }
        }
        guard let (sealed, origin, row) = found, sealed.isMade(by: origin), isUsable(sealed.withoutSecrets) else {
            return nil
        }
        return try sealed.opened(store.sealer(row), in: origin)
    }

    /// Replaces the tokens of a session that is still there; false when it was signed out meanwhile.
    public func update(_ session: Session) async throws -> Bool {
        let sealed = try SealedSession(session, try await store.sealer(creating: false))
        return try await write { rows in
            let isThere = try Bool.fetchOne(
                rows.db, sql: "SELECT 1 FROM session WHERE account_uid = ? AND provider_id = ?",
                arguments: [session.accountUID, session.providerID])
            // Signed out while the refresh was on its way: it stays signed out.
            guard isThere == true else { return false }
            try rows.put(sealed)
            return true
        }
    }

    /// Empties the sessions of machines whose tokens have expired: such a token is kept no longer than it lives.
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

    /// Forgets sessions; the account stays, but is no longer current when none is left.
    /// - Parameters:
    ///   - provider: the only one whose session is forgotten; nil for all.
    ///   - unrevoked: what is kept of them for another try.
    /// - Throws: `MadeElsewhere`, and nothing is forgotten.
    func removeSessions(
        account uid: String, provider: String? = nil, keeping unrevoked: [SealedUnrevoked] = [], now: Int64
    ) async throws {
        // What another directory made is not this one's to end.
        try await requireOwnSession(uid)
        try await write { rows in
            for session in unrevoked { try rows.unrevoked.put(session, now: now) }
            try rows.db.execute(
                sql: "DELETE FROM session WHERE account_uid = ?1 AND provider_id = COALESCE(?2, provider_id)",
                arguments: [uid, provider])
            try rows.db.execute(
                sql: """
                    DELETE FROM current_account
                    WHERE account_uid = ?1 AND NOT EXISTS (SELECT 1 FROM session WHERE account_uid = ?1)
                    """, arguments: [uid])
        }
    }
}
