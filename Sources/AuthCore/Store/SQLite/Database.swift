import CSQLite

/// A database connection that reads and writes rows inside a transaction. It is not `Sendable`, so that it cannot leave
/// its transaction.
final class Database {
    private let connection: SQLiteConnection
    private var statements: [String: Statement] = [:]
    private var mayChange = true

    init(path: String) throws(SQLiteError) { connection = try SQLiteConnection.open(path) }

    // SQLite closes a connection only after its statements are finalized.
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

    /// Runs the statements of a script in order.
    func execute(script: String) throws(SQLiteError) {
        try connection.forEachStatement(of: script) { statement throws(SQLiteError) in try statement.run() }
    }

    var changesCount: Int { connection.changesCount }

    // MARK: Transactions

    enum Access: Sendable { case reading, writing }

    /// The result of an attempt. If the database was busy, nothing was changed.
    enum Attempt<Value: Sendable>: Sendable {
        case done(Value)
        case busy(SQLiteError)
    }

    /// Attempts a transaction. If `body` throws, the transaction is rolled back.
    ///
    /// The lock is acquired before `body` runs, so that `body` runs once. A reader acquires it with its first read, a
    /// writer with BEGIN IMMEDIATE. A reader never upgrades to a writer.
    func attempt<R: Sendable>(
        _ access: Access, waiting: () -> Bool, body: (Database) throws -> R
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
        // After some errors, SQLite has already rolled back. If it cannot, closing the connection does.
        if connection.isInTransaction { try? execute("ROLLBACK") }
    }

    func schemaVersion() throws(SQLiteError) -> Int { try Int.fetchOne(self, "PRAGMA user_version") ?? 0 }

    func setSchemaVersion(_ version: Int) throws(SQLiteError) {
        // A pragma does not accept bound arguments.
        try execute(script: "PRAGMA user_version = \(version)")
    }

    /// Must be called outside a transaction.
    func enforceForeignKeys(_ isOn: Bool) throws(SQLiteError) { try connection.enforceForeignKeys(isOn) }

    func checkForeignKeys() throws(SQLiteError) {
        guard let row = try Row.fetchOne(self, "PRAGMA foreign_key_check") else { return }
        let (table, parent): (String, String) = (try row["table"], try row["parent"])
        throw SQLiteError(code: SQLITE_CONSTRAINT, message: "FOREIGN KEY constraint failed: \(table) to \(parent)")
    }
}
