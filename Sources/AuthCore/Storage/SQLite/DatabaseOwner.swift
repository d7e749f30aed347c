import Glibc
import Synchronization

/// A connection that many tasks share: one transaction at a time, on the thread of whoever asks. Another process's lock
/// is waited for without the mutex.
final class DatabaseOwner: Sendable {
    private let database: Mutex<Database>
    /// Seconds to wait for another process.
    private let patience: Double

    /// Opens a database that is there.
    /// - Parameter path: without a link in it.
    init(path: String, patience: Double) throws {
        database = Mutex(try Database(path: path))
        self.patience = patience
    }

    /// Runs one transaction. While another process is in the way, the task sleeps and no thread does.
    func transaction<R: Sendable>(
        _ access: Database.Access, _ body: @Sendable (Database) throws -> R
    ) async throws -> R {
        var waiting = Waiting(patience: patience)
        while true {
            switch try attempt(access, &waiting, body) {
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
        var waiting = Waiting(patience: patience)
        while true {
            switch try attempt(access, &waiting, body) {
            case .done(let result): return result
            case .busy(let error): guard waiting.block() else { throw error }
            }
        }
    }

    private func attempt<R: Sendable>(
        _ access: Database.Access, _ waiting: inout Waiting, _ body: @Sendable (Database) throws -> R
    ) throws -> Database.Attempt<R> {
        try database.withLock { try $0.attempt(access, waiting: { waiting.block() }, body) }
    }

    /// Runs `body` with transactions that do not look where foreign keys point: changes of the schema look at all of them
    /// when they are done.
    func withoutForeignKeys(_ body: () throws -> Void) throws {
        try database.withLock { try $0.enforceForeignKeys(false) }
        defer { database.withLock { try? $0.enforceForeignKeys(true) } }
        try body()
    }
}

/// The pauses between tries at a lock: short at first, and no two processes' alike.
struct Waiting {
    private let patience: Double
    private var waited = 0.0
    private var pause = 0.001

    init(patience: Double) { self.patience = patience }

    /// Seconds until the next try; nil where that was long enough.
    mutating func next() -> Double? {
        guard waited < patience else { return nil }
        let now = pause * Double.random(in: 0.5...1)
        waited += now
        pause = min(pause * 1.5, 0.05)
        return now
    }

    /// Waits on this thread; false where that was long enough.
    mutating func block() -> Bool {
        guard let pause = next() else { return false }
        usleep(UInt32(pause * 1_000_000))
        return true
    }
}
