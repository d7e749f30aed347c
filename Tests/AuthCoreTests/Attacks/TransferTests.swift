import Dispatch
import Glibc
import Synchronization
import Testing

@testable import AuthCore

/// A server on a plain socket that sends the same bytes to every connection.
private final class HostileServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    let connections = Mutex(0)
    let requests = Mutex(0)
    /// The number of bytes that were sent to all clients.
    let sentBytes = Mutex(0)

    /// - Parameters:
    ///   - staysOpen: whether the connection stays open after the response.
    ///   - endlessly: bytes that are repeated after the response until the client closes the connection, or until
    ///     `limit` bytes are sent.
    ///   - answers: the number of requests of a connection that get a response. The next request closes the connection.
    init(
        _ response: [UInt8], staysOpen: Bool = false, endlessly: [UInt8] = [], limit: Int = .max, answers: Int = .max
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: inet_addr("127.0.0.1"))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "server").async { [self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                connections.withLock { $0 += 1 }
                DispatchQueue(label: "connection").async { [self] in
                    var buffer = [UInt8](repeating: 0, count: 65536)
                    var count = 0
                    while recv(connection, &buffer, buffer.count, 0) > 0 {
                        requests.withLock { $0 += 1 }
                        count += 1
                        if count > answers { break }
                        var rest = response[...]
                        while !rest.isEmpty {
                            let sent = rest.withUnsafeBytes {
                                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                            }
                            guard sent > 0 else { break }
                            rest = rest.dropFirst(sent)
                            let total = sentBytes.withLock { total in
                                total += sent
                                return total
                            }
                            if rest.isEmpty, total < limit { rest = endlessly[...] }
                        }
                        if !staysOpen { break }
                    }
                    close(connection)
                }
            }
            close(descriptor)
        }
    }

    /// Ends the thread that accepts connections. The thread closes the socket, because another socket could get the
    /// descriptor before the thread's next call.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func request(maximumLength: Int = 1 << 20) throws -> HTTPRequest {
        HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(port)/"), maximumResponseLength: maximumLength)
    }
}

