import AuthCore

/// An MCP server on standard input and output, which forwards messages to the server at a URL (Streamable HTTP of MCP
/// 2025-03-26 to 2026-07-28). Adds the token of the session for that URL. It only responds to messages that it cannot
/// forward.
/// See docs/decisions/049.
final class MCPBridge: Sendable {
    private let context: Context
    private let url: HTTPURL
    private let errorContext: ErrorContext
    private let connection: ResourceConnection
    private let state = Lock(State())
    private let input = Lock(LineReader(descriptor: 0, maximumLength: MCPMessage.limit + 1, size: 1 << 16))
    private let output = Lock(())

    private struct State {
        /// The server's session ID, in versions before 2026-07-28.
        var session: String?
        /// Whether the server has ended the session, and the client has not initialized again.
        var hasEnded = false
        /// The version that `initialize` negotiated.
        var version: String?
        var requests: [String: Forwarding] = [:]
        var listener: Task<Void, Never>?
        var toolHeaders = MCPToolHeaders()
    }

    /// The server responds to a subscription only when it ends (`subscriptions/listen`).
    private typealias Forwarding = (task: Task<Void, Never>, isStateless: Bool, isSubscription: Bool)

    /// How long a request may take after the end of the input.
    private static let lastWait = Duration.seconds(5)
    /// How often a lost stream is requested again.
    private static let maximumResumptions = 5

    init(_ context: Context, to url: HTTPURL, errorContext: ErrorContext) throws {
        (self.context, self.url, self.errorContext) = (context, url, errorContext)
        connection = ResourceConnection(context.profile, to: url, account: try context.account) {
            context.show([$0])
        }
    }

    /// Forwards messages until standard input ends.
    func run() async {
        context.profile.prepareRequests()
        while let lines = await NewThread.run({ self.input.withLock { $0.next() } }) {
            for line in lines where !line.isEmpty {
                guard line.count <= MCPMessage.limit else {
                    answer(.null, code: -32600, message: "the message is longer than \(MCPMessage.limit >> 20) MiB")
                    continue
                }
                for message in MCPMessage.messages(line) { await take(message) }
            }
        }
        await end()
    }

    private func take(_ bytes: [UInt8]) async {
        guard let message = MCPMessage(bytes) else {
            return answer(.null, code: -32700, message: "standard input has a line that is not a JSON-RPC message")
        }
        switch message.kind {
        case .request(let id):
            if message.method == "initialize" { restart() }
            state.withLock { state in
                let task = Task {
                    await self.forward(bytes, message: message, id: id)
                    self.state.withLock { _ = $0.requests.removeValue(forKey: id.text) }
                }
                let isSubscription = message.method == "subscriptions/listen"
                state.requests[id.text] = (task, message.version != nil, isSubscription)
            }
        case .notification, .response: await post(bytes, message)
        }
    }

    private func restart() {
        let listener = state.withLock { state in
            (state.session, state.version, state.hasEnded) = (nil, nil, false)
            return state.listener.take()
        }
        listener?.cancel()
        connection.token.restart()
    }

    private func end() async {
        let (requests, session, listener) = state.withLock { ($0.requests.values, $0.session, $0.listener) }
        let (finished, continuation) = AsyncStream<Void>.makeStream()
        Task {
            for request in requests where !request.isSubscription { await request.task.value }
            continuation.finish()
        }
        Task {
            try? await Task.sleep(for: MCPBridge.lastWait)
            continuation.finish()
        }
        for await _ in finished {}
        listener?.cancel()
        guard session != nil else { return }
        var request = request(.delete, message: nil)
        request.timeout = 2
        // The server may not support DELETE (405).
        _ = try? await connection.response(to: request)
    }

    // MARK: To the server

    /// Sends a notification or a response, before the next message is read.
    private func post(_ bytes: [UInt8], _ message: MCPMessage) async {
        let cancelled = message.method == "notifications/cancelled" ? message.cancelled : nil
        let forwarding = cancelled.flatMap { id in state.withLock { $0.requests[id.text] } }
        let isNegotiated = state.withLock { $0.version != nil }
        // Since 2026-07-28, closing a request's stream cancels the request. No notification is sent.
        if cancelled == nil || !(forwarding?.isStateless ?? !isNegotiated) {
            do {
                let response = try await accepted(request(.post, message: message, bytes: bytes))
                guard (200...299).contains(response.status) else { throw MCPBridge.failure(response.status, of: url) }
                if message.method == "notifications/initialized" { listen() }
            } catch {
                context.output.note(await failure(error).line)
            }
        }
        forwarding?.task.cancel()
    }

