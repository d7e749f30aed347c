import AuthCore

/// The events of one request, which may arrive on several connections.
final class MCPStream: Sendable {
    /// The request that the stream is for, if there is one.
    let id: JSONValue?
    private let state: Lock<State>

    private struct State {
        var events = EventStream(limit: MCPMessage.limit)
        var isStarted = false
        var hasReceived = false
        var isAnswered = false
        var isTooLong = false
    }

    init(of id: JSONValue?) {
        self.id = id
        state = Lock(State())
    }

    var events: EventStream { state.withLock { $0.events } }
    var isStarted: Bool { state.withLock { $0.isStarted } }
    var isAnswered: Bool { state.withLock { $0.isAnswered } }
    var isTooLong: Bool { state.withLock { $0.isTooLong } }

    /// Whether a message arrived since this was set to false.
    var hasReceived: Bool {
        get { state.withLock { $0.hasReceived } }
        set { state.withLock { $0.hasReceived = newValue } }
    }

    /// Called before the stream is requested again.
    func restart() { state.withLock { $0.events.restart() } }

    /// Returns false if no more parts are expected.
    ///
    /// - Parameter receive: forwards a message, and returns whether it is the response.
    func take(_ part: [UInt8], _ receive: ([UInt8]) -> Bool) -> Bool {
        state.withLock { state in
            var (hasReceived, isAnswered) = (false, false)
            let fits = state.events.take(part) { message in
                hasReceived = true
                if !isAnswered { isAnswered = receive(message) }
            }
            state.isStarted = true
            state.hasReceived = state.hasReceived || hasReceived
            (state.isAnswered, state.isTooLong) = (isAnswered, !fits)
            return fits && !isAnswered
        }
    }

    /// The delay that the server requests, but at least 0.1 seconds, or a second without a request, doubled after each
    /// failure, at most one minute.
    func pause(after failures: Int) -> Duration {
        let first = min(max(events.retry ?? 1000, id == nil ? 1000 : 100), 60_000)
        return .milliseconds(min(first << Int64(min(failures, 6)), 60_000))
    }
}
