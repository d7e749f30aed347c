import CLinux
import Dispatch
import Glibc

/// Handles the requests of a server. Each call runs on the thread of its connection, and may block.
package protocol RequestHandler: Sendable {
    /// The client of a new connection; nil to close it.
    func peer(of descriptor: Int32) -> SocketPeer?
    /// Responds to the request, with `connection.send` or by writing the response itself.
    ///
    /// - Throws: `ConnectionEnded`, after which the connection is closed.
    func respond(to request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded)
    /// Responds to a request that is not valid.
    func refuse(_ refusal: RequestHead.Refusal, on connection: ServedConnection) throws(ConnectionEnded)
}

/// What clients of a server may use. Times are in seconds.
package struct ServerLimits: Sendable {
    /// If there are more connections, the one that has waited longest for its client is closed.
    package var connections = 256
    /// Bytes of a request's head.
    package var head = 64 * 1024
    /// Bytes of a body that is read with its head, on a connection that carries one request, also of HTTP/1.0. Nil if
    /// the handler reads bodies.
    package var body: Int?
    /// For the head of a request after the previous response.
    package var headDeadline = 10.0
    /// For a body that the handler reads.
    package var bodyDeadline = 30.0
    /// For the rest of a refused request.
    package var drainDeadline = 2.0

    package init() {}
}

