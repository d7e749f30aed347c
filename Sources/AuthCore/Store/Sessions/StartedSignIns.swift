/// Pending sign-ins that another process will complete, encrypted. Expired ones are removed by the next access.
struct StartedSignIns: Sendable {
    let sessionStore: SessionStore
    private var store: Store { sessionStore.store }
    private var profile: String { sessionStore.profile }

    /// The maximum lifetime in seconds. A later expiry was written while the clock was ahead.
    private static let longestWait: Int64 = 86400

    private static func isPending(_ now: Int64) -> SQL { "expires_at BETWEEN \(now + 1) AND \(now + longestWait)" }

    static let damaged = StoreError.damagedEntry("sign-in that was begun")

    private func place(_ id: String, _ provider: String) -> Sealer.Place {
        Sealer.Place(account: "begun \(id)", provider: provider, field: "request")
    }

    func put(_ text: String, provider: String, expiresAt: Int64, now: Int64) async throws -> String {
        let id = try store.random.bytes(6).hexadecimal
        let box = try await store.sealer(creating: true).seal(text, at: place(id, provider))
        try await store.write { db in
            try db.execute("DELETE FROM begun_sign_in WHERE NOT (\(StartedSignIns.isPending(now)))")
            try db.insert(
                into: "begun_sign_in",
                values: [
                    "id": id, "profile": profile, "provider_id": provider, "expires_at": expiresAt, "request": box,
                ])
        }
        return id
    }

    func find(_ id: String, now: Int64) async throws -> (provider: String, text: String)? {
        let found = try await store.read { db -> (String, [UInt8])? in
            let row = try Row.fetchOne(
                db,
                """
                SELECT * FROM begun_sign_in WHERE profile = \(profile) AND id = \(id) AND \(StartedSignIns.isPending(now))
                """)
            return try row.map { (try $0["provider_id"], try $0["request"]) }
        }
        guard let (provider, box) = found else { return nil }
        return (provider, try await store.sealer(creating: false).open(box, at: place(id, provider)))
    }

    func remove(_ id: String) async throws -> Bool {
        try await store.write { db in
            try db.execute("DELETE FROM begun_sign_in WHERE profile = \(profile) AND id = \(id)")
            return db.changesCount > 0
        }
    }
}
