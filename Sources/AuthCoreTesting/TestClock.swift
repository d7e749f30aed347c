import AuthCore
public import FoundationEssentials

/// A clock that stands still until a test moves it.
public final class TestClock: Sendable {
    private let time: Lock<Date>

    /// A clock that stands at a time; at one in 2026 where none is named.
    public init(_ now: Date? = nil) {
        time = Lock(now ?? Date(timeIntervalSince1970: TimeInterval(TestProvider.now)))
    }

    /// The current time.
    public var now: Date { time.withLock { $0 } }

    /// Moves it.
    public func advance(by span: Duration) { time.withLock { $0 += TimeInterval(span.components.seconds) } }
}
