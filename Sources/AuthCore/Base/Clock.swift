/// The time in seconds since 1970, and a function that waits. Tests pass in their own.
package struct Clock: Sendable {
    package var now: @Sendable () -> Int64
    /// Waits for a number of seconds; throws when the task is cancelled.
    package var sleep: @Sendable (Double) async throws -> Void
    /// The factor of the next pause of a process that waits for a lock: 0.5 to 1.
    package var jitter: @Sendable () -> Double = Clock.kernelJitter

    /// Random, so that processes that wait for the same lock do not retry at the same time.
    static let kernelJitter: @Sendable () -> Double = { Double.random(in: 0.5...1) }

    package init(
        now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.now = now
        self.sleep = sleep
    }
}
