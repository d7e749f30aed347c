import AuthCore

/// Runs blocking code on a new thread, or on this one if the system has no thread left.
enum Blocking {
    static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
            if !NewThread.start(work) { work() }
        }
    }
}
