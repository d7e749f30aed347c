import AuthCore

/// Runs what blocks on a thread of its own; on this one where there can be no more.
enum Blocking {
    static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
            if !NewThread.start(work) { work() }
        }
    }
}
