import AuthCore
import CLinux
import Glibc

extension SocketPeer {
    /// The peer of a Unix socket.
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

    /// The peer of a loopback connection. The kernel only knows its user.
    static func loopback(_ descriptor: Int32) -> SocketPeer {
        func set(_ level: Int32, option: Int32, value: Int32) {
            withUnsafePointer(to: value) { _ = setsockopt(descriptor, level, option, $0, 4) }
        }
        // The kernel sends events and the end of a response immediately.
        set(Int32(IPPROTO_TCP), option: TCP_NODELAY, value: 1)
        // Detects a client that has ended while a response has no data. A FIN does not mean that the client has stopped
        // reading.
        set(SOL_SOCKET, option: SO_KEEPALIVE, value: 1)
        set(Int32(IPPROTO_TCP), option: TCP_KEEPIDLE, value: 60)
        return SocketPeer(user: LoopbackPeer.isAccepted(descriptor) ? geteuid() : UInt32.max)
    }
}
