/// Accounts and identities of one directory, inside a transaction.
struct AccountRows {
    let db: Database
    let directoryID: DirectoryID

    // MARK: Reading

    private static let select: SQL = """
        SELECT account.*,
            (SELECT name FROM account_name AS names WHERE names.home = account.home AND account_uid = uid) AS name,
            EXISTS (SELECT 1 FROM session WHERE session.home = account.home AND account_uid = uid
                AND provider_id = \(DirectorySession.id)
                AND json_extract(details, '$.source') = \(anonymous)) AS is_anonymous
        FROM account
        """
    private static let anonymous = Grant.Source.directory(by: ProjectSignInProvider.anonymous).stored

    private func accounts(where condition: SQL, limit: Int = -1) throws -> [Account] {
        try Row.fetchAll(
            db,
            """
            \(Self.select) WHERE home = \(directoryID.id) AND (\(condition)) ORDER BY created_at, uid LIMIT \(limit)
            """
        ).map(account)
    }

    func accounts() throws -> [Account] { try accounts(where: "TRUE") }
    func account(uid: String) throws -> Account? { try accounts(where: "uid = \(uid)").first }
    func account(email: String) throws -> Account? { try accounts(where: "email = \(email)", limit: 1).first }

    func accounts(named name: String) throws -> [Account] {
        // With OR, SQLite would look at every account.
        try accounts(
            where: """
                uid IN (SELECT \(name)
                    UNION SELECT uid FROM account WHERE home = \(directoryID.id) AND email = \(name))
                """)
    }

    func account(name: String) throws -> Account? {
        try String.fetchOne(
            db, "SELECT account_uid FROM account_name WHERE home = \(directoryID.id) AND name = \(name)"
        ).flatMap { try account(uid: $0) }
    }

    func accounts(uidPrefix prefix: String) throws -> [Account] {
        try accounts(where: "uid >= \(prefix) AND uid < \(prefix) || char(1114111)", limit: 20)
    }

    func existing(_ uid: String) throws -> Account {
        guard let account = try account(uid: uid) else { throw StoreError.damagedEntry("account") }
        return account
    }

    func owner(of key: IdentityKey) throws -> Account? { try ownerUID(of: key).flatMap { try account(uid: $0) } }

    func ownerUID(of key: IdentityKey) throws -> String? {
        try String.fetchOne(db, "SELECT account_uid FROM identity WHERE \(isIdentity(key))")
    }

    private func isIdentity(_ key: IdentityKey) -> SQL {
        """
        home = \(directoryID.id) AND provider_id = \(key.providerID) AND authority = \(key.authority)
        AND federated_id = \(key.federatedID)
        """
    }

    private func isAccount(_ uid: String) -> SQL { "home = \(directoryID.id) AND uid = \(uid)" }
    private func isOf(_ uid: String) -> SQL { "home = \(directoryID.id) AND account_uid = \(uid)" }

    var isEmpty: Bool {
        get throws { try !db.hasRow("SELECT 1 FROM account WHERE home = \(directoryID.id)") }
    }

    func isTaken(uid: String) throws -> Bool { try db.hasRow("SELECT 1 FROM account WHERE \(isAccount(uid))") }

    func isTaken(email: String) throws -> Bool {
        try db.hasRow("SELECT 1 FROM account WHERE home = \(directoryID.id) AND email = \(email)")
    }

    func currentUID() throws -> String? {
        try String.fetchOne(db, "SELECT account_uid FROM current_account WHERE home = \(directoryID.id)")
    }

    func uid(named name: String) throws -> String? {
        let uids = try String.fetchAll(
            db,
            """
            SELECT uid FROM account WHERE home = \(directoryID.id) AND uid = \(name)
            UNION SELECT uid FROM account WHERE home = \(directoryID.id) AND email = \(name)
            UNION SELECT account_uid FROM account_name WHERE home = \(directoryID.id) AND name = \(name)
            """)
        return uids.count == 1 ? uids[0] : nil
    }

    func lastProvenAt(_ uid: String, now: Int64) throws -> Int64? {
        RecentLogin.last(
            of: try Int64.fetchAll(
                db,
                "SELECT json_extract(details, '$.lastProvenAt') FROM session WHERE \(isOf(uid)) AND NOT is_unproven"
            ).map(Seconds.time), now: now)
    }

