/// Accounts that sign in with a password. The hash is encrypted like every secret of the store.
///
/// An unknown address and a wrong password get the same response after the same work, and failures delay the next
/// attempt in both cases. So attackers cannot find out which addresses exist.
extension LocalDirectory {
    package func check(_ password: Password, of email: String) throws {
        try PasswordPolicy.check(password, email: email)
    }

    package func signUp(email: String, _ password: Password, now: Int64) async throws -> Account {
        try await signUp(email: email, try hash(password), now: now)
    }

    package func signIn(email: String, _ password: Password, now: Int64) async throws -> Account {
        _ = try await check(email: email, password, now: now)
        return try await signIn(LocalDirectory.credential(email, now), now: now).account
    }

    package func reauthenticate(
        email: String, _ password: Password, as uid: String, now: Int64
    ) async throws -> Account {
        guard try await check(email: email, password, now: now) == uid else { throw AccountConflict.userMismatch }
        return try await reauthenticate(LocalDirectory.credential(email, now), as: uid, now: now)
    }

    package func setPassword(_ password: Password, of uid: String, now: Int64) async throws -> Account {
        let account = try await setPassword(try hash(password), of: uid, first: nil, now: now)
        if let email = account.email { try await resetPasswordAttempts(email: email) }
        return account
    }

    package func linkPassword(_ password: Password, email: String, to uid: String, now: Int64) async throws -> Account {
        // Checked before the hash is computed, so that users do not wait for an error.
        try await sessionStore.read { try $0.requireNoPassword(uid, email: email, if: oneAccountPerEmail, now: now) }
        let account = try await setPassword(try hash(password), of: uid, first: email, now: now)
        try await resetPasswordAttempts(email: email)
        return account
    }

    private static func credential(_ email: String, _ now: Int64) -> AccountCredential {
        AccountCredential(
            identity: PasswordProvider.identity(email: email),
            grant: PasswordProvider.grant(now: now), profile: JSONObject())
    }

    private func hash(_ password: Password) throws -> PasswordHash {
        try PasswordHash(password, cost: passwordCost, random: store.random)
    }

    private func check(email: String, _ password: Password, now: Int64) async throws -> String {
        let (uid, stored): (String, PasswordHash)
        switch try await beginPasswordAttempt(email: email, now: now) {
        case .throttled(let wait): throw PasswordError.throttled(wait)
        case .unknown:
            // So that an unknown address takes the same time.
            _ = try hash(password)
            throw PasswordError.wrong
        case .account(let found, let hash): (uid, stored) = (found, hash)
        }
        guard try stored.matches(password) else { throw PasswordError.wrong }
        try await resetPasswordAttempts(email: email)
        if stored.cost != passwordCost { try await upgradePassword(of: uid, from: stored, to: try hash(password)) }
        return uid
    }

    private func sealed(_ hash: PasswordHash, of uid: String, by sealer: Sealer) throws -> [UInt8] {
        try sealer.seal(hash.text, at: LocalDirectory.passwordPlace(uid))
    }

    func signUp(email: String, _ hash: PasswordHash, now: Int64) async throws -> Account {
        let uid = try store.random.bytes(14).hexadecimal
        let sealer = try await store.sealer(creating: true)
        let box = try sealed(hash, of: uid, by: sealer)
        return try await sessionStore.write { sessionStore in
            let rows = sessionStore.accounts
            let identity = PasswordProvider.identity(email: email)
            let isTaken = try rows.owner(of: identity.key) != nil
            guard try !isTaken && !(oneAccountPerEmail && rows.account(email: email) != nil) else {
                throw AccountConflict.emailAlreadyInUse(email)
            }
            try rows.insert(Account(uid: uid, identity, now: now))
            try rows.storePassword(box, of: uid, now: now)
            try sessionStore.put(Session(PasswordProvider.grant(now: now), of: uid), sealer)
            try rows.makeCurrent(uid)
            return try rows.existing(uid)
        }
    }

