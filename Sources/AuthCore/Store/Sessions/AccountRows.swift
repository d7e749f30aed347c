/// Accounts and identities of one directory, inside a transaction.
struct AccountRows {
    let db: Database
    let directoryID: DirectoryID

    // MARK: Reading

    private static let anonymous = Grant.Source.directory(by: ProjectSignInProvider.anonymous).rawValue

    /// Reads accounts and identities in one query: a row for each identity, or one row for an account without
    /// identities.
    private func accounts(where condition: SQL, limit: Int = -1) throws -> [Account] {
        var accounts: [Account] = []
        try db.forEachRow(
            """
            SELECT account.uid, account.email, account.email_verified, account.display_name, account.photo_url,
                created_at, last_sign_in_at, is_machine, name, identity.provider_id IS NULL AND EXISTS (
                    SELECT 1 FROM session WHERE session.home = account.home AND session.account_uid = uid
                    AND session.provider_id = \(SessionIssuer.projectID)
                    AND json_extract(details, '$.source') = \(Self.anonymous)),
                identity.provider_id, authority, federated_id, identity.email, identity.email_verified,
                identity.display_name, identity.photo_url, screen_name, is_private_relay, tenant_id, consented_at
            FROM (SELECT * FROM account WHERE home = \(directoryID.id) AND (\(condition))
                ORDER BY created_at, uid LIMIT \(limit)) AS account
            LEFT JOIN account_name ON account_name.home = account.home AND account_name.account_uid = uid
            LEFT JOIN identity ON identity.home = account.home AND identity.account_uid = uid
            ORDER BY created_at, uid, linked_at, identity.rowid
            """
        ) { row in
            let uid: String = try row[0]
            if accounts.last?.uid.hasSameBytes(as: uid) != true { accounts.append(try account(uid, row)) }
            if let identity = try identity(row) { accounts[accounts.count - 1].providerData.append(identity) }
        }
        return accounts
    }

    private func account(_ uid: String, _ row: Row) throws -> Account {
        var account = try Account(
            uid: uid, email: row[1], isEmailVerified: row[2], displayName: row[3], photoURL: row[4], createdAt: row[5],
            lastSignInAt: row[6], providerData: [], isMachine: row[7])
        account.name = try row[8]
        account.isAnonymous = try row[9]
        return account
    }

    private func identity(_ row: Row) throws -> Identity? {
        guard let provider: String = try row[10] else { return nil }
        return try Identity(
            key: IdentityKey(providerID: provider, authority: row[11], federatedID: row[12]), email: row[13],
            isEmailVerified: row[14], displayName: row[15], photoURL: row[16], screenName: row[17],
            isPrivateRelay: row[18], tenantID: row[19], consentedAt: row[20], isMachine: row[7])
    }

    func accounts() throws -> [Account] { try accounts(where: "TRUE") }

    func accounts(uids: some Sequence<String>) throws -> [Account] {
        try accounts(where: "uid IN (\(SQL.each(of: uids)))")
    }

    func uids() throws -> [String] {
        try String.fetchAll(db, "SELECT uid FROM account WHERE home = \(directoryID.id) ORDER BY created_at, uid")
    }

    /// The list entries of all accounts, unsorted.
    func entries() throws -> [AccountEntry] {
        let current = try currentUID()
        // One query for all of them, because each has its name in its identities.
        let others = Dictionary(uniqueKeysWithValues: try accounts(where: "email IS NULL").map { ($0.uid, $0.known) })
        var entries: [AccountEntry] = []
        try db.forEachRow(
            """
            SELECT uid, name, email FROM account
            LEFT JOIN account_name ON account_name.home = account.home AND account_uid = uid
            WHERE account.home = \(directoryID.id)
            """
        ) { row in
            let uid: String = try row[0]
            let known: String = try row[2] ?? others[uid] ?? uid
            entries.append(try AccountEntry(uid: uid, name: row[1], known: known, isCurrent: uid == current))
        }
        return entries
    }

    /// How many accounts there are, or how many have an identity with this provider.
    func count(provider: String?) throws -> Int {
        let query: SQL =
            if let provider {
                "SELECT COUNT(*) FROM identity WHERE home = \(directoryID.id) AND provider_id = \(provider)"
            } else { "SELECT COUNT(*) FROM account WHERE home = \(directoryID.id)" }
        return try Int.fetchOne(db, query) ?? 0
    }

    func account(uid: String) throws -> Account? { try accounts(where: "uid = \(uid)").first }
    func account(email: String) throws -> Account? { try accounts(where: "email = \(email)", limit: 1).first }

    func accounts(named name: String) throws -> [Account] {
        // With OR, SQLite would scan all accounts.
        try accounts(
            where: """
                uid IN (SELECT \(name)
                    UNION SELECT uid FROM account WHERE home = \(directoryID.id) AND email = \(name))
                """)
    }

