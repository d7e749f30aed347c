import AuthCore
import Glibc

/// A listening socket at a port of 127.0.0.1.
struct LoopbackSocket {
    let socket: ServeSocket
    let port: UInt16

    /// - Parameter port: 0 for a free one.
    init(port: UInt16) throws {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, 4)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else {
            let code = errno
            close(descriptor)
            throw code == EADDRINUSE || code == EACCES
                ? ListenerError.portInUse(port) : ListenerError.noLoopback(code: code)
        }
        socket = ServeSocket(loopback: descriptor)
        self.port = UInt16(bigEndian: address.sin_port)
    }
}

extension SocketPeer {
    /// The peer of a loopback connection. The kernel only knows its user.
    static func loopback(_ descriptor: Int32) -> SocketPeer {
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            withUnsafePointer(to: value) { _ = setsockopt(descriptor, level, option, $0, 4) }
        }
        // The kernel sends events and the end of a response immediately.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Detects a client that has ended while a response has no data. A FIN does not mean that the client has stopped
        // reading.
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
        return SocketPeer(
            process: nil, user: LoopbackPeer.isAccepted(descriptor) ? geteuid() : UInt32.max, program: nil)
    }
}
