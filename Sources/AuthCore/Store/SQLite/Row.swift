import CSQLite

/// One row of a query's result, copied out of SQLite.
struct Row: Sendable {
    let names: [String]
    let values: [SQLiteValue]

    subscript<Value: SQLiteConvertible>(column: String) -> Value {
        get throws(SQLiteError) {
            guard let index = names.firstIndex(of: column) else {
                throw SQLiteError(code: SQLITE_RANGE, message: "no column '\(column)'")
            }
            return try self[index]
        }
    }

    /// The value of a column by its index, for queries with many rows: access by name searches the columns each time.
    subscript<Value: SQLiteConvertible>(index: Int) -> Value {
        get throws(SQLiteError) {
            guard let value = Value(values[index]) else { throw .mismatch(names[index], values[index].kind) }
            return value
        }
    }

    /// The value of the only column.
    func only<Value: SQLiteConvertible>(_: Value.Type) throws(SQLiteError) -> Value {
        guard values.count == 1 else {
            throw SQLiteError(code: SQLITE_RANGE, message: "\(values.count) columns for one value")
        }
        return try self[0]
    }
}
