import CSQLite
import Glibc

/// A prepared statement, and the only owner of its pointer. Each call binds, runs and resets it, also after a failure, so
/// that between calls it does not hold a lock or bound values.
final class Statement {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sqlite3_finalize(pointer) }

    var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

    func run(_ arguments: [SQLiteValue] = []) throws(SQLiteError) {
        defer { reset() }
        try bind(arguments)
        while try step() {}
    }

    func rows(_ arguments: [SQLiteValue], limit: Int = .max) throws(SQLiteError) -> [Row] {
        defer { reset() }
        try bind(arguments)
        var rows: [Row] = []
        while rows.count < limit, let row = try next(like: rows.first) { rows.append(row) }
        return rows
    }

    /// Passes each row to `body` before it reads the next. `body` must not run this statement.
    func forEachRow(_ arguments: [SQLiteValue], _ body: (Row) throws -> Void) throws {
        defer { reset() }
        try bind(arguments)
        var first: Row?
        while let row = try next(like: first) {
            first = first ?? row
            try body(row)
        }
    }

    private func next(like first: Row?) throws(SQLiteError) -> Row? {
        guard try step() else { return nil }
        // If the schema has changed, the first step prepares the statement again, and the columns may differ.
        let names = first?.names ?? columnNames()
        let values = try names.indices.map { (index) throws(SQLiteError) in try value(at: Int32(index), names) }
        return Row(names: names, values: values)
    }

    /// Ignores the result: a reset repeats the error of the last step, which was thrown already.
    private func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    private func step() throws(SQLiteError) -> Bool {
        errno = 0
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        // SQLite does not store the errno of a commit.
        case let code: throw SQLiteError(code, of: sqlite3_db_handle(pointer), number: errno)
        }
    }

    private func bind(_ arguments: [SQLiteValue]) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(pointer))
        guard arguments.count == expected else {
            throw SQLiteError(code: SQLITE_RANGE, message: "\(arguments.count) arguments for \(expected) parameters")
        }
        for (index, argument) in arguments.enumerated() {
            let code = bind(argument, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code, of: sqlite3_db_handle(pointer)) }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(pointer, index)
        case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
        case .text(var text):
            return text.withUTF8 { csqlite_bind_text(pointer, index, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { csqlite_bind_blob(pointer, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    private func columnNames() -> [String] {
        (0..<sqlite3_column_count(pointer)).map { index in
            sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? ""
        }
    }

    private func value(at index: Int32, _ names: [String]) throws(SQLiteError) -> SQLiteValue {
        switch sqlite3_column_type(pointer, index) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(pointer, index))
        case SQLITE_TEXT:
            let text = sqlite3_column_text(pointer, index)
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(pointer, index)))
            if let valid = String(validating: bytes, as: UTF8.self) { return .text(valid) }
            throw .mismatch(names[Int(index)], "text that is not UTF-8")
        case SQLITE_BLOB:
            let blob = sqlite3_column_blob(pointer, index)
            return .blob(Array(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(pointer, index)))))
        default: throw .mismatch(names[Int(index)], "a number with a fraction")
        }
    }
}
