/// Why a message did not come back over a bus.
enum BusError: Error, Sendable, Equatable {
    /// libsystemd is not on this machine.
    case noLibrary
    /// No address, or nobody who can be spoken to there; `code` is the errno that says so.
    case noBus(code: Int32)
    /// Nothing came in time.
    case timedOut(seconds: Double)
    /// The connection ended in the middle; `code` is an errno.
    case lost(code: Int32)
    /// An error as an answer: its name and text are the other side's.
    case refused(name: String, text: String)
    /// An answer of another shape than the interface says.
    case malformed
}

/// When waiting ends, by a clock that nobody sets.
struct Deadline: Sendable {
    let seconds: Double
    private let end: ContinuousClock.Instant

    init(after seconds: Double) {
        self.seconds = seconds
        end = .now + .seconds(seconds)
    }

    /// Seconds since it was set.
    var passed: Double { seconds - (end - .now) / .seconds(1) }

    /// Microseconds that are left; nil when there are none.
    var left: UInt64? {
        let left = end - .now
        guard left > .zero else { return nil }
        let (seconds, attoseconds) = left.components
        return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000) + 1
    }
}
