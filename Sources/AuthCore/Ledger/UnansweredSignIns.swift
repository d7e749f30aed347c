/// Counts the sign-ins that no person asked for and nobody answered: a script that asks for the same again and again must
/// not open a browser each time.
struct UnansweredSignIns: Sendable {
    let ledger: Ledger
    private var store: Store { ledger.store }
    private var profile: String { ledger.profile }

    /// Seconds after the first; doubled by each further one.
    static let firstPause: Int64 = 60
    static let longestPause: Int64 = 3600

    /// Seconds until the next one may open a browser; 0 for at once.
    /// - Throws: `StoreError`.
    func pause(_ provider: String, _ request: String, now: Int64) async throws -> Int64 {
        let profile = self.profile
        let (pause, isAhead) = try await store.read { db -> (Int64, Bool) in
            let row = try Row.fetchOne(
                db,
                sql:
                    "SELECT count, last_at FROM unanswered_sign_in WHERE profile = ? AND provider_id = ? AND request = ?",
                arguments: [profile, provider, request])
            guard let row else { return (0, false) }
            let (count, lastAt): (Int64, Int64) = (try row["count"], try row["last_at"])
            let pause = min(UnansweredSignIns.firstPause << min(max(count - 1, 0), 10), UnansweredSignIns.longestPause)
            return (max(0, min(lastAt, now) + pause - now), lastAt > now)
        }
        // A clock that was set back must not lock anybody out: what is yet to come counts as now.
        if isAhead {
            try await store.write {
                try $0.execute(sql: "UPDATE unanswered_sign_in SET last_at = ?1 WHERE last_at > ?1", arguments: [now])
            }
        }
        return pause
    }

    /// What was asked a day ago is forgotten.
    /// - Throws: `StoreError`.
    func add(_ provider: String, _ request: String, now: Int64) async throws {
        let profile = self.profile
        try await store.write {
            try $0.execute(
                sql: """
                    INSERT INTO unanswered_sign_in (profile, provider_id, request, count, last_at)
                    VALUES (?1, ?2, ?3, 1, ?4) ON CONFLICT DO UPDATE SET count = count + 1, last_at = ?4
                    """, arguments: [profile, provider, request, now])
            try $0.execute(sql: "DELETE FROM unanswered_sign_in WHERE last_at < ?", arguments: [now - 86400])
        }
    }

    /// - Throws: `StoreError`.
    func forget(_ provider: String) async throws {
        let profile = self.profile
        let isThere = try await store.read {
            try Bool.fetchOne(
                $0, sql: "SELECT 1 FROM unanswered_sign_in WHERE profile = ? AND provider_id = ?",
                arguments: [profile, provider])
        }
        // Writing costs more than reading, and there is hardly ever anything.
        guard isThere == true else { return }
        try await store.write {
            try $0.execute(
                sql: "DELETE FROM unanswered_sign_in WHERE profile = ? AND provider_id = ?",
                arguments: [profile, provider])
        }
    }
}
