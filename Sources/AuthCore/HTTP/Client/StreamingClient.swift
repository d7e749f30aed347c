import CCurl

/// Sends one request at a time on the caller's thread, and reuses its connections.
///
/// - Note: `@unchecked Sendable` holds because `StreamingClients` gives it to one thread at a time.
package final class StreamingClient: @unchecked Sendable {
    private let configuration: CurlTransport.Configuration
    private var curl: ccurl
    private let handle: UnsafeMutableRawPointer

    init(_ configuration: CurlTransport.Configuration) throws(HTTPError) {
        OpenSSLStart.completeConfiguration()
        var curl = ccurl()
        guard ccurl_load(&curl) == 0 else { throw .clientUnavailable }
        guard let handle = curl.curl_easy_init() else {
            ccurl_unload(&curl)
            throw .clientUnavailable
        }
        self.configuration = configuration
        self.curl = curl
        self.handle = handle
    }

    deinit {
        curl.curl_easy_cleanup(handle)
        ccurl_unload(&curl)
    }

    /// The body of the result is empty if it was passed to `stream.part`.
    package func send(_ request: HTTPRequest, _ stream: HTTPStream) throws(HTTPError) -> HTTPResponse {
        let proxy = try configuration.checkedProxy(for: request)
        let transfer = CurlTransfer(request: request, proxy: proxy, configuration: configuration, stream: stream)
        transfer.handle = handle
        defer {
            // Connections stay open, but all settings of this request are removed.
            curl.curl_easy_reset(handle)
            curl.curl_slist_free_all(transfer.headerList)
        }
        guard curl.configure(handle, transfer) else { throw .clientUnavailable }
        let code = curl.curl_easy_perform(handle)
        return try curl.result(of: transfer, code).get()
    }
}

/// The clients of threads that have ended. The next threads reuse their connections.
package final class StreamingClients: Sendable {
    private let idle = Lock<[StreamingClient]>([])
    private static let maximumIdle = 16

    package init() {}

    package func use<R>(_ transport: any HTTPTransport, _ body: (StreamingClient) throws -> R) throws -> R {
        var client = idle.withLock { $0.popLast() }
        if client == nil, let transport = transport as? CurlTransport {
            client = try StreamingClient(transport.configuration)
        }
        guard let client else { throw HTTPError.clientUnavailable }
        defer { idle.withLock { if $0.count < StreamingClients.maximumIdle { $0.append(client) } } }
        return try body(client)
    }
}
