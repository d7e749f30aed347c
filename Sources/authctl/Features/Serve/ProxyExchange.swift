import AuthCore

/// One request through the proxy. Runs on the thread of its connection.
final class ProxyExchange {
    private let service: ProxyService
    private let head: RequestHead
    private let served: ServedConnection
    private var rule: String?
    private var account: String?
    /// Identifies the request in the audit file, if it was sent.
    private var id: String?
    private var isRecorded = false
    /// Why the request's body could not be read, or the response could not be written or recorded.
    private var failure: (any Error)?

    /// The maximum length in bytes of a request body that is stored, so that it can be sent again; and of a 401
    /// response.
    private static let collectedLength = 64 * 1024

    init(_ service: ProxyService, head: RequestHead, on served: ServedConnection) {
        (self.service, self.head, self.served) = (service, head, served)
    }

    func run() throws(ConnectionEnded) {
        do {
            try service.access?.check(head)
            let target = try target()
            try forward(target)
        } catch is ConnectionEnded {
            record(rule == nil ? .refused : .failed, status: nil, error: "client-closed")
            throw ConnectionEnded()
        } catch {
            try refuse(error)
        }
    }

    // MARK: The request

    private func target() throws -> HTTPRequest {
        // Clients that support HTTP/2 offer an upgrade to h2c, and continue without it (RFC 9110 section 7.8).
        guard let method = HTTPRequest.Method(rawValue: head.method), ["h2c", nil].contains(head.header("upgrade"))
        else {
            throw ProxyRefusal(
                501,
                message: "the proxy forwards GET, HEAD, POST, PUT, PATCH and DELETE, and does not switch protocols",
                hint: "use one of these methods", code: .unsupported)
        }
        let query = head.query.map { "?\(ProxyExchange.encoded($0))" } ?? ""
        let base = service.upstream.text
        guard let path = ProxiedPath(head.path),
            let url = try? HTTPURL((base.hasSuffix("/") ? String(base.dropLast()) : base) + head.path + query)
        else {
            throw ProxyRefusal(
                400, message: "the request's URL could be read in several ways",
                hint: "send a path without '.', '..', '//', ';' and encoded separators", code: .usage)
        }
        guard let rule = service.rules.first(where: { $0.allows(method, path) }) else {
            throw ProxyRefusal(
                403, message: "no rule allows '\(method.rawValue) \(shown: head.path)'",
                hint: "allowed here: \(list: service.rules.map(\.text))")
        }
        self.rule = rule.text
        try ProxyForm.check(query: head.query ?? "")
        // A HEAD request has no meaningful body. Some servers would read the body as the next request.
        guard method != .head || served.isBodyRead else { throw RequestHead.Refusal.badRequest }
        var request = HTTPRequest(
            method, url, headers: ProxyHeaders.forwarded(head, allowing: service.flags.headers),
            maximumResponseLength: ProxyExchange.collectedLength)
        request.timeout = 0
        return request
    }

    /// Encodes characters that browsers send unencoded in a query, although they are invalid there (RFC 3986 section
    /// 3.4).
    private static func encoded(_ query: String) -> String {
        query.map { "\"<>\\^`{|}".contains($0) ? FormURLEncoded.encode(String($0)) : String($0) }.joined()
    }

    private func forward(_ target: HTTPRequest) throws {
        var target = target
        var upload: HTTPStream.Upload?
        let expectsContinue = try head.expectsContinue()
        let length = try head.body()
        guard length == .length(0) || target.method != .get || service.flags.allowBody.contains(.get) else {
            throw ProxyRefusal(
                403, message: "the proxy does not forward the body of a GET request",
                hint: "to forward it, add --allow-body get to the server's command")
        }
        switch length {
        case .length(0): if head.header("content-length") != nil, target.method != .get { target.body = [] }
        case .length(let count) where count <= ProxyExchange.collectedLength:
            if expectsContinue { try requestBody() }
            target.body = try served.body(Int(count))
        case .length, .chunked:
            let count: Int64? = if case .length(let count) = length { count } else { nil }
            upload = HTTPStream.Upload(length: count) { self.read(into: $0, isAwaited: expectsContinue) }
        }
        if length != .length(0), !service.flags.allowBody.contains(.form) {
            try ProxyForm.check(target, isWhole: upload == nil)
        }
        try service.clients.use(service.transport) { try exchange(target, upload: upload, client: $0) }
    }

