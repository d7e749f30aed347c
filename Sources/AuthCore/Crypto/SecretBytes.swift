import COpenSSL

/// The bytes of a key or password in memory that is overwritten when it is freed.
///
/// Swift's arrays and strings are copied and freed without being overwritten, so the store's keys use this type.
///
/// - Note: `@unchecked Sendable` holds because the memory is written only in `init` and `deinit`.
package final class SecretBytes: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    private let memory: UnsafeMutableRawBufferPointer

    /// Moves bytes here, and overwrites them where they were.
    package init(moving bytes: inout [UInt8]) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        bytes.wipe()
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// Lends the bytes; the pointer must not be kept.
    func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // Lives until the borrower is done: the optimizer may free it after its last mention.
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(memory))
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// Overwrites the bytes, in a way that the optimizer keeps, and leaves none. Copies that others hold stay as they are.
    package mutating func wipe() {
        withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        removeAll()
    }
}
