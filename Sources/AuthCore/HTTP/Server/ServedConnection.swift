import Glibc

/// The connection was closed, or its deadline has passed.
package struct ConnectionEnded: Error {
    package init() {}
}

/// The process at the other end of a connection.
package struct SocketPeer: Sendable, Equatable {
    /// Nil if the kernel does not report the process.
    package let process: Int32?
    /// Nil if the handler determines the user when it needs it.
    package let user: UInt32?
    /// The process's name (/proc/PID/comm), which the process can choose. It must not be used for authorization.
    package let program: String?

    package init(process: Int32? = nil, user: UInt32? = nil, program: String? = nil) {
        (self.process, self.user, self.program) = (process, user, program)
    }
}

/// A client's connection, used by one thread only. Reading and writing have deadlines, so that an idle client does not
/// block the thread.
package final class ServedConnection {
    /// Bytes of a body that give the client one second more. A client that sends slowly for ever would keep its place
    /// from others.
    private static let bytesPerSecond = 1024.0
    /// Seconds in which a client must read what was written.
    private static let writeDeadline = 10.0

    package let descriptor: Int32
    package let peer: SocketPeer
    private let limits: ServerLimits
    /// Whether another request may follow the response.
    package var isPersistent = true
    /// The body of the request, if `ServerLimits.body` is set.
    package private(set) var body: [UInt8] = []
    private var deadline: Deadline
    /// Seconds that are left for the body.
    var patience: Double
    private var endedWithError = false
    private lazy var input = RequestInput(limits: limits) { [unowned self] buffer in try receive(into: buffer) }

    init(_ descriptor: Int32, peer: SocketPeer, limits: ServerLimits = ServerLimits()) {
        (self.descriptor, self.peer, self.limits) = (descriptor, peer, limits)
        deadline = Deadline(after: limits.headDeadline)
        patience = limits.bodyDeadline
    }

    /// The head of the next request; nil if the client has closed its end.
    func nextRequest() throws -> RequestHead? {
        deadline = Deadline(after: limits.headDeadline)
        patience = limits.bodyDeadline
        guard let head = try input.head() else { return nil }
        isPersistent = head.isPersistent
        if let longest = limits.body {
            isPersistent = false
            body = try body(head.contentLength(limit: longest))
            // More bytes could be a smuggled request.
            if input.hasMore { throw RequestHead.Refusal.badRequest }
        }
        return head
    }

    /// Reads the whole body of the request.
    package func body(_ length: Int) throws -> [UInt8] {
        var body = [UInt8](repeating: 0, count: length)
        var start = 0
        while start < length {
            start += try body.withUnsafeMutableBytes {
                try read(into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
            }
        }
        return body
    }

    /// Reads a part of the request's body. Returns 0 at its end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        // A body that belongs to the head has the deadline of the head.
        guard limits.body == nil else { return try input.read(into: buffer) }
        deadline = Deadline(after: patience)
        let count = try input.read(into: buffer)
        patience += Double(count) / ServedConnection.bytesPerSecond - deadline.passed
        patience = min(limits.bodyDeadline, patience)
        return count
    }

    package var isBodyRead: Bool { input.isBodyRead }
    package var hasReceivedMore: Bool { input.hasMore }

    private func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnded) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            guard count < 0 else { return count }
            try wait(for: POLLIN, after: errno, until: deadline)
        }
    }

    package func write(_ bytes: [UInt8]) throws(ConnectionEnded) {
        let deadline = Deadline(after: ServedConnection.writeDeadline)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try wait(for: POLLOUT, after: errno, until: deadline)
            }
        }
    }

    /// Whether the client closed the connection in both directions. After closing only one, it still reads the
    /// response.
    package var isClosed: Bool { Poll.wait(for: 0, on: descriptor, milliseconds: 0) > 0 }

    package func send(_ response: ServedResponse) throws(ConnectionEnded) {
        if !isBodyRead { isPersistent = false }
        endedWithError = !isPersistent && response.status >= 400
        try write(response.bytes(isPersistent: isPersistent))
    }

    /// Whether the client may still send what belongs to a refused request.
    var mustDrain: Bool { endedWithError || !isBodyRead }

    /// Reads what the client still sends. If bytes are unread when the socket is closed, the system sends a reset, and
    /// the client may lose the response.
    func drain() {
        shutdown(descriptor, Int32(SHUT_WR))
        deadline = Deadline(after: limits.drainDeadline)
        var bytes = [UInt8](repeating: 0, count: 65536)
        while deadline.milliseconds > 0, let count = bytes.withUnsafeMutableBytes({ try? receive(into: $0) }), count > 0
        {}
    }

    /// Waits until a call that returned EAGAIN can be repeated.
    private func wait(for event: Int32, after failure: Int32, until deadline: Deadline) throws(ConnectionEnded) {
        if failure == EINTR { return }
        guard failure == EAGAIN else { throw ConnectionEnded() }
        let milliseconds = deadline.milliseconds
        guard milliseconds > 0,
            Poll.wait(for: event, on: descriptor, milliseconds: milliseconds) >= 0 || errno == EINTR
        else { throw ConnectionEnded() }
    }
}
