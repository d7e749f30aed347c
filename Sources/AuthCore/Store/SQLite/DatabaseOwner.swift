/// A connection that many tasks share: one transaction at a time, on the caller's thread. A task that waits for another
/// process does not hold the mutex, except during a commit.
///
/// The database has a rollback journal: a write-ahead log leaves two more files, which a reader must be able to write.
/// Writers wait for readers, so no transaction contains a network request.
final class DatabaseOwner: Sendable {
    private let database: Lock<Database>
    private let timeout: Lock<Double>

    init(path: String, timeout: Double) throws {
        database = Lock(try Database(path: path))
        self.timeout = Lock(timeout)
    }

    /// Sets the number of seconds that later transactions wait for another process.
    func wait(_ seconds: Double) { timeout.withLock { $0 = seconds } }

    /// Runs one transaction. While another process holds the lock, the task sleeps without blocking a thread.
    @_semantics("optimize.sil.specialize.generic.never")
    func transaction<R: Sendable>(
        _ access: Database.Access, _ body: @Sendable (Database) throws -> R
    ) async throws -> R {
        var waiting = LockBackoff(timeout: timeout.withLock { $0 })
        while true {
            switch try attempt(access, waiting: &waiting, body: body) {
            case .done(let result): return result
            case .busy(let error):
                guard let pause = waiting.next() else { throw error }
                try await Task.sleep(for: .seconds(pause))
            }
        }
    }

    /// Runs one transaction; waiting blocks the thread.
    func blockingTransaction<R: Sendable>(
        _ access: Database.Access, _ body: @Sendable (Database) throws -> R
    ) throws -> R {
        var waiting = LockBackoff(timeout: timeout.withLock { $0 })
        while true {
            switch try attempt(access, waiting: &waiting, body: body) {
            case .done(let result): return result
            case .busy(let error): guard waiting.block() else { throw error }
            }
        }
    }

    private func attempt<R: Sendable>(
        _ access: Database.Access, waiting: inout LockBackoff, body: @Sendable (Database) throws -> R
    ) throws -> Database.Attempt<R> {
        try database.withLock { try $0.attempt(access, waiting: { waiting.block() }, body: body) }
    }

    func withoutForeignKeys(_ body: () throws -> Void) throws {
        try database.withLock { try $0.enforceForeignKeys(false) }
        defer { database.withLock { try? $0.enforceForeignKeys(true) } }
        try body()
    }
}