/// Accepts the connections of sockets, and serves each on a separate thread.
/// See docs/decisions/050.
package final class SocketServer: Sendable {
    /// Seconds to wait if the system has no descriptor for a connection. Another process may close some.
    private static let pause = 0.05
    /// Seconds in which a connection that was shut down must end.
    private static let patience = 1.0

    private let limits: ServerLimits
    private let state = Lock(State())
    /// An eventfd that is readable after `stop`. Signal handlers may write to it.
    package let stopping: Int32
    /// Signalled when a connection has ended and `awaitConnections` waits.
    private let ended = DispatchSemaphore(value: 0)

    private struct State {
        var connections: [Served] = []
        /// Whether connections are closed instead of waiting for another request.
        var isFinishing = false
        var isEndAwaited = false
    }

    private struct Served {
        let descriptor: Int32
        /// Nil if the kernel does not report the client's process.
        let process: Int32?
        /// When the connection began to wait for its client; nil during a request.
        var idleSince: ContinuousClock.Instant?
    }

    /// Returns nil, with errno, if the system has no descriptor for it.
    package init?(limits: ServerLimits = ServerLimits()) {
        let stopping = clinux_event()
        guard stopping >= 0 else { return nil }
        (self.stopping, self.limits) = (stopping, limits)
    }

    deinit { close(stopping) }

    /// Serves until `stop`, on this thread.
    ///
    /// - Parameter listeners: listening sockets, which the caller closes afterwards.
    package func run(_ handler: any RequestHandler, on listeners: [Int32]) {
        // A client may close its connection between `poll` and `accept`.
        for listener in listeners { _ = fcntl(listener, F_SETFL, O_NONBLOCK) }
        var waiting = (listeners + [stopping]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            if poll(&waiting, nfds_t(waiting.count), -1) < 0 {
                if errno == EINTR { continue }
                return
            }
            if waiting[listeners.count].revents != 0 { return }
            for listener in waiting where listener.revents != 0 { accept(listener.fd, handler) }
        }
    }

    package func stop() {
        var one: UInt64 = 1
        // Repeated, because `run` would not end otherwise.
        for _ in 0..<3 where write(stopping, &one, 8) == 8 { return }
    }

    /// Closes the connections that wait for their clients, and waits for the others.
    ///
    /// - Parameter seconds: the maximum time to wait.
    package func finish(within seconds: Double) {
        state.withLock { state in
            state.isFinishing = true
            for served in state.connections where served.idleSince != nil {
                shutdown(served.descriptor, Int32(SHUT_RDWR))
            }
        }
        awaitConnections(atMost: 0, within: seconds)
    }

    var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Waits until enough connections have ended. Returns whether they have.
    @discardableResult
    private func awaitConnections(atMost count: Int, within seconds: Double) -> Bool {
        let deadline = DispatchTime.now() + seconds
        while true {
            let haveEnded = state.withLock { state in
                state.isEndAwaited = state.connections.count > count
                return !state.isEndAwaited
            }
            if haveEnded { return true }
            if ended.wait(timeout: deadline) == .timedOut {
                state.withLock { $0.isEndAwaited = false }
                return false
            }
        }
    }

    private func accept(_ listener: Int32, _ handler: any RequestHandler) {
        let descriptor = clinux_accept(listener)
        if descriptor >= 0 {
            take(descriptor, handler)
        } else if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) {
            let count = connectionCount
            closeLongestIdle()
            awaitConnections(atMost: count - 1, within: SocketServer.pause)
        }
    }

    private func take(_ descriptor: Int32, _ handler: any RequestHandler) {
        // Read before the thread starts, because the client's process may end soon.
        guard let peer = handler.peer(of: descriptor), hasPlace(for: peer) else {
            close(descriptor)
            return
        }
        state.withLock {
            $0.connections.append(Served(descriptor: descriptor, process: peer.process, idleSince: .now))
        }
        let work: @Sendable () -> Void = { [self] in
            serve(ServedConnection(descriptor, peer: peer, limits: limits), handler)
            end(descriptor)
        }
        if !NewThread.start(work) { end(descriptor) }
    }

    /// Closes the longest idle connection if there are too many. If all others have a request, there is no place.
    private func hasPlace(for peer: SocketPeer) -> Bool {
        let (count, own) = state.withLock { state in
            (state.connections.count, state.connections.count { $0.process == peer.process })
        }
        // One process gets a quarter, so that others are served too.
        let greedy = own >= limits.connections / 4 ? peer.process : nil
        guard greedy != nil || count >= limits.connections else { return true }
        return closeLongestIdle(of: greedy)
            && awaitConnections(atMost: limits.connections - 1, within: SocketServer.patience)
    }

    private func end(_ descriptor: Int32) {
        let isAwaited = state.withLock { state in
            // Together, because a new connection can get the same descriptor.
            state.connections.removeAll { $0.descriptor == descriptor }
            close(descriptor)
            return state.isEndAwaited
        }
        if isAwaited { ended.signal() }
    }

    private func setIdle(_ descriptor: Int32, since instant: ContinuousClock.Instant?) {
        state.withLock { state in
            guard let index = state.connections.firstIndex(where: { $0.descriptor == descriptor }) else { return }
            state.connections[index].idleSince = instant
            if instant != nil, state.isFinishing { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// - Parameter process: closes only a connection of this process; nil for any.
    /// - Returns: whether there was an idle connection.
    @discardableResult
    private func closeLongestIdle(of process: Int32? = nil) -> Bool {
        state.withLock { state in
            let idle = state.connections.enumerated().compactMap { index, served in
                process == nil || served.process == process ? served.idleSince.map { (index: index, since: $0) } : nil
            }
            guard let oldest = idle.min(by: { $0.since < $1.since })?.index else { return false }
            state.connections[oldest].idleSince = nil
            shutdown(state.connections[oldest].descriptor, Int32(SHUT_RDWR))
            return true
        }
    }

    private func serve(_ connection: ServedConnection, _ handler: any RequestHandler) {
        do {
            while connection.isPersistent, let request = try connection.nextRequest() {
                setIdle(connection.descriptor, since: nil)
                try handler.respond(to: request, on: connection)
                setIdle(connection.descriptor, since: .now)
            }
        } catch let refusal as RequestHead.Refusal {
            connection.isPersistent = false
            try? handler.refuse(refusal, on: connection)
        } catch {
            // The client has closed the connection, or is too slow.
            return
        }
        if connection.mustDrain { connection.drain() }
    }
}
