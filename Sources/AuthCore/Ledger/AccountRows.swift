/// Accounts and identities of one home, inside a transaction.
struct AccountRows {
    let db: Database
    let home: Home

    // MARK: Reading

    /// An account with the name that it has here, and whether its session is that of nobody in particular.
    private static let select = """
        SELECT account.*, (SELECT name FROM account_name WHERE account_name.home = account.home AND account_uid = uid) AS name,
            EXISTS (SELECT 1 FROM session WHERE session.home = account.home AND account_uid = uid
                AND provider_id = '\(DirectorySession.id)' AND source = '\(ProjectWay.anonymous)') AS is_anonymous
        FROM account
        """

    func accounts() throws -> [Account] {
        try Row.fetchAll(
            db, sql: "\(Self.select) WHERE home = ? ORDER BY created_at, uid", arguments: [home.id]
        ).map(account)
    }

    func account(uid: String) throws -> Account? {
        try Row.fetchOne(db, sql: "\(Self.select) WHERE home = ? AND uid = ?", arguments: [home.id, uid])
            .map(account)
    }

    func account(name: String) throws -> Account? {
        try Row.fetchOne(
            db,
            sql: """
                \(Self.select) WHERE home = ?1
                AND uid = (SELECT account_uid FROM account_name WHERE home = ?1 AND name = ?2)
                """, arguments: [home.id, name]
        ).map(account)
    }

    /// The accounts whose uid begins so.
    func accounts(uidPrefix prefix: String) throws -> [Account] {
        try Row.fetchAll(
            db,
            sql: """
                \(Self.select) WHERE home = ?1 AND uid >= ?2 AND uid < ?2 || char(1114111) ORDER BY created_at, uid
                LIMIT 20
                """, arguments: [home.id, prefix]
        ).map(account)
    }

    /// - Throws: `StoreError.damagedEntry` for an account that must be there and is not.
    func existing(_ uid: String) throws -> Account {
        guard let account = try account(uid: uid) else { throw StoreError.damagedEntry("account") }
        return account
    }

    func account(email: String) throws -> Account? {
        try Row.fetchOne(
            db, sql: "\(Self.select) WHERE home = ? AND email = ? ORDER BY created_at, uid",
            arguments: [home.id, email]
        ).map(account)
    }

    func accounts(named name: String) throws -> [Account] {
        try Row.fetchAll(
            db,
            sql: """
                \(Self.select) WHERE home = ?1 AND uid = ?2
                UNION \(Self.select) WHERE home = ?1 AND email = ?2 ORDER BY created_at, uid
                """, arguments: [home.id, name]
        ).map(account)
    }

    func owner(of key: IdentityKey) throws -> Account? {
        try ownerUID(of: key).flatMap { try account(uid: $0) }
    }

    func ownerUID(of key: IdentityKey) throws -> String? {
        try String.fetchOne(
            db,
            sql: """
                SELECT account_uid FROM identity
                WHERE home = ? AND provider_id = ? AND authority = ? AND federated_id = ?
                """, arguments: [home.id, key.providerID, key.authority, key.federatedID])
    }

    var isEmpty: Bool {
        get throws {
            try Bool.fetchOne(db, sql: "SELECT 1 FROM account WHERE home = ? LIMIT 1", arguments: [home.id]) == nil
        }
    }

    func isTaken(uid: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT 1 FROM account WHERE home = ? AND uid = ?", arguments: [home.id, uid])
            ?? false
    }

