/// One directory of one profile in the store. Rows of accounts, sessions and pending credentials belong to one
/// directory, even if two directories use the same uids.
struct DirectoryID: Sendable {
    let id: Int64
    let origin: DirectoryOrigin

    init(reading db: Database, profile: String, origin: DirectoryOrigin) throws {
        self.origin = origin
        id = try DirectoryID.find(in: db, profile: profile, origin: origin) ?? 0
    }

    init(writing db: Database, profile: String, origin: DirectoryOrigin) throws {
        if try DirectoryID.find(in: db, profile: profile, origin: origin) == nil {
            try db.insert(into: "home", values: ["profile": profile, "directory": origin.text])
        }
        try self.init(reading: db, profile: profile, origin: origin)
    }

    init(id: Int64, origin: DirectoryOrigin) { (self.id, self.origin) = (id, origin) }

    private static func find(in db: Database, profile: String, origin: DirectoryOrigin) throws -> Int64? {
        func find(_ text: String) throws -> Int64? {
            try Int64.fetchOne(db, "SELECT id FROM home WHERE profile = \(profile) AND directory = \(text)")
        }
        if let id = try find(origin.text) { return id }
        return try origin.alias.flatMap { try find($0.text) }
    }
}
