import AuthCore
public import FoundationEssentials

/// A clock that only changes when a test advances it.
public final class TestClock: Sendable {
    private let time: Lock<Date>

    /// Creates a clock with this time. The default is a fixed time in 2026.
    public init(_ now: Date? = nil) {
        time = Lock(now ?? Date(timeIntervalSince1970: TimeInterval(TestProvider.now)))
    }

    /// The current time.
    public var now: Date { time.withLock { $0 } }

    /// Advances the clock.
    public func advance(by span: Duration) { time.withLock { $0 += span / .seconds(1) } }
}
