/// All data of a profile in the store, in every directory that the profile has had.
struct StoredProfile: Sendable {
    let store: Store
    let name: String

    /// The tables with a profile in each row, except `provider_secret`, which is encrypted for the profile.
    static let tables: [SQL] = [
        "home", "password_failure", "begun_sign_in", "unanswered_sign_in", "profile_directory", "unrevoked_session",
    ]

    func accountCount() async throws -> Int {
        try await store.read { db in Int(try Int64.fetchOne(db, "SELECT COUNT(*) FROM account WHERE \(isHere)") ?? 0) }
    }

    func isInUse() async throws -> Bool {
        try await store.read { db in
            try db.hasRow("SELECT 1 FROM account WHERE \(isHere)")
                || db.hasRow("SELECT 1 FROM provider_secret WHERE profile = \(name)")
        }
    }

    /// Records that the profile is being renamed in the settings.
    func startRename(to other: String) async throws {
        try await store.write { try $0.replace(into: "unfinished_rename", values: ["profile": name, "other": other]) }
    }

    func hasStartedRename(to other: String) async throws -> Bool {
        try await store.read {
            try $0.hasRow("SELECT 1 FROM unfinished_rename WHERE profile = \(name) AND other = \(other)")
        }
    }

    /// Moves all data to another profile, which must not be in use.
    func move(to other: String, saving save: @Sendable () throws -> Void) async throws {
        let hasSecrets = try await store.read { try $0.hasRow("SELECT 1 FROM provider_secret WHERE profile = \(name)") }
        let sealer = hasSecrets ? try await store.sealer(creating: false) : nil
        let (here, there) = (self, StoredProfile(store: store, name: other))
        try await store.write { db in
            try there.remove(db)
            try db.execute("DELETE FROM unfinished_rename WHERE profile = \(here.name)")
            for table in StoredProfile.tables {
                try db.execute("UPDATE \(table) SET profile = \(other) WHERE profile = \(here.name)")
            }
            if let sealer { try ProviderSecrets.move(here.name, to: other, sealer: sealer, in: db) }
            try save()
        }
    }

    func remove(saving save: @Sendable () throws -> Void) async throws {
        try await store.write { db in
            try remove(db)
            try save()
        }
    }

    private var isHere: SQL { "home IN (SELECT id FROM home WHERE profile = \(name))" }

    private func remove(_ db: Database) throws {
        // Other rows of an account are deleted with it.
        for table in ["account", "pending_credential"] as [SQL] {
            try db.execute("DELETE FROM \(table) WHERE \(isHere)")
        }
        for table in StoredProfile.tables + ["provider_secret", "unfinished_rename"] {
            try db.execute("DELETE FROM \(table) WHERE profile = \(name)")
        }
    }
}
