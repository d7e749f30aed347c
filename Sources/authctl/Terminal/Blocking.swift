import AuthCore
import Dispatch

/// Waits for tasks on threads that do not run them.
enum Blocking {
    /// Blocks until a task ends. Not for threads that run tasks.
    static func wait<R: Sendable>(for body: @escaping @Sendable () async throws -> R) throws -> R {
        let result = Finished<R>()
        Task {
            do { result.finish(.success(try await body())) } catch { result.finish(.failure(error)) }
        }
        return try result.get()
    }

    private final class Finished<R: Sendable>: Sendable {
        private let result = Lock<Result<R, any Error>?>(nil)
        private let isFinished = DispatchSemaphore(value: 0)

        func finish(_ result: Result<R, any Error>) {
            self.result.withLock { $0 = result }
            isFinished.signal()
        }

        func get() throws -> R {
            isFinished.wait()
            guard let result = result.withLock({ $0 }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
