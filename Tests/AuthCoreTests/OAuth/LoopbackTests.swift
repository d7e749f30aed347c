import Glibc
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `The loopback listener` {
    /// The response to a request; empty if there is none.
    private static func exchange(_ request: String, port: UInt16) async -> String {
        await response(on: await connection(sending: request, port: port))
    }

    /// A connection that has sent a request; nil if that fails.
    private static func connection(sending request: String, port: UInt16) async -> Int32? {
        await OwnThread.run {
            let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            let bytes = Array(request.utf8)
            guard connected == 0, send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                close(connection)
                return nil
            }
            return connection
        }
    }

    private static func response(on connection: Int32?) async -> String {
        guard let connection else { return "" }
        return await OwnThread.run {
            defer { close(connection) }
            var response: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
                response += buffer[..<count]
            }
            return String(decoding: response, as: UTF8.self)
        }
    }

    private static func listener(
        accepting isAwaited: @escaping @Sendable (CallbackParameters) -> Bool = { $0.value("code") == "c" },
        _ change: (inout LoopbackListener.Configuration) -> Void
    ) async throws -> LoopbackListener {
        var configuration = LoopbackListener.Configuration()
        (configuration.limits.headDeadline, configuration.limits.drainDeadline) = (3600, 3600)
        configuration.pageDeadline = 3600
        change(&configuration)
        let listener = try LoopbackListener(configuration)
        listener.start(isAwaited: isAwaited, deliver: { _ in })
        return listener
    }

    @Test func `A client may omit the port 80 in its Host`() {
        #expect(LoopbackListener.hosts(at: 80).isSuperset(of: ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:80"]))
        #expect(LoopbackListener.hosts(at: 8400) == ["127.0.0.1:8400", "localhost:8400", "[::1]:8400"])
    }

    @Test func `A one-time redirect is only sent to the browser that asks for its path at its host`() async throws {
        let listener = try await Self.listener { $0.destination = "https://id.example.com/secret" }
        for (request, host, status) in [
            ("GET /callback", "evil.example", 421), ("GET /other", "127.0.0.1:PORT", 404),
            ("POST /callback", "127.0.0.1:PORT", 405), ("GET /callback", "127.0.0.1:PORT", 303),
            ("GET /callback", "127.0.0.1:PORT", 410),
        ] {
            let response = await Self.exchange(
                "\(request) HTTP/1.1\r\nHost: \(host)\r\n\r\n".replacing("PORT", with: "\(listener.port)"),
                port: listener.port)
            #expect(response.hasPrefix("HTTP/1.1 \(status) "))
            #expect(response.contains("Location: https://id.example.com/secret\r\n") == (status == 303))
        }
        await listener.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `A listener that has sent its one-time redirect ends without a wait`() async throws {
        let listener = try await Self.listener { $0.destination = "https://id.example.com/secret" }
        let request = "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n"
        #expect(await Self.exchange(request, port: listener.port).hasPrefix("HTTP/1.1 303 "))
        await listener.finish(nil)
    }

    @Test func `A redirect that no browser asks for ends without having sent the URL`() async throws {
        let clock = Clock(now: { 1 }, sleep: { _ in })
        let url = "https://id.example.com/secret"
        var opened = ""
        let isOpened = try await OneTimeRedirect.send(to: url, timeout: 1, clock: clock) {
            opened = $0
            return false
        }
        #expect(try !isOpened && HTTPURL(opened).path.utf8.count == 1 + 32, "192 random bits")
        let isSent = try await OneTimeRedirect.send(to: url, timeout: 1, clock: clock) {
            opened = $0
            return true
        }
        let late = try HTTPURL(opened)
        let request = "GET \(late.path) HTTP/1.1\r\nHost: \(late.authority)\r\n\r\n"
        let response = await Self.exchange(request, port: late.port)
        #expect(!isSent && !response.contains("secret"), "the listener is closed")
    }

    @Test(.timeLimit(.minutes(1)))
    func `A connection without a request is closed at the end`() async throws {
        let listener = try await Self.listener { _ in }
        let silent = await Self.connection(sending: "", port: listener.port)
        let other = await Self.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n", port: listener.port)
        #expect(other.hasPrefix("HTTP/1.1 421 "))
        await listener.finish(nil)
        #expect(silent != nil)
        #expect(await Self.response(on: silent).isEmpty)
    }

    @Test func `A callback without a query has no parameters, and a form's query counts as parameters`() async throws {
        let query = try await Self.listener { _ in }
        let none = await Self.exchange(
            "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:\(query.port)\r\n\r\n", port: query.port)
        #expect(none.hasPrefix("HTTP/1.1 404 "))
        await query.close()
        let form = try await Self.listener { $0.responseMode = .formPost }
        let head =
            "Host: 127.0.0.1:\(form.port)\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6"
        // The code is in query and body.
        let twice = await Self.exchange("POST /callback?code=c HTTP/1.1\r\n\(head)\r\n\r\ncode=c", port: form.port)
        #expect(twice.hasPrefix("HTTP/1.1 404 "))
        let once = await Self.exchange("POST /callback HTTP/1.1\r\n\(head)\r\n\r\ncode=c", port: form.port)
        #expect(once.hasPrefix("HTTP/1.1 204 "))
        await form.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `The page is sent to each request, after the sign-in has ended`() async throws {
        let listener = try await Self.listener { _ in }
        func get(_ target: String) async -> Int32? {
            await Self.connection(
                sending: "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\nAccept: text/html\r\n\r\n",
                port: listener.port)
        }
        #expect(await Self.response(on: get("/callback?code=c")).hasPrefix("HTTP/1.1 303 "))
        let pages = [await get("/callback/done"), await get("/callback/done")]
        // A page that does not wait is sent before these responses.
        for _ in 0..<20 { #expect(await Self.response(on: get("/other")).hasPrefix("HTTP/1.1 404 ")) }
        await listener.finish(.plain)
        for page in pages { #expect(await Self.response(on: page).contains(LandingPage.plain.html)) }
    }

    @Test(.enabled(if: LoopbackSocket.canListen(on: "[::1]")))
    func `A port that another process has on one of the two loopback addresses is in use`() async throws {
        let other = try LoopbackListener(LoopbackListener.Configuration(host: "[::1]"))
        #expect(throws: ListenerError.portInUse(other.port)) {
            try LoopbackListener(LoopbackListener.Configuration(host: "localhost", port: other.port))
        }
        await other.close()
    }

    @Test func `The head of a request is complete with its empty line, and has a limit`() {
        #expect(RequestHead.end(in: []) == nil && RequestHead.end(in: Array("\r\n\r".utf8)) == nil)
        #expect(RequestHead.end(in: Array("\r\n\r\nx".utf8)) == 4)
        let long =
            "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: RequestHead.maximumLength) + "\r\n\r\n"
        #expect(throws: RequestHead.Refusal.headersTooLarge) { try RequestHead(Array(long.utf8)) }
    }

    @Test func `A Unix socket has no owner, and an incomplete line of the table is skipped`() {
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        #expect(LoopbackPeer.ownerByTable(pair[0]) == .closed)
        for end in pair { close(end) }
        let table = """
            sl local_address rem_address
            0: 0100007F:A0B2
            1: 0100007F:A0B2 0100007F:1F90 01 0:0 0:0 0 1000 0 41
            """
        #expect(LoopbackPeer.owner(of: "0100007F:A0B2", connectedTo: "0100007F:1F90", in: table) == .user(1000))
        #expect(LoopbackPeer.owner(of: "0100007F:0001", connectedTo: "0100007F:1F90", in: table) == .unknown)
    }

    @Test(.enabled(if: LoopbackSocket.canListen(on: "[::1]")))
    func `The owner of an IPv6 connection is found in the kernel's table`() throws {
        let kind = Int32(SOCK_STREAM.rawValue)
        let (listening, client) = (socket(AF_INET6, kind, 0), socket(AF_INET6, kind, 0))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let address = try #require(bytes.baseAddress).assumingMemoryBound(to: sockaddr.self)
            #expect(bind(listening, address, length) == 0 && listen(listening, 1) == 0)
            #expect(getsockname(listening, address, &length) == 0 && connect(client, address, length) == 0)
        }
        let accepted = accept(listening, nil, nil)
        #expect(LoopbackPeer.ownerByTable(accepted) == .user(geteuid()))
        for socket in [accepted, client, listening] { close(socket) }
    }
}
