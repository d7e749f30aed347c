// What the rows of the house ask a database with.

extension Row {
    static func fetchOne(
        _ db: Database, sql: String, arguments: [any SQLiteConvertible] = []
    ) throws(SQLiteError) -> Row? {
        try db.statement(sql).rows(arguments, limit: 1).first
    }

    static func fetchAll(
        _ db: Database, sql: String, arguments: [any SQLiteConvertible] = []
    ) throws(SQLiteError) -> [Row] {
        try db.statement(sql).rows(arguments)
    }
}

extension SQLiteConvertible {
    /// The only column of the first row; nil where there is no row.
    static func fetchOne(
        _ db: Database, sql: String, arguments: [any SQLiteConvertible] = []
    ) throws(SQLiteError) -> Self? {
        guard let row = try Row.fetchOne(db, sql: sql, arguments: arguments) else { return nil }
        return try row.only(Self.self)
    }

    /// The only column of every row.
    static func fetchAll(
        _ db: Database, sql: String, arguments: [any SQLiteConvertible] = []
    ) throws(SQLiteError) -> [Self] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { (row) throws(SQLiteError) in
            try row.only(Self.self)
        }
    }
}
