import CSQLite

/// A database inside a transaction: what the rows are read and written with. It is not `Sendable`, so that it stays in
/// the transaction that it is handed to.
final class Database {
    private let connection: SQLiteConnection
    private var statements: [String: Statement] = [:]
    private var mayChange = true

    init(path: String) throws(SQLiteError) { connection = try SQLiteConnection.open(path) }

    // A connection is closed when it has no statements.
    deinit { statements = [:] }

    func statement(_ sql: String) throws(SQLiteError) -> Statement {
        let statement: Statement
        if let known = statements[sql] {
            statement = known
        } else {
            statement = try connection.prepare(sql)
            statements[sql] = statement
        }
        guard mayChange || statement.isReadOnly else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "a reading transaction is to change something")
        }
        return statement
    }

    func execute(_ sql: SQL) throws(SQLiteError) { try statement(sql.text).run(sql.arguments) }

    /// Runs statements one after another, once.
    func execute(script: String) throws(SQLiteError) {
        try connection.forEachStatement(of: script) { statement throws(SQLiteError) in try statement.run() }
    }

    var changesCount: Int { connection.changesCount }

    // MARK: Transactions

    enum Access: Sendable { case reading, writing }

    /// The result of a try. If the database is busy, nothing was done.
    enum Attempt<Value: Sendable>: Sendable {
        case done(Value)
        case busy(SQLiteError)
    }

    /// Tries a transaction. If `body` throws, the transaction is rolled back.
    ///
    /// The lock is taken before `body` runs, so that it runs once: a reader's with the first statement that reads the
    /// file, a writer's at the beginning. A reader never upgrades to a writer.
    func attempt<R: Sendable>(
        _ access: Access, waiting: () -> Bool, _ body: (Database) throws -> R
    ) throws -> Attempt<R> {
        do throws(SQLiteError) {
            mayChange = true
            switch access {
            case .reading:
                try execute("BEGIN")
                _ = try schemaVersion()
            case .writing: try execute("BEGIN IMMEDIATE")
            }
        } catch {
            rollBack()
            guard error.isBusy else { throw error }
            return .busy(error)
        }
        do {
            mayChange = access == .writing
            let result = try body(self)
            mayChange = true
            try commit(waiting)
            return .done(result)
        } catch {
            mayChange = true
            rollBack()
            throw error
        }
    }

    private func commit(_ waiting: () -> Bool) throws(SQLiteError) {
        while true {
            do throws(SQLiteError) { return try execute("COMMIT") } catch {
                guard error.isBusy, connection.isInTransaction, waiting() else { throw error }
            }
        }
    }

    private func rollBack() {
        // After some errors SQLite has done it already. Where it cannot, closing does.
        if connection.isInTransaction { try? execute("ROLLBACK") }
    }

    func schemaVersion() throws(SQLiteError) -> Int { try Int.fetchOne(self, "PRAGMA user_version") ?? 0 }

    func setSchemaVersion(_ version: Int) throws(SQLiteError) {
        // A pragma takes no arguments.
        try execute(script: "PRAGMA user_version = \(version)")
    }

    /// Outside a transaction only.
    func enforceForeignKeys(_ isOn: Bool) throws(SQLiteError) { try connection.enforceForeignKeys(isOn) }

    func checkForeignKeys() throws(SQLiteError) {
        guard let row = try Row.fetchOne(self, "PRAGMA foreign_key_check") else { return }
        let (table, parent): (String, String) = (try row["table"], try row["parent"])
        throw SQLiteError(code: SQLITE_CONSTRAINT, message: "FOREIGN KEY constraint failed: \(table) to \(parent)")
    }
}
