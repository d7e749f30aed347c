import Glibc

/// The address of a Unix socket (unix(7)).
struct UnixAddress {
    private var address = sockaddr_un()

    /// The maximum length of a path in bytes.
    static let limit = MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size - 1

    /// - Returns: nil if the path is too long.
    init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count <= UnixAddress.limit else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls `bind` or `connect` with this address.
    func call(_ body: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32) -> Int32 {
        withUnsafeBytes(of: address) {
            body(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }
}
