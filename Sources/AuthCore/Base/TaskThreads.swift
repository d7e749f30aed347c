import Glibc

#if compiler(>=6.3)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// Runs each task on its own thread, for a system without /proc, or with few file descriptors.
///
/// Swift's runtime uses libdispatch, which looks at its threads in /proc each second. If it cannot read them, it ends the
/// process with SIGILL, also if the process has used all of its file descriptors.
/// See docs/decisions/046.
package enum TaskThreads {
    private static let fewDescriptors = 64

    /// Call this before the first task of a process. It does nothing if /proc can be read.
    package static func startWithoutProc() {
        #if compiler(>=6.3)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard access("/proc/self/stat", R_OK) != 0 || limit.rlim_cur < fewDescriptors else { return }
            _createExecutors(factory: ThreadExecutorFactory.self)
        #endif
    }
}

#if compiler(>=6.3)
    private enum ThreadExecutorFactory: ExecutorFactory {
        static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
        static let defaultExecutor: any TaskExecutor = ThreadExecutor()
    }

    private final class ThreadExecutor: TaskExecutor, SchedulingExecutor {
        func enqueue(_ job: consuming ExecutorJob) { run(job, after: .zero) }

        func enqueue<C: _Concurrency.Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            run(job, after: delay as? Duration ?? .zero)
        }

        func enqueue<C: _Concurrency.Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            run(job, after: clock.now.duration(to: instant) as? Duration ?? .zero)
        }

        private func run(_ job: consuming ExecutorJob, after delay: Duration) {
            let job = UnownedJob(job)
            let work: @Sendable () -> Void = {
                let (seconds, attoseconds) = delay.components
                var requested = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
                var left = requested
                // A signal interrupts the sleep; a negative delay is an error.
                while nanosleep(&requested, &left) != 0, errno == EINTR { requested = left }
                job.runSynchronously(on: self.asUnownedTaskExecutor())
            }
            if !NewThread.start(work) { work() }
        }
    }
#endif
