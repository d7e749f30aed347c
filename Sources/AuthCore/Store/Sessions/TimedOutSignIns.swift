/// Counts automatic sign-ins that timed out, so that a script in a loop does not open a browser each time.
struct TimedOutSignIns: Sendable {
    let sessionStore: SessionStore
    private var store: Store { sessionStore.store }
    private var profile: String { sessionStore.profile }

    /// Seconds to pause after the first timeout. Each further timeout doubles them.
    static let firstPause: Int64 = 60
    static let longestPause: Int64 = 3600

    /// Seconds until the next sign-in may open a browser; 0 if it may now.
    func pause(_ provider: String, for request: String, now: Int64) async throws -> Int64 {
        let (pause, isAhead) = try await store.read { db -> (Int64, Bool) in
            let row = try Row.fetchOne(
                db,
                """
                SELECT count, last_at FROM unanswered_sign_in
                WHERE profile = \(profile) AND provider_id = \(provider) AND request = \(request)
                """)
            guard let row else { return (0, false) }
            let (count, lastAt): (Int64, Int64) = (try row["count"], try row["last_at"])
            let pause = min(TimedOutSignIns.firstPause << min(max(count - 1, 0), 10), TimedOutSignIns.longestPause)
            return (max(0, min(lastAt, now) + pause - now), lastAt > now)
        }
        // If the clock was set back, a future time counts as now, so that users are not locked out.
        if isAhead {
            try await store.write {
                try $0.execute("UPDATE unanswered_sign_in SET last_at = \(now) WHERE last_at > \(now)")
            }
        }
        return pause
    }

    func add(_ provider: String, for request: String, now: Int64) async throws {
        try await store.write {
            try $0.execute(
                """
                INSERT INTO unanswered_sign_in (profile, provider_id, request, count, last_at)
                VALUES (\(profile), \(provider), \(request), 1, \(now))
                ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at
                """)
            try $0.execute("DELETE FROM unanswered_sign_in WHERE last_at < \(now - 86400)")
        }
    }

    func forget(_ provider: String) async throws {
        let fromClause: SQL = "FROM unanswered_sign_in WHERE profile = \(profile) AND provider_id = \(provider)"
        // There is rarely a row, and reading costs less than writing.
        guard try await store.read({ try $0.hasRow("SELECT 1 \(fromClause)") }) else { return }
        try await store.write { try $0.execute("DELETE \(fromClause)") }
    }
}
