extension Database {
    func hasRow(_ sql: SQL) throws(SQLiteError) -> Bool { try Row.fetchOne(self, sql) != nil }

    /// Passes each row to `body` before it reads the next, so that the rows do not have to fit into memory.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try statement(sql.text).forEachRow(sql.arguments, body)
    }

    typealias Values = KeyValuePairs<String, any SQLiteConvertible>

    func insert(into table: String, values: Values) throws(SQLiteError) {
        try put("INSERT", into: table, values: values)
    }

    func replace(into table: String, values: Values) throws(SQLiteError) {
        try put("INSERT OR REPLACE", into: table, values: values)
    }

    private func put(_ verb: String, into table: String, values: Values) throws(SQLiteError) {
        let columns = values.map { $0.key }.joined(separator: ", ")
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try statement("\(verb) INTO \(table) (\(columns)) VALUES (\(marks))").run(values.map { $0.value.sqliteValue })
    }
}

extension Row {
    static func fetchOne(_ db: Database, _ sql: SQL) throws(SQLiteError) -> Row? {
        try db.statement(sql.text).rows(sql.arguments, limit: 1).first
    }

    static func fetchAll(_ db: Database, _ sql: SQL) throws(SQLiteError) -> [Row] {
        try db.statement(sql.text).rows(sql.arguments)
    }
}

extension SQL {
    /// A subquery that returns the texts, for `IN`.
    static func each(of texts: some Sequence<String>) -> SQL {
        "SELECT value FROM json_each(\(JSONValue(Array(texts)).text))"
    }
}

extension SQLiteConvertible {
    /// The only column of the first row; nil if there is no row.
    static func fetchOne(_ db: Database, _ sql: SQL) throws(SQLiteError) -> Self? {
        try Row.fetchOne(db, sql)?.only(Self.self)
    }

    /// The only column of every row.
    static func fetchAll(_ db: Database, _ sql: SQL) throws(SQLiteError) -> [Self] {
        try Row.fetchAll(db, sql).map { (row) throws(SQLiteError) in try row.only(Self.self) }
    }
}
