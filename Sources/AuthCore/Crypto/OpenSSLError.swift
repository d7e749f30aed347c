import COpenSSL
import Synchronization

/// A failed OpenSSL call: the operation and OpenSSL's error queue.
package struct OpenSSLError: CodedError, Sendable, CustomStringConvertible {
    package let operation: String
    package let reasons: [String]
    package var code: ErrorCode { .internalError }

    package var description: String {
        reasons.isEmpty ? "OpenSSL: \(operation) failed" : "OpenSSL: \(operation): \(reasons.joined(separator: "; "))"
    }

    /// Moves the error queue of this thread into an error, so that no later error contains an old reason.
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
}

func check(_ result: Int32, _ operation: String) throws(OpenSSLError) {
    guard result == 1 else { throw OpenSSLError.draining(operation) }
}

/// The only owner of a C object, which is freed with its owner. Until then, `pointer` may be borrowed.
struct Owned: ~Copyable {
    let pointer: OpaquePointer
    private let release: @convention(c) (OpaquePointer?) -> Void

    init(
        _ pointer: OpaquePointer?, by operation: String,
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

extension Owned {
    static func memoryBIO(_ operation: String) throws(OpenSSLError) -> Owned {
        try Owned(BIO_new(BIO_s_mem()), by: operation, freeing: BIO_free_all)
    }

    /// The bytes that were written to a memory BIO.
    func contents(_ operation: String) throws(OpenSSLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(pointer)))
        // BIO_read fails for an empty buffer.
        guard !bytes.isEmpty else { return [] }
        guard BIO_read(pointer, &bytes, Int32(bytes.count)) == bytes.count else {
            throw OpenSSLError.draining(operation)
        }
        return bytes
    }

    /// A context that encrypts or decrypts with a key and an initialization vector.
    static func cipher(
        _ cipher: OpaquePointer?, key: SecretBytes, vector: [UInt8], isSealing: Bool
    ) throws(OpenSSLError) -> Owned {
        let operation = isSealing ? "seal" : "open"
        let context = try Owned(EVP_CIPHER_CTX_new(), by: operation, freeing: EVP_CIPHER_CTX_free)
        let c = context.pointer
        let code = key.withUnsafeBytes { key in
            let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_CipherInit_ex2(c, cipher, key, vector, isSealing ? 1 : 0, nil)
        }
        try check(code, operation)
        return context
    }
}

extension [UInt8] {
    /// The bytes of a `BIGNUM`, the most significant first.
    init(number: OpaquePointer?, count: Int, by operation: String) throws(OpenSSLError) {
        self.init(repeating: 0, count: count)
        guard BN_bn2binpad(number, &self, Int32(count)) == count else { throw OpenSSLError.draining(operation) }
    }
}

/// How OpenSSL starts in this process.
package enum OpenSSLStart {
    /// Whether OpenSSL started without `openssl.cnf`.
    private static let isPartial = Atomic<Bool>(false)
    private static let isSmall = Atomic<Bool>(false)

    /// Starts OpenSSL without `openssl.cnf`, whose policies concern TLS and certificates. For a process that only
    /// decrypts a token, which takes less time than loading the file. No effect after OpenSSL has started.
    package static func withoutConfiguration() {
        isPartial.store(true, ordering: .relaxed)
        isSmall.store(true, ordering: .relaxed)
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
    }

    /// The cipher of the store: the one that OpenSSL's configuration selects, if it was loaded.
    static var aes256GCM: OpaquePointer? {
        isSmall.load(ordering: .relaxed) ? smallCipher ?? EVP_aes_256_gcm() : EVP_aes_256_gcm()
    }

    static var sha256: OpaquePointer? { isSmall.load(ordering: .relaxed) ? smallDigest ?? EVP_sha256() : EVP_sha256() }

    // Safe because OpenSSL's contexts and algorithms can be used by several threads, and these are never freed.
    private nonisolated(unsafe) static let small = authctl_small_context()
    // Safe for the reason above.
    private nonisolated(unsafe) static let smallCipher = small.flatMap { EVP_CIPHER_fetch($0, "AES-256-GCM", nil) }
    // Safe for the reason above.
    private nonisolated(unsafe) static let smallDigest = small.flatMap { EVP_MD_fetch($0, "SHA2-256", nil) }

    /// Loads `openssl.cnf` if it was not loaded, and waits for a thread that is loading it. Called before TLS, whose
    /// versions and ciphers an administrator may limit there, and before a key is read, which may need a provider.
    static func completeConfiguration() { if isPartial.load(ordering: .relaxed) { configuration } }

    private static let configuration: Void = {
        OPENSSL_load_builtin_modules()
        // OpenSSL's defaults: a missing or invalid file is ignored.
        let flags = CONF_MFLAGS_DEFAULT_SECTION | CONF_MFLAGS_IGNORE_MISSING_FILE | CONF_MFLAGS_IGNORE_RETURN_CODES
        _ = CONF_modules_load_file(nil, nil, UInt(flags))
        ERR_clear_error()
    }()
}
