/// A removed session whose tokens could not be revoked. They are stored, encrypted, for another attempt.
package struct UnrevokedSession: Sendable, Equatable {
    package let id: String
    package let accountUID: String
    package let providerID: String
    /// When the last attempt to revoke the tokens failed, in seconds since 1970.
    package let failedAt: Int64
    package let keptUntil: Int64
}

extension UnrevokedSession {
    /// Seconds to store tokens of unknown lifetime.
    private static let defaultLifetime: Int64 = 30 * 86400
    /// The maximum seconds to store tokens.
    private static let maximumLifetime: Int64 = 60 * 86400
    fileprivate static let maximumCount = 32

    static func end(of session: Session, now: Int64) -> Int64? {
        let lifetime: Int64
        if session.refreshToken != nil {
            lifetime = defaultLifetime
        } else if session.accessToken != nil {
            lifetime = session.expiresAt.map { $0 - now } ?? defaultLifetime
        } else {
            return nil
        }
        return lifetime > 0 ? now + min(lifetime, maximumLifetime) : nil
    }

    /// An expiry later than a new row's was written while the clock was ahead.
    fileprivate static func isValid(_ now: Int64) -> SQL {
        "kept_until BETWEEN \(now + 1) AND \(now + maximumLifetime)"
    }

    fileprivate var place: Sealer.Place {
        Sealer.Place(account: "unrevoked \(id) \(accountUID)", provider: providerID, field: "tokens")
    }
}

/// A removed session, encrypted for another attempt to revoke it.
struct SealedUnrevoked: Sendable {
    let session: UnrevokedSession
    fileprivate let tokens: [UInt8]
}

extension SessionStore {
    /// Encrypts the grant without its ID token and nonce; nil if no token needs to be revoked.
    func unrevoked(_ session: Session, now: Int64) async throws -> SealedUnrevoked? {
        guard let end = UnrevokedSession.end(of: session, now: now) else { return nil }
        let retained = UnrevokedSession(
            id: try store.random.bytes(6).hexadecimal, accountUID: session.accountUID, providerID: session.providerID,
            failedAt: now, keptUntil: end)
        var grant = session.grant
        grant.idToken = nil
        grant.nonce = nil
        let text = JSONValue.object(grant.stored).text
        return SealedUnrevoked(
            session: retained, tokens: try await store.sealer(creating: false).seal(text, at: retained.place))
    }

    package func unrevokedSessions(now: Int64) async throws -> [UnrevokedSession] {
        try await store.read { db in
            try Row.fetchAll(
                db,
                """
                SELECT * FROM unrevoked_session WHERE profile = \(profile) AND directory = \(origin.text)
                AND \(UnrevokedSession.isValid(now)) ORDER BY failed_at, id
                """
            ).map { row in
                try UnrevokedSession(
                    id: row["id"], accountUID: row["account_uid"], providerID: row["provider_id"],
                    failedAt: Seconds.time(row["failed_at"]), keptUntil: Seconds.time(row["kept_until"]))
            }
        }
    }

    func session(of unrevoked: UnrevokedSession) async throws -> Session? {
        let sealed = try await store.read { db in
            try [UInt8].fetchOne(
                db,
                """
                SELECT tokens FROM unrevoked_session
                WHERE profile = \(profile) AND directory = \(origin.text) AND id = \(unrevoked.id)
                """)
        }
        guard let sealed else { return nil }
        let text = try await store.sealer(creating: false).open(sealed, at: unrevoked.place)
        guard let object = try? StrictJSON.object(text.utf8, maximumLength: .max),
            let grant = try? Grant(stored: object, of: unrevoked.providerID)
        else { throw StoreError.damagedEntry("tokens of '\(unrevoked.providerID)'") }
        return Session(grant, of: unrevoked.accountUID)
    }

    func removeUnrevoked(_ id: String) async throws {
        try await store.write {
            try $0.execute("DELETE FROM unrevoked_session WHERE profile = \(profile) AND id = \(id)")
        }
    }

    /// Forgets the tokens of a provider whose client is gone. Returns whether there were any.
    package func forgetUnrevoked(of provider: String) async throws -> Bool {
        try await store.write { db in
            let isOf: SQL = "profile = \(profile) AND provider_id = \(provider)"
            guard try db.hasRow("SELECT 1 FROM unrevoked_session WHERE \(isOf)") else { return false }
            try db.execute("DELETE FROM unrevoked_session WHERE \(isOf)")
            return true
        }
    }

    func recordFailure(_ id: String, now: Int64) async throws {
        try await store.write {
            try $0.execute("UPDATE unrevoked_session SET failed_at = \(now) WHERE profile = \(profile) AND id = \(id)")
        }
    }
}

extension SessionStoreRows {
    func put(_ sealed: SealedUnrevoked, now: Int64) throws {
        let session = sealed.session
        try db.execute("DELETE FROM unrevoked_session WHERE NOT (\(UnrevokedSession.isValid(now)))")
        try db.insert(
            into: "unrevoked_session",
            values: [
                "id": session.id, "profile": profile, "directory": origin.text, "account_uid": session.accountUID,
                "provider_id": session.providerID, "failed_at": session.failedAt, "kept_until": session.keptUntil,
                "tokens": sealed.tokens,
            ])
        try db.execute(
            """
            DELETE FROM unrevoked_session WHERE profile = \(profile) AND id NOT IN
            (SELECT id FROM unrevoked_session WHERE profile = \(profile) ORDER BY failed_at DESC, rowid DESC
             LIMIT \(UnrevokedSession.maximumCount))
            """)
    }
}
