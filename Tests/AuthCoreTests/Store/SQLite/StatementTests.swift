import Testing

@testable import AuthCore

@Suite struct `SQL statements` {
    private let folder: StoreFolder
    private let database: DatabaseOwner

    init() throws {
        folder = try StoreFolder()
        database = try folder.database(
            """
            CREATE TABLE item (name TEXT PRIMARY KEY, number INTEGER, bytes BLOB) STRICT;
            CREATE TABLE loose (value);
            """)
    }

    private func writing<R: Sendable>(_ body: @Sendable (Database) throws -> R) throws -> R {
        try database.blockingTransaction(.writing, body)
    }

    @Test func `An invalid SQL statement fails with SQLite's message`() throws {
        #expect(throws: SQLiteError(code: 1, message: #"near "SELEC": syntax error"#)) {
            try writing { try $0.execute("SELEC 1") }
        }
        #expect(throws: SQLiteError(code: 1, message: "no such table: nowhere")) {
            try writing { _ = try Row.fetchOne($0, "SELECT * FROM nowhere") }
        }
        for text in ["", "\0", "-- nothing", "SELECT 1; SELECT 2"] {
            #expect(throws: SQLiteError(code: 21, message: "not one statement: \(text)")) {
                try writing { try $0.execute(SQL(text: text)) }
            }
        }
        // SQLite would read an unknown quoted column name as a string.
        #expect(throws: SQLiteError(code: 1, message: "no such column: nobody", systemCode: 0)) {
            try writing { _ = try Row.fetchOne($0, "SELECT * FROM item WHERE name = \"nobody\"") }
        }
    }

    @Test func `A statement can run again after an error, without the previous arguments`() throws {
        let insert = "INSERT INTO item (name, number) VALUES (?, ?)"
        try writing { db throws in
            try db.statement(insert).run([.text("a"), .integer(1)])
            #expect(throws: SQLiteError(code: 1555, message: "UNIQUE constraint failed: item.name")) {
                try db.statement(insert).run([.text("a"), .integer(2)])
            }
            #expect(
                throws: SQLiteError(code: 25, message: "1 arguments for 2 parameters", systemCode: 0),
                "too few arguments"
            ) { try db.statement(insert).run([.text("b")]) }
            #expect(
                throws: SQLiteError(code: 25, message: "3 arguments for 2 parameters", systemCode: 0),
                "too many arguments"
            ) {
                try db.statement(insert).run([.text("b"), .integer(2), .integer(3)])
            }
            try db.statement(insert).run([.text("b"), .null])
            #expect(db.changesCount == 1)
            #expect(try Int64?.fetchAll(db, "SELECT number FROM item ORDER BY name") == [1, nil])
        }
    }

    @Test func `Interpolated values are bound as arguments, never inserted as SQL text`() throws {
        let part: SQL = "name = \("'; DROP TABLE item; --")"
        let sql: SQL = "SELECT * FROM item WHERE \(part) AND number IS \(Int64?.none)"
        #expect(sql.text == "SELECT * FROM item WHERE name = ? AND number IS ?")
        #expect(sql.arguments == [.text("'; DROP TABLE item; --"), .null])
        try writing { db throws in
            for number in [nil, 1 as Int64] { try db.replace(into: "item", values: ["name": "a", "number": number]) }
            #expect(throws: SQLiteError(code: 1555, message: "UNIQUE constraint failed: item.name", systemCode: 0)) {
                try db.insert(into: "item", values: ["name": "a"])
            }
            #expect(try db.hasRow("SELECT 1 FROM item WHERE number = \(1)"))
            #expect(try !db.hasRow("SELECT 1 FROM item WHERE \(part)"))
        }
    }

    @Test(arguments: ["", "\0", "a\0b\0", "é\u{1F600}\u{202E}", String(repeating: "x", count: 100_000)])
    func `Text with any characters round-trips through a column`(text: String) throws {
        let back = try writing { db throws in
            try db.execute("INSERT INTO item (name) VALUES (\(text))")
            return try String.fetchOne(db, "SELECT name FROM item WHERE name = \(text)")
        }
        #expect(back.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(arguments: [[], [0], Array(0...255), [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
    func `Bytes of any length round-trip through a column`(bytes: [UInt8]) throws {
        let back = try writing { db throws in
            try db.execute("INSERT INTO item (name, bytes) VALUES ('b', \(bytes))")
            return try [UInt8].fetchOne(db, "SELECT bytes FROM item")
        }
        #expect(back == bytes)
    }

    @Test func `Integers, booleans and NULL round-trip through a query`() throws {
        try writing { db throws in
            for number in [Int64.min, -1, 0, 1, .max] {
                #expect(try Int64.fetchOne(db, "SELECT \(number)") == number)
            }
            #expect(
                try Bool.fetchAll(db, "SELECT \(true) UNION ALL SELECT \(false)") == [true, false])
            #expect(try String?.fetchOne(db, "SELECT \(String?.none)") == .some(nil))
            #expect(try String.fetchOne(db, "SELECT name FROM item") == nil)
        }
    }

    @Test func `Reading a column as another type fails`() throws {
        try writing { db throws in
            try db.execute("INSERT INTO loose VALUES (NULL), ('t'), (1), (x'00'), (1.5), (CAST(x'ff' AS TEXT))")
            func value<V: SQLiteConvertible>(_ row: Int, _: V.Type) throws -> V? {
                try V.fetchOne(db, "SELECT value FROM loose WHERE rowid = \(row)")
            }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds nothing")) { try value(1, String.self) }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds nothing", systemCode: 0)) {
                try value(1, Int64.self)
            }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds text")) { try value(2, Int64.self) }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds text", systemCode: 0)) {
                try value(2, [UInt8].self)
            }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds text", systemCode: 0)) {
                try value(2, Int.self)
            }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds a number")) { try value(3, String?.self) }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds bytes")) { try value(4, String.self) }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds bytes", systemCode: 0)) {
                try value(4, Bool.self)
            }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds a number with a fraction", systemCode: 0)) {
                try value(5, Int64.self)
            }
            #expect(throws: SQLiteError(code: 20, message: "'value' holds text that is not UTF-8")) {
                try value(6, String.self)
            }
            #expect(
                throws: SQLiteError(code: 25, message: "2 columns for one value", systemCode: 0),
                "two columns for one value"
            ) {
                try Int64.fetchOne(db, "SELECT 1, 2")
            }
            let row = try #require(try Row.fetchOne(db, "SELECT value, 7 AS seven FROM loose"))
            #expect(try row["seven"] == 7 as Int64)
            #expect(try row["value"] as String? == nil)
            #expect(throws: SQLiteError(code: 25, message: "no column 'eight'")) { try row["eight"] as Int64? }
        }
    }

    @Test func `A query returns all its rows even if other statements run while they are read`() throws {
        try writing { db throws in
            let all: SQL = "SELECT name FROM item ORDER BY name"
            for name in ["a", "b", "c"] {
                try db.execute("INSERT INTO item (name) VALUES (\(name))")
            }
            let nested = try Row.fetchAll(db, all).map { row in
                try db.execute("DELETE FROM item WHERE name = \(try row["name"] as String)")
                return try String.fetchAll(db, all)
            }
            #expect(nested == [["b", "c"], ["c"], []])
        }
    }

    @Test func `A cached statement returns the current columns of an altered table`() throws {
        try writing { db throws in
            let all: SQL = "SELECT * FROM item"
            try db.execute("INSERT INTO item (name) VALUES ('a')")
            #expect(throws: SQLiteError(code: 25, message: "no column 'new'", systemCode: 0)) {
                try Row.fetchOne(db, all)?["new"] as Int64?
            }
            try db.execute(script: "ALTER TABLE item ADD COLUMN new INTEGER NOT NULL DEFAULT 5; DROP TABLE loose")
            #expect(try Row.fetchOne(db, all)?["new"] == 5 as Int64)
        }
    }

    @Test func `A statement cannot modify sqlite_schema`() throws {
        #expect(throws: SQLiteError(code: 1, message: "table sqlite_master may not be modified", systemCode: 0)) {
            try writing { db throws in
                try db.execute(script: "PRAGMA writable_schema = ON")
                try db.execute("UPDATE sqlite_schema SET sql = ''")
            }
        }
    }
}
