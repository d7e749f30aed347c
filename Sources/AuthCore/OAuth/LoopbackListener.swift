import FlyingSocks
import FoundationEssentials
import Glibc

/// Waits on a loopback port for one authorization response (RFC 8252 section 7.3).
///
/// It uses sockets, not an HTTP server, because any local process can connect. The head is limited before it is parsed,
/// a connection carries one request and has a deadline, and only a request with the right path, host, method and state
/// is accepted. Sockets of other users of this machine are rejected.
package actor LoopbackListener {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        package var port: UInt16 = 0
        package var path = "/callback"
        package var responseMode = ResponseMode.query
        package var acceptedHosts: [String] = []
        /// The URL to which the first request of this user is redirected. If it is set, no callback is accepted.
        package var destination: String?
        var connectionDeadline = Duration.seconds(10)
        var pageDeadline = Duration.seconds(2)
    }

    static let maximumConnections: Int = {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return max(2, min(32, (Int(clamping: limit.rlim_cur) - 16) / 4))
    }()
    private static let pause = Duration.milliseconds(50)

    private let configuration: Configuration
    private let sockets: [Socket]
    private let pool: SocketPool<ePoll>
    package nonisolated let port: UInt16
    private let hosts: Set<String>
    private(set) var connections: [UInt64: Connection] = [:]
    private var lastConnection: UInt64 = 0
    private var deadlineWatcher: Task<Void, Never>?
    private var isAwaited: @Sendable (CallbackParameters) -> Bool = { _ in false }
    private var deliver: @Sendable (CallbackParameters) -> Void = { _ in }
    private var running: [Task<Void, Never>] = []
    private var hasReceivedCallback = false
    private var isClosed = false
    private var ending: FinalPage?
    private var pageWaiters: [CheckedContinuation<FinalPage, Never>] = []
    private var isPageExpected = false
    private var servedWaiter: CheckedContinuation<Void, Never>?

    package init(_ configuration: Configuration) throws(ListenerError) {
        self.configuration = configuration
        (sockets, port) = try CallbackSocket.listening(on: configuration.host, port: configuration.port)
        pool = SocketPool<ePoll>.ePoll()
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
    ) async throws(ListenerError) {
        (self.isAwaited, self.deliver) = (isAwaited, deliver)
        do {
            try await pool.prepare()
            try CallbackSocket.requireDescriptors(after: sockets.last)
            running.append(Task { [pool] in try? await pool.run() })
            for socket in sockets { accept(from: try AsyncSocket(socket: socket, pool: pool)) }
        } catch {
            await close()
            throw ListenerError(error, port: port)
        }
    }

    private func accept(from socket: AsyncSocket) {
        running.append(
            Task { [weak self] in
                while !Task.isCancelled {
                    do {
                        let connection = try await socket.accept()
                        _ = fcntl(connection.socket.file.rawValue, F_SETFD, FD_CLOEXEC)
                        await self?.take(connection)
                    } catch SocketError.failed(_, ECONNABORTED, _) {
                        // The client closed the connection before it was accepted.
                    } catch {
                        // For example, the process has too many open files: close the connection that has been idle
                        // longest.
                        await self?.endOldest()
                        try? await Task.sleep(for: LoopbackListener.pause)
                    }
                }
            })
    }

    private struct FinalPage { let page: LandingPage? }

    package func finish(_ page: LandingPage?) async {
        let ending = FinalPage(page: page)
        self.ending = ending
        for waiter in pageWaiters { waiter.resume(returning: ending) }
        pageWaiters = []
        if isPageExpected {
            let timeoutTask = Task { [weak self, deadline = configuration.pageDeadline] in
                try? await Task.sleep(for: deadline)
                await self?.pageWasServed()
            }
            await withCheckedContinuation { servedWaiter = $0 }
            timeoutTask.cancel()
        }
        await close()
    }

    package func close() async {
        let ended = running
        running = []
        for task in ended + connections.values.map(\.task) { task.cancel() }
        for waiter in pageWaiters { waiter.resume(returning: FinalPage(page: nil)) }
        pageWaiters = []
        pageWasServed()
        // Waits before the sockets are closed: a task that still accepts connections could otherwise use the number of
        // a closed socket, which the system may have given to another one.
        for task in ended { await task.value }
        guard !isClosed else { return }
        isClosed = true
        for socket in sockets { try? socket.close() }
    }

    struct Connection {
        let task: Task<Void, Never>
        let began: ContinuousClock.Instant
        var awaitsPage = false
    }

    /// Serves a connection. If there are too many, the one that has been idle longest is closed, so that idle clients
    /// cannot block the browser.
    private func take(_ connection: AsyncSocket) async {
        while connections.count >= LoopbackListener.maximumConnections {
            guard await endOldest() else {
                try? connection.close()
                return
            }
        }
        lastConnection += 1
        let id = lastConnection
        connections[id] = Connection(
            task: Task {
                await self.serve(id, connection)
                try? connection.close()
                self.connections[id] = nil
            }, began: .now)
        if deadlineWatcher == nil { deadlineWatcher = Task { [weak self] in await self?.watchDeadlines() } }
    }

    /// Ends connections that exceed the deadline. One task watches all of them, because a cancelled sleep holds its
    /// memory until its time is over.
    private func watchDeadlines() async {
        while !connections.isEmpty {
            try? await Task.sleep(for: .seconds(1))
            let last = ContinuousClock.now - configuration.connectionDeadline
            for connection in connections.values where connection.began < last { connection.task.cancel() }
        }
        deadlineWatcher = nil
    }

    @discardableResult
    private func endOldest() async -> Bool {
        guard let oldest = connections.filter({ !$0.value.awaitsPage }).min(by: { $0.key < $1.key }) else {
            return false
        }
        oldest.value.task.cancel()
        await oldest.value.task.value
        return true
    }

    private func serve(_ id: UInt64, _ connection: AsyncSocket) async {
        let response: CallbackResponse
        do {
            let (request, body) = try await LoopbackListener.read(from: connection)
            response =
                configuration.destination.map { sendOn(request, connection, to: $0) }
                ?? self.response(to: request, body, connection)
        } catch let refusal as CallbackRequest.Refusal {
            response = CallbackResponse(status: refusal.rawValue)
        } catch {
            return
        }
        switch response.content {
        case .empty:
            try? await write(response, nil, to: connection)
            if response.location != nil, configuration.destination != nil { pageWasServed() }
        case .page:
            connections[id]?.awaitsPage = true
            let ending = await ended()
            try? await write(response, ending.page?.html, to: connection)
            pageWasServed()
        }
        // The client can now read the response to its end. The rest of its request is read too: if bytes are unread
        // when the socket is closed, the system sends a reset, and the client may lose the response.
        shutdown(connection.socket.file.rawValue, Int32(SHUT_WR))
        if response.status >= 400 { await LoopbackListener.drain(connection) }
    }

    private func sendOn(_ request: CallbackRequest, _ connection: AsyncSocket, to destination: String)
        -> CallbackResponse
    {
        guard hosts.contains(request.host) else { return CallbackResponse(status: 421) }
        guard request.path == configuration.path else { return CallbackResponse(status: 404) }
        guard request.method == "GET" else { return CallbackResponse(status: 405, allow: "GET") }
        guard isAccepted(connection) else { return CallbackResponse(status: 404) }
        guard !hasReceivedCallback else { return CallbackResponse(status: 410) }
        hasReceivedCallback = true
        isPageExpected = true
        deliver(CallbackParameters(encoded: []))
        return CallbackResponse(status: 303, location: destination)
    }

    private func isAccepted(_ connection: AsyncSocket) -> Bool {
        !configuration.acceptedHosts.isEmpty || LoopbackPeer.isAccepted(connection.socket.file.rawValue)
    }

    private var donePath: String { configuration.path + "/done" }

    private func response(to request: CallbackRequest, _ body: [UInt8], _ connection: AsyncSocket) -> CallbackResponse {
        guard hosts.contains(request.host) else { return CallbackResponse(status: 421) }
        if request.path == donePath, request.method == "GET", hasReceivedCallback {
            return CallbackResponse(status: 200, content: .page)
        }
        guard request.path == configuration.path else { return CallbackResponse(status: 404) }
        let parameters: CallbackParameters
        switch (configuration.responseMode, request.method) {
        case (.query, "GET"): parameters = CallbackParameters(encoded: Array((request.query ?? "").utf8))
        case (.formPost, "POST"):
            guard request.contentType == "application/x-www-form-urlencoded" else {
                return CallbackResponse(status: 415)
            }
            // Parameters in the query count too, so that a second response in them is a duplicate, which is rejected.
            parameters = CallbackParameters(encoded: body + (request.query.map { Array("&\($0)".utf8) } ?? []))
        default: return CallbackResponse(status: 405, allow: configuration.responseMode == .query ? "GET" : "POST")
        }
        guard !hasReceivedCallback else { return CallbackResponse(status: 410) }
        guard isAwaited(parameters), isAccepted(connection) else { return CallbackResponse(status: 404) }
        hasReceivedCallback = true
        deliver(parameters)
        guard request.acceptsHTML else { return CallbackResponse(status: 204) }
        isPageExpected = true
        return CallbackResponse(status: 303, location: donePath)
    }

    private func ended() async -> FinalPage {
        if let ending { return ending }
        return await withCheckedContinuation { pageWaiters.append($0) }
    }

    private func pageWasServed() {
        servedWaiter?.resume()
        servedWaiter = nil
        isPageExpected = false
    }

    private static func read(from connection: AsyncSocket) async throws -> (CallbackRequest, [UInt8]) {
        var bytes: [UInt8] = []
        var end: Int?
        while end == nil {
            if let refusal = RequestHead.refusal(ofBeginning: bytes) { throw refusal }
            bytes += try await connection.read(atMost: 4096)
            end = RequestHead.end(in: bytes)
        }
        let head = end ?? bytes.count
        let request = try CallbackRequest(head: Array(bytes[..<head]))
        var body = Array(bytes[head...])
        while body.count < request.contentLength {
            body += try await connection.read(atMost: request.contentLength - body.count)
        }
        // A connection carries one request. More bytes could be a smuggled request.
        guard body.count == request.contentLength else { throw CallbackRequest.Refusal.badRequest }
        return (request, body)
    }

    private static func drain(_ connection: AsyncSocket) async {
        var left = 1 << 20
        while left > 0, let bytes = try? await connection.read(atMost: 65536), !bytes.isEmpty { left -= bytes.count }
    }

    private func write(_ response: CallbackResponse, _ html: String?, to connection: AsyncSocket) async throws {
        try await connection.write(Data(try response.encoded(html)))
    }
}
