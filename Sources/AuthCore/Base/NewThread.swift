import Glibc

/// A thread for blocking calls, which must not block the few threads of Swift's runtime.
package enum NewThread {
    /// Runs `body` on a new thread, or on this one if the system cannot create a thread.
    package static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
            if !start(work) { work() }
        }
    }

    /// Runs `body` on a new thread. Returns false, without running it, if the system cannot create a thread.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Shared(wrappedValue: body))
        let code = pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().wrappedValue() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private typealias Work = Shared<@Sendable () -> Void>
}
