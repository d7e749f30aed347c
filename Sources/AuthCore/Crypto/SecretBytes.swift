import COpenSSL

/// The bytes of a key or password in memory that is overwritten when it is freed.
///
/// Swift's arrays and strings are copied and freed without being overwritten, so the store's keys use this type.
///
/// - Note: `@unchecked Sendable` holds because the memory is written only in `init` and `deinit`.
package final class SecretBytes: @unchecked Sendable, Redacted {
    private let memory: UnsafeMutableRawBufferPointer

    /// Moves bytes into this object, and overwrites the original.
    package init(moving bytes: inout [UInt8]) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        bytes.wipe()
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// Calls `body` with the bytes. The pointer is invalid afterwards.
    func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // Keeps the object alive until `body` returns: otherwise the optimizer may release it earlier.
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(memory))
    }
}

extension [UInt8] {
    /// Overwrites the bytes, which the optimizer does not remove, and empties the array. Other copies do not change.
    package mutating func wipe() {
        withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        removeAll()
    }
}
