import CLinux
import Glibc

/// The reason why no listener could be opened.
package enum ListenerError: CodedError, Sendable, Equatable {
    case portInUse(UInt16)
    /// - Parameter code: the system's error number.
    case noLoopback(code: Int32)
    /// No interface of this machine has the address.
    case otherMachine(address: String)

    package var code: ErrorCode { if case .portInUse = self { .portInUse } else { .networkFailed } }
}

/// A listening socket that only programs of this machine can reach (RFC 8252 section 7.3), unless the user chooses
/// another address. The caller closes it.
package struct LoopbackSocket: Sendable {
    package let descriptor: Int32
    package let port: UInt16

    /// Listens on an IP address of this machine; that of IPv6 may be in brackets.
    ///
    /// - Parameter port: 0 for a free one.
    package init(port: UInt16, at host: String = "127.0.0.1") throws(ListenerError) {
        guard let ip = IPAddress(host.filter { $0 != "[" && $0 != "]" }) else { throw .otherMachine(address: host) }
        let isIPv6 = ip.bytes.count == 16
        descriptor = clinux_stream_socket(isIPv6 ? AF_INET6 : AF_INET)
        guard descriptor >= 0 else { throw .noLoopback(code: errno) }
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, 4)
        var (address, address6) = (sockaddr_in(), sockaddr_in6())
        (address.sin_family, address6.sin6_family) = (sa_family_t(AF_INET), sa_family_t(AF_INET6))
        (address.sin_port, address6.sin6_port) = (port.bigEndian, port.bigEndian)
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: ip.bytes.prefix(4)) }
        withUnsafeMutableBytes(of: &address6.sin6_addr) { $0.copyBytes(from: ip.bytes) }
        let bound =
            isIPv6
            ? LoopbackSocket.listen(descriptor, at: address6) : LoopbackSocket.listen(descriptor, at: address)
        guard let bound else {
            let code = errno
            close(descriptor)
            if code == EADDRINUSE || code == EACCES { throw .portInUse(port) }
            throw ip.zone == .loopback ? .noLoopback(code: code) : .otherMachine(address: host)
        }
        self.port = bound
    }

    /// Returns the port; nil with errno.
    private static func listen<Address>(_ descriptor: Int32, at wanted: Address) -> UInt16? {
        var (address, length) = (wanted, socklen_t(MemoryLayout<Address>.size))
        return withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard bind(descriptor, pointer, length) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0,
                getsockname(descriptor, pointer, &length) == 0
            else { return nil }
            // The family and the port come first. The rest must be the wanted address.
            guard withUnsafeBytes(of: wanted, { $0.dropFirst(4).elementsEqual(bytes.dropFirst(4)) }) else {
                errno = EADDRNOTAVAIL
                return nil
            }
            return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    /// Returns one socket for each address of the host, all with the same port.
    static func all(of host: String, port: UInt16) throws(ListenerError) -> [LoopbackSocket] {
        var opened: [LoopbackSocket] = []
        do throws(ListenerError) {
            for address in host == "localhost" ? ["127.0.0.1", "::1"] : [host] {
                do throws(ListenerError) {
                    opened.append(try LoopbackSocket(port: opened.first?.port ?? port, at: address))
                } catch {
                    // A machine without IPv6 can still sign in over IPv4, unless another process listens on the port.
                    guard !opened.isEmpty, case .noLoopback = error else { throw error }
                }
            }
            try requireDescriptors(above: opened.last?.descriptor ?? 0)
        } catch {
            for socket in opened { close(socket.descriptor) }
            throw error
        }
        return opened
    }

    /// The descriptors that a connection and the requests after the callback require.
    private static let reserve: Int32 = 10

    /// Fails if the limit of open files is reached before a callback can be received and redeemed.
    private static func requireDescriptors(above descriptor: Int32) throws(ListenerError) {
        let spare = fcntl(descriptor, F_DUPFD_CLOEXEC, descriptor + reserve)
        guard spare >= 0 else { throw .noLoopback(code: EMFILE) }
        close(spare)
    }

    package static func canListen(on host: String) -> Bool {
        guard let socket = try? LoopbackSocket(port: 0, at: host) else { return false }
        close(socket.descriptor)
        return true
    }
}
