import AuthCore
import CLinux
import Glibc
import Synchronization

/// Accepts the connections of a Unix socket, and serves each on a thread of its own.
final class SocketServer: Sendable {
    /// If there are more, the one that has been idle longest is closed.
    static let maximumConnections = 256

    private let listener: Int32
    private let isLoopback: Bool
    private let handler: any RequestHandler
    private let state = Lock(State())
    private let stopping: (reading: Int32, writing: Int32)
    /// Can be read when a connection has ended.
    private let ended: Int32

    private struct State {
        var connections: [Served] = []
        /// No connection may wait for another request.
        var isFinishing = false
    }

    private struct Served {
        let descriptor: Int32
        /// When it began to wait for a request; nil while it has one.
        var idleSince: ContinuousClock.Instant?
    }

    /// - Parameter listener: a socket that listens. The caller closes it after `run`.
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
        // A connection may be gone between `poll` and `accept`.
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
                // Those that ended before do not count.
                awaitEnd(0)
                closeLongestIdle()
                // If none of this process ends, another process may have closed some.
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

    /// Closes the connections that wait for a request, and waits for the others, but not longer than their responses may
    /// take.
    ///
    /// - Parameter seconds: the longest time.
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

    /// Waits until a connection has ended since the last call.
    private func awaitEnd(_ milliseconds: Int32) {
        _ = Poll.wait(for: POLLIN, on: ended, milliseconds: milliseconds)
        var count: UInt64 = 0
        _ = read(ended, &count, 8)
    }

    private func take(_ descriptor: Int32) {
        // Looked up before the thread starts: the process may end soon.
        guard let peer = isLoopback ? .loopback(descriptor) : SocketPeer(of: descriptor) else {
            close(descriptor)
            return
        }
        let count = state.withLock { state in
            state.connections.append(Served(descriptor: descriptor, idleSince: .now))
            return state.connections.count
        }
        if count > SocketServer.maximumConnections { closeLongestIdle() }
        let work: @Sendable () -> Void = {
            self.serve(descriptor, peer)
            self.end(descriptor)
        }
        if !NewThread.start(work) { end(descriptor) }
    }

    private func end(_ descriptor: Int32) {
        // Forgotten first: the number may belong to another connection as soon as it is closed.
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

    private func closeLongestIdle() {
        state.withLock { state in
            var oldest: Int?
            // If all have a request, it is the new one.
            for index in state.connections.indices {
                guard let since = state.connections[index].idleSince else { continue }
                if let known = oldest.flatMap({ state.connections[$0].idleSince }), known <= since { continue }
                oldest = index
            }
            guard let oldest else { return }
            state.connections[oldest].idleSince = nil
            shutdown(state.connections[oldest].descriptor, Int32(SHUT_RDWR))
        }
    }

    private func serve(_ descriptor: Int32, _ peer: SocketPeer) {
        let connection = ServedConnection(descriptor, peer: peer)
        do {
            guard peer.user == geteuid() else {
                // Read first: clients that cannot send their request do not read the response.
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
            // The client is gone, or too slow.
        }
    }
}
