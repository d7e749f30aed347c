extension SessionStore {
    package func sessions() async throws -> [SessionSummary] { try await sessions(where: "TRUE") }

    package func sessions(account uid: String) async throws -> [SessionSummary] {
        try await sessions(where: "account_uid = \(uid)")
    }

    private func sessions(where condition: SQL) async throws -> [SessionSummary] {
        try await read { try SealedSession.fetchAll(from: $0.db, in: $0.directoryID, where: condition).map(\.summary) }
    }

    /// The sessions that this version can read, without their secrets.
    func readableSessions() async throws -> [Session] {
        try await read {
            try SealedSession.fetchAll(from: $0.db, in: $0.directoryID, where: "TRUE")
                .filter { !$0.summary.isDamaged }.map { try $0.withoutSecrets() }
        }
    }

    package func session(account uid: String, provider: String, resource: HTTPURL? = nil) async throws -> Session? {
        try await openedSession(account: uid, provider: provider, resource: resource)?.session
    }

    /// The session, decrypted and as it is stored.
    func openedSession(
        account uid: String, provider: String, resource: HTTPURL?
    ) async throws -> (session: Session, sealed: SealedSession)? {
        let found = try await read {
            try SealedSession.fetch(
                from: $0.db, in: $0.directoryID, account: uid, provider: provider, resource: resource)
        }
        guard let found else {
            try await requireInThisDirectory(uid)
            return nil
        }
        let sealer = try await store.sealer(creating: false)
        let earlier = found.isUnproven ? try await signedOrigin(uid, sealer) : nil
        return (try found.opened(sealer, earlier: earlier), found)
    }

    func owner(of key: IdentityKey) async throws -> String? { try await read { try $0.accounts.ownerUID(of: key) } }

    func signedOrigin(_ uid: String, _ sealer: Sealer) async throws -> DirectoryOrigin? {
        try await read {
            try SealedSession.fetch(
                from: $0.db, in: $0.directoryID, account: uid, provider: SessionIssuer.projectID, resource: nil)
        }?.signedOrigin(sealer)
    }

    package func requireOwnSession(_ uid: String) async throws {
        let sessions = try await sessions(account: uid)
        guard let first = sessions.first else { return try await requireInThisDirectory(uid) }
        guard !sessions.contains(where: { $0.directory == origin }) else { return }
        let made = try await signedOrigin(uid, store.sealer(creating: false))
        if made == origin { return }
        throw DirectoryMismatch(kind: .session, provider: first.signInProvider, origin: made, current: origin)
    }

    /// The session that `SessionRule` chooses for one account, read on this thread in one transaction, and decrypted.
    /// Nil if the session requires a search, a refresh or an error message, which `CurrentToken` handles.
    package func storedSession(
        account: String?, provider: String?, settings: SettingsDigest, isUsable: (Session) -> Bool
    ) throws -> Session? {
        let found = try store.blockingRead { db -> (SealedSession, VaultRow)? in
            guard let directoryID = try RememberedDirectory(db: db, profile: profile).directoryID(settings) else {
                return nil
            }
            let rows = AccountRows(db: db, directoryID: directoryID)
            guard let uid = try account.map({ try rows.uid(named: $0) }) ?? rows.currentUID() else { return nil }
            let isNamed: SQL = if let provider { "provider_id = \(provider)" } else { "TRUE" }
            let sessions = try SealedSession.fetchAll(
                from: db, in: directoryID, where: "account_uid = \(uid) AND resource = '' AND \(isNamed)")
            let rule = SessionRule(named: uid, providers: provider.map { [$0] })
            guard case .session(let sealed, _) = rule(sessions) else { return nil }
            return try VaultRow.fetch(db).map { (sealed, $0) }
        }
        guard let (sealed, row) = found, !sealed.isUnproven, isUsable(try sealed.withoutSecrets()) else { return nil }
        return try sealed.opened(store.sealer(row))
    }

    package enum Update: Sendable {
        case stored
        /// The user has signed out since, so nothing was stored.
        case ended
        /// A sign-in or a refresh has stored other tokens since, which remain.
        case replaced
    }

    /// Stores a changed session, if the stored one still has the tokens of `seen`.
    /// - Parameter read: `seen` as it was stored. A row that is still the same is not decrypted again.
    package func update(
        _ session: Session, since seen: Session, as read: SealedSession? = nil
    ) async throws -> Update {
        let sealer = try await store.sealer(creating: false)
        let sealed = try SealedSession(session, by: sealer, in: origin)
        return try await write { rows in
            let stored = try SealedSession.fetch(
                from: rows.db, in: rows.directoryID, account: session.accountUID, provider: session.providerID,
                resource: session.resource)
            guard let stored else { return .ended }
            guard try stored == read || stored.opened(sealer, earlier: origin).hasTokens(of: seen) else {
                return .replaced
            }
            try sealed.put(rows.db, rows.directoryID)
            return .stored
        }
    }

    /// Whether the reminder of the session's end is due, and no other process has printed it. The next one is due in a
    /// day.
    func takeReminder(of session: Session, now: Int64) async throws -> Bool {
        try await write { rows in
            try rows.db.execute(
                """
                UPDATE session SET details = json_set(details, '$.tokens.remindsAt', \(now + 86400))
                WHERE home = \(rows.directoryID.id) AND account_uid = \(session.accountUID)
                AND provider_id = \(session.providerID) AND resource = \(session.resource?.text ?? "")
                AND json_extract(details, '$.tokens.remindsAt') <= \(now)
                """)
            return rows.db.changesCount > 0
        }
    }

    package func forgetExpiredMachineTokens(now: Int64) async throws {
        try await store.write { db in
            // The session remains, because it contains the parameters for new tokens.
            try db.execute(
                """
                UPDATE session SET details = json_remove(details, '$.tokens.accessToken', '$.tokens.idToken')
                WHERE json_extract(details, '$.renewal') IS NOT NULL
                AND (SELECT MAX(value) FROM json_each(details, '$.tokens')
                    WHERE key IN ('expiresAt', 'idTokenExpiresAt')) <= \(now)
                AND EXISTS (SELECT 1 FROM json_each(details, '$.tokens')
                    WHERE key IN ('accessToken', 'idToken') AND value IS NOT NULL)
                """)
        }
    }

    /// Removes the listed sessions. A session that a user's later sign-in has stored remains. A machine's is removed: a
    /// renewal, which another process may have made since, changes it like a sign-in.
    func removeSessions(
        _ listed: [SessionSummary], of uid: String, storing unrevoked: SealedUnrevoked? = nil, now: Int64
    ) async throws {
        // Sessions of another directory must not be ended from this one.
        try await requireOwnSession(uid)
        try await write { rows in
            let home = rows.directoryID.id
            if let unrevoked { try rows.put(unrevoked, now: now) }
            for session in listed {
                try rows.db.execute(
                    """
                    DELETE FROM session WHERE home = \(home) AND account_uid = \(uid)
                    AND provider_id = \(session.providerID) AND resource = \(session.resource?.text ?? "")
                    AND (COALESCE(json_extract(details, '$.lastProvenAt'), 0) <= \(session.lastProvenAt)
                        OR json_extract(details, '$.renewal') IS NOT NULL)
                    """)
            }
            try rows.db.execute(
                """
                DELETE FROM current_account WHERE home = \(home) AND account_uid = \(uid)
                AND NOT EXISTS (SELECT 1 FROM session WHERE home = \(home) AND account_uid = \(uid))
                """)
        }
    }
}
