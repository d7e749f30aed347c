import AuthCoreTesting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AuthCore
@testable import authctl

/// The loopback listener, which every process on this machine and every page in the browser can reach.
@Suite struct `The callback listener` {
    /// A listener that waits for `state=right`, with what it delivered.
    private final class Waiting: Sendable {
        let listener: LoopbackListener
        let delivered = Mutex<Int>(0)
        var port: UInt16 { listener.port }

        /// No test waits for a deadline, and a loaded machine may take longer than the default.
        init(_ configuration: LoopbackListener.Configuration = .init()) async throws {
            var configuration = configuration
            configuration.connectionDeadline = .seconds(3600)
            configuration.pageDeadline = .seconds(3600)
            listener = try LoopbackListener(configuration)
            try await listener.start(isAwaited: { $0.carries(AuthorizationState("right")) }) { [weak self] _ in
                self?.delivered.withLock { $0 += 1 }
            }
        }

        /// The status of the response; nil if the connection was closed without one.
        func status(_ request: String) async -> Int? {
            let line = await RawHTTP.exchange(request.replacing("PORT", with: "\(port)"), port: port).split(
                separator: "\r\n"
            ).first
            return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        }

        var count: Int { delivered.withLock { $0 } }

        /// Shows that the right callback still ends the wait.
        func takesTheRightOne(path: String = "/callback") async -> Bool {
            await status("GET \(path)?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 204
                && self.count == 1
        }
    }

    @Test func `C1: it listens on 127.0.0.1 alone`() async throws {
        let waiting = try await Waiting()
        let lines = try String(contentsOfFile: "/proc/net/tcp").split(separator: "\n")
        let port = String(format16: waiting.port)
        let listening = lines.filter { $0.contains(":\(port) 00000000:0000 0A") }
        #expect(listening.count == 1)
        #expect(listening.first?.contains("0100007F:\(port)") == true)
        await waiting.listener.close()
    }

    @Test func `C2: a port that is taken is an error with exit code 1, and is not shared`() async throws {
        let first = try LoopbackListener(LoopbackListener.Configuration())
        do {
            _ = try LoopbackListener(LoopbackListener.Configuration(port: first.port))
            Issue.record("the port was shared")
        } catch {
            #expect(error == .portInUse(first.port))
            #expect(Failure(error, while: ErrorContext("sign-in failed", again: "")).exitCode == 1)
        }
        await first.close()
    }

