import COpenSSL

/// The client's key pair for `dh-ietf1024-sha256-aes128-cbc-pkcs7` (Secret Storage API 0.2, "Transfer of Secrets"). The
/// private exponent is used for one session, and then overwritten.
struct SecretServiceKeyPair: ~Copyable {
    /// Bytes of a number of the Second Oakley Group (RFC 2409 section 6.2), in big-endian order.
    static let length = 128
    /// Bytes: twice the strength of AES-128 (RFC 7919 section 5.2). A longer exponent only costs time.
    private static let exponentLength = 32

    private let exponent: Owned
    let publicKey: [UInt8]

    init(random: RandomSource) throws {
        var bytes = try random.bytes(SecretServiceKeyPair.exponentLength)
        defer { bytes.wipe() }
        let exponent = try Owned(
            BN_bin2bn(bytes, Int32(bytes.count), nil), by: "Diffie-Hellman", freeing: BN_clear_free)
        let generator = try Owned(BN_new(), by: "Diffie-Hellman", freeing: BN_free)
        try check(BN_set_word(generator.pointer, 2), "Diffie-Hellman")
        publicKey = try SecretServiceKeyPair.power(generator, exponent)
        self.exponent = exponent
    }

    func cipher(with other: [UInt8]) throws(OpenSSLError) -> SecretServiceCipher {
        guard (1...SecretServiceKeyPair.length).contains(other.count) else { throw SecretServiceKeyPair.foreignKey }
        let base = try Owned(BN_bin2bn(other, Int32(other.count), nil), by: "Diffie-Hellman", freeing: BN_free)
        // 0, 1, p − 1 and values above would result in a shared secret that attackers know.
        let last = try SecretServiceKeyPair.prime()
        try check(BN_sub_word(last.pointer, 1), "Diffie-Hellman")
        guard BN_is_zero(base.pointer) == 0, BN_is_one(base.pointer) == 0, BN_cmp(base.pointer, last.pointer) < 0
        else { throw SecretServiceKeyPair.foreignKey }
        var secret = try SecretServiceKeyPair.power(base, exponent)
        defer { secret.wipe() }
        // HKDF (RFC 5869) with SHA-256, without salt and info, for 16 bytes.
        let noSalt = [UInt8](repeating: 0, count: HashFunction.sha256.digestLength)
        var extracted = try HashFunction.sha256.authenticationCode(of: secret, key: noSalt)
        defer { extracted.wipe() }
        var expanded = try HashFunction.sha256.authenticationCode(of: [1], key: extracted)
        defer { expanded.wipe() }
        var key = Array(expanded.prefix(SecretServiceCipher.keyLength))
        return SecretServiceCipher(key: SecretBytes(moving: &key))
    }

    private static let foreignKey = OpenSSLError(operation: "Diffie-Hellman", reasons: ["no key of the group"])

    private static func prime() throws(OpenSSLError) -> Owned {
        try Owned(BN_get_rfc2409_prime_1024(nil), by: "Diffie-Hellman", freeing: BN_free)
    }

    private static func power(_ base: borrowing Owned, _ exponent: borrowing Owned) throws(OpenSSLError) -> [UInt8] {
        let modulus = try prime()
        let result = try Owned(BN_new(), by: "Diffie-Hellman", freeing: BN_clear_free)
        let context = try Owned(BN_CTX_secure_new(), by: "Diffie-Hellman", freeing: BN_CTX_free)
        try check(
            BN_mod_exp_mont_consttime(
                result.pointer, base.pointer, exponent.pointer, modulus.pointer, context.pointer, nil),
            "Diffie-Hellman")
        return try [UInt8](number: result.pointer, count: length, by: "Diffie-Hellman")
    }
}

/// AES-128-CBC with PKCS #7 padding, for secrets in an encrypted session. It hides them from other listeners on the
/// bus, but does not authenticate them. The store verifies a received key by decrypting a known value.
struct SecretServiceCipher: Sendable {
    static let keyLength = 16
    static let blockLength = 16

    let key: SecretBytes

    /// Loads the algorithms of a session and of `SealedBox` while the service computes its key: the first use takes
    /// almost a millisecond.
    static func prepare() throws(OpenSSLError) {
        _ = try HashFunction.sha256.authenticationCode(of: [], key: [0])
        for cipher in [EVP_aes_128_cbc(), EVP_aes_256_gcm()] {
            let context = try Owned(EVP_CIPHER_CTX_new(), by: "prepare", freeing: EVP_CIPHER_CTX_free)
            try check(EVP_CipherInit_ex2(context.pointer, cipher, nil, nil, 0, nil), "prepare")
        }
    }

    func seal(_ secret: UnsafeRawBufferPointer, random: RandomSource) throws -> (parameters: [UInt8], value: [UInt8]) {
        let vector = try random.bytes(SecretServiceCipher.blockLength)
        return (vector, try run(secret, vector: vector, isSealing: true))
    }

    func open(parameters: [UInt8], value: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        guard parameters.count == SecretServiceCipher.blockLength else {
            throw OpenSSLError(operation: "open", reasons: ["no initialization vector"])
        }
        return try value.withUnsafeBufferPointer { value throws(OpenSSLError) in
            try run(UnsafeRawBufferPointer(value), vector: parameters, isSealing: false)
        }
    }

    private func run(
        _ input: UnsafeRawBufferPointer, vector: [UInt8], isSealing: Bool
    ) throws(OpenSSLError) -> [UInt8] {
        let operation = isSealing ? "seal" : "open"
        let context = try Owned.cipher(EVP_aes_128_cbc(), key: key, vector: vector, isSealing: isSealing)
        let c = context.pointer
        var output = [UInt8](repeating: 0, count: input.count + SecretServiceCipher.blockLength)
        defer { output.wipe() }
        var length: Int32 = 0
        var rest: Int32 = 0
        let bytes = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try check(EVP_CipherUpdate(c, &output, &length, bytes, Int32(input.count)), operation)
        try check(
            output.withUnsafeMutableBufferPointer {
                EVP_CipherFinal_ex(c, $0.baseAddress?.advanced(by: Int(length)), &rest)
            }, operation)
        return Array(output.prefix(Int(length + rest)))
    }
}
