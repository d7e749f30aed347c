import Glibc
import Synchronization

/// Holds back signals that would end the process while a refresh is running: the provider may have replaced the refresh
/// token already, and the new one would be lost. A second signal ends the process.
enum RefreshSignals {
    private static let running = Atomic(0)
    private static let held = Atomic<Int32>(0)

    static func begin() {
        guard running.add(1, ordering: .sequentiallyConsistent).oldValue == 0 else { return }
        // Initializes the static variables here, because a signal handler must not.
        held.store(0, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM, SIGHUP] where Process.isDefault(number) {
            signal(number) { RefreshSignals.receive($0) }
        }
    }

    static func end() {
        guard running.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else { return }
        deliver(held.exchange(0, ordering: .sequentiallyConsistent))
    }

    /// Async-signal-safe.
    private static func receive(_ number: Int32) {
        if held.exchange(number, ordering: .sequentiallyConsistent) != 0 { return deliver(number) }
        guard running.load(ordering: .sequentiallyConsistent) == 0 else { return Output.completingRefresh() }
        deliver(held.exchange(0, ordering: .sequentiallyConsistent))
    }

    private static func deliver(_ number: Int32) {
        guard number != 0 else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}
