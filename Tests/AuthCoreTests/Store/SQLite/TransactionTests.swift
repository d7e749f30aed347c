import Glibc
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Transactions` {
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

    @Test func `A transaction that throws is rolled back, and the next one succeeds`() async throws {
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

    @Test func `A transaction cannot be nested`() throws {
        #expect(throws: SQLiteError(code: 1, message: "cannot start a transaction within a transaction")) {
            try database.blockingTransaction(.writing) { db in
                try db.execute("INSERT INTO parent VALUES (1)")
                try db.execute("BEGIN")
            }
        }
        #expect(try count("parent") == 0)
    }

    @Test func `A read transaction cannot write`() throws {
        #expect(throws: SQLiteError(code: 21, message: "a reading transaction is to change something", systemCode: 0)) {
            try database.blockingTransaction(.reading) { try $0.execute("INSERT INTO parent VALUES (1)") }
        }
        try database.blockingTransaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
        #expect(
            throws: SQLiteError(code: 21, message: "a reading transaction is to change something", systemCode: 0),
            "with the cached statement"
        ) {
            try database.blockingTransaction(.reading) { try $0.execute("INSERT INTO parent VALUES (1)") }
        }
        #expect(try count("parent") == 1)
    }

    @Test func `A transaction waits for another writer until its timeout`() async throws {
        let other = try Database(path: path)
        try other.execute("BEGIN IMMEDIATE")
        #expect(throws: SQLiteError(code: 5, message: "database is locked")) {
            try database.blockingTransaction(.writing) { _ in Issue.record("two writers at the same time") }
        }
        await #expect(throws: SQLiteError(code: 5, message: "database is locked")) {
            try await database.transaction(.writing) { _ in Issue.record("two writers at the same time") }
        }
        // Readers do not wait.
        #expect(try count("parent") == 0)
        let waiting = try DatabaseOwner(path: path, timeout: 300)
        let (begins, begin) = AsyncStream<Void>.makeStream()
        async let seen = {
            begin.finish()
            return try await waiting.transaction(.writing) { db in
                try db.execute("INSERT INTO parent VALUES (2)")
                return try Int.fetchOne(db, "SELECT COUNT(*) FROM parent")
            }
        }()
        for await _ in begins {}
        try other.execute("INSERT INTO parent VALUES (1)")
        // Each attempt of the waiting writer holds a shared lock for a moment.
        while (try? other.execute("COMMIT")) == nil { await Task.yield() }
        #expect(try await seen == 2, "it reads the other writer's row")
        #expect(try count("parent") == 2)
    }

    @Test func `A writer commits after the current readers end, and blocks new readers`() async throws {
        let reader = try Database(path: path)
        try reader.execute("BEGIN")
        #expect(try Int.fetchOne(reader, "SELECT COUNT(*) FROM parent") == 0)
        #expect(throws: SQLiteError(code: 5, message: "database is locked"), "it times out and is rolled back") {
            try database.blockingTransaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
        }
        let waiting = try DatabaseOwner(path: path, timeout: 300)
        async let written: Void = OwnThread.run {
            Result {
                try waiting.blockingTransaction(.writing) { try $0.execute("INSERT INTO parent VALUES (1)") }
            }
        }.get()
        // As soon as the writer waits, new readers are rejected.
        while (try? count("parent")) != nil { await Task.yield() }
        #expect(
            throws: SQLiteError(code: 5, message: "database is locked", systemCode: 0),
            "a waiting writer blocks new readers"
        ) { try count("parent") }
        #expect(try Int.fetchOne(reader, "SELECT COUNT(*) FROM parent") == 0)
        try reader.execute("COMMIT")
        try await written
        #expect(try count("parent") == 1)
    }

    @Test func `Forty parallel writers do not lose an update`() async throws {
        let path = self.path
        let shared = try DatabaseOwner(path: path, timeout: 300)
        try await shared.transaction(.writing) { try $0.execute("INSERT INTO parent VALUES (0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    // A shared connection, or a separate one.
                    let owner = index.isMultiple(of: 2) ? shared : try DatabaseOwner(path: path, timeout: 300)
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

    @Test func `Opening a database does not create the file or follow a symbolic link`() throws {
        let directory = folder.directory
        #expect(throws: SQLiteError(code: 14, message: "unable to open database file", systemCode: ENOENT)) {
            _ = try Database(path: directory.path(of: "missing.db"))
        }
        #expect(try directory.read("missing.db", as: .secret) == nil)
        symlink("test.db", directory.path(of: "link.db"))
        #expect(throws: SQLiteError(code: 1550, message: "unable to open database file", systemCode: 2)) {
            _ = try Database(path: directory.path(of: "link.db"))
        }
    }
}
