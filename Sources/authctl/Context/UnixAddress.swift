import AuthCore
import Glibc

/// The address of a Unix socket (unix(7)).
struct UnixAddress {
    private var address = sockaddr_un()

    init(_ path: String) throws(CommandError) {
        let bytes = Array(path.utf8)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard bytes.count <= limit else { throw .socketPathTooLong(path, limit: limit) }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls `bind` or `connect`.
    func call(_ body: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32) -> Int32 {
        withUnsafeBytes(of: address) {
            body(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }
}