/// Hostile HTTP responses over a real socket. The story `tls.sh` tests TLS.
@Suite struct `HTTP transfers` {
    private func transport(timeout: Int = 30) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.requestTimeout = timeout
        return CurlTransport(configuration)
    }

    private func failure(_ response: [UInt8], staysOpen: Bool = false, timeout: Int = 30) async throws -> HTTPError? {
        let server = try HostileServer(response, staysOpen: staysOpen)
        defer { server.stop() }
        do {
            _ = try await transport(timeout: timeout).send(try server.request())
            return nil
        } catch let error as HTTPError {
            return error
        }
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `One note is printed if a server does not respond`() async throws {
        let server = try HostileServer([], staysOpen: true)
        defer { server.stop() }
        let hosts = Mutex<[String]>([])
        var configuration = CurlTransport.Configuration()
        configuration.requestTimeout = 2
        configuration.patience = 0
        configuration.waiting = { host in hosts.withLock { $0.append(host) } }
        let silent = try server.request()
        await #expect(throws: HTTPError.timedOut(origin: silent.url.origin)) {
            try await CurlTransport(configuration).send(silent)
        }
        #expect(hosts.withLock { $0 } == ["127.0.0.1"])
    }

    @Test(arguments: [false, true])
    func `H5: a response body without a Content-Length is cut off at the limit while it arrives`(isChunked: Bool)
        async throws
    {
        let content = [UInt8](repeating: 0x61, count: 0x10000)
        // Without a limit in the client, it would receive all these bytes.
        let limit = 256 << 20
        let server = try HostileServer(
            bytes("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked\r\n" : "")\r\n"),
            endlessly: isChunked ? bytes("10000\r\n") + content + bytes("\r\n") : content, limit: limit)
        defer { server.stop() }
        await #expect(throws: HTTPError.tooLarge(origin: try server.request().url.origin)) {
            try await transport(timeout: 300).send(try server.request())
        }
        #expect(server.sentBytes.withLock { $0 } < limit)
    }

    @Test func `H5: a response body whose Content-Length is over the limit is refused`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n"
        let error = try await failure(bytes(head) + [UInt8](repeating: 0x61, count: 20_000_000))
        guard case .tooLarge = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `H5, E2: a gzip bomb is refused because its decoded size is over the limit`() async throws {
        // 10 MiB of zeros: one stored block would not be a bomb, so this is deflate's run-length form, made by gzip -9.
        let bomb = try #require(GzipBomb.tenMegabytes)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let error = try await failure(bytes(head) + bomb)
        guard case .tooLarge = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `H5: a response with ten thousand headers or a header of one megabyte is refused`() async throws {
        let many = String(repeating: "X: y\r\n", count: 10_000)
        let long = "X: \(String(repeating: "y", count: 1 << 20))\r\n"
        // libcurl reports a line that is longer than its buffer as a lack of memory.
        for (header, error) in [(many, "tooLarge("), (long, "malformedResponse(")] {
            let failure = try #require(try await failure(bytes("HTTP/1.1 200 OK\r\n\(header)\r\n")))
            #expect("\(failure)".hasPrefix(error))
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "connectionLost("),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx", "connectionLost("),
        ("not HTTP at all\r\n\r\n", "malformedResponse("), ("", "noResponse("),
    ])
    func `G4: a truncated or malformed response is an error`(response: String, error: String) async throws {
        let failure = try #require(try await failure(bytes(response)))
        #expect("\(failure)".hasPrefix(error))
    }

    @Test func `G3: an endless chunk extension is refused before the request times out`() async throws {
        let server = try HostileServer(
            bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;"),
            endlessly: [UInt8](repeating: 0x78, count: 1 << 20))
        defer { server.stop() }
        await #expect(
            throws: HTTPError.malformedResponse(origin: try server.request().url.origin, reason: "endless chunk")
        ) {
            try await transport(timeout: 300).send(try server.request())
        }
    }

    @Test func `G3: a response that stalls is a timeout`() async throws {
        let error = try await failure(
            bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), staysOpen: true, timeout: 1)
        guard case .timedOut = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `G18: a redirect is returned and not followed`() async throws {
        let server = try HostileServer(
            bytes("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"), staysOpen: true)
        defer { server.stop() }
        #expect(try await transport().send(try server.request()).status == 302)
    }

    @Test func `consecutive requests reuse one connection`() async throws {
        let server = try HostileServer(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), staysOpen: true)
        defer { server.stop() }
        let transport = transport()
        for _ in 0..<5 { #expect(try await transport.send(try server.request()).body == bytes("ok")) }
        #expect(server.connections.withLock { $0 } == 1)
    }

    @Test(arguments: [TransportRequest.Method.post, .put, .patch, .delete])
    func `a request that changes something is not sent again if its connection ends without a response`(
        method: TransportRequest.Method
    ) async throws {
        let server = try HostileServer(
            bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), staysOpen: true, answers: 1)
        defer { server.stop() }
        let transport = transport()
        _ = try await transport.send(try server.request())
        let request = HTTPRequest(method, try server.request().url, body: bytes("a=b"))
        _ = try? await transport.send(request)
        #expect(server.requests.withLock { $0 } == 2)
    }

    @Test func `cancelling the task cancels the transfer`() async throws {
        let server = try HostileServer(bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), staysOpen: true)
        defer { server.stop() }
        let transport = transport()
        let request = try server.request()
        let task = Task { () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await transport.send(request)
                return nil
            } catch {
                return error
            }
        }
        while server.connections.withLock({ $0 }) == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `F3: a request that is limited to public addresses does not connect to loopback`() async throws {
        let server = try HostileServer(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        defer { server.stop() }
        var request = try server.request()
        request.narrowestZone = .global
        await #expect(throws: HTTPError.forbiddenAddress(origin: "http://127.0.0.1:\(server.port)")) {
            try await transport().send(request)
        }
        #expect(server.connections.withLock { $0 } == 0)
    }

    @Test func `F3: the address of a server is checked even if a proxy is configured for other requests`() async throws
    {
        let server = try HostileServer(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        defer { server.stop() }
        var request = try server.request()
        request.narrowestZone = .global
        let all: [Environment] = [
            ["https_proxy": "http://127.0.0.1:9"], ["http_proxy": "http://127.0.0.1:9"],
            ["all_proxy": "http://127.0.0.1:9", "no_proxy": "*"],
        ]
        for variables in all {
            var configuration = CurlTransport.Configuration()
            configuration.proxies = ProxyRules(variables)
            await #expect(throws: HTTPError.forbiddenAddress(origin: "http://127.0.0.1:\(server.port)")) {
                try await CurlTransport(configuration).send(request)
            }
        }
        #expect(server.connections.withLock { $0 } == 0)
    }

    @Test func `F3: the address of a reused connection is checked for each request`() async throws {
        let server = try HostileServer(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), staysOpen: true)
        defer { server.stop() }
        let transport = transport()
        var request = try server.request()
        #expect(try await transport.send(request).remoteAddress == "127.0.0.1")
        request.narrowestZone = .global
        await #expect(throws: HTTPError.forbiddenAddress(origin: "http://127.0.0.1:\(server.port)")) {
            try await transport.send(request)
        }
    }

    @Test(arguments: ["GET", "POST"])
    func `a request with a secret is not sent over plain http through a proxy`(method: String) async throws {
        var configuration = CurlTransport.Configuration()
        configuration.proxies = ProxyRules(["http_proxy": "http://127.0.0.1:9"])
        let url = try HTTPURL("http://id.lan.example/token")
        var request =
            method == "POST"
            ? HTTPRequest.form(url, with: [("code", "c")])
            : HTTPRequest(.get, url, headers: [(name: "authorization", value: "Bearer t")])
        request.allowsPlainHTTP = true
        await #expect(throws: HTTPError.plainHTTPThroughProxy(origin: "http://id.lan.example:80")) {
            try await CurlTransport(configuration).send(request)
        }
    }

    @Test(arguments: [("Two words", "v"), ("", "v"), ("Na:me", "v"), ("Ä", "v")])
    func `a request with an invalid header name or value is not sent`(name: String, value: String) async throws {
        let server = try HostileServer([])
        defer { server.stop() }
        var request = try server.request()
        request.headers = [(name: name, value: value)]
        await #expect(throws: HTTPError.invalidField(.name(name))) { try await transport().send(request) }
        request.headers = [(name: "X", value: "a\r\nInjected: b")]
        await #expect(throws: HTTPError.invalidField(.value(name: "X"))) { try await transport().send(request) }
        #expect(server.connections.withLock { $0 } == 0)
    }

    @Test func `a refused connection is the error cannotConnect`() async throws {
        let server = try HostileServer([])
        server.stop()
        let error = await #expect(throws: HTTPError.self) { try await transport().send(try server.request()) }
        guard case .cannotConnect = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test func `a connection that breaks during a request has no response: the server may have received it`()
        async throws
    {
        let server = try HostileServer([])
        defer { server.stop() }
        var request = HTTPRequest(.post, try server.request().url)
        request.body = [UInt8](repeating: 0x61, count: 16 << 20)
        for _ in 1...20 {
            let error = await #expect(throws: HTTPError.self) { try await transport().send(request) }
            guard case .noResponse = error else { return #expect(Bool(false), "\(String(describing: error))") }
        }
    }

    @Test func `the trace shows parameter names and no secrets`() async throws {
        let server = try HostileServer(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        defer { server.stop() }
        let lines = Mutex<[String]>([])
        var configuration = CurlTransport.Configuration()
        configuration.trace = { line in lines.withLock { $0.append(line) } }
        let url = try HTTPURL("http://127.0.0.1:\(server.port)/token?code=secret-in-query")
        let request = HTTPRequest.form(
            url, with: [("grant_type", "authorization_code"), ("code", "secret-code")],
            headers: [(name: "Authorization", value: "Basic secret-basic")])
        _ = try await CurlTransport(configuration).send(request)
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(text.contains("POST") && text.contains("grant_type=authorization_code") && text.contains("< 200"))
        #expect(!text.contains("secret"))
    }
}

/// Ten megabytes of zeros, compressed by the system's gzip.
private enum GzipBomb {
    static var tenMegabytes: [UInt8]? {
        guard let pipe = popen("head -c 10485760 /dev/zero | gzip -9", "r") else { return nil }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
