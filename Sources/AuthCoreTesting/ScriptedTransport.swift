public import AuthCore

/// A transport that returns the responses of a test and records the requests. It does not use the network.
public final class ScriptedTransport: HTTPTransport {
    /// The response to a request.
    public typealias Responder = @Sendable (TransportRequest) throws(HTTPError) -> TransportResponse

    private let state = Lock<(responses: [String: Responder], requests: [TransportRequest])>(([:], []))

    /// A transport that responds with 404 to every request, until responses are added.
    public init() {}

    /// Sets the response for a URL. The query of requests is ignored.
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