    @Test(arguments: [
        "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost:PORT", "127.0.0.1:PORT@evil.example", "",
    ])
    func `C3: another Host than the redirect URI's is turned away (DNS rebinding)`(host: String) async throws {
        let waiting = try await Waiting()
        #expect(
            try #require(await waiting.status("GET /callback?code=c&state=right HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
                >= 400)
        #expect(waiting.count == 0)
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test func `C4: a preflight is refused, and no answer has a CORS header`() async throws {
        let waiting = try await Waiting()
        let preflight =
            "OPTIONS /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: https://evil.example\r\n"
            + "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Private-Network: true\r\n\r\n"
        let response = await RawHTTP.exchange(preflight.replacing("PORT", with: "\(waiting.port)"), port: waiting.port)
        #expect(response.hasPrefix("HTTP/1.1 405"))
        #expect(!response.lowercased().contains("access-control"))
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test func `C5: a hundred wrong states change nothing`() async throws {
        let waiting = try await Waiting()
        for attempt in 0..<100 {
            #expect(
                await waiting.status("GET /callback?code=c&state=\(attempt) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n")
                    == 404)
        }
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test(arguments: [
        ("GET /favicon.ico", 404), ("GET /apple-touch-icon.png", 404), ("GET /robots.txt", 404), ("HEAD /", 404),
        ("GET /", 404), ("OPTIONS *", 404), ("HEAD /callback", 405), ("PUT /callback", 405),
        ("POST /callback?code=c&state=right", 405),
    ])
    func `C6, C10: strays get a status and are forgotten`(request: String, status: Int) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status("\(request) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == status)
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test func `C6: silent connections do not block the real one`() async throws {
        let waiting = try await Waiting()
        let silent = try (0..<8).map { _ in try #require(OpenSocket(port: waiting.port)) }
        #expect(await waiting.takesTheRightOne())
        withExtendedLifetime(silent) {}
        await waiting.listener.close()
    }

    @Test(arguments: [
        "/Callback", "/callback/", "//callback", "/callback/../callback", "/%63allback", "/callback%2F", "/x",
        "/callback/done",
    ])
    func `C7: only the exact path counts`(path: String) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status("GET \(path)?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 404)
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test func `C8, C9: the first right callback is taken, a second one is gone`() async throws {
        let waiting = try await Waiting()
        #expect(await waiting.takesTheRightOne())
        #expect(
            await waiting.status("GET /callback?code=d&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 410)
        #expect(waiting.count == 1)
        await waiting.listener.close()
    }

    @Test func `C10: with form_post only a form that was posted counts, and its size is bounded`() async throws {
        let waiting = try await Waiting(LoopbackListener.Configuration(responseMode: .formPost))
        let head = "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
        let body = "code=c&state=right"
        #expect(await waiting.status("GET /callback?\(body) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 405)
        #expect(
            await waiting.status(head + "Content-Type: application/json\r\nContent-Length: 18\r\n\r\n" + body) == 415)
        #expect(
            await waiting.status(
                head + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 65537\r\n\r\n") == 413)
        #expect(waiting.count == 0)
        #expect(
            await waiting.status(
                head + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 18\r\n\r\n" + body) == 204)
        #expect(waiting.count == 1)
        await waiting.listener.close()
    }

    @Test(arguments: [
        ("GET /callback?" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 414),
        ("GET /" + String(repeating: "a", count: 40_000), 414),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 200) + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n" + String(repeating: "a", count: 40_000), 431),
    ])
    func `C11: huge requests are cut off with a status`(request: String, status: Int) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status(request) == status)
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test func `C6, C12: however many connections say nothing, the oldest makes room for the real one`() async throws {
        let waiting = try await Waiting()
        let slow = try (0..<LoopbackListener.maximumConnections * 2).map { _ in
            try #require(OpenSocket(port: waiting.port))
        }
        for socket in slow { socket.send("GET /callback?co") }
        // Of twice as many as there may be the first half is closed: its reads end instead of waiting.
        for socket in slow.prefix(LoopbackListener.maximumConnections) {
            #expect(await OwnThread.run { socket.readToEnd() }.isEmpty)
        }
        #expect(await waiting.takesTheRightOne())
        withExtendedLifetime(slow) {}
        await waiting.listener.close()
    }

    /// In a separate process, whose memory no other test uses.
    @Test func `C11: Twenty thousand connections leave nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let waiting = try await Waiting()
            let port = waiting.port
            func connect(_ count: Int) async {
                await OwnThread.run { for _ in 0..<count { OpenSocket(port: port)?.reset() } }
            }
            await connect(2_000)
            let before = try TestFile.residentKilobytes()
            await connect(20_000)
            #expect(await waiting.listener.connectionCount <= LoopbackListener.maximumConnections)
            // A kilobyte for each would be twenty megabytes.
            #expect(try TestFile.residentKilobytes() - before < 8_192)
            #expect(await waiting.takesTheRightOne())
            await waiting.listener.close()
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "nonsense\r\n\r\n"])
    func `C6: whoever is turned away is told at once that nothing more comes`(request: String) async throws {
        let waiting = try await Waiting()
        let stray = try #require(OpenSocket(port: waiting.port))
        stray.send(request.replacing("PORT", with: "\(waiting.port)"))
        // The client does not close its side, so the connection is still there when the response has been read to its end.
        #expect(await OwnThread.run { String(decoding: stray.readToEnd(), as: UTF8.self) }.hasPrefix("HTTP/1.1 40"))
        #expect(await waiting.listener.connectionCount == 1)
        await waiting.listener.close()
    }

    @Test func `a browser is sent on once, by a URL that holds no secret`() async throws {
        let secret = "https://id.example.com/logout?id_token_hint=eyJsecret"
        let answers = Mutex<[String]>([])
        let (turns, turn) = AsyncStream.makeStream(of: String.self)
        let browsing = Task {
            for await url in turns {
                let url = try HTTPURL(url)
                for path in ["/", url.path + "x", url.path] {
                    let request = "GET \(path) HTTP/1.1\r\nHost: \(url.authority)\r\nAccept: text/html\r\n\r\n"
                    let answer = await RawHTTP.exchange(request, port: url.port)
                    answers.withLock { $0.append(answer) }
                }
            }
        }
        let hasCome = try await OneTimeRedirect.send(to: secret, timeout: 60, clock: .system) { url in
            #expect(!url.contains("secret"))
            turn.yield(url)
            turn.finish()
            return true
        }
        try await browsing.value
        #expect(hasCome)
        let all = answers.withLock { $0 }
        #expect(all[0].hasPrefix("HTTP/1.1 404") && all[1].hasPrefix("HTTP/1.1 404"))
        #expect(all[2].hasPrefix("HTTP/1.1 303") && all[2].contains("Location: \(secret)\r\n"))
        #expect(all[2].contains("Referrer-Policy: no-referrer"))
    }

    @Test func `whose connection it is stands in the kernel's table`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 0100007F:A0B1 01 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 20 4 0 10 -1
               1: 0100007F:A0B1 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 42 1 0 20 4 0 10 -1
               2: 0100007F:A0B2 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 0 10 -1
            """
        let (own, peer) = ("0100007F:1F90", "0100007F:A0B1")
        #expect(LoopbackPeer.owner(of: peer, connectedTo: own, in: table) == .user(1001))
        #expect(LoopbackPeer.owner(of: own, connectedTo: peer, in: table) == .user(1000))
        #expect(LoopbackPeer.owner(of: peer, connectedTo: own, in: "") == .unknown)
    }

    @Test(arguments: ["0100007F:A0B2", "0100007F:0001"])
    func `A socket that its owner has closed is not root's`(peer: String) {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 20 4 0 10 -1
               1: 0100007F:A0B2 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 0 10 -1
            """
        #expect(LoopbackPeer.owner(of: peer, connectedTo: "0100007F:1F90", in: table) == .gone)
    }

    /// Its owner cannot be looked up any more, and it may have been another user's.
    @Test func `A connection that was reset after its request is refused`() throws {
        let kind = Int32(SOCK_STREAM.rawValue)
        let (listening, client) = (socket(AF_INET, kind, 0), socket(AF_INET, kind, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let address = try #require(bytes.baseAddress).assumingMemoryBound(to: sockaddr.self)
            #expect(bind(listening, address, length) == 0 && listen(listening, 1) == 0)
            #expect(getsockname(listening, address, &length) == 0 && connect(client, address, length) == 0)
        }
        let accepted = accept(listening, nil, nil)
        #expect(LoopbackPeer.isAccepted(accepted))
        // A close that discards everything sends a reset.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(client)
        var state = pollfd(fd: accepted, events: 0, revents: 0)
        #expect(poll(&state, 1, -1) == 1)
        #expect(!LoopbackPeer.isAccepted(accepted))
        close(accepted)
        close(listening)
    }

    @Test(arguments: [
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\nGET /callback?code=d&state=right HTTP/1.1\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX: a\r\n b\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\nHost: 127.0.0.1:PORT\n\r\n\r\n",
        "GET /callback?code=c&state=right\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/2.0\r\nHost: 127.0.0.1:PORT\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}",
        "GET http://127.0.0.1:PORT/callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost : 127.0.0.1:PORT\r\n\r\n",
        "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n\r\n",
    ])
    func `C13: what is not one clean HTTP/1.1 request is 400`(request: String) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status(request) == 400)
        #expect(waiting.count == 0)
        #expect(await waiting.takesTheRightOne())
        await waiting.listener.close()
    }

    @Test func `C14, C15: the page is fixed, strict and at a path without query`() async throws {
        let provider = try TestProvider()
        let hostile = FormURLEncoded.encode("</title><script>alert(1)</script>\r\nX: y")
        let run = try SignInRun(provider) { state in
            [
                .raw(
                    "GET /callback/oidc.test?error=access_denied&error_description=\(hostile)&iss=https%3A%2F%2Fid.example.com&state=\(state) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAccept: text/html\r\n\r\n"
                )
            ]
        }
        let failure = try await run.failure()
        #expect(failure.exitCode == 7)
        #expect(!failure.message.contains("\r"))
        #expect(run.listenerStatuses == ["HTTP/1.1 303 See Other"])
        let page = LandingPage("<script src=http>", "A & B", by: "<b>").html
        #expect(!page.contains("<script") && !page.contains("<b>"))
        #expect(page.contains("<title>&lt;script src=http> – &lt;b></title>") && page.contains("<p>A &amp; B</p>"))
        let headers = Dictionary(uniqueKeysWithValues: try LandingPage.securityHeaders())
        #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
        #expect(headers["X-Content-Type-Options"] == "nosniff")
        #expect(headers["Referrer-Policy"] == "no-referrer")
        #expect(headers["Cache-Control"] == "no-store")
    }

    @Test func `C15: a browser is sent to the page, and gets it when the outcome is known`() async throws {
        let waiting = try await Waiting()
        let port = waiting.port
        let redirect = await RawHTTP.exchange(
            "GET /callback?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: text/html\r\n\r\n",
            port: port)
        #expect(redirect.contains("Location: /callback/done\r\n"))
        let page = Task.detached {
            await RawHTTP.exchange(
                "GET /callback/done HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: text/html\r\n\r\n", port: port)
        }
        await waiting.listener.finish(LandingPages.plain.succeeded)
        #expect(await page.value.contains("<h1>Signed in</h1>"))
    }

    @Test func `C16: a bad callback that comes first does not end the wait`() async throws {
        let run = try SignInRun(try TestProvider()) { state in
            [.query("error=access_denied"), .raw("nonsense\r\n\r\n"), .query(SignInRun.goodQuery(state: state))]
        }
        _ = try await run.run()
    }

    @Test func `C17: its descriptors are closed in programs that are started`() async throws {
        let waiting = try await Waiting()
        // Every descriptor that is a listening socket on the port has close-on-exec.
        for descriptor in Int32(3)..<256 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let named = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            if named == 0, address.sin_port == waiting.port.bigEndian {
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            }
        }
        await waiting.listener.close()
    }

    @Test func `C18: localhost listens on both families, the same port`() async throws {
        let waiting = try await Waiting(LoopbackListener.Configuration(host: "localhost"))
        #expect(
            await waiting.status("GET /callback?code=c&state=right HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n") == 204)
        if let lines = try? String(contentsOfFile: "/proc/net/tcp6") {
            #expect(lines.contains("00000000000000000000000001000000:\(String(format16: waiting.port))"))
        }
        await waiting.listener.close()
    }

