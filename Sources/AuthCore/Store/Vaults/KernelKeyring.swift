import CLinux
import Glibc

/// The data key in the kernel's keyring of this user (user-keyring(7)): a cache with an expiry, never the only copy. It
/// is lost at a reboot, and when the user's last process ends.
///
/// The key is only accessible by possession, and its expiry cannot be changed, not even by its owner. To read it, a
/// process first links it to its process keyring, because its session keyring may not contain the user keyring.
/// See docs/decisions/030.
package struct KernelKeyring: Sendable {
    /// Why the kernel does not cache the key.
    package enum Refusal: Sendable, Equatable {
        case unsupported
        /// `EPERM`, `EACCES`: this process is not allowed to, for example in a container.
        case forbidden
        case full
        case failed(code: Int32)

        init(code: Int32) {
            self =
                switch code {
                case ENOSYS: .unsupported
                case EPERM, EACCES: .forbidden
                case EDQUOT: .full
                default: .failed(code: code)
                }
        }
    }

    enum Found: Sendable {
        /// - Parameter end: seconds since 1970.
        case key(DataKey, end: Int64)
        case nothing
        case refused(Refusal)
    }

    /// The key's description in the kernel.
    let name: String

    /// The maximum time in seconds that a key is cached. The kernel accepts 32 bits.
    static let longest: Int64 = 365 * 86400

    init(store: String, of vault: VaultKind = .passphrase) {
        name = "authctl:\(store)" + (vault == .passphrase ? "" : ":\(vault.rawValue)")
    }

    /// The first byte of the payload, followed by the expiry (8 bytes, big-endian) and the key.
    private static let version: UInt8 = 1
    private static let length = 1 + 8 + DataKey.length

    func find(now: Int64) -> Found {
        let key = key()
        guard key >= 0 else { return KernelKeyring.missing(errno) }
        var bytes = [UInt8](repeating: 0, count: KernelKeyring.length)
        defer { bytes.wipe() }
        let count = clinux_read_key(key, &bytes, bytes.count)
        let code = errno
        // Unlinked from the process keyring, because the next `put` would try to update it, which is not allowed.
        clinux_unlink_key(key)
        guard count >= 0 else { return KernelKeyring.missing(code) }
        guard count == bytes.count, bytes[0] == KernelKeyring.version,
            let end = Int64(exactly: bytes[1..<9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }), end > now
        else { return .nothing }
        var raw = Array(bytes[9...])
        return DataKey(moving: &raw).map { .key($0, end: end) } ?? .nothing
    }

    /// The kernel's number of the key; negative, with errno, if it is not found.
    private func key() -> Int32 {
        let key = clinux_find_key(name, 1)
        // If the quota prevents a process keyring, this process may still possess the key through its session keyring.
        return key < 0 && errno == EDQUOT ? clinux_find_key(name, 0) : key
    }

    private static func missing(_ code: Int32) -> Found {
        switch code {
        // The key does not exist any more, or it is another user's.
        case ENOKEY, EKEYEXPIRED, EKEYREVOKED, EACCES: .nothing
        default: .refused(Refusal(code: code))
        }
    }

    /// Caches the key until `end`, and replaces another key of the same store.
    func put(_ key: DataKey, until end: Int64, now: Int64) -> Refusal? {
        // A timeout of 0 would never expire.
        let seconds = UInt32(min(max(end - now, 1), KernelKeyring.longest))
        var bytes = [KernelKeyring.version]
        bytes.reserveCapacity(KernelKeyring.length)
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: end >> shift)) }
        key.bytes.withUnsafeBytes { bytes.append(contentsOf: $0) }
        defer { bytes.wipe() }
        // The key is created in the process keyring. So it has an expiry before other processes can find it, even if
        // this process is killed.
        let made = clinux_make_key(name, bytes, bytes.count)
        guard made >= 0, clinux_set_key_timeout(made, seconds) >= 0, clinux_protect_key(made) >= 0,
            clinux_share_key(made) >= 0
        else {
            let refusal = Refusal(code: errno)
            if made >= 0 { clinux_invalidate_key(made) }
            return refusal
        }
        return nil
    }

    /// Removes the key for every process; does nothing if there is none.
    func remove() {
        let key = key()
        if key >= 0 { clinux_invalidate_key(key) }
    }
}