    /// Sends a request, and passes the response or an error to the client.
    private func forward(_ bytes: [UInt8], message: MCPMessage, id: JSONValue) async {
        let stream = MCPStream(of: id)
        let session = state.withLock { $0.session }
        do {
            // Without the session ID, the server would report a misleading error.
            if message.version == nil, state.withLock({ $0.hasEnded }) { throw MCPBridge.sessionEnded }
            var response: HTTPResponse?
            do {
                response = try await accepted(request(.post, message: message, bytes: bytes, stream: stream))
            } catch is HTTPError where stream.state.isStarted {
                // The connection was lost, or closed because no more is expected.
            }
            if stream.state.isAnswered { return }
            if stream.state.isTooLong { throw MCPBridge.tooLong }
            if let response, !response.isEventStream {
                return try take(response, to: message, id: id, session: session)
            }
            try await resume(stream, isResumable: message.version == nil)
        } catch {
            // A cancelled request gets no response.
            guard !Task.isCancelled else { return }
            let failure = await failure(error)
            // The exit code of the command is outside the range that JSON-RPC reserves.
            answer(
                id, code: Int64(failure.exitCode), message: failure.line,
                data: ["code": .string(failure.code), "hint": JSONValue(failure.hint?.text)])
        }
    }

    /// Requests the rest of a stream that ended without the response (2025-11-25, Resumability and Redelivery).
    private func resume(_ stream: MCPStream, isResumable: Bool) async throws {
        var failures = 0
        while !stream.state.isAnswered {
            guard isResumable, let last = stream.state.events.lastID, failures < MCPBridge.maximumResumptions else {
                throw CommandError(
                    .networkFailed, "the connection ended before the response arrived")
            }
            try await Task.sleep(for: stream.pause(after: failures))
            failures += 1
            do {
                let response = try await accepted(request(.get, message: nil, stream: stream, after: last))
                guard response.isEventStream else { throw MCPBridge.failure(response.status, of: url) }
            } catch is HTTPError {
                // Requested again, unless the response has arrived.
            }
            if stream.state.events.lastID != last { failures = 0 }
            if stream.state.isTooLong { throw MCPBridge.tooLong }
        }
    }

    /// Receives the messages that do not belong to a request, until the session ends.
    private func listen() {
        state.withLock { state in
            state.listener?.cancel()
            state.listener = Task { await self.receiveUntilEnd() }
        }
    }

    private func receiveUntilEnd() async {
        let stream = MCPStream(of: nil)
        var failures = 0
        while !Task.isCancelled {
            let last = stream.state.events.lastID
            do {
                let response = try await accepted(request(.get, message: nil, stream: stream, after: last))
                // The server has no such stream, or the session has ended (405, 404).
                if (400...499).contains(response.status), ![401, 429].contains(response.status) { return }
                failures = response.isEventStream && stream.state.hasReceived ? 0 : failures + 1
            } catch { failures += 1 }
            try? await Task.sleep(for: stream.pause(after: failures))
        }
    }

    private func request(
        _ method: HTTPRequest.Method, message: MCPMessage?, bytes: [UInt8]? = nil, stream: MCPStream? = nil,
        after lastID: String? = nil
    ) -> HTTPRequest {
        let (session, version) = state.withLock { ($0.session, $0.version) }
        var request = HTTPRequest(
            method, url,
            headers: [
                (name: "Accept", value: method == .get ? "text/event-stream" : "application/json, text/event-stream")
            ], body: bytes, maximumResponseLength: MCPMessage.limit)
        func add(_ name: String, _ value: String?) {
            if let value { request.headers.append((name: name, value: value)) }
        }
        if bytes != nil { add("Content-Type", "application/json") }
        if let own = message?.version {
            add("MCP-Protocol-Version", own)
            add("Mcp-Method", message?.method.map(MCPMessage.headerValue))
            add("Mcp-Name", message?.name.map(MCPMessage.headerValue))
            if message?.method == "tools/call", let bytes, let tool = message?.name {
                request.headers += state.withLock { $0.toolHeaders.headers(of: bytes, tool) }
            }
        } else if message?.method != "initialize" {
            add("Mcp-Session-Id", session)
            add("MCP-Protocol-Version", version)
        }
        add("Last-Event-ID", lastID)
        if let stream {
            // A response may take any time. A notification is acknowledged immediately.
            request.timeout = 0
            stream.restart()
            request.eventPart = { head, part in
                stream.take(part) { self.receive($0, head: head, for: stream.id, request: message) }
            }
        }
        return request
    }

