import COpenSSL

/// This side of the key agreement `dh-ietf1024-sha256-aes128-cbc-pkcs7` (Secret Storage API 0.2, "Transfer of Secrets"):
/// a private exponent that exists for one session of a bus, and is overwritten after it.
struct SecretServiceKeyPair: ~Copyable {
    /// 1024 bits of the Second Oakley Group (RFC 2409 section 6.2), the most significant first.
    static let length = 128
    /// Twice the strength of the result, AES-128 (RFC 7919 section 5.2): a longer exponent only costs time.
    private static let exponentLength = 32

    private let exponent: Owned
    let publicKey: [UInt8]

    init(random: RandomSource) throws {
        var bytes = try random.bytes(SecretServiceKeyPair.exponentLength)
        defer { bytes.wipe() }
        let exponent = try Owned(BN_bin2bn(bytes, Int32(bytes.count), nil), "Diffie-Hellman", freeing: BN_clear_free)
        let generator = try Owned(BN_new(), "Diffie-Hellman", freeing: BN_free)
        try check(BN_set_word(generator.pointer, 2), "Diffie-Hellman")
        publicKey = try SecretServiceKeyPair.power(generator, exponent)
        self.exponent = exponent
    }

    func cipher(with other: [UInt8]) throws(OpenSSLError) -> SecretServiceCipher {
        guard (1...SecretServiceKeyPair.length).contains(other.count) else { throw SecretServiceKeyPair.foreignKey }
        let base = try Owned(BN_bin2bn(other, Int32(other.count), nil), "Diffie-Hellman", freeing: BN_free)
        // 0, 1, p − 1 and values above would result in a shared secret that attackers know.
        let last = try SecretServiceKeyPair.prime()
        try check(BN_sub_word(last.pointer, 1), "Diffie-Hellman")
        guard BN_is_zero(base.pointer) == 0, BN_is_one(base.pointer) == 0, BN_cmp(base.pointer, last.pointer) < 0
        else { throw SecretServiceKeyPair.foreignKey }
        var secret = try SecretServiceKeyPair.power(base, exponent)
        defer { secret.wipe() }
        // HKDF (RFC 5869) with SHA-256, no salt and no information, for sixteen bytes.
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
        try Owned(BN_get_rfc2409_prime_1024(nil), "Diffie-Hellman", freeing: BN_free)
    }

    private static func power(_ base: borrowing Owned, _ exponent: borrowing Owned) throws(OpenSSLError) -> [UInt8] {
        let modulus = try prime()
        let result = try Owned(BN_new(), "Diffie-Hellman", freeing: BN_clear_free)
        let context = try Owned(BN_CTX_secure_new(), "Diffie-Hellman", freeing: BN_CTX_free)
        try check(
            BN_mod_exp_mont_consttime(
                result.pointer, base.pointer, exponent.pointer, modulus.pointer, context.pointer, nil),
            "Diffie-Hellman")
        return try BigNumber.bytes(result.pointer, count: length, "Diffie-Hellman")
    }
}

/// AES-128-CBC with PKCS #7 padding, as secrets cross the bus in an encrypted session. It hides them from who listens
/// there, and proves nothing: what came is known to be right by what it opens.
struct SecretServiceCipher: Sendable {
    static let keyLength = 16
    static let blockLength = 16

    let key: SecretBytes

    /// Has OpenSSL find what a session and a seal need, while the other side reckons: the first time takes most of a
    /// millisecond.
    static func prepare() throws(OpenSSLError) {
        _ = try HashFunction.sha256.authenticationCode(of: [], key: [0])
        for cipher in [EVP_aes_128_cbc(), EVP_aes_256_gcm()] {
            let context = try Owned(EVP_CIPHER_CTX_new(), "prepare", freeing: EVP_CIPHER_CTX_free)
            try check(EVP_CipherInit_ex2(context.pointer, cipher, nil, nil, 0, nil), "prepare")
        }
    }

    func seal(_ secret: UnsafeRawBufferPointer, random: RandomSource) throws -> (parameters: [UInt8], value: [UInt8]) {
        let vector = try random.bytes(SecretServiceCipher.blockLength)
        return (vector, try run(secret, vector, isSealing: true))
    }

    func open(parameters: [UInt8], value: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        guard parameters.count == SecretServiceCipher.blockLength else {
            throw OpenSSLError(operation: "open", reasons: ["no initialization vector"])
        }
        return try value.withUnsafeBufferPointer { value throws(OpenSSLError) in
            try run(UnsafeRawBufferPointer(value), parameters, isSealing: false)
        }
    }

    private func run(
        _ input: UnsafeRawBufferPointer, _ vector: [UInt8], isSealing: Bool
    ) throws(OpenSSLError) -> [UInt8] {
        let operation = isSealing ? "seal" : "open"
        let context = try Owned.cipher(EVP_aes_128_cbc(), key, vector, isSealing: isSealing)
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
