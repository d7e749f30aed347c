/// The state of the store's key: the only row of `vault`, which exists once something is encrypted.
struct VaultRow: Sendable, Equatable {
    var kind: VaultKind
    /// The store's ID in vaults that are shared by several stores. Empty before the first move.
    var store: String
    /// The store's directory, without links, by which a copy of the store is recognized. Nil in earlier versions.
    var path: String?
    var other: VaultKind?
    var check: [UInt8]

    static func fetch(_ db: Database) throws -> VaultRow? {
        guard let row = try Row.fetchOne(db, "SELECT kind, store, path, other, key_check FROM vault") else {
            return nil
        }
        guard let kind = VaultKind(rawValue: try row["kind"]) else {
            throw StoreError.damagedEntry("kind of the vault")
        }
        let other: String? = try row["other"]
        return VaultRow(
            kind: kind, store: try row["store"], path: try row["path"], other: other.flatMap(VaultKind.init(rawValue:)),
            check: try row["key_check"])
    }

    func insert(_ db: Database) throws -> Bool {
        try db.execute(
            """
            INSERT OR IGNORE INTO vault (id, kind, store, path, other, key_check)
            VALUES (1, \(kind.rawValue), \(store), \(path), \(other?.rawValue), \(check))
            """)
        return try VaultRow.fetch(db) == self
    }

    func update(_ db: Database) throws {
        try db.execute(
            "UPDATE vault SET kind = \(kind.rawValue), store = \(store), path = \(path), other = \(other?.rawValue)")
    }
}
