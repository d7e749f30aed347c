import FoundationEssentials
import GRDB

/// Accounts that sign in with a password. The hash is sealed like every secret of the store.
extension LocalDirectory {
    private func sealed(_ hash: PasswordHash, _ uid: String, _ sealer: Sealer) throws -> Data {
        Data(try sealer.seal(hash.text, at: LocalDirectory.passwordPlace(uid)))
    }

    public func signUp(email: String, _ hash: PasswordHash, now: Int64) async throws -> Account {
        let uid = try store.random.bytes(14).hexadecimal
        let sealer = try await store.sealer(creating: true)
        let box = try sealed(hash, uid, sealer)
        let (profile, oneAccountPerEmail) = (self.profile, self.oneAccountPerEmail)
        return try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            let identity = PasswordProvider.identity(email: email)
            let isTaken = try rows.owner(of: identity.key) != nil
            guard try !isTaken && !(oneAccountPerEmail && rows.account(email: email) != nil) else {
                throw AccountConflict.emailAlreadyInUse(email)
            }
            try rows.create(identity, uid: uid, now: now)
            try LocalDirectory.put(box, uid, db, now: now)
            try SealedSession(PasswordProvider.session(account: uid, now: now), sealer).put(db)
            try rows.makeCurrent(uid)
            return try rows.existing(uid)
        }
    }

    public func beginPasswordAttempt(email: String, now: Int64) async throws -> PasswordAttempt {
        let profile = self.profile
        let (wait, uid, box) = try await store.write { db -> (Int64, String?, Data?) in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM password_failure WHERE profile = ? AND email = ?", arguments: [profile, email])
            let failures = row.map { PasswordFailures(count: $0["count"], lastAt: $0["last_at"]) }
            if let wait = failures?.wait(at: now), wait > 0 { return (wait, nil, nil) }
            try db.execute(
                sql: "INSERT OR REPLACE INTO password_failure (profile, email, count, last_at) VALUES (?, ?, ?, ?)",
                arguments: [profile, email, (failures?.count ?? 0) + 1, now])
            let uid = try AccountRows(db: db, profile: profile).owner(
                of: PasswordProvider.identity(email: email).key)?.uid
            let box = try uid.flatMap {
                try Data.fetchOne(db, sql: "SELECT hash FROM password WHERE account_uid = ?", arguments: [$0])
            }
            return (0, uid, box)
        }
        guard wait == 0 else { return .throttled(wait) }
        guard let uid, let box else { return .unknown }
        let text = try await store.sealer(creating: false).open(Array(box), at: LocalDirectory.passwordPlace(uid))
        guard let hash = PasswordHash(text: text) else { throw StoreError.damagedEntry("password") }
        return .account(uid: uid, hash)
    }

    public func forgivePasswordAttempts(email: String) async throws {
        let profile = self.profile
        try await store.write { db in
            try db.execute(
                sql: "DELETE FROM password_failure WHERE profile = ? AND email = ?", arguments: [profile, email])
        }
    }

    public func upgradePassword(of uid: String, from old: PasswordHash, to new: PasswordHash) async throws {
        let sealer = try await store.sealer(creating: false)
        let box = try sealed(new, uid, sealer)
        try await store.write { db in
            let kept = try Data.fetchOne(db, sql: "SELECT hash FROM password WHERE account_uid = ?", arguments: [uid])
            guard let kept, try sealer.open(Array(kept), at: LocalDirectory.passwordPlace(uid)) == old.text else {
                return
            }
            try db.execute(sql: "UPDATE password SET hash = ? WHERE account_uid = ?", arguments: [box, uid])
        }
    }

    public func setPassword(_ hash: PasswordHash, of uid: String, now: Int64) async throws -> Account {
        let sealer = try await store.sealer(creating: true)
        let box = try sealed(hash, uid, sealer)
        let profile = self.profile
        return try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            let account = try rows.existing(uid)
            guard !account.isMachine else { throw AccountRefusal.machine }
            try rows.requireRecentLogin(uid, now: now)
            if !account.providerData.contains(where: { $0.key.providerID == PasswordProvider.id }) {
                guard let email = account.email else { throw AccountRefusal.noEmail }
                let identity = PasswordProvider.identity(email: email)
                guard try rows.owner(of: identity.key) == nil else { throw AccountConflict.emailAlreadyInUse(email) }
                try rows.attach(identity, to: uid, now: now)
            }
            try LocalDirectory.put(box, uid, db, now: now)
            return try rows.existing(uid)
        }
    }

    static func put(_ box: Data, _ uid: String, _ db: Database, now: Int64) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO password (account_uid, hash, changed_at) VALUES (?, ?, ?)",
            arguments: [uid, box, now])
    }
}
