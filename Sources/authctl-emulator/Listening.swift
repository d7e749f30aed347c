import ArgumentParser
import AuthCore
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc

enum Listening {
    struct Server: Sendable {
        /// Printed before the URL if there are several providers.
        let name: String?
        let port: UInt16
        let provider: @Sendable (_ base: String) throws -> Emulation
    }

    /// Owns a provider, and handles one request at a time. The provider is created after the port is known, because it
    /// needs its URL.
    private actor Host {
        private var provider: Emulation?
        private var names: Set<String> = []

        func begin(_ server: Server, base: String, names: Set<String>) throws {
            self.names = names
            provider = try server.provider(base)
        }

        func serves(_ host: String?) -> Bool { host.map { names.contains($0.lowercased()) } ?? false }

        func upstreamRequest(for request: Request) -> UpstreamRequest? { provider?.upstreamRequest(for: request) }

        func reply(to request: Request) throws -> Reply {
            guard let provider else { return Reply(status: 503) }
            return try provider.reply(to: request)
        }
    }

    /// Listens on ports of 127.0.0.1, prints all URLs when all ports are ready, and serves until the process ends.
    static func serve(_ servers: [Server], alsoAt hosts: Set<String>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var lines: [String] = []
            for server in servers {
                let host = Host()
                let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: server.port)
                let pool = ImmediateSocketPool(pool: HTTPServer.defaultPool())
                let http = HTTPServer(address: address, timeout: 30, pool: pool, logger: .disabled)
                await http.appendRoute("*") { incoming in
                    let isServed = await host.serves(incoming.headers[.host])
                    let read = try await read(incoming, keeping: isServed ? 1 << 20 : 0)
                    guard isServed else {
                        return response(Pages.problem("This is another host; --accept-host names more.", status: 421))
                    }
                    guard var request = read else {
                        return response(Pages.problem("The request is too long.", status: 413))
                    }
                    if let upstreamRequest = await host.upstreamRequest(for: request) {
                        request.fetched = await run(upstreamRequest)
                    }
                    var reply = try await host.reply(to: request)
                    if reply.status < 0 { try await Task.sleep(for: .seconds(3600)) }
                    // FlyingFox would send the body.
                    if request.method == "HEAD" { reply.body = [] }
                    return response(reply)
                }
                group.addTask {
                    do {
                        try await http.run()
                    } catch let SocketError.failed(_, number, _) {
                        let reason =
                            number == EADDRINUSE
                            ? "is in use" : "cannot be opened: \(String(cString: strerror(number)))"
                        Emulator.exit(withError: ValidationError("--port: \(server.port) \(reason)"))
                    }
                }
                try await http.waitUntilListening(timeout: 10)
                guard case .ip4(_, let bound)? = await http.listeningAddress else {
                    throw SocketError.unsupportedAddress
                }
                let base = "http://127.0.0.1:\(bound)"
                try await host.begin(server, base: base, names: hosts.union(LoopbackListener.hosts(at: bound)))
                lines.append(server.name.map { "\($0) \(base)" } ?? base)
            }
            for line in lines { print(line) }
            fflush(nil)
            for try await _ in group {}
        }
    }

    private static func run(_ upstreamRequest: UpstreamRequest) async -> JSONObject? {
        let request = AuthCore.HTTPRequest.form(
            upstreamRequest.url, with: upstreamRequest.form, headers: [(name: "Accept", value: "application/json")])
        guard let response = try? await CurlTransport(.init()).send(request), response.status == 200 else { return nil }
        return try? StrictJSON.object(response.body)
    }

    /// Reads a request to its end, so that the rest is not read as the next request. Returns nil if its body is too long.
    private static func read(_ request: FlyingFox.HTTPRequest, keeping maximum: Int) async throws -> Request? {
        var body: [UInt8] = []
        var isTooLong = false
        for try await part in request.bodySequence {
            isTooLong = isTooLong || body.count + part.count > maximum
            if !isTooLong { body += part }
        }
        guard !isTooLong else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
        let isForm = headers["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true
        return Request(
            method: request.method.rawValue, path: request.path, query: Form(Array(request.target.query().utf8)),
            form: Form(isForm ? body : []), body: body, headers: headers)
    }

    /// Fails before FlyingFox writes the response, so that it closes the connection.
    private struct NoResponse: WSHandler {
        struct Closed: Error {}

        func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
            throw Closed()
        }
    }

    private static func response(_ reply: Reply) -> FlyingFox.HTTPResponse {
        if reply.status == 0 { return FlyingFox.HTTPResponse(webSocket: NoResponse()) }
        var headers = HTTPHeaders()
        for (name, value) in reply.headers { headers[HTTPHeader(name)] = value }
        headers[HTTPHeader("Date")] = HTTPDateText.now()
        return FlyingFox.HTTPResponse(
            statusCode: HTTPStatusCode(reply.status, phrase: reply.status < 400 ? "OK" : "Error"), headers: headers,
            body: Data(reply.body))
    }
}

/// Makes the kernel send each write immediately. FlyingFox writes a response's header and body separately, and with
/// Nagle's algorithm the body waits for the client's delayed acknowledgement of the header: 40 ms.
private struct ImmediateSocketPool<Pool: AsyncSocketPool>: AsyncSocketPool {
    let pool: Pool

    func prepare() async throws { try await pool.prepare() }
    func run() async throws { try await pool.run() }

    /// Sets TCP_NODELAY on the listening socket before its first connection; accepted sockets inherit it (tcp(7)).
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}

/// The `Date` header, which FlyingFox leaves out.
enum HTTPDateText {
    static func now() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
