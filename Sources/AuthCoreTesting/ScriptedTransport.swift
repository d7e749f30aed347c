public import AuthCore

/// A transport that answers what a test wrote down, and remembers what was asked. Nothing leaves the process.
public final class ScriptedTransport: HTTPTransport {
    /// The response to a request.
    public typealias Answer = @Sendable (TransportRequest) throws(HTTPError) -> TransportResponse

    private let state = Lock<(responses: [String: Answer], requests: [TransportRequest])>(([:], []))

    /// A transport that responds with 404 to every request, until responses are added.
    public init() {}

    /// Says what is answered at a URL, without its query.
    public func on(_ url: String, _ answer: @escaping Answer) { state.withLock { $0.responses[url] = answer } }

    /// The requests so far, in order.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// Answers a request.
    public func send(_ request: TransportRequest) async throws(HTTPError) -> TransportResponse {
        let url = String(request.url.text.prefix { $0 != "?" })
        let respond = state.withLock { state in
            state.requests.append(request)
            return state.responses[url]
        }
        guard let respond else { return TransportResponse(status: 404) }
        return try respond(request)
    }
}
