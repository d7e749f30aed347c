/// A time limit on the monotonic clock.
package struct Deadline: Sendable {
    let seconds: Double
    private let end: ContinuousClock.Instant

    package init(after seconds: Double) {
        self.seconds = seconds
        end = .now + .seconds(seconds)
    }

    /// Seconds since the deadline was set.
    package var passed: Double { seconds - (end - .now) / .seconds(1) }

    /// Microseconds left; nil if the limit has passed.
    var left: UInt64? {
        let left = (end - .now) / .microseconds(1)
        return left > 0 ? UInt64(left) + 1 : nil
    }

    /// Milliseconds left, rounded up, for poll(2).
    package var milliseconds: Int32 { Int32(clamping: ((left ?? 0) + 999) / 1000) }
}
