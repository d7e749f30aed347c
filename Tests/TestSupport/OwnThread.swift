import Dispatch

/// Runs blocking code on its own thread: if a test blocked the cooperative pool, the code under test could not run.
public enum OwnThread {
    public static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "test").async { continuation.resume(returning: body()) }
        }
    }
}
