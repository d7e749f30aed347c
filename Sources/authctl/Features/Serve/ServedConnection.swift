import AuthCore
import CLinux
import Glibc

/// The connection was closed, or its deadline has passed.
struct ConnectionEnded: Error {}

/// The process at the other end of a Unix socket.
struct SocketPeer: Sendable, Equatable {
    /// Nil if the kernel does not report the process.
    let process: Int32?
    let user: UInt32
    /// The process's name (/proc/PID/comm), which the process can choose. It must not be used for authorization.
    let program: String?

}

extension SocketPeer {
    init?(of descriptor: Int32) {
        var (process, user) = (pid_t(), uid_t())
        guard clinux_socket_peer(descriptor, &process, &user) == 0 else { return nil }
        self.init(process: process, user: user, program: SocketPeer.program(process))
    }

    private static func program(_ process: pid_t) -> String? {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let bytes = try? BoundedRead.all(of: file, limit: 64) else { return nil }
        return String(decoding: bytes.last == 10 ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}

struct ServedResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Whether the connection is closed after the response.
    var isLast = false

    static func json(_ status: Int, _ value: JSONValue) -> ServedResponse { json(status, text: value.text) }

    static func json(_ status: Int, text: String) -> ServedResponse {
        ServedResponse(status: status, headers: [("Content-Type", "application/json")], body: Array((text + "\n").utf8))
    }

    private static let reasons = [
        200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 413: "Content Too Large", 414: "URI Too Long", 417: "Expectation Failed",
        421: "Misdirected Request", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]

    func bytes(isPersistent: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(ServedResponse.reasons[status] ?? "Status")\r\nCache-Control: no-store\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !isPersistent { head += "Connection: close\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}

/// Handles the requests of a socket. Each call runs on the thread of its connection, and may block.
protocol RequestHandler: Sendable {
    var context: Context { get }
    var audit: AuditLog { get }
    /// Responds to the request, with `connection.send` or by writing the response itself.
    ///
    /// - Throws: `ConnectionEnded`, after which the connection is closed.
    func respond(to request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded)
    var watch: SessionWatch { get }
    /// Whether a session can still be used.
    func hasSession() async -> Bool
}

extension RequestHandler {
    /// The response to a connection of another user.
    func refuse(_ peer: SocketPeer) -> ServedResponse {
        let failure = Failure(CommandError.otherUser(peer.user), while: ErrorContext(again: "authctl token"))
        record(peer, .refused, ["error": .string(failure.code)])
        return .failure(failure)
    }

    /// Records a refused request. Errors are only printed, because the client does not get a token in any case.
    func record(_ peer: SocketPeer, _ outcome: AuditLog.Outcome, _ details: JSONObject) {
        do throws(ServeFileError) { try audit.record(peer, outcome, at: context.clock.now(), details) } catch {
            context.output.note(Failure(error, while: ErrorContext(again: "authctl serve")).message)
        }
    }
}

/// A client's connection, used by one thread only. Reading and writing have deadlines, so that an idle client does not
/// block the thread.
final class ServedConnection {
    /// Seconds to wait for a request's head after the previous response.
    static let headDeadline = 10.0
    /// Seconds that a client may take for a request's body, and bytes that give it one second more. A client that sends
    /// slowly for ever would keep its place from others.
    static let bodyDeadline = 30.0
    private static let bytesPerSecond = 1024.0
    /// Seconds in which a client must read what was written.
    static let writeDeadline = 10.0

    let descriptor: Int32
    let peer: SocketPeer
    /// Whether another request may follow the response.
    var isPersistent = true
    private var deadline = Deadline(after: headDeadline)
    /// Seconds that are left for the body.
    var patience = bodyDeadline
    private lazy var input = RequestInput { [unowned self] buffer in try receive(into: buffer) }

    init(_ descriptor: Int32, peer: SocketPeer) {
        self.descriptor = descriptor
        self.peer = peer
    }

    /// The head of the next request; nil if the client has closed its end.
    func nextRequest() throws -> RequestHead? {
        deadline = Deadline(after: ServedConnection.headDeadline)
        patience = ServedConnection.bodyDeadline
        guard let head = try input.head() else { return nil }
        isPersistent = head.isPersistent
        return head
    }

    /// Reads a part of the request's body. Returns 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        deadline = Deadline(after: patience)
        let count = try input.read(into: buffer)
        patience += Double(count) / ServedConnection.bytesPerSecond - deadline.passed
        patience = min(ServedConnection.bodyDeadline, patience)
        return count
    }

    var isBodyRead: Bool { input.isBodyRead }
    var hasReceivedMore: Bool { input.hasMore }

    private func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnded) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            guard count < 0 else { return count }
            try wait(POLLIN, errno, deadline)
        }
    }

    func write(_ bytes: [UInt8]) throws(ConnectionEnded) {
        let deadline = Deadline(after: ServedConnection.writeDeadline)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if count >= 0 { rest = rest.dropFirst(count) } else { try wait(POLLOUT, errno, deadline) }
        }
    }

    /// Whether the client closed the connection in both directions. After closing only one, it still reads the
    /// response.
    var isClosed: Bool { Poll.wait(for: 0, on: descriptor, milliseconds: 0) > 0 }

    func send(_ response: ServedResponse) throws(ConnectionEnded) {
        if response.isLast || !isBodyRead { isPersistent = false }
        try write(response.bytes(isPersistent: isPersistent))
    }

    /// Reads what the client still sends, for at most two seconds, so that a reset does not discard the response.
    func drain() {
        shutdown(descriptor, Int32(SHUT_WR))
        deadline = Deadline(after: 2)
        var bytes = [UInt8](repeating: 0, count: 65536)
        while deadline.milliseconds > 0, let count = bytes.withUnsafeMutableBytes({ try? receive(into: $0) }), count > 0
        {}
    }

    /// Waits until a call that returned EAGAIN can be repeated.
    private func wait(_ event: Int32, _ failure: Int32, _ deadline: Deadline) throws(ConnectionEnded) {
        if failure == EINTR { return }
        guard failure == EAGAIN else { throw ConnectionEnded() }
        let milliseconds = deadline.milliseconds
        guard milliseconds > 0,
            Poll.wait(for: event, on: descriptor, milliseconds: milliseconds) >= 0 || errno == EINTR
        else { throw ConnectionEnded() }
    }
}
