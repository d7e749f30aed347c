import Dispatch

/// Runs what blocks where nothing else waits for the thread: a test that blocked the cooperative pool would keep the
/// code under test from running.
public enum OwnThread {
    public static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "test").async { continuation.resume(returning: body()) }
        }
    }
}
