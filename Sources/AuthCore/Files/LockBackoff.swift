import Glibc

/// The pauses between attempts to acquire a lock: short at first, and with jitter, so that processes do not retry
/// together.
struct LockBackoff {
    let timeout: Double
    var jitter = Clock.kernelJitter
    var waited = 0.0
    var pause = 0.001

    /// Seconds until the next attempt; nil after the timeout.
    mutating func next() -> Double? {
        guard waited < timeout else { return nil }
        let now = pause * jitter()
        waited += now
        pause = min(pause * 1.5, 0.05)
        return now
    }

    /// Blocks this thread until the next attempt. Returns false after the timeout.
    mutating func block() -> Bool {
        guard let pause = next() else { return false }
        usleep(UInt32(pause * 1_000_000))
        return true
    }
}
