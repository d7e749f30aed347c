import FlyingSocks
import Glibc

/// The reason why no listener could be opened.
package enum ListenerError: CodedError, Sendable, Equatable {
    case portInUse(UInt16)
    /// - Parameter code: the system's error number.
    case noLoopback(code: Int32)

    package var code: ErrorCode { if case .portInUse = self { .portInUse } else { .networkFailed } }

    init(_ error: any Error, port: UInt16) {
        self =
            switch error {
            case let error as ListenerError: error
            case SocketError.failed(_, EADDRINUSE, _), SocketError.failed(_, EACCES, _): .portInUse(port)
            case SocketError.failed(_, let code, _): .noLoopback(code: code)
            default: .noLoopback(code: EIO)
            }
    }
}

/// Opens sockets that only programs of this machine can reach (RFC 8252 section 7.3).
package enum CallbackSocket {
    /// Returns one socket for each address of the host, all with the same port. Port 0 is replaced by a free one.
    static func listening(on host: String, port: UInt16) throws(ListenerError) -> ([Socket], port: UInt16) {
        var opened: [Socket] = []
        var port = port
        let families = ["[::1]": [AF_INET6], "127.0.0.1": [AF_INET]][host] ?? [AF_INET, AF_INET6]
        do throws(ListenerError) {
            for family in families {
                let (socket, bound) = try listen(family, port: port)
                port = bound
                opened.append(socket)
            }
        } catch {
            // A machine without IPv6 can still sign in over IPv4. If another process listens on the port, sign-in fails.
            guard !opened.isEmpty, case .noLoopback = error else {
                for socket in opened { try? socket.close() }
                throw error
            }
        }
        return (opened, port)
    }

    /// The descriptors that the event loop, a connection and the requests after the callback require.
    private static let reserve: Int32 = 10

    /// Fails if the limit of open files is reached before the callback can be received and redeemed.
    static func requireDescriptors(after socket: Socket?) throws(ListenerError) {
        guard let number = socket?.file.rawValue else { return }
        let spare = fcntl(number, F_DUPFD_CLOEXEC, number + reserve)
        guard spare >= 0 else { throw .noLoopback(code: EMFILE) }
        Glibc.close(spare)
    }

    package static func canListen(on host: String) -> Bool {
        guard let (socket, _) = try? listen(host == "[::1]" ? AF_INET6 : AF_INET, port: 0) else { return false }
        try? socket.close()
        return true
    }

    private static func listen(_ family: Int32, port: UInt16) throws(ListenerError) -> (Socket, UInt16) {
        do {
            let socket = try Socket(domain: family)
            do {
                _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
                try socket.setValue(true, for: .localAddressReuse)
                if family == AF_INET {
                    try socket.bind(to: try sockaddr_in.inet(ip4: "127.0.0.1", port: port))
                } else {
                    try socket.bind(to: try sockaddr_in6.inet6(ip6: "::1", port: port))
                }
                try socket.listen()
                switch try socket.sockname() {
                case .ip4("127.0.0.1", let bound), .ip6("::1", let bound): return (socket, bound)
                default: throw ListenerError.noLoopback(code: EADDRNOTAVAIL)
                }
            } catch {
                try? socket.close()
                throw error
            }
        } catch {
            throw ListenerError(error, port: port)
        }
    }
}
