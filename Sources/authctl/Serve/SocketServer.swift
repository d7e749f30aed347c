import AuthCore
import Glibc
import Synchronization

/// Accepts the connections of a Unix socket, and serves each on a thread of its own.
final class SocketServer: Sendable {
    /// If there are more, the one that has been idle longest is closed.
    static let maximumConnections = 256

    private let listener: Int32
    private let isLoopback: Bool
    private let handler: any RequestHandler
    private let connections = Lock<[Served]>([])
    private let stopping: (reading: Int32, writing: Int32)

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
        guard pipe(&ends) == 0 else { throw StoreError.system(operation: "make", path: "pipe", code: errno) }
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
                closeLongestIdle()
                usleep(10_000)
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
    func finish() {
        let deadline = Deadline(after: 2)
        while deadline.milliseconds > 0 {
            let busy = connections.withLock { connections in
                for served in connections where served.idleSince != nil {
                    shutdown(served.descriptor, Int32(SHUT_RDWR))
                }
                return !connections.isEmpty
            }
            guard busy else { return }
            usleep(5_000)
        }
    }

    private func take(_ descriptor: Int32) {
        // Looked up before the thread starts: the process may end soon.
        guard let peer = isLoopback ? .loopback(descriptor) : SocketPeer(of: descriptor) else {
            close(descriptor)
            return
        }
        let count = connections.withLock { connections in
            connections.append(Served(descriptor: descriptor, idleSince: .now))
            return connections.count
        }
        if count > SocketServer.maximumConnections { closeLongestIdle() }
        let work: @Sendable () -> Void = {
            self.serve(descriptor, peer)
            // Forgotten first: the number may belong to another connection as soon as it is closed.
            self.connections.withLock { $0.removeAll { $0.descriptor == descriptor } }
            close(descriptor)
        }
        guard NewThread.start(work) else {
            connections.withLock { $0.removeAll { $0.descriptor == descriptor } }
            close(descriptor)
            return
        }
    }

    private func setIdle(_ descriptor: Int32, since instant: ContinuousClock.Instant?) {
        connections.withLock { connections in
            guard let index = connections.firstIndex(where: { $0.descriptor == descriptor }) else { return }
            connections[index].idleSince = instant
        }
    }

    private func closeLongestIdle() {
        connections.withLock { connections in
            var oldest: Int?
            // If all have a request, it is the new one.
            for index in connections.indices {
                guard let since = connections[index].idleSince else { continue }
                if let known = oldest.flatMap({ connections[$0].idleSince }), known <= since { continue }
                oldest = index
            }
            guard let oldest else { return }
            connections[oldest].idleSince = nil
            shutdown(connections[oldest].descriptor, Int32(SHUT_RDWR))
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
            try? connection.send(ServedResponse(status: refusal.rawValue, isLast: true))
            connection.drain()
        } catch {
            // The client is gone, or too slow.
        }
    }
}
