import CLinux
import Glibc

/// The user whose process owns the other end of a loopback connection.
package enum LoopbackPeer {
    package static func isAccepted(_ descriptor: Int32) -> Bool {
        switch ownerByKernel(descriptor) ?? ownerByTable(descriptor) {
        case .user(let user): return user == geteuid() || user == 0 || user == unmapped
        case .closed: return false
        case .unknown: return true
        }
    }

    enum Owner: Equatable {
        case user(uid_t)
        /// The socket is closed. The kernel reports root as its owner, or does not list it.
        case closed
        case unknown
    }

    /// Returns nil if the kernel does not support this query.
    static func ownerByKernel(_ descriptor: Int32) -> Owner? {
        switch clinux_peer_user(descriptor) {
        case CLINUX_PEER_UNKNOWN: nil
        case CLINUX_PEER_CLOSED: .closed
        case let user: uid_t(exactly: user).map(Owner.user) ?? .unknown
        }
    }

    static func ownerByTable(_ descriptor: Int32) -> Owner {
        // A connection that was reset has no addresses.
        guard let own = name(descriptor, getsockname), let peer = name(descriptor, getpeername) else { return .closed }
        guard let table = text(of: own.utf8.count > 13 ? "/proc/net/tcp6" : "/proc/net/tcp") else { return .unknown }
        return owner(of: peer, connectedTo: own, in: table)
    }

    static func owner(of local: String, connectedTo remote: String, in table: String) -> Owner {
        var isListed = false
        for line in table.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ")
            guard words.count > 9 else { continue }
            if words[1] == remote { isListed = true }
            guard words[1] == local, words[2] == remote else { continue }
            // A socket without an inode does not belong to a process.
            guard words[9] != "0", let user = uid_t(words[7]) else { return .closed }
            return .user(user)
        }
        return isListed ? .closed : .unknown
    }

    /// The user ID that the kernel reports for users outside this user namespace; nil if the namespace maps all users.
    private static var unmapped: uid_t? {
        let maps = text(of: "/proc/self/uid_map")?.split { $0 == " " || $0 == "\n" }
        guard maps != ["0", "0", "4294967295"] else { return nil }
        return text(of: "/proc/sys/kernel/overflowuid").flatMap { uid_t($0.filter(\.isNumber)) }
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return (try? BoundedRead.all(of: file, limit: 1 << 28)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func name(
        _ descriptor: Int32, _ get: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> String? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard get(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
                return nil
            }
            // The offsets of the address in sockaddr_in and sockaddr_in6. The offset of the port is 2 in both.
            let address: Range<Int>
            switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
            case AF_INET: address = 4..<8
            case AF_INET6: address = 8..<24
            default: return nil
            }
            let words = stride(from: address.lowerBound, to: address.upperBound, by: 4).map {
                hexadecimal(bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
            }
            let port = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            return words.joined() + ":" + hexadecimal(port)
        }
    }

    /// The number with leading zeros, as in the kernel's table.
    private static func hexadecimal(_ number: some FixedWidthInteger) -> String {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            .hexadecimal.uppercased()
    }
}
