/// Runs an operation once for all concurrent callers with the same key. A cancelled caller stops waiting, and the
/// operation continues for the others.
actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
    private var waiters: [Key: [Int: CheckedContinuation<Value, any Error>]] = [:]
    private var lastID = 0

    func run(_ key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        lastID += 1
        let id = lastID
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                if waiters[key] == nil { start(key, operation) }
                waiters[key, default: [:]][id] = continuation
            }
        } onCancel: {
            // Runs after the continuation was stored: until then this actor is occupied.
            Task { await self.cancel(key, id) }
        }
    }

    private func start(_ key: Key, _ operation: @escaping @Sendable () async throws -> Value) {
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            for waiter in (waiters.removeValue(forKey: key) ?? [:]).values { waiter.resume(with: result) }
        }
    }

    private func cancel(_ key: Key, _ id: Int) {
        waiters[key]?.removeValue(forKey: id)?.resume(throwing: CancellationError())
    }
}
