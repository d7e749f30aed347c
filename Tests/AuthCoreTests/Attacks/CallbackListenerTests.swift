import AuthCoreTesting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// Every process on this machine and every page in the browser can connect to the loopback listener.
@Suite struct `The callback listener` {
    /// A listener that waits for `state=right` and counts the callbacks that it delivers.
    private final class Waiting: Sendable {
        let listener: LoopbackListener
        let delivered = Mutex<Int>(0)
        let modes = Mutex<[ResponseMode?]>([])
        var port: UInt16 { listener.port }

        /// The deadlines are long, because a loaded machine may exceed the default ones.
        init(_ configuration: LoopbackListener.Configuration = .init()) async throws {
            var configuration = configuration
            (configuration.limits.headDeadline, configuration.limits.drainDeadline) = (3600, 3600)
            configuration.pageDeadline = 3600
            listener = try LoopbackListener(configuration)
            listener.start(isAwaited: { $0.carries(AuthorizationState("right")) }) { [weak self] parameters in
                self?.delivered.withLock { $0 += 1 }
                self?.modes.withLock { $0.append(parameters.responseMode) }
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

        /// Whether the callback with the correct state is still accepted, and is the only one delivered.
        func acceptsRightCallback(path: String = "/callback") async -> Bool {
            await status("GET \(path)?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 204
                && self.count == 1
        }
    }

    @Test func `C1: the callback listener listens only on 127.0.0.1, until it is closed`() async throws {
        let waiting = try await Waiting()
        let port = String(format16: waiting.port)
        func listening() throws -> [Substring] {
            let lines = try String(contentsOfFile: "/proc/net/tcp").split(separator: "\n")
            return lines.filter { $0.contains(":\(port) 00000000:0000 0A") }
        }
        #expect(try listening().count == 1)
        #expect(try listening().first?.contains("0100007F:\(port)") == true)
        await waiting.listener.close()
        #expect(try listening().isEmpty)
    }

    private static let clock = Clock(now: { Int64(time(nil)) })

    @Test func `C2: a callback port that is already in use is not shared, and is an error`()
        async throws
    {
        let first = try LoopbackListener(LoopbackListener.Configuration())
        do {
            _ = try LoopbackListener(LoopbackListener.Configuration(port: first.port))
            Issue.record("the port was shared")
        } catch {
            #expect(error == .portInUse(first.port))
            #expect(error.code == .portInUse)
        }
        await first.close()
    }

    @Test(arguments: [
        "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost:PORT", "127.0.0.1:PORT@evil.example", "",
    ])
    func `C3: a callback whose Host is not the redirect URI's is refused (DNS rebinding)`(host: String) async throws {
        let waiting = try await Waiting()
        #expect(
            try #require(await waiting.status("GET /callback?code=c&state=right HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
                >= 400)
        #expect(waiting.count == 0)
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `C4: a CORS preflight is refused without a CORS header`() async throws {
        let waiting = try await Waiting()
        let preflight =
            "OPTIONS /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: https://evil.example\r\n"
            + "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Private-Network: true\r\n\r\n"
        let response = await RawHTTP.exchange(preflight.replacing("PORT", with: "\(waiting.port)"), port: waiting.port)
        #expect(response.hasPrefix("HTTP/1.1 405"))
        #expect(!response.lowercased().contains("access-control"))
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `C5: a hundred callbacks with a wrong state do not prevent the right one`() async throws {
        let waiting = try await Waiting()
        for attempt in 0..<100 {
            #expect(
                await waiting.status("GET /callback?code=c&state=\(attempt) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n")
                    == 404)
        }
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test(arguments: [
        ("GET /favicon.ico", 404), ("GET /apple-touch-icon.png", 404), ("GET /robots.txt", 404), ("HEAD /", 404),
        ("GET /", 404), ("OPTIONS *", 404), ("HEAD /callback", 405), ("PUT /callback", 405),
        ("POST /callback?code=c&state=right", 405),
    ])
    func `C6, C10: an unexpected request gets 404 or 405 and does not prevent the callback`(
        request: String, status: Int
    ) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status("\(request) HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == status)
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `C6: idle connections do not block the callback`() async throws {
        let waiting = try await Waiting()
        let silent = try (0..<8).map { _ in try #require(OpenSocket(port: waiting.port)) }
        #expect(await waiting.acceptsRightCallback())
        withExtendedLifetime(silent) {}
        await waiting.listener.close()
    }

    @Test(arguments: [
        "/Callback", "/callback/", "//callback", "/callback/../callback", "/%63allback", "/callback%2F", "/x",
        "/callback/done",
    ])
    func `C7: a callback to a path other than the redirect URI's gets 404`(path: String) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status("GET \(path)?code=c&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 404)
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `C8, C9: the first callback with the right state is accepted, and a second one gets 410 Gone`()
        async throws
    {
        let waiting = try await Waiting()
        #expect(await waiting.acceptsRightCallback())
        #expect(
            await waiting.status("GET /callback?code=d&state=right HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 410)
        #expect(waiting.count == 1)
        await waiting.listener.close()
    }

    @Test func `C10: form_post accepts only a POST of a form, up to 64 KiB`() async throws {
        let waiting = try await Waiting(LoopbackListener.Configuration(responseMode: .formPost))
        let head = "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
        let body = "code=c&state=right"
        #expect(await waiting.status("GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n") == 405)
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

    @Test(arguments: [ResponseMode.query, .formPost])
    func `C10: a callback by the other mode is delivered as such, and only with the right state`(mode: ResponseMode)
        async throws
    {
        let waiting = try await Waiting(LoopbackListener.Configuration(responseMode: mode))
        func status(_ parameters: String) async -> Int? {
            let head = "HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
            let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(parameters.utf8.count)"
            return await waiting.status(
                mode == .formPost
                    ? "GET /callback?\(parameters) \(head)\r\n"
                    : "POST /callback \(head)\(form)\r\n\r\n\(parameters)")
        }
        #expect(await status("code=c&state=wrong") == 405)
        #expect(waiting.count == 0)
        #expect(await status("code=c&state=right") == 204)
        #expect(waiting.modes.withLock { $0 } == [mode == .query ? .formPost : .query])
        await waiting.listener.close()
    }

    @Test func `a callback from outside this machine gets the page with the number, once`() async throws {
        var configuration = LoopbackListener.Configuration(address: "0.0.0.0")
        configuration.confirmation = LandingPage(.waiting, title: "4217", text: "", by: "test")
        let waiting = try await Waiting(configuration)
        func response(_ target: String, host: String = "127.0.0.1:PORT") async -> String {
            let request = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nAccept: text/html\r\n\r\n"
            return await RawHTTP.exchange(request.replacing("PORT", with: "\(waiting.port)"), port: waiting.port)
        }
        let right = "/callback?code=c&state=right"
        #expect(await response(right, host: "0.0.0.0:PORT").hasPrefix("HTTP/1.1 421 "))
        #expect(await response("/callback?code=c&state=wrong").hasPrefix("HTTP/1.1 404 "))
        let first = await response(right)
        #expect(first.hasPrefix("HTTP/1.1 200 ") && first.contains("4217"))
        for (target, status) in [(right, 410), ("/callback/done", 404), ("/callback", 410)] {
            let later = await response(target)
            #expect(later.hasPrefix("HTTP/1.1 \(status) ") && !later.contains("4217"))
        }
        #expect(waiting.count == 1)
        await waiting.listener.finish(LandingPage(.succeeded, title: "t", text: "", by: "test"))
    }

    @Test(arguments: ["192.0.2.1", "example.com", "", "1.2.3", "::ffff:192.0.2.1", "fe80::1", "127.0.0.1 "])
    func `a listener has only an IP address of this machine`(address: String) {
        #expect(throws: ListenerError.otherMachine(address: address)) {
            try LoopbackListener(LoopbackListener.Configuration(address: address))
        }
    }

    @Test(arguments: [
        ("GET /callback?" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 414),
        ("GET /" + String(repeating: "a", count: 40_000), 414),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 200) + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n" + String(repeating: "a", count: 40_000), 431),
    ])
    func `C11: a request line or header section that is too long gets 414 or 431`(request: String, status: Int)
        async throws
    {
        let waiting = try await Waiting()
        #expect(await waiting.status(request) == status)
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `C6, C12: too many incomplete requests close the oldest connections and do not block the callback`()
        async throws
    {
        #expect(LoopbackListener.limits.connections <= 32)
        let waiting = try await Waiting()
        let slow = try (0..<LoopbackListener.limits.connections * 2).map { _ in
            try #require(OpenSocket(port: waiting.port))
        }
        for socket in slow { socket.send("GET /callback?co") }
        // Twice the maximum were opened, so the first half is closed, and reading from it ends.
        for socket in slow.prefix(LoopbackListener.limits.connections) {
            #expect(await OwnThread.run { socket.readToEnd() }.isEmpty)
        }
        #expect(await waiting.acceptsRightCallback())
        withExtendedLifetime(slow) {}
        await waiting.listener.close()
    }

    @Test(arguments: [
        ("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 1000\r\n\r\ncode=", nil),
        ("GET /x HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404), ("nonsense\r\n\r\n", 400),
    ])
    func `C12: clients that send a body slowly, or stay after a refusal, do not block the callback`(
        request: String, status: Int?
    ) async throws {
        let waiting = try await Waiting()
        let slow = try (0..<LoopbackListener.limits.connections).map { _ in
            try #require(OpenSocket(port: waiting.port))
        }
        for socket in slow { socket.send(request.replacing("PORT", with: "\(waiting.port)")) }
        if let status {
            for socket in slow {
                let response = await OwnThread.run { String(decoding: socket.readToEnd(), as: UTF8.self) }
                #expect(response.hasPrefix("HTTP/1.1 \(status) "))
            }
        }
        #expect(await waiting.acceptsRightCallback())
        withExtendedLifetime(slow) {}
        await waiting.listener.close()
    }

    @Test func `a callback that a proxy forwards with HTTP/1.0 is accepted, with one response`() async throws {
        let waiting = try await Waiting()
        let callback = "GET /callback?code=c&state=right HTTP/1.0\r\nHost: 127.0.0.1:PORT\r\n\r\n"
        #expect(await waiting.status(callback) == 204)
        #expect(waiting.count == 1)
        await waiting.listener.close()
    }

    /// In a separate process, so that other tests do not change the memory usage.
    @Test func `C11: twenty thousand reset connections do not leak memory or connections`() async {
        await #expect(processExitsWith: .success) {
            let waiting = try await Waiting()
            let port = waiting.port
            func connect(_ count: Int) async {
                await OwnThread.run { for _ in 0..<count { OpenSocket(port: port)?.reset() } }
            }
            await connect(2_000)
            let before = try TestFile.residentKilobytes()
            await connect(20_000)
            #expect(waiting.listener.server.connectionCount <= LoopbackListener.limits.connections)
            // A leak of one kilobyte per connection would be twenty megabytes.
            #expect(try TestFile.residentKilobytes() - before < 8_192)
            #expect(await waiting.acceptsRightCallback())
            await waiting.listener.close()
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "nonsense\r\n\r\n"])
    func `C6: a rejected request gets its response and the end of the stream before the client closes`(request: String)
        async throws
    {
        let waiting = try await Waiting()
        let client = try #require(OpenSocket(port: waiting.port))
        client.send(request.replacing("PORT", with: "\(waiting.port)"))
        // The client does not close its side, so the connection is still open after the whole response was read.
        #expect(await OwnThread.run { String(decoding: client.readToEnd(), as: UTF8.self) }.hasPrefix("HTTP/1.1 40"))
        #expect(waiting.listener.server.connectionCount == 1)
        await waiting.listener.close()
    }

    @Test func `a second request to a one-time redirect gets 410 Gone and not the secret URL`() async throws {
        var configuration = LoopbackListener.Configuration(path: "/one-time")
        configuration.destination = "https://id.example.com/logout?id_token_hint=eyJsecret"
        let waiting = try await Waiting(configuration)
        let request = "GET /one-time HTTP/1.1\r\nHost: 127.0.0.1:\(waiting.port)\r\n\r\n"
        #expect(await RawHTTP.exchange(request, port: waiting.port).contains("secret"))
        for _ in 0..<2 {
            let second = await RawHTTP.exchange(request, port: waiting.port)
            #expect(second.hasPrefix("HTTP/1.1 410") && !second.contains("secret"))
        }
        #expect(waiting.count == 1)
        await waiting.listener.close()
    }

    @Test func `a one-time redirect leads once to a URL with a secret, and its own URL contains no secret`()
        async throws
    {
        let secret = "https://id.example.com/logout?id_token_hint=eyJsecret"
        let responses = Mutex<[String]>([])
        let (urls, continuation) = AsyncStream.makeStream(of: String.self)
        let browsing = Task {
            for await url in urls {
                let url = try HTTPURL(url)
                for path in ["/", url.path + "x", url.path, url.path] {
                    let request = "GET \(path) HTTP/1.1\r\nHost: \(url.authority)\r\nAccept: text/html\r\n\r\n"
                    let response = await RawHTTP.exchange(request, port: url.port)
                    responses.withLock { $0.append(response) }
                }
            }
        }
        let wasRedirected = try await OneTimeRedirect.send(to: secret, timeout: 60, clock: Self.clock) { url in
            #expect(!url.contains("secret"))
            continuation.yield(url)
            continuation.finish()
            return true
        }
        try await browsing.value
        #expect(wasRedirected)
        let all = responses.withLock { $0 }
        #expect(all[0].hasPrefix("HTTP/1.1 404") && all[1].hasPrefix("HTTP/1.1 404"))
        #expect(all[2].hasPrefix("HTTP/1.1 303") && all[2].contains("Location: \(secret)\r\n"))
        #expect(all[2].contains("Referrer-Policy: no-referrer"))
        #expect(!all[3].contains("secret"), "the listener is closed, or answers 410")
    }

    @Test func `the user who owns a loopback connection is read from the kernel's TCP table`() {
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
    func `a socket that its owner has closed is not attributed to root`(peer: String) {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 20 4 0 10 -1
               1: 0100007F:A0B2 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 0 10 -1
            """
        #expect(LoopbackPeer.owner(of: peer, connectedTo: "0100007F:1F90", in: table) == .closed)
    }

    /// The owner of a reset connection cannot be determined, and may be another user.
    @Test func `a connection that the client has reset is refused`() throws {
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
        #expect([nil, .user(geteuid())].contains(LoopbackPeer.ownerByKernel(accepted)))
        #expect(LoopbackPeer.ownerByTable(accepted) == .user(geteuid()))
        // A linger time of zero makes `close` send a reset.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(client)
        var state = pollfd(fd: accepted, events: 0, revents: 0)
        #expect(poll(&state, 1, -1) == 1)
        #expect(!LoopbackPeer.isAccepted(accepted))
        #expect([nil, .closed].contains(LoopbackPeer.ownerByKernel(accepted)))
        #expect(LoopbackPeer.ownerByTable(accepted) == .closed)
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
    func `C13: a message that is not exactly one valid HTTP/1.1 request gets 400`(request: String) async throws {
        let waiting = try await Waiting()
        #expect(await waiting.status(request) == 400)
        #expect(waiting.count == 0)
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `C14, C15: a callback redirects to a landing page with escaped text and strict security headers`()
        async throws
    {
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
        let description = ServerText("</title><script>alert(1)</script>\r\nX: y")
        #expect(failure == OAuthError.refused(code: "access_denied", description: description, at: .authorization))
        #expect(run.listenerStatuses == ["HTTP/1.1 303 See Other"])
        let page = LandingPage(.failed, title: "<script src=http>", text: "A & B", by: "<b>").html
        #expect(!page.contains("<script") && !page.contains("<b>"))
        #expect(page.contains(#"<path d="M8 8l8 8M16 8l-8 8"/>"#), "a cross")
        #expect(page.contains("<title>&lt;script src=http> – &lt;b></title>") && page.contains("<p>A &amp; B</p>"))
        let headers = Dictionary(uniqueKeysWithValues: try LandingPage.securityHeaders())
        #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
        #expect(headers["X-Content-Type-Options"] == "nosniff")
        #expect(headers["Referrer-Policy"] == "no-referrer")
        #expect(headers["Cache-Control"] == "no-store")
    }

    @Test func `C15: a browser is redirected to the landing page, which shows the outcome of the sign-in`() async throws
    {
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
        await waiting.listener.finish(.plain)
        #expect(await page.value.contains("<h1>Signed in</h1>"))
    }

    @Test func `C16: an invalid callback does not prevent a valid one after it`() async throws {
        let run = try SignInRun(try TestProvider()) { state in
            [.query("error=access_denied"), .raw("nonsense\r\n\r\n"), .query(SignInRun.goodQuery(state: state))]
        }
        _ = try await run.run()
    }

    @Test func `C17: child processes do not inherit the listening socket`() async throws {
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

    @Test func `C18: localhost listens on the same port of IPv4 and IPv6`() async throws {
        let waiting = try await Waiting(LoopbackListener.Configuration(host: "localhost"))
        #expect(
            await waiting.status("GET /callback?code=c&state=right HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n") == 204)
        if let lines = try? String(contentsOfFile: "/proc/net/tcp6") {
            #expect(lines.contains("00000000000000000000000001000000:\(String(format16: waiting.port))"))
        }
        await waiting.listener.close()
    }

    @Test func `C19: a pasted callback URL completes a sign-in that opened no browser`() async throws {
        let run = try SignInRun(try TestProvider()) { _ in [.pasted("")] }
        let result = try await run.run { $0.opensBrowser = false }
        #expect(result.account.email == "ada@example.com")
        #expect(run.opened.withLock { $0.isEmpty })
    }

    @Test(
        arguments: [
            ("code=c&state=STATE&iss=https%3A%2F%2Fother.example.com", .issuerMixUp),
            ("code=c&state=STATE", .issuerMixUp),
            (
                "error=access_denied&state=STATE&iss=https%3A%2F%2Fid.example.com",
                .refused(code: "access_denied", description: nil, at: .authorization)
            ),
            (
                "code=c&error=access_denied&state=STATE&iss=https%3A%2F%2Fid.example.com",
                .invalidResponse(.codeAndError, at: .authorization)
            ),
            (
                "code=a&code=b&state=STATE&iss=https%3A%2F%2Fid.example.com",
                .invalidResponse(.repeated("code"), at: .authorization)
            ),
            (
                "code=c&access_token=t&state=STATE&iss=https%3A%2F%2Fid.example.com",
                .invalidResponse(.notRequested("access_token"), at: .authorization)
            ),
        ] as [(String, OAuthError)], [SignInRequest.Flow.auto, .paste])
    func `C19: a pasted callback with a wrong or missing iss, an error or a token is refused`(
        callback: (query: String, error: OAuthError), flow: SignInRequest.Flow
    ) async throws {
        let provider = try TestProvider()
        let run = try SignInRun(provider) { [.pasted("REDIRECT_URI?" + callback.query.replacing("STATE", with: $0))] }
        let failure = try await run.failure {
            $0.flow = flow
            $0.opensBrowser = false
        }
        #expect(failure == callback.error)
        #expect(run.faults.withLock { $0.isEmpty }, "the pasted line is the callback")
        #expect(provider.requests(to: "/token").isEmpty)
    }

    @Test(
        arguments: [
            ("REDIRECT_URI?code=evil&state=wrong&iss=https%3A%2F%2Fid.example.com", .anotherSignIn),
            ("REDIRECT_URI?error=access_denied&state=wrong", .anotherSignIn),
            ("http://127.0.0.1:1/callback/oidc.other?GOOD", .anotherPage), ("REDIRECT_URI/x?GOOD", .anotherPage),
            ("https://evil.example/callback/oidc.test?GOOD", .anotherPage),
        ] as [(String, PastedResponseFault)])
    func `C19: a pasted callback with a wrong state or at another redirect URI is refused and not redeemed`(
        line: String, fault: PastedResponseFault
    ) async throws {
        let provider = try TestProvider()
        @Sendable func pasted(_ state: String) -> SignInRun.Answer {
            .pasted(line.replacing("GOOD", with: SignInRun.goodQuery(state: state, code: "evil")))
        }
        let alone = try SignInRun(provider) { [pasted($0)] }
        #expect(try await alone.failure { $0.flow = .paste } == OAuthError.stateMismatch)
        #expect(alone.faults.withLock { $0 } == [fault])
        #expect(provider.requests(to: "/token").isEmpty)
        // The correct callback is still accepted afterwards.
        provider.claims { $0["nonce"] = nil }
        let run = try SignInRun(provider) { [pasted($0), .pasted("")] }
        _ = try await run.run { $0.opensBrowser = false }
        #expect(run.faults.withLock { $0 } == [fault])
        let codes = provider.requests(to: "/token").map { $0.form.first { $0.name == "code" }?.value }
        #expect(codes == [TestProvider.code])
    }

    @Test func `C3: a request with a mutated Host is accepted only if it is still the listener's own`() async throws {
        let waiting = try await Waiting()
        let own = "127.0.0.1:\(waiting.port)"
        var random = SeededGenerator(seed: 5)
        var ownCount = 0
        for _ in 0..<Fuzz.iterations(500) {
            var host = Array(own.utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let index = Int.random(in: 0..<host.count, using: &random)
                let byte = Array(" \t\r\n.:@/[]0127ae\u{0}\u{7F}".utf8).randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: host[index] = byte
                case 1: host.remove(at: index)
                default: host.insert(byte, at: index)
                }
            }
            let text = String(decoding: host, as: UTF8.self)
            let isOwn = text.trimmingSpaces() == own
            if isOwn { ownCount += 1 }
            // Only the state of these callbacks is wrong: 404 means that the Host was accepted.
            let request = "GET /callback?code=c&state=wrong HTTP/1.1\r\nHost: \(text)\r\n\r\n"
            let status = await waiting.status(request)
            #expect((status == 404) == isOwn, "\(text.debugDescription): \(String(describing: status))")
            #expect(isOwn || status == nil || status == 400 || status == 421)
        }
        #expect(ownCount > 50)
        #expect(await waiting.acceptsRightCallback())
        await waiting.listener.close()
    }

    @Test func `mutated requests do not crash the parser, and accepted ones have a path and a bounded length`() {
        var random = SeededGenerator(seed: 3)
        let good =
            "GET /callback?code=c&state=s HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 3\r\nAccept: text/html\r\n\r\n"
        var acceptedCount = 0
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
            if let request = try? RequestHead(bytes) {
                #expect(request.path.hasPrefix("/") || request.path == "*")
                let length = try? request.contentLength(limit: 65536)
                #expect(length.map((0...65536).contains) ?? true)
                acceptedCount += length == nil ? 0 : 1
            }
        }
        #expect(acceptedCount > 1_000, "\(acceptedCount)")
    }
}

/// A connection that only sends data when a test calls `send`.
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