    @Test func `C19: with the browser elsewhere, a pasted URL signs in with the same checks`() async throws {
        let run = try SignInRun(try TestProvider()) { _ in [.pasted("")] }
        let result = try await run.run { $0.opensBrowser = false }
        #expect(result.account.email == "ada@example.com")
    }

    @Test func `no request makes the parser crash, and what it accepts has a path and a host`() {
        var random = SeededGenerator(seed: 3)
        let good =
            "GET /callback?code=c&state=s HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 3\r\nAccept: text/html\r\n\r\n"
        for _ in 0..<20_000 * Fuzz.factor {
            var bytes = Array(good.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert([10, 13, 32, 58, 0, 255].randomElement(using: &random) ?? 0, at: index)
                }
            }
            if let request = try? CallbackRequest(head: bytes) {
                #expect(request.path.hasPrefix("/") || request.path == "*")
                #expect((0...CallbackRequest.maximumBodyLength).contains(request.contentLength))
            }
        }
    }
}

/// A connection that sends nothing by default.
private final class OpenSocket: Sendable {
    private let descriptor: Int32

    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: inet_addr("127.0.0.1"))
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Closes the connection without TIME_WAIT, so that the tests do not use up the ports.
    func reset() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    }

    func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}

extension String {
    /// A port as /proc/net/tcp shows it.
    fileprivate init(format16 port: UInt16) {
        let digits = String(port, radix: 16, uppercase: true)
        self = String(repeating: "0", count: 4 - digits.count) + digits
    }

    fileprivate init(contentsOfFile path: String) throws {
        self = String(decoding: try TestFile.read(path), as: UTF8.self)
    }
}