    /// Returns the response, or throws if a step-up is required. Retries for some seconds if it cannot connect, because
    /// the server may be restarting.
    private func accepted(_ request: HTTPRequest) async throws -> HTTPResponse {
        var pause = Duration.milliseconds(250)
        while true {
            try await context.profile.store(creating: false)?.requireUnlocked()
            do {
                let result = try await connection.response(to: request)
                if let required = result.stepUp { throw required }
                return result.response
            } catch let error as HTTPError where error.mayConnectLater && pause < .seconds(6) {
                try await Task.sleep(for: pause)
                pause *= 2
            }
        }
    }

    // MARK: To the client

    private func take(_ response: HTTPResponse, to message: MCPMessage, id: JSONValue, session: String?) throws {
        guard (200...299).contains(response.status) else {
            if response.status == 404, message.version == nil, endSession(session) {
                throw MCPBridge.sessionEnded
            }
            // The server may not have read the request's ID.
            guard response.status != 401, let error = MCPMessage(response.body)?.error else {
                throw MCPBridge.failure(response.status, of: url)
            }
            let beginning = "{\"jsonrpc\":\"2.0\",\"id\":\(id.text),\"error\":"
            return write(Array(beginning.utf8) + response.body[error] + Array("}".utf8))
        }
        guard receive(response.body, head: response, for: id, request: message) else {
            throw CommandError(.invalidResponse, "the server's response is not a JSON-RPC message")
        }
    }

    /// Passes a message of the server, or those of a batch, to the client. Returns whether the response to the request is
    /// among them.
    private func receive(_ bytes: [UInt8], head: HTTPResponse, for id: JSONValue?, request: MCPMessage?) -> Bool {
        MCPMessage.messages(bytes).map { receive(message: $0, head: head, for: id, request: request) }.contains(true)
    }

    private func receive(
        message bytes: [UInt8], head: HTTPResponse, for id: JSONValue?, request: MCPMessage?
    ) -> Bool {
        guard let message = MCPMessage(bytes) else {
            if head.isEventStream { context.output.note("the server sent an event that is not a JSON-RPC message") }
            return false
        }
        let isResponse = id != nil && message.kind == id.map(MCPMessage.Kind.response)
        if isResponse, request?.method == "initialize", message.error == nil {
            let session = head.header("mcp-session-id").flatMap { $0.isVisibleASCII ? $0 : nil }
            state.withLock { ($0.session, $0.version) = (session, message.initialized) }
        }
        if isResponse, request?.method == "tools/list", request?.version != nil {
            state.withLock { $0.toolHeaders.learn(from: bytes) }
        }
        write(bytes)
        return isResponse
    }

    /// Ends the session of a request, unless the client has started another one. Returns whether there was a session.
    private func endSession(_ session: String?) -> Bool {
        let (hasEnded, listener) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard state.session == session else { return (session != nil, nil) }
            if state.session.take() != nil { state.hasEnded = true }
            return (state.hasEnded, state.listener.take())
        }
        listener?.cancel()
        return hasEnded
    }

    private static let sessionEnded = CommandError(
        .requestFailed, "the server ended the MCP session (404), so the client must send a new initialize request",
        hint: "reconnect to this server in the MCP client; you need not sign in again")
    private static let tooLong = CommandError(
        .invalidResponse, "the server's message is longer than \(MCPMessage.limit >> 20) MiB")

    static func failure(_ status: Int, of url: HTTPURL) -> CommandError {
        let reason = "the server responded with status \(status)"
        return switch status {
        case 401:
            CommandError(
                .signInRequired, "the server rejected a new token of the session",
                hint: "to sign in again: \(run: "authctl signin --resource \(url.text)")")
        case 300...399:
            CommandError(.requestFailed, "the server redirects to another URL (status \(status))")
        case 429: CommandError(.tooManyRequests, reason)
        case 500...: CommandError(.providerUnavailable, reason)
        default: CommandError(.requestFailed, reason)
        }
    }

    private func failure(_ error: any Error) async -> Failure {
        Failure(await context.explained(error), while: errorContext).repeating(context.settings.repeatedOptions)
    }

    private func answer(_ id: JSONValue, code: Int64, message: String, data: JSONObject? = nil) {
        var error: JSONObject = ["code": JSONValue(code), "message": .string("authctl: \(message)")]
        if let data { error["data"] = .object(data) }
        let answer: JSONValue = ["jsonrpc": "2.0", "id": id, "error": .object(error)]
        write(Array(answer.text.utf8))
    }

    private func write(_ message: [UInt8]) {
        let line = MCPMessage.line(message)
        // If the client does not read, this call blocks, and the server's stream is not read either.
        output.withLock { _ in context.output.exactly(line) }
    }
}
