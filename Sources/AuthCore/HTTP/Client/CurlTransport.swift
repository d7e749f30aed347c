import Synchronization

/// The HTTP client: libcurl on a separate thread, loaded at the first request.
///
/// Blocking calls never run on Swift's cooperative pool, connections are reused, and cancelling the waiting task
/// cancels the transfer.
package final class CurlTransport: HTTPTransport {
    package struct Configuration: Sendable {
        /// Certificate authorities in PEM, which replace those of the system.
        package var authorities: [UInt8]?
        /// Certificate authorities in PEM that are trusted in addition, but not for a proxy.
        var addedAuthorities: [UInt8]?
        /// Seconds for a connection, and for a whole request.
        package var connectTimeout = 10
        package var requestTimeout = 30
        package var proxies = ProxyRules([:])
        package var userAgent = "authctl"
        package var trace: (@Sendable (String) -> Void)?
        /// Called once for each request that has no response after `patience` seconds, with the server's host.
        package var waiting: (@Sendable (String) -> Void)?
        package var patience = 2.0

        package init() {}

        /// The proxy of the request; nil for none. Throws if the request must not be sent.
        func checkedProxy(for request: HTTPRequest) throws(HTTPError) -> String? {
            guard request.url.protectsSecrets || request.allowsPlainHTTP else {
                throw .plainHTTP(origin: request.url.origin)
            }
            let proxy = request.bypassesProxy ? nil : proxies.proxy(for: request.url)
            guard proxy == nil || request.url.isSecure || !request.isConfidential else {
                throw .plainHTTPThroughProxy(origin: request.url.origin)
            }
            for header in request.headers {
                do { try HTTPFieldProblem.check(name: header.name, value: header.value) } catch {
                    throw .invalidField(error)
                }
            }
            return proxy
        }
    }

    let configuration: Configuration
    private let loop = Lock<CurlLoop?>(nil)
    private let isPrepared = Atomic<Bool>(false)

    package init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// A client that also trusts these CAs. It has its own connections, so that others cannot reuse them.
    func trusting(_ authorities: [UInt8]) -> CurlTransport {
        var configuration = configuration
        configuration.addedAuthorities = authorities
        return CurlTransport(configuration)
    }

    deinit { loop.withLock { $0?.stop() } }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let proxy = try configuration.checkedProxy(for: request)
        let loop = try running()
        let trace = configuration.trace.map { HTTPTrace(request: request, write: $0) }
        trace?.sent()
        let transfer = CurlTransfer(request: request, proxy: proxy, configuration: configuration)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.continuation = continuation
                loop.add(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        trace?.received(result)
        return try result.get()
    }

    /// Loads libcurl on another thread, while the caller does something else before it sends a request.
    package func prepare() {
        guard !isPrepared.exchange(true, ordering: .relaxed) else { return }
        // The thread then runs the loop. If no thread can be started, the first request loads libcurl.
        _ = NewThread.start { [weak self] in
            let loop = self?.loaded()
            loop?.run()
        }
    }

    /// Returns nil if another thread has loaded libcurl, or if it cannot be loaded.
    private func loaded() -> CurlLoop? {
        loop.withLock { current in
            guard current == nil else { return nil }
            current = CurlLoop.loaded()
            return current
        }
    }

    private func running() throws(HTTPError) -> CurlLoop {
        try loop.withLock { current throws(HTTPError) -> CurlLoop in
            if let current { return current }
            guard let made = CurlLoop.start() else { throw .clientUnavailable }
            current = made
            return made
        }
    }
}

extension LibraryVersions {
    package static var curl: String? {
        CurlLoop.version().map { version in
            let parts = version.split(separator: " ").prefix(2).map { $0.replacing("libcurl/", with: "") }
            return parts.joined(separator: " with ")
        }
    }
}
