import Glibc
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `A transaction` {
    private let folder: StoreFolder
    private let database: DatabaseOwner

    init() throws {
        folder = try StoreFolder()
        database = try folder.database(
            """
            CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE) STRICT;
            """)
    }

    private struct Stop: Error {}

    private var path: String { folder.directory.path(of: "test.db") }

    private func count(_ table: String) throws -> Int? {
        try database.blockingTransaction(.reading) { try Int.fetchOne($0, SQL(text: "SELECT COUNT(*) FROM \(table)")) }
    }

    @Test func `that throws is rolled back, and the next one works`() async throws {
        for _ in 0..<3 {
            await #expect(throws: Stop.self) {
                try await database.transaction(.writing) { db in
                    try db.execute("INSERT INTO parent VALUES (1)")
                    throw Stop()
                }
            }
            #expect(throws: SQLiteError(code: 787, message: "FOREIGN KEY constraint failed")) {
                try database.blockingTransaction(.writing) { db in
                    try db.execute("INSERT INTO parent VALUES (1)")
                    try db.execute("INSERT INTO child VALUES (1, 9)")
                }
            }
        }
        #expect(try count("parent") == 0)
        try await database.transaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
        #expect(try count("parent") == 1)
    }

    @Test func `cannot be nested`() throws {
        #expect(throws: SQLiteError(code: 1, message: "cannot start a transaction within a transaction")) {
            try database.blockingTransaction(.writing) { db in
                try db.execute("INSERT INTO parent VALUES (1)")
                try db.execute("BEGIN")
            }
        }
        #expect(try count("parent") == 0)
    }

    @Test func `for reading cannot write`() throws {
        #expect(throws: SQLiteError.self) {
            try database.blockingTransaction(.reading) { try $0.execute("INSERT INTO parent VALUES (1)") }
        }
        try database.blockingTransaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
        #expect(throws: SQLiteError.self, "the statement is known by now") {
            try database.blockingTransaction(.reading) { try $0.execute("INSERT INTO parent VALUES (1)") }
        }
        #expect(try count("parent") == 1)
    }

    @Test func `waits for another writer until its patience ends`() async throws {
        let other = try Database(path: path)
        try other.execute("BEGIN IMMEDIATE")
        #expect(throws: SQLiteError(code: 5, message: "database is locked")) {
            try database.blockingTransaction(.writing) { _ in Issue.record("it was not alone") }
        }
        await #expect(throws: SQLiteError(code: 5, message: "database is locked")) {
            try await database.transaction(.writing) { _ in Issue.record("it was not alone") }
        }
        // Readers do not wait.
        #expect(try count("parent") == 0)
        let patient = try DatabaseOwner(path: path, patience: 300)
        let (begins, begin) = AsyncStream<Void>.makeStream()
        async let seen = {
            begin.finish()
            return try await patient.transaction(.writing) { db in
                try db.execute("INSERT INTO parent VALUES (2)")
                return try Int.fetchOne(db, "SELECT COUNT(*) FROM parent")
            }
        }()
        for await _ in begins {}
        try other.execute("INSERT INTO parent VALUES (1)")
        // Each attempt of the patient one holds a shared lock for a moment.
        while (try? other.execute("COMMIT")) == nil { await Task.yield() }
        #expect(try await seen == 2, "the other one's row was there before")
        #expect(try count("parent") == 2)
    }

    @Test func `commits after the current readers, and blocks new ones`() async throws {
        let reader = try Database(path: path)
        try reader.execute("BEGIN")
        #expect(try Int.fetchOne(reader, "SELECT COUNT(*) FROM parent") == 0)
        #expect(throws: SQLiteError(code: 5, message: "database is locked"), "its patience ends, and it is undone") {
            try database.blockingTransaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
        }
        let patient = try DatabaseOwner(path: path, patience: 300)
        async let written: Void = OwnThread.run {
            Result {
                try patient.blockingTransaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
            }
        }.get()
        // From the moment it waits, new readers are refused.
        while (try? count("parent")) != nil { await Task.yield() }
        #expect(throws: SQLiteError.self, "the writer comes first") { try count("parent") }
        #expect(try Int.fetchOne(reader, "SELECT COUNT(*) FROM parent") == 0)
        try reader.execute("COMMIT")
        try await written
        #expect(try count("parent") == 1)
    }

    @Test func `runs in parallel with forty others`() async throws {
        let path = self.path
        let shared = try DatabaseOwner(path: path, patience: 300)
        try await shared.transaction(.writing) { try $0.execute("INSERT INTO parent VALUES (0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    // One connection that all share, or one's own.
                    let owner = index.isMultiple(of: 2) ? shared : try DatabaseOwner(path: path, patience: 300)
                    try await owner.transaction(.reading) { _ = try Int.fetchAll($0, "SELECT id FROM parent") }
                    try await owner.transaction(.writing) { db in
                        let last = try Int.fetchOne(db, "SELECT MAX(id) FROM parent") ?? 0
                        try db.execute("INSERT INTO parent VALUES (\(last + 1))")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try count("parent") == 41)
    }

    @Test func `does not create a database or follow a link`() throws {
        let directory = folder.directory
        #expect(throws: SQLiteError(code: 14, message: "unable to open database file")) {
            _ = try Database(path: directory.path(of: "missing.db"))
        }
        #expect(try directory.read("missing.db", .secret) == nil)
        symlink("test.db", directory.path(of: "link.db"))
        #expect(throws: SQLiteError.self) { _ = try Database(path: directory.path(of: "link.db")) }
    }
}