    private func requestBody() throws {
        if !served.hasReceivedMore { try served.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }

    private var hasRequestedBody = false

    private func read(into buffer: UnsafeMutableRawBufferPointer, isAwaited: Bool) -> Int? {
        do {
            if isAwaited, !hasRequestedBody { try requestBody() }
            hasRequestedBody = true
            return try served.read(into: buffer)
        } catch {
            failure = error
            return nil
        }
    }

    // MARK: The response

    private func exchange(_ target: HTTPRequest, upload: HTTPStream.Upload?, client: StreamingClient) throws {
        let connection = service.connection
        var sent = try Blocking.wait { try await connection.authorized(target) }
        while true {
            account = sent.accountUID
            id = try id ?? RandomSource.openSSL.token(bytes: 9)
            // Recorded before the token leaves, so that a full disk cannot hide the request.
            try service.audit.record(served.peer, as: .sent, at: service.context.clock.now(), with: details())
            let writer = ProxyWriter(served, hiding: service.hidden(with: sent.token), isHead: target.method == .head)
            let response = try send(sent, upload: upload, client: client, to: writer)
            if writer.isBegun { return try writer.end() }
            let current = sent
            guard let next = try Blocking.wait(for: { try await connection.repetition(of: current, after: response) })
            else {
                try begin(response, to: writer, length: response.body.count)
                try response.body.withUnsafeBytes { try writer.pass($0) }
                return try writer.end()
            }
            sent = next
        }
    }

    /// Sends the request, and passes the response on. A 401 response is only read if the request can be sent again.
    private func send(
        _ sent: ResourceConnection.Authorized, upload: HTTPStream.Upload?, client: StreamingClient,
        to writer: ProxyWriter
    ) throws -> HTTPResponse {
        let connection = service.connection
        let stream = HTTPStream(
            upload: upload,
            head: { response in
                guard response.status != 401 || upload != nil else { return false }
                if response.header("dpop-nonce") != nil {
                    try? Blocking.wait { await connection.learn(from: response, to: sent) }
                }
                _ = self.attempt { try self.begin(response, to: writer) }
                return true
            }, part: { part in self.attempt { try writer.pass(part) } },
            continues: { self.attempt { try writer.flush() } && !self.served.isClosed })
        let response: HTTPResponse
        do {
            response = try client.send(sent.request, stream)
        } catch HTTPError.cancelled {
            throw failure ?? ConnectionEnded()
        } catch {
            throw writer.isBegun ? ConnectionEnded() : error
        }
        if let failure { throw failure }
        return response
    }

    private func begin(_ response: HTTPResponse, to writer: ProxyWriter, length: Int? = nil) throws {
        // The proxy never requests an upgrade (101).
        guard response.status >= 200 else {
            throw HTTPError.malformedResponse(
                origin: service.upstream.origin, reason: "unexpected status \(response.status)")
        }
        let details = details(status: response.status)
        try service.audit.record(served.peer, as: .forwarded, at: service.context.clock.now(), with: details)
        isRecorded = true
        try writer.begin(response, length: length)
    }

    /// Stores an error in `failure`, and returns false.
    private func attempt(_ body: () throws -> Void) -> Bool {
        guard failure == nil else { return false }
        do { try body() } catch { failure = error }
        return failure == nil
    }

    // MARK: What is recorded, and told to the client

    private func details(status: Int? = nil, error: String? = nil) -> JSONObject {
        [
            "id": JSONValue(id), "method": .string(head.method), "path": .string(head.path), "rule": JSONValue(rule),
            "account": JSONValue(account), "status": status.map { JSONValue(Int64($0)) } ?? .null,
            "error": JSONValue(error),
        ]
    }

    private func record(_ outcome: AuditLog.Outcome, status: Int?, error: String) {
        if !isRecorded { service.record(served.peer, outcome: outcome, details: details(status: status, error: error)) }
    }

    private func refuse(_ error: any Error) throws(ConnectionEnded) {
        var (status, cause): (Int?, any Error) = (nil, error)
        switch error {
        case let refusal as ProxyRefusal: (status, cause) = (refusal.status, refusal.error)
        case let refusal as RequestHead.Refusal:
            (status, cause) = (refusal.rawValue, refusal.problem)
        case HTTPError.timedOut: status = 504
        case is HTTPError: status = 502
        default:
            service.watch.noteRefusal()
            cause = (try? Blocking.wait { [context = service.context] in await context.explained(error) }) ?? error
        }
        let failure = Failure(cause, while: service.errorContext).repeating(service.context.settings.repeatedOptions)
        var response = ServedResponse.failure(failure)
        if let status { response.status = status }
        if status == 401 { response.headers.append((name: "WWW-Authenticate", value: "Bearer")) }
        let isRefused = id == nil && (rule == nil || error is ProxyRefusal || error is RequestHead.Refusal)
        record(isRefused ? .refused : .failed, status: response.status, error: failure.code)
        // The response has begun, so an error cannot be sent.
        guard !isRecorded else { throw ConnectionEnded() }
        if head.method == "HEAD" { response.body = [] }
        try served.send(response)
    }
}