    private func account(_ row: Row) throws -> Account {
        let uid: String = try row["uid"]
        let isMachine: Bool = try row["is_machine"]
        let identities = try Row.fetchAll(
            db, "SELECT * FROM identity WHERE \(isOf(uid)) ORDER BY linked_at, rowid")
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

    func name(_ uid: String, _ name: String?) throws {
        guard let name else { return try db.execute("DELETE FROM account_name WHERE \(isOf(uid))") }
        try db.replace(into: "account_name", values: ["home": directoryID.id, "account_uid": uid, "name": name])
    }

    func makeCurrent(_ uid: String) throws {
        try db.replace(into: "current_account", values: ["home": directoryID.id, "account_uid": uid])
    }

    func insert(_ account: Account) throws {
        try db.insert(
            into: "account",
            values: [
                "home": directoryID.id, "uid": account.uid, "email": account.email,
                "email_verified": account.isEmailVerified, "display_name": account.displayName,
                "photo_url": account.photoURL, "created_at": account.createdAt,
                "last_sign_in_at": account.lastSignInAt, "is_machine": account.isMachine,
            ])
        for identity in account.providerData { try attach(identity, to: account.uid, now: account.createdAt) }
    }

    func create(_ identity: Identity, uid: String, now: Int64) throws {
        try insert(
            Account(
                uid: uid, email: identity.email, isEmailVerified: identity.isEmailVerified,
                displayName: identity.displayName, photoURL: identity.photoURL, createdAt: now, lastSignInAt: now,
                providerData: [identity], isMachine: identity.isMachine))
    }

    func attach(_ identity: Identity, to uid: String, now: Int64) throws {
        try db.insert(
            into: "identity",
            values: [
                "home": directoryID.id, "provider_id": identity.key.providerID, "authority": identity.key.authority,
                "federated_id": identity.key.federatedID, "account_uid": uid, "email": identity.email,
                "email_verified": identity.isEmailVerified, "display_name": identity.displayName,
                "photo_url": identity.photoURL, "screen_name": identity.screenName,
                "is_private_relay": identity.isPrivateRelay, "tenant_id": identity.tenantID,
                "consented_at": identity.consentedAt, "linked_at": now,
            ])
    }

    /// Sets the fields that the account lacks. The address is set only if no other account has it.
    func fill(_ uid: String, from identity: Identity, takesEmail: Bool) throws {
        try db.execute(
            """
            UPDATE account SET display_name = COALESCE(display_name, \(identity.displayName)),
            photo_url = COALESCE(photo_url, \(identity.photoURL)) WHERE \(isAccount(uid))
            """)
        guard takesEmail, let email = identity.email else { return }
        try db.execute(
            """
            UPDATE account SET email = \(email), email_verified = \(identity.isEmailVerified)
            WHERE \(isAccount(uid)) AND email IS NULL
            """)
        // The same address from a provider whose word counts.
        if identity.isEmailVerified {
            try db.execute("UPDATE account SET email_verified = 1 WHERE \(isAccount(uid)) AND email = \(email)")
        }
    }

    func consent(_ uid: String, providers: Set<String>, now: Int64) throws {
        for provider in providers {
            try db.execute(
                "UPDATE identity SET consented_at = \(now) WHERE \(isOf(uid)) AND provider_id = \(provider)")
        }
    }

    func detach(_ provider: String, from uid: String) throws {
        try db.execute("DELETE FROM identity WHERE \(isOf(uid)) AND provider_id = \(provider)")
        try endSession(with: provider, of: uid)
    }

    func endSession(with provider: String, of uid: String) throws {
        try db.execute("DELETE FROM session WHERE \(isOf(uid)) AND provider_id = \(provider)")
    }

    func remove(_ uid: String) throws { try db.execute("DELETE FROM account WHERE \(isAccount(uid))") }

    func refresh(_ identity: Identity, of uid: String, now: Int64) throws {
        try db.execute(
            """
            UPDATE identity SET email = \(identity.email), email_verified = \(identity.isEmailVerified),
            display_name = COALESCE(\(identity.displayName), display_name),
            photo_url = COALESCE(\(identity.photoURL), photo_url),
            screen_name = COALESCE(\(identity.screenName), screen_name),
            is_private_relay = \(identity.isPrivateRelay), tenant_id = \(identity.tenantID)
            WHERE \(isIdentity(identity.key))
            """)
        try db.execute(
            """
            UPDATE account SET last_sign_in_at = \(now), display_name = COALESCE(display_name, \(identity.displayName)),
            photo_url = COALESCE(photo_url, \(identity.photoURL)) WHERE \(isAccount(uid))
            """)
        // Verified is what one of the account's providers says of this very address now: a flag that was withdrawn is
        // lowered, and a provider that says nothing of it lowers nothing.
        try db.execute(
            """
            UPDATE account SET email_verified = EXISTS (
                SELECT 1 FROM identity
                WHERE identity.home = account.home AND identity.account_uid = account.uid
                AND identity.email = account.email AND identity.email_verified)
            WHERE \(isAccount(uid))
            """)
    }

    func replace(_ account: Account) throws {
        try db.execute(
            """
            UPDATE account SET email = \(account.email), email_verified = \(account.isEmailVerified),
            display_name = \(account.displayName), photo_url = \(account.photoURL), created_at = \(account.createdAt),
            last_sign_in_at = \(account.lastSignInAt) WHERE \(isAccount(account.uid))
            """)
        try db.execute("DELETE FROM identity WHERE \(isOf(account.uid))")
        try release(account.providerData)
        for identity in account.providerData { try attach(identity, to: account.uid, now: account.lastSignInAt) }
    }

    /// Identities that the directory has given to another account since.
    func release(_ identities: [Identity]) throws {
        for identity in identities { try db.execute("DELETE FROM identity WHERE \(isIdentity(identity.key))") }
    }

    func removeUnprovenSessions(_ uid: String) throws {
        try db.execute("DELETE FROM session WHERE \(isOf(uid)) AND is_unproven")
    }
}