    func beginPasswordAttempt(email: String, now: Int64) async throws -> PasswordAttempt {
        let (wait, uid, box) = try await sessionStore.write { sessionStore -> (Int64, String?, [UInt8]?) in
            let (db, profile) = (sessionStore.db, sessionStore.profile)
            try PasswordFailures.tidy(db, now: now)
            let row = try Row.fetchOne(
                db, "SELECT * FROM password_failure WHERE profile = \(profile) AND email = \(email)")
            let failures = try row.map { PasswordFailures(count: try $0["count"], lastAt: try $0["last_at"]) }
            if let wait = failures?.wait(at: now), wait > 0 { return (wait, nil, nil) }
            try db.replace(
                into: "password_failure",
                values: ["profile": profile, "email": email, "count": (failures?.count ?? 0) + 1, "last_at": now])
            let uid = try sessionStore.accounts.owner(of: PasswordProvider.identity(email: email).key)?.uid
            let box = try uid.flatMap { try sessionStore.accounts.password(of: $0) }
            return (0, uid, box)
        }
        guard wait == 0 else { return .throttled(wait) }
        guard let uid, let box else { return .unknown }
        let text = try await store.sealer(creating: false).open(box, at: LocalDirectory.passwordPlace(uid))
        guard let hash = PasswordHash(text: text) else { throw StoreError.damagedEntry("password") }
        return .account(uid: uid, hash)
    }

    func resetPasswordAttempts(email: String) async throws {
        try await sessionStore.write { sessionStore in
            try sessionStore.db.execute(
                "DELETE FROM password_failure WHERE profile = \(sessionStore.profile) AND email = \(email)")
        }
    }

    func upgradePassword(of uid: String, from old: PasswordHash, to new: PasswordHash) async throws {
        let sealer = try await store.sealer(creating: false)
        let box = try sealed(new, of: uid, by: sealer)
        try await sessionStore.write { sessionStore in
            guard let stored = try sessionStore.accounts.password(of: uid),
                try sealer.open(stored, at: LocalDirectory.passwordPlace(uid)) == old.text
            else { return }
            try sessionStore.db.execute("UPDATE password SET hash = \(box) WHERE \(sessionStore.accounts.isOf(uid))")
        }
    }

    private func setPassword(_ hash: PasswordHash, of uid: String, first: String?, now: Int64) async throws -> Account {
        let sealer = try await store.sealer(creating: true)
        let box = try sealed(hash, of: uid, by: sealer)
        return try await sessionStore.write { sessionStore in
            let rows = sessionStore.accounts
            if let first {
                try sessionStore.requireNoPassword(uid, email: first, if: oneAccountPerEmail, now: now)
                try rows.setEmail(first, of: uid)
            }
            let account = try rows.existing(uid)
            guard !account.isMachine else { throw AccountRefusal.machine }
            try sessionStore.requireRecentLogin(uid, now: now)
            if !account.has(PasswordProvider.id) {
                guard let email = account.email else { throw AccountRefusal.noEmail }
                let identity = PasswordProvider.identity(email: email)
                guard try rows.owner(of: identity.key) == nil else { throw AccountConflict.emailAlreadyInUse(email) }
                try rows.attach(identity, to: uid, now: now)
            }
            try sessionStore.accounts.storePassword(box, of: uid, now: now)
            return try rows.existing(uid)
        }
    }
}

extension SessionStoreRows {
    fileprivate func requireNoPassword(_ uid: String, email: String, if oneAccountPerEmail: Bool, now: Int64) throws {
        let account = try accounts.existing(uid)
        try account.requireNone(of: PasswordProvider.id)
        if let own = account.email, own != email { throw AccountRefusal.otherAddress(own) }
        try requireFree(email, for: uid, if: oneAccountPerEmail, now: now)
    }
}

extension AccountRows {
    func password(of uid: String) throws -> [UInt8]? {
        try [UInt8].fetchOne(db, "SELECT hash FROM password WHERE \(isOf(uid))")
    }

    func passwords(of uids: some Sequence<String>) throws -> [String: [UInt8]] {
        let rows = try Row.fetchAll(
            db,
            """
            SELECT account_uid, hash FROM password
            WHERE home = \(directoryID.id) AND account_uid IN (\(SQL.each(of: uids)))
            """)
        return Dictionary(try rows.map { (try $0[0], try $0[1]) }) { first, _ in first }
    }

    func storePassword(_ box: [UInt8], of uid: String, now: Int64) throws {
        try db.replace(
            into: "password", values: ["home": directoryID.id, "account_uid": uid, "hash": box, "changed_at": now])
    }

    func removePassword(of uid: String) throws { try db.execute("DELETE FROM password WHERE \(isOf(uid))") }
}

extension PasswordFailures {
    /// Seconds after which a failure is forgotten. No delay is that long.
    static let memory: Int64 = 86400

    /// Removes old failures, so that guesses at many addresses do not fill the table. A future time, from a clock that
    /// was ahead, becomes `now`.
    static func tidy(_ db: Database, now: Int64) throws {
        try db.execute("DELETE FROM password_failure WHERE last_at < \(now - memory)")
        try db.execute("UPDATE password_failure SET last_at = \(now) WHERE last_at > \(now)")
    }
}