    /// The accounts with an identity of this address, or with the address in other letter case.
    func accounts(linkedEmail email: String) throws -> [Account] {
        try accounts(
            where: """
                uid IN (SELECT account_uid FROM identity WHERE home = \(directoryID.id) AND email = \(email) COLLATE NOCASE
                    UNION SELECT uid FROM account WHERE home = \(directoryID.id) AND email = \(email) COLLATE NOCASE)
                """)
    }

    func accounts(of session: SessionName) throws -> [Account] {
        let provider: SQL = "provider_id IN (\(SQL.each(of: session.providerIDs)))"
        let isUser: SQL =
            if let user = session.user { "\(user) IN (name, screen_name, identity.email, account.email, uid)" } else {
                "TRUE"
            }
        return try accounts(
            where: """
                uid IN (SELECT account_uid FROM identity JOIN account ON account.home = identity.home AND uid = account_uid
                    LEFT JOIN account_name USING (home, account_uid)
                    WHERE identity.home = \(directoryID.id) AND \(provider) AND \(isUser))
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
        // Another process has deleted the account.
        guard let account = try account(uid: uid) else { throw NotSignedIn.unknownAccount(uid) }
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

    func isAccount(_ uid: String) -> SQL { "home = \(directoryID.id) AND uid = \(uid)" }
    func isOf(_ uid: String) -> SQL { "home = \(directoryID.id) AND account_uid = \(uid)" }

    var isEmpty: Bool {
        get throws { try !db.hasRow("SELECT 1 FROM account WHERE home = \(directoryID.id)") }
    }

    func isTaken(uid: String) throws -> Bool { try db.hasRow("SELECT 1 FROM account WHERE \(isAccount(uid))") }

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

    func hasSession(_ uid: String) throws -> Bool { try db.hasRow("SELECT 1 FROM session WHERE \(isOf(uid))") }

    func lastProvenAt(_ uid: String, now: Int64) throws -> Int64? {
        RecentLogin.last(
            of: try Int64.fetchAll(
                db, "SELECT json_extract(details, '$.lastProvenAt') FROM session WHERE \(isOf(uid)) AND NOT is_unproven"
            ).map(Seconds.time), now: now)
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
    func fill(_ uid: String, from identity: Identity, adoptsEmail: Bool) throws {
        try db.execute(
            """
            UPDATE account SET display_name = COALESCE(display_name, \(identity.displayName)),
            photo_url = COALESCE(photo_url, \(identity.photoURL)) WHERE \(isAccount(uid))
            """)
        guard adoptsEmail, let email = identity.email else { return }
        try db.execute(
            """
            UPDATE account SET email = \(email), email_verified = \(identity.isEmailVerified)
            WHERE \(isAccount(uid)) AND email IS NULL
            """)
        // The provider verified the account's address.
        if identity.isEmailVerified {
            try db.execute("UPDATE account SET email_verified = 1 WHERE \(isAccount(uid)) AND email = \(email)")
        }
    }

    func consent(_ uid: String, providers: Set<String>, now: Int64) throws {
        for provider in providers {
            try db.execute("UPDATE identity SET consented_at = \(now) WHERE \(isOf(uid)) AND provider_id = \(provider)")
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
            UPDATE identity SET email = COALESCE(\(identity.email), email),
            email_verified = CASE WHEN \(identity.email) IS NULL THEN email_verified
                ELSE \(identity.isEmailVerified) END,
            display_name = COALESCE(\(identity.displayName), display_name),
            photo_url = COALESCE(\(identity.photoURL), photo_url),
            screen_name = COALESCE(\(identity.screenName), screen_name),
            is_private_relay = CASE WHEN \(identity.email) IS NULL THEN is_private_relay
                ELSE \(identity.isPrivateRelay) END, tenant_id = \(identity.tenantID)
            WHERE \(isIdentity(identity.key))
            """)
        try db.execute(
            """
            UPDATE account SET last_sign_in_at = \(now), display_name = COALESCE(display_name, \(identity.displayName)),
            photo_url = COALESCE(photo_url, \(identity.photoURL)) WHERE \(isAccount(uid))
            """)
        // The address is verified while at least one identity of the account has the same address, and its provider
        // reports it as verified.
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

    /// Removes identities that the directory has moved to another account.
    func release(_ identities: [Identity]) throws {
        for identity in identities { try db.execute("DELETE FROM identity WHERE \(isIdentity(identity.key))") }
    }

    func removeUnprovenSessions(_ uid: String) throws {
        try db.execute("DELETE FROM session WHERE \(isOf(uid)) AND is_unproven")
    }
}
