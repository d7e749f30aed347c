import Glibc

/// Who is at the other end of a loopback connection.
enum LoopbackPeer {
    /// Whether the other end is a process of this user, or of root: on a machine of several people, another one may know
    /// the URL, from the arguments of the browser that was started.
    static func isOurs(_ descriptor: Int32) -> Bool {
        guard let own = name(descriptor, getsockname), let peer = name(descriptor, getpeername),
            let table = table(), let owner = owner(of: peer, connectedTo: own, in: table)
        else { return false }
        return owner == geteuid() || owner == 0
    }

    /// The user whose socket is bound to `local` and connected to `remote`, as /proc/net/tcp lists them (proc(5)); nil
    /// where it is not there.
    static func owner(of local: String, connectedTo remote: String, in table: String) -> uid_t? {
        for line in table.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ")
            guard words.count > 7, words[1] == local, words[2] == remote else { continue }
            return uid_t(words[7])
        }
        return nil
    }

    /// Read to its end: files of /proc do not say how long they are.
    private static func table() -> String? {
        guard let file = fopen("/proc/net/tcp", "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0, bytes.count < 1 << 24 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An end of an IPv4 connection, as /proc/net/tcp spells it.
    private static func name(
        _ descriptor: Int32,
        _ get: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> String? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { get(descriptor, $0, &length) }
        }
        guard code == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return hexadecimal(address.sin_addr.s_addr) + ":" + hexadecimal(UInt16(bigEndian: address.sin_port))
    }

    /// All digits of a number, as the kernel prints it.
    private static func hexadecimal(_ number: some FixedWidthInteger) -> String {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            .hexadecimal
            .uppercased()
    }
}
