/// What this machine knows of accounts that live elsewhere: enough to show them and to hand out their tokens.
extension Ledger {
    /// Takes over an account as its directory describes it now, with sessions that it made, all in one step.
    /// - Parameter forgetting: the providers whose sessions end.
    func adopt(_ account: Account, _ sessions: [Session], makesCurrent: Bool, forgetting: [String] = []) async throws {
        let sealer = try await store.sealer(creating: true)
        let sealed = try sessions.map { try SealedSession($0, sealer) }
        try await write { ledger in
            let rows = ledger.accounts
            if try rows.account(uid: account.uid) != nil {
                try rows.replace(account)
            } else {
                guard try !rows.isTaken(uid: account.uid) else { throw AccountRefusal.otherProfile }
                try rows.release(account.providerData)
                try rows.insert(account)
            }
            if !sealed.isEmpty { try rows.clearWay(for: account.uid, in: ledger.origin) }
            for session in sealed { try ledger.put(session) }
            for provider in forgetting { try rows.endSession(with: provider, of: account.uid) }
            if makesCurrent { try rows.makeCurrent(account.uid) }
        }
    }

    /// Forgets an account on this machine alone, whichever project it lives in.
    /// - Throws: `AccountRefusal.livesHere` for an account of the local directory.
    public func forgetHere(_ account: Account) async throws {
        let isLocal = try await sessions(account: account.uid).contains { $0.directory == .local }
        guard !isLocal, account.livesInProject else { throw AccountRefusal.livesHere }
        try await forget(account.uid)
    }

    /// Forgets an account here.
    func forget(_ uid: String) async throws { try await write { try $0.accounts.remove(uid) } }
}

extension AccountRows {
    /// An account has sessions of one directory at a time. An emulator's are made again in no time; of any other the
    /// account is left alone.
    fileprivate func clearWay(for uid: String, in origin: DirectoryOrigin) throws {
        let others = try String.fetchAll(
            db,
            sql: "SELECT DISTINCT directory FROM session WHERE account_uid = ? AND directory <> ?",
            arguments: [uid, origin.text])
        guard others.allSatisfy({ DirectoryOrigin(text: $0)?.emulator != nil }) else {
            throw AccountRefusal.otherDirectory
        }
        try db.execute(
            sql: "DELETE FROM session WHERE account_uid = ? AND directory IS NOT ?", arguments: [uid, origin.text])
    }

    /// Identities that the directory has given to another account since.
    fileprivate func release(_ identities: [Identity]) throws {
        for identity in identities {
            try db.execute(
                sql:
                    "DELETE FROM identity WHERE profile = ? AND provider_id = ? AND authority = ? AND federated_id = ?",
                arguments: [profile, identity.key.providerID, identity.key.authority, identity.key.federatedID])
        }
    }

    fileprivate func replace(_ account: Account) throws {
        try db.execute(
            sql: """
                UPDATE account SET email = ?, email_verified = ?, display_name = ?, photo_url = ?, created_at = ?,
                last_sign_in_at = ? WHERE uid = ? AND profile = ?
                """,
            arguments: [
                account.email, account.isEmailVerified, account.displayName, account.photoURL, account.createdAt,
                account.lastSignInAt, account.uid, profile,
            ])
        try db.execute(sql: "DELETE FROM identity WHERE account_uid = ?", arguments: [account.uid])
        try release(account.providerData)
        for identity in account.providerData { try attach(identity, to: account.uid, now: account.lastSignInAt) }
    }
}
