import AuthCore

/// The events of one request, which may arrive on several connections.
final class MCPStream: Sendable {
    /// The request that the stream is for, if there is one.
    let id: JSONValue?
    private let current = Lock(State())

    struct State {
        fileprivate(set) var events = EventStream(limit: MCPMessage.limit)
        fileprivate(set) var isStarted = false
        /// Whether a message arrived since the last request.
        fileprivate(set) var hasReceived = false
        fileprivate(set) var isAnswered = false
        fileprivate(set) var isTooLong = false
    }

    init(of id: JSONValue?) { self.id = id }

    var state: State { current.withLock { $0 } }

    /// Called before the stream is requested again.
    func restart() {
        current.withLock {
            $0.events.restart()
            $0.hasReceived = false
        }
    }

    /// Returns false if no more parts are expected.
    ///
    /// - Parameter receive: forwards a message, and returns whether it is the response.
    func take(_ part: [UInt8], _ receive: ([UInt8]) -> Bool) -> Bool {
        current.withLock { state in
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
        let first = min(max(state.events.retry ?? 1000, id == nil ? 1000 : 100), 60_000)
        return .milliseconds(min(first << Int64(min(failures, 6)), 60_000))
    }
}
