import CSQLite

/// An open database connection. Two threads must not use it at the same time: SQLite does not check that.
/// See docs/decisions/026.
struct SQLiteConnection: ~Copyable {
    private let pointer: OpaquePointer

    deinit { sqlite3_close_v2(pointer) }

    static func open(_ path: String) throws(SQLiteError) -> SQLiteConnection {
        var pointer: OpaquePointer?
        // `DatabaseOwner` already holds a mutex, and no other connection shares the page cache.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &pointer, flags, nil)
        guard code == SQLITE_OK, let pointer else {
            let error = SQLiteError(code == SQLITE_OK ? SQLITE_NOMEM : code, of: pointer)
            sqlite3_close_v2(pointer)
            throw error
        }
        let connection = SQLiteConnection(pointer: pointer)
        try connection.configure()
        return connection
    }

    private func configure() throws(SQLiteError) {
        try check(sqlite3_extended_result_codes(pointer, 1))
        try enforceForeignKeys(true)
        // Statements cannot corrupt the file, and its schema cannot call unsafe functions.
        try set(SQLITE_DBCONFIG_DEFENSIVE, true)
        try set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        // A misspelled column in double quotes is an error, not a text.
        try set(SQLITE_DBCONFIG_DQS_DML, false)
        try set(SQLITE_DBCONFIG_DQS_DDL, false)
    }

    private func set(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
        try check(csqlite_configure(pointer, option, isOn ? 1 : 0))
    }

    /// Must be called outside a transaction.
    func enforceForeignKeys(_ isOn: Bool) throws(SQLiteError) { try set(SQLITE_DBCONFIG_ENABLE_FKEY, isOn) }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(code, of: pointer) }
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    var changesCount: Int { Int(sqlite3_changes(pointer)) }

    /// Prepares a text with exactly one statement.
    func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var statements: [Statement] = []
        try forEachStatement(of: sql) { statements.append($0) }
        guard let statement = statements.first, statements.count == 1 else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "not one statement: \(sql)")
        }
        return statement
    }

    /// Prepares each statement of a text, and passes it to `body` before it parses the next.
    func forEachStatement(of sql: String, _ body: (Statement) throws(SQLiteError) -> Void) throws(SQLiteError) {
        let text = Array(sql.utf8)
        var start = 0
        while start < text.count {
            var statement: OpaquePointer?
            let (code, length) = text.withUnsafeBufferPointer { text -> (Int32, Int) in
                guard let base = text.baseAddress else { return (SQLITE_OK, 0) }
                return (base + start).withMemoryRebound(to: CChar.self, capacity: text.count - start) { rest in
                    var end: UnsafePointer<CChar>?
                    // Hint for SQLite that the statement is reused.
                    let code = sqlite3_prepare_v3(
                        pointer, rest, Int32(text.count - start), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &end)
                    return (code, end.map { $0 - rest } ?? 0)
                }
            }
            try check(code)
            guard length > 0 else { return }
            start += length
            // Comments and whitespace do not produce a statement.
            if let statement { try body(Statement(statement)) }
        }
    }
}

extension LibraryVersions {
    package static var sqlite: String { String(cString: sqlite3_libversion()) }
}
