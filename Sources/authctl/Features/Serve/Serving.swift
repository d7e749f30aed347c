import AuthCore
import Glibc
import Synchronization

/// Handles the requests of a socket to which other users may connect.
protocol ServeHandler: RequestHandler {
    var context: Context { get }
    var audit: AuditLog { get }
    var watch: SessionWatch { get }
    /// Responds to a request of this user.
    func serve(_ request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded)
    /// Whether a session can still be used.
    func hasSession() async -> Bool
}

extension ServeHandler {
    func peer(of descriptor: Int32) -> SocketPeer? { SocketPeer(of: descriptor) }

    func respond(to request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded) {
        if connection.peer.user == geteuid() { return try serve(request, on: connection) }
        // The request was read first, because clients that cannot send their request do not read the response.
        let user = connection.peer.user ?? .max
        let error = CommandError(
            .operationNotAllowed,
            user == .max ? "this port does not serve other users" : "this socket does not serve user \(user)",
            hint: "run it as the user of the server")
        let failure = Failure(error, while: ErrorContext())
        record(connection.peer, outcome: .refused, details: ["error": .string(failure.code)])
        connection.isPersistent = false
        try connection.send(.failure(failure))
    }

    func refuse(_ refusal: RequestHead.Refusal, on connection: ServedConnection) throws(ConnectionEnded) {
        try connection.send(.failure(refusal.rawValue, refusal.problem))
    }

    /// Records a refused request. Errors are only printed, because the client does not get a token in any case.
    func record(_ peer: SocketPeer, outcome: AuditLog.Outcome, details: JSONObject) {
        do throws(ServeFileError) { try audit.record(peer, as: outcome, at: context.clock.now(), with: details) } catch
        {
            context.output.note(Failure(error, while: ErrorContext()).message)
        }
    }
}

/// Runs a server until it is stopped.
struct Serving: Sendable {
    let socket: ServeSocket
    let handler: any ServeHandler

    /// The reason, or an error.
    private typealias End = Result<String, any Error>

    /// Serves until a signal or the end of the given time. Returns the reason.
    ///
    /// - Throws: an error if the key was locked, or no session can be used any more.
    func run(for seconds: Int64?) async throws -> String {
        guard let server = SocketServer() else {
            throw ServeFileError(file: "the socket", error: .system(operation: "make", path: "eventfd", code: errno))
        }
        Serving.stopOnSignals(server)
        // A signal must not write to a descriptor that was closed.
        defer { withExtendedLifetime(server) { Serving.signalled.store(-1, ordering: .sequentiallyConsistent) } }
        let watching = Task { [deadline = seconds.map { Deadline(after: Double($0)) }] () -> End? in
            while true {
                if let end = await reason(deadline) {
                    server.stop()
                    return end
                }
                let left = deadline.map { Double($0.milliseconds) / 1000 } ?? 1
                do { try await Task.sleep(for: .seconds(min(0.5, left))) } catch { return nil }
            }
        }
        await NewThread.run { server.run(handler, on: [socket.descriptor]) }
        watching.cancel()
        let end = await watching.value
        // Without a usable session, incomplete responses get less time.
        let grace = if case .failure = end { 0.2 } else { 2.0 }
        await NewThread.run { server.finish(within: grace) }
        return try end?.get() ?? "stopped by a signal"
    }

    /// Stops on SIGTERM and SIGINT.
    private static func stopOnSignals(_ server: SocketServer) {
        signalled.store(server.stopping, ordering: .sequentiallyConsistent)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                var one: UInt64 = 1
                _ = write(Serving.signalled.load(ordering: .sequentiallyConsistent), &one, 8)
            }
        }
    }

    private static let signalled = Atomic<Int32>(-1)

    private func reason(_ deadline: Deadline?) async -> End? {
        if let deadline, deadline.milliseconds == 0 { return .success("the time of --for is over") }
        let store = try? handler.context.profile.store(creating: false)
        do { try await store?.requireUnlocked() } catch let error as VaultError { return .failure(error) } catch {}
        guard handler.watch.isDue(), await !handler.hasSession() else { return nil }
        return .failure(
            CommandError(
                .signInRequired, "none of the allowed sessions can be used any more", hint: .run("authctl status")))
    }
}

extension RequestHead.Refusal {
    var problem: UsageProblem {
        switch self {
        case .badRequest: .other("the request is not valid HTTP/1.1", hint: "use another client")
        case .contentTooLarge: .other("the request's Content-Length is too large", hint: "send a shorter body")
        case .targetTooLong:
            .other(
                "the request's URL is longer than \(RequestHead.maximumTargetLength) bytes", hint: "send a shorter URL")
        case .expectationFailed: .other("the request's Expect header is not supported", hint: "use another client")
        case .headersTooLarge: .other("the request's headers are too long or too many", hint: "send fewer headers")
        case .versionNotSupported: .other("only HTTP/1.1 is supported", hint: "use another client")
        }
    }
}