    func isTaken(email: String) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT 1 FROM account WHERE home = ? AND email = ? LIMIT 1", arguments: [home.id, email])
            ?? false
    }

    func currentUID() throws -> String? {
        try String.fetchOne(db, sql: "SELECT account_uid FROM current_account WHERE home = ?", arguments: [home.id])
    }

    /// The account that a UID, a name or an email names, when there is exactly one.
    func uid(named name: String) throws -> String? {
        let uids = try String.fetchAll(
            db,
            sql: """
                SELECT uid FROM account WHERE home = ?1 AND uid = ?2
                UNION SELECT uid FROM account WHERE home = ?1 AND email = ?2
                UNION SELECT account_uid FROM account_name WHERE home = ?1 AND name = ?2
                """, arguments: [home.id, name])
        return uids.count == 1 ? uids[0] : nil
    }

    /// When the person was last proven, by any session of the account that is known to be this directory's; nil when there
    /// is none.
    func lastProvenAt(_ uid: String, now: Int64) throws -> Int64? {
        RecentLogin.last(
            of: try Int64.fetchAll(
                db, sql: "SELECT last_proven_at FROM session WHERE home = ? AND account_uid = ? AND NOT is_unproven",
                arguments: [home.id, uid]
            ).map(Seconds.time), now: now)
    }

    private func account(_ row: Row) throws -> Account {
        let uid: String = try row["uid"]
        let isMachine: Bool = try row["is_machine"]
        let identities = try Row.fetchAll(
            db, sql: "SELECT * FROM identity WHERE home = ? AND account_uid = ? ORDER BY linked_at, rowid",
            arguments: [home.id, uid])
        var account = try Account(
            uid: uid, email: row["email"], isEmailVerified: row["email_verified"], displayName: row["display_name"],
            photoURL: row["photo_url"], createdAt: row["created_at"], lastSignInAt: row["last_sign_in_at"],
            providerData: identities.map { row in
                try Identity(
                    key: IdentityKey(
                        providerID: row["provider_id"], authority: row["authority"], federatedID: row["federated_id"]),
                    email: row["email"], isEmailVerified: row["email_verified"], displayName: row["display_name"],
                    photoURL: row["photo_url"], screenName: row["screen_name"], isPrivateRelay: row["is_private_relay"],
                    tenantID: row["tenant_id"], consentedAt: row["consented_at"], isMachine: isMachine)
            }, isMachine: isMachine)
        account.name = try row["name"]
        account.isAnonymous = identities.isEmpty ? try row["is_anonymous"] : false
        return account
    }

    // MARK: Writing

    /// Gives an account a name, or takes it away with nil.
    func name(_ uid: String, _ name: String?) throws {
        guard let name else {
            return try db.execute(
                sql: "DELETE FROM account_name WHERE home = ? AND account_uid = ?", arguments: [home.id, uid])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO account_name (home, account_uid, name) VALUES (?, ?, ?)",
            arguments: [home.id, uid, name])
    }

    func makeCurrent(_ uid: String) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO current_account (home, account_uid) VALUES (?, ?)",
            arguments: [home.id, uid])
    }

    func insert(_ account: Account) throws {
        try db.execute(
            sql: """
                INSERT INTO account
                (home, uid, email, email_verified, display_name, photo_url, created_at, last_sign_in_at, is_machine)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                home.id, account.uid, account.email, account.isEmailVerified, account.displayName, account.photoURL,
                account.createdAt, account.lastSignInAt, account.isMachine,
            ])
        for identity in account.providerData { try attach(identity, to: account.uid, now: account.createdAt) }
    }

    /// Makes the account of a new identity.
    func create(_ identity: Identity, uid: String, now: Int64) throws {
        try insert(
            Account(
                uid: uid, email: identity.email, isEmailVerified: identity.isEmailVerified,
                displayName: identity.displayName, photoURL: identity.photoURL, createdAt: now, lastSignInAt: now,
                providerData: [identity], isMachine: identity.isMachine))
    }

    func attach(_ identity: Identity, to uid: String, now: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO identity
                (home, provider_id, authority, federated_id, account_uid, email, email_verified, display_name,
                 photo_url, screen_name, is_private_relay, tenant_id, consented_at, linked_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                home.id, identity.key.providerID, identity.key.authority, identity.key.federatedID, uid, identity.email,
                identity.isEmailVerified, identity.displayName, identity.photoURL, identity.screenName,
                identity.isPrivateRelay, identity.tenantID, identity.consentedAt, now,
            ])
    }

    /// Fills what the account does not have yet; the address only where nobody else has it.
    func fill(_ uid: String, from identity: Identity, takesEmail: Bool) throws {
        try db.execute(
            sql: """
                UPDATE account SET display_name = COALESCE(display_name, ?), photo_url = COALESCE(photo_url, ?)
                WHERE home = ? AND uid = ?
                """, arguments: [identity.displayName, identity.photoURL, home.id, uid])
        guard takesEmail, let email = identity.email else { return }
        try db.execute(
            sql: "UPDATE account SET email = ?, email_verified = ? WHERE home = ? AND uid = ? AND email IS NULL",
            arguments: [email, identity.isEmailVerified, home.id, uid])
        // The same address from a provider whose word counts.
        if identity.isEmailVerified {
            try db.execute(
                sql: "UPDATE account SET email_verified = 1 WHERE home = ? AND uid = ? AND email = ?",
                arguments: [home.id, uid, email])
        }
    }

    /// Remembers when the person agreed to tie these providers' identities to others.
    func consent(_ uid: String, providers: Set<String>, now: Int64) throws {
        for provider in providers {
            try db.execute(
                sql: "UPDATE identity SET consented_at = ? WHERE home = ? AND account_uid = ? AND provider_id = ?",
                arguments: [now, home.id, uid, provider])
        }
    }

    func detach(_ provider: String, from uid: String) throws {
        try db.execute(
            sql: "DELETE FROM identity WHERE home = ? AND account_uid = ? AND provider_id = ?",
            arguments: [home.id, uid, provider])
        try endSession(with: provider, of: uid)
    }

    func endSession(with provider: String, of uid: String) throws {
        try db.execute(
            sql: "DELETE FROM session WHERE home = ? AND account_uid = ? AND provider_id = ?",
            arguments: [home.id, uid, provider])
    }

    /// Takes an account out; identities, sessions, password and what waits go with it.
    func remove(_ uid: String) throws {
        try db.execute(sql: "DELETE FROM account WHERE home = ? AND uid = ?", arguments: [home.id, uid])
    }

    /// Takes over what the provider says now; a name it no longer sends is not forgotten.
    func refresh(_ identity: Identity, of uid: String, now: Int64) throws {
        try db.execute(
            sql: """
                UPDATE identity SET email = ?, email_verified = ?, display_name = COALESCE(?, display_name),
                photo_url = COALESCE(?, photo_url), screen_name = COALESCE(?, screen_name), is_private_relay = ?,
                tenant_id = ?
                WHERE home = ? AND provider_id = ? AND authority = ? AND federated_id = ?
                """,
            arguments: [
                identity.email, identity.isEmailVerified, identity.displayName, identity.photoURL,
                identity.screenName, identity.isPrivateRelay, identity.tenantID, home.id, identity.key.providerID,
                identity.key.authority,
                identity.key.federatedID,
            ])
        try db.execute(
            sql: """
                UPDATE account SET last_sign_in_at = ?, display_name = COALESCE(display_name, ?),
                photo_url = COALESCE(photo_url, ?) WHERE home = ? AND uid = ?
                """, arguments: [now, identity.displayName, identity.photoURL, home.id, uid])
        // Verified is what one of the account's providers says of this very address now: a flag that was withdrawn is
        // lowered, and a provider that says nothing of it lowers nothing.
        try db.execute(
            sql: """
                UPDATE account SET email_verified = EXISTS (
                    SELECT 1 FROM identity
                    WHERE identity.home = account.home AND identity.account_uid = account.uid
                    AND identity.email = account.email AND identity.email_verified)
                WHERE home = ? AND uid = ?
                """, arguments: [home.id, uid])
    }
}
