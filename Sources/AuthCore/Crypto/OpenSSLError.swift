import COpenSSL

/// A failed OpenSSL call: the operation and OpenSSL's error queue.
package struct OpenSSLError: CodedError, Sendable, CustomStringConvertible {
    package let operation: String
    package let reasons: [String]
    package var code: ErrorCode { .internalError }

    package var description: String {
        reasons.isEmpty ? "OpenSSL: \(operation) failed" : "OpenSSL: \(operation): \(reasons.joined(separator: "; "))"
    }

    /// Takes the whole error queue of this thread, so that no old reason shows up in a later error.
    static func draining(_ operation: String) -> OpenSSLError {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            var buffer = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(code, &buffer, buffer.count)
            reasons.append(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return OpenSSLError(operation: operation, reasons: reasons)
    }

    static func contents(of bio: OpaquePointer, _ operation: String) throws(OpenSSLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
        // Reading nothing is a failure to it.
        guard !bytes.isEmpty else { return [] }
        guard BIO_read(bio, &bytes, Int32(bytes.count)) == bytes.count else { throw draining(operation) }
        return bytes
    }
}

func check(_ result: Int32, _ operation: String) throws(OpenSSLError) {
    guard result == 1 else { throw OpenSSLError.draining(operation) }
}

/// The one owner of a C object: freed when the owner goes, borrowed through `pointer` until then.
struct Owned: ~Copyable {
    let pointer: OpaquePointer
    private let release: @convention(c) (OpaquePointer?) -> Void

    init(
        _ pointer: OpaquePointer?, _ operation: String,
        freeing release: @escaping @convention(c) (OpaquePointer?) -> Void
    ) throws(OpenSSLError) {
        guard let pointer else { throw OpenSSLError.draining(operation) }
        self.pointer = pointer
        self.release = release
    }

    consuming func take() -> OpaquePointer {
        let pointer = self.pointer
        discard self
        return pointer
    }

    deinit { release(pointer) }
}

/// How OpenSSL starts in this process.
package enum OpenSSLStart {
    /// Leaves out `openssl.cnf`, whose policies are about TLS and certificates: for a process that opens one seal and
    /// ends. Reading it takes longer than the seal. Without effect once OpenSSL has started.
    package static func withoutConfiguration() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
    }
}
