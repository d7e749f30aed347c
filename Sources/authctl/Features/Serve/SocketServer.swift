import AuthCore
import CLinux
import Glibc
import Synchronization

/// Accepts the connections of a socket, and serves each on a separate thread.
final class SocketServer: Sendable {
    /// If there are more, the connection that has been idle longest is closed.
    static let maximumConnections = 256

    private let listener: Int32
    private let isLoopback: Bool
    private let handler: any RequestHandler
    private let state = Lock(State())
    private let stopping: (reading: Int32, writing: Int32)
    /// An eventfd that is readable when a connection has ended.
    private let ended: Int32

    private struct State {
        var connections: [Served] = []
        /// Whether connections are closed instead of waiting for another request.
        var isFinishing = false
    }

    private struct Served {
        let descriptor: Int32
        /// Nil if the kernel does not report the client's process.
        let process: Int32?
        /// When the connection began to wait for a request; nil during a request.
        var idleSince: ContinuousClock.Instant?
    }

    /// - Parameter listener: a listening socket. The caller closes it after `run`.
    init(_ listener: Int32, _ handler: any RequestHandler) throws {
        self.listener = listener
        isLoopback = ServeSocket.number(of: SO_DOMAIN, listener) == AF_INET
        self.handler = handler
        var ends: [Int32] = [-1, -1]
        ended = clinux_event()
        guard ended >= 0, pipe(&ends) == 0 else {
            throw ServeFileError(
                file: "the socket", error: .system(operation: "make", path: "pipe", code: errno))
        }
        stopping = (ends[0], ends[1])
        // A client may close its connection between `poll` and `accept`.
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    }

    /// Serves until `stop`, on this thread.
    func run() {
        while true {
            var waiting = [listener, stopping.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&waiting, 2, -1) < 0, errno != EINTR { return }
            if waiting[1].revents != 0 { return }
            guard waiting[0].revents != 0 else { continue }
            let descriptor = accept(listener, nil, nil)
            if descriptor >= 0 {
                take(descriptor)
            } else if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) {
                // Discards the events of connections that ended earlier.
                awaitEnd(0)
                closeLongestIdle()
                // Waits briefly, because another process may close descriptors too.
                awaitEnd(10)
            }
        }
    }

    func stop() {
        var byte: UInt8 = 0
        _ = write(stopping.writing, &byte, 1)
    }

    /// Stops on SIGTERM and SIGINT.
    func stopOnSignals() {
        SocketServer.signalled.store(stopping.writing, ordering: .sequentiallyConsistent)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                var byte: UInt8 = 0
                _ = write(SocketServer.signalled.load(ordering: .sequentiallyConsistent), &byte, 1)
            }
        }
    }

    private static let signalled = Atomic<Int32>(-1)

    /// Closes the connections that wait for a request, and waits for the others.
    ///
    /// - Parameter seconds: the maximum time to wait.
    func finish(within seconds: Double) {
        let deadline = Deadline(after: seconds)
        state.withLock { state in
            state.isFinishing = true
            for served in state.connections where served.idleSince != nil {
                shutdown(served.descriptor, Int32(SHUT_RDWR))
            }
        }
        while state.withLock({ !$0.connections.isEmpty }), deadline.milliseconds > 0 { awaitEnd(deadline.milliseconds) }
    }

    /// Waits until a connection ends, or has ended since the last call.
    private func awaitEnd(_ milliseconds: Int32) {
        _ = Poll.wait(for: POLLIN, on: ended, milliseconds: milliseconds)
        var count: UInt64 = 0
        _ = read(ended, &count, 8)
    }

    private func take(_ descriptor: Int32) {
        // Read before the thread starts, because the client's process may end soon.
        guard let peer = isLoopback ? .loopback(descriptor) : SocketPeer(of: descriptor) else {
            close(descriptor)
            return
        }
        let (count, own) = state.withLock { state in
            state.connections.append(Served(descriptor: descriptor, process: peer.process, idleSince: .now))
            return (state.connections.count, state.connections.count { $0.process == peer.process })
        }
        // One process gets a quarter, so that others are served too.
        let greedy = own > SocketServer.maximumConnections / 4 ? peer.process : nil
        if greedy != nil || count > SocketServer.maximumConnections { closeLongestIdle(of: greedy) }
        let work: @Sendable () -> Void = {
            self.serve(descriptor, peer)
            self.end(descriptor)
        }
        if !NewThread.start(work) { end(descriptor) }
    }

    private func end(_ descriptor: Int32) {
        // Removed before `close`, because a new connection can get the same descriptor afterwards.
        state.withLock { $0.connections.removeAll { $0.descriptor == descriptor } }
        close(descriptor)
        var one: UInt64 = 1
        _ = write(ended, &one, 8)
    }

    private func setIdle(_ descriptor: Int32, since instant: ContinuousClock.Instant?) {
        state.withLock { state in
            guard let index = state.connections.firstIndex(where: { $0.descriptor == descriptor }) else { return }
            state.connections[index].idleSince = instant
            if instant != nil, state.isFinishing { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// - Parameter process: closes only a connection of this process; nil for any.
    private func closeLongestIdle(of process: Int32? = nil) {
        state.withLock { state in
            let idle = state.connections.enumerated().compactMap { index, served in
                process == nil || served.process == process ? served.idleSince.map { (index: index, since: $0) } : nil
            }
            // If all others have a request, the new connection is closed.
            guard let oldest = idle.min(by: { $0.since < $1.since })?.index else { return }
            state.connections[oldest].idleSince = nil
            shutdown(state.connections[oldest].descriptor, Int32(SHUT_RDWR))
        }
    }

    private func serve(_ descriptor: Int32, _ peer: SocketPeer) {
        let connection = ServedConnection(descriptor, peer: peer)
        do {
            guard peer.user == geteuid() else {
                // The request is read first, because clients that cannot send their request do not read the response.
                _ = try connection.nextRequest()
                connection.isPersistent = false
                try connection.send(handler.refuse(peer))
                return connection.drain()
            }
            while connection.isPersistent, let request = try connection.nextRequest() {
                setIdle(descriptor, since: nil)
                try handler.respond(to: request, on: connection)
                if !connection.isBodyRead { return connection.drain() }
                setIdle(descriptor, since: .now)
            }
        } catch let refusal as RequestHead.Refusal {
            var response = ServedResponse.failure(refusal.rawValue, .unreadableRequest(refusal))
            response.isLast = true
            try? connection.send(response)
            connection.drain()
        } catch {
            // The client has closed the connection, or is too slow.
        }
    }
}
