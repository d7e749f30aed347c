import AuthCore
import Dispatch

/// Waits for tasks on threads that do not run them.
enum Blocking {
    /// Blocks until a task ends. Not for threads that run tasks.
    static func wait<R: Sendable>(for body: @escaping @Sendable () async throws -> R) throws -> R {
        let result = Lock(Result<R, any Error>.failure(CancellationError()))
        let isFinished = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            isFinished.signal()
        }
        isFinished.wait()
        return try result.withLock { $0 }.get()
    }
}
