import Dispatch
import Glibc

/// Waits on a loopback port for one authorization response (RFC 8252 section 7.3).
///
/// Any local process can connect, so a connection carries one short request and has a deadline, and only a request with
/// the right path, host, method and state is accepted. Sockets of other users of this machine are rejected. A callback
/// from outside this machine has no known user, so the user must confirm the number that its browser shows.
package final class LoopbackListener: RequestHandler {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        package var port: UInt16 = 0
        package var path = "/callback"
        package var responseMode = ResponseMode.query
        package var acceptedHosts: [String] = []
        /// The IP address to listen on instead of the host's.
        package var address: String?
        /// The response to the callback, instead of the page that shows how the sign-in ended. Only the browser that sent
        /// the callback gets it.
        package var confirmation: LandingPage?
        /// The URL to which the first request of this user is redirected. If it is set, no callback is accepted.
        package var destination: String?
        var limits = LoopbackListener.limits
        /// Seconds to wait, after the sign-in, until the browser requests its page.
        var pageDeadline = 2.0
    }

    static let limits: ServerLimits = {
        var (limits, files) = (ServerLimits(), rlimit())
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        limits.connections = max(2, min(32, (Int(clamping: files.rlim_cur) - 16) / 4))
        (limits.head, limits.body) = (RequestHead.maximumLength, 64 * 1024)
        return limits
    }()
    /// Seconds for responses that are being written at the end.
    private static let grace = 2.0

    private let configuration: Configuration
    let server: SocketServer
    package let port: UInt16
    private let hosts: Set<String>
    private let state: Lock<State>
    /// Signalled when the sign-in has ended. Each thread that waits for it signals the next one.
    private let hasEnded = DispatchSemaphore(value: 0)
    /// Signalled after the page, or the destination.
    private let lastResponseWasSent = DispatchSemaphore(value: 0)

    private struct State {
        var sockets: [LoopbackSocket]
        var running: Task<Void, Never>?
        var isAwaited: @Sendable (CallbackParameters) -> Bool = { _ in false }
        var deliver: @Sendable (CallbackParameters) -> Void = { _ in }
        var hasReceivedCallback = false
        /// Whether the browser will request the page, or gets the destination.
        var isPageExpected = false
        var page: LandingPage?
    }

    package init(_ configuration: Configuration) throws(ListenerError) {
        self.configuration = configuration
        guard let server = SocketServer(limits: configuration.limits) else { throw .noLoopback(code: errno) }
        let sockets = try LoopbackSocket.all(of: configuration.address ?? configuration.host, port: configuration.port)
        let port = sockets.first?.port ?? configuration.port
        (self.server, self.port) = (server, port)
        state = Lock(State(sockets: sockets))
        hosts = LoopbackListener.hosts(at: port).filter { $0.hasPrefix(configuration.host) }
            .union(configuration.acceptedHosts.map { $0.lowercased() })
    }

    /// The accepted values of `Host`. Clients omit port 80 (RFC 9110 section 7.2).
    package static func hosts(at port: UInt16) -> Set<String> {
        let names = ["127.0.0.1", "localhost", "[::1]"]
        return Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    }

    package func start(
        isAwaited: @escaping @Sendable (CallbackParameters) -> Bool,
        deliver: @escaping @Sendable (CallbackParameters) -> Void
    ) {
        state.withLock { state in
            (state.isAwaited, state.deliver) = (isAwaited, deliver)
            let descriptors = state.sockets.map(\.descriptor)
            state.running = Task {
                await NewThread.run { [self] in
                    server.run(self, on: descriptors)
                    server.finish(within: LoopbackListener.grace)
                }
            }
        }
    }

    /// Shows the page in the browser that sent the callback, and closes the listener.
    package func finish(_ page: LandingPage?) async {
        let (isPageExpected, running) = state.withLock { state in
            state.page = page
            return (state.isPageExpected, state.running)
        }
        hasEnded.signal()
        if isPageExpected {
            let deadline = DispatchTime.now() + configuration.pageDeadline
            _ = await NewThread.run { [lastResponseWasSent] in lastResponseWasSent.wait(timeout: deadline) }
        }
        server.stop()
        await running?.value
        let sockets = state.withLock { state in
            defer { state.sockets = [] }
            return state.sockets
        }
        for socket in sockets { Glibc.close(socket.descriptor) }
    }

    package func close() async {
        state.withLock { $0.isPageExpected = false }
        await finish(nil)
    }

    // MARK: Requests

    package func peer(of descriptor: Int32) -> SocketPeer? { SocketPeer() }

    package func refuse(_ refusal: RequestHead.Refusal, on connection: ServedConnection) throws(ConnectionEnded) {
        try send(ServedResponse(status: refusal.rawValue), on: connection)
    }

    package func respond(to request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded) {
        let response = response(to: request, on: connection)
        let isLast = response.status == 200 || response.status == 303 && configuration.destination != nil
        defer { if isLast { lastResponseWasSent.signal() } }
        try send(response, on: connection)
    }

    private func send(_ response: ServedResponse, on connection: ServedConnection) throws(ConnectionEnded) {
        guard let headers = try? LandingPage.securityHeaders() else { throw ConnectionEnded() }
        var response = response
        response.headers = [(name: "Connection", value: "close")] + headers + response.headers
        try connection.send(response)
    }

    private func response(to request: RequestHead, on connection: ServedConnection) -> ServedResponse {
        guard hosts.contains(request.header("host")?.lowercased() ?? "") else { return ServedResponse(status: 421) }
        let (destination, donePath) = (configuration.destination, configuration.path + "/done")
        if request.path == donePath, request.method == "GET", destination == nil, configuration.confirmation == nil,
            state.withLock({ $0.hasReceivedCallback })
        {
            return page()
        }
        guard request.path == configuration.path else { return ServedResponse(status: 404) }
        let method = configuration.responseMode == .query ? "GET" : "POST"
        let otherMethod = ServedResponse(status: 405, headers: [("Allow", method)])
        let isExpected = request.method == method
        var encoded = Array((request.query ?? "").utf8)
        if request.method == "POST" {
            let type = request.header("content-type")?.split(separator: ";").first
            guard type?.lowercased().trimmingSpaces() == "application/x-www-form-urlencoded" else {
                return isExpected ? ServedResponse(status: 415) : otherMethod
            }
            // Parameters in the query count too, so that a second response in them is a duplicate, which is rejected.
            encoded = connection.body + (request.query.map { Array("&\($0)".utf8) } ?? [])
        }
        var parameters = CallbackParameters(encoded: encoded)
        parameters.responseMode = request.method == "POST" ? .formPost : .query
        // A response by the other mode ends the sign-in with an error, if its state is right.
        guard
            isExpected
                || ["GET", "POST"].contains(request.method) && destination == nil
                    && state.withLock({ $0.isAwaited(parameters) })
        else { return otherMethod }
        let isBrowser = destination != nil || request.header("accept")?.contains("text/html") ?? false
        // One lock for all checks, because only one callback is accepted.
        return state.withLock { state in
            guard !state.hasReceivedCallback else { return ServedResponse(status: 410) }
            guard destination != nil || state.isAwaited(parameters), isAccepted(connection) else {
                return ServedResponse(status: 404)
            }
            (state.hasReceivedCallback, state.isPageExpected) = (true, isBrowser)
            state.deliver(parameters)
            if let page = configuration.confirmation { return LoopbackListener.response(page) }
            guard isBrowser else { return ServedResponse(status: 204) }
            return ServedResponse(status: 303, headers: [("Location", destination ?? donePath)])
        }
    }

    private func isAccepted(_ connection: ServedConnection) -> Bool {
        !configuration.acceptedHosts.isEmpty || configuration.address != nil
            || LoopbackPeer.isAccepted(connection.descriptor)
    }

    /// Blocks until the sign-in has ended.
    private func page() -> ServedResponse {
        hasEnded.wait()
        hasEnded.signal()
        return state.withLock { $0.page }.map(LoopbackListener.response) ?? ServedResponse(status: 200)
    }

    private static func response(_ page: LandingPage) -> ServedResponse {
        ServedResponse(
            status: 200, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(page.html.utf8))
    }
}
