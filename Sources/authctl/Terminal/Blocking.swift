import Glibc

/// Runs what blocks on a thread of its own: the runtime has few, and none to spare for waiting.
enum Blocking {
    static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let job = Unmanaged.passRetained(Job { continuation.resume(returning: body()) }).toOpaque()
            var thread = pthread_t()
            let made = pthread_create(
                &thread, nil,
                { job in
                    if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run() }
                    return nil
                }, job)
            guard made == 0 else { return Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run() }
            pthread_detach(thread)
        }
    }

    private final class Job: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
