public import AuthCore

/// A transport with the responses of a test, which records the requests. Nothing leaves the process.
public final class ScriptedTransport: HTTPTransport {
    /// The response to a request.
    public typealias Responder = @Sendable (TransportRequest) throws(HTTPError) -> TransportResponse

    private let state = Lock<(responses: [String: Responder], requests: [TransportRequest])>(([:], []))

    /// A transport that responds with 404 to every request, until responses are added.
    public init() {}

    /// Sets the response at a URL, without its query.
    public func on(_ url: String, _ responder: @escaping Responder) { state.withLock { $0.responses[url] = responder } }

    /// The requests so far, in order.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// Responds to a request.
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
