import COpenSSL

/// A 256-bit key for `SealedBox`. It is never printed, leaves the process only through a vault, and is overwritten in
/// memory when it is freed.
package struct DataKey: Sendable, Equatable, Redacted {
    let bytes: SecretBytes

    /// Length of a data key in bytes.
    package static let length = 32

    /// Moves exactly 32 bytes, and overwrites the original; nil for another length.
    package init?(moving bytes: inout [UInt8]) {
        guard bytes.count == DataKey.length else { return nil }
        self.bytes = SecretBytes(moving: &bytes)
    }

    static func new(random: RandomSource) throws -> DataKey {
        var raw = try random.bytes(length)
        guard let key = DataKey(moving: &raw) else { throw OpenSSLError(operation: "make a key", reasons: []) }
        return key
    }

    package static func == (left: DataKey, right: DataKey) -> Bool {
        left.bytes.withUnsafeBytes { left in
            right.bytes.withUnsafeBytes { CRYPTO_memcmp($0.baseAddress, left.baseAddress, length) == 0 }
        }
    }
}

/// AES-256-GCM with a random 96-bit nonce: `nonce ‖ ciphertext ‖ tag` (NIST SP 800-38D).
package enum SealedBox {
    static let nonceLength = 12
    static let tagLength = 16

    /// Encrypts `plaintext`. Only the same key and associated data can decrypt it.
    package static func seal(
        _ plaintext: [UInt8], key: DataKey, associatedData: [UInt8], random: RandomSource = .openSSL
    ) throws -> [UInt8] {
        let nonce = try random.bytes(nonceLength)
        let context = try Owned.cipher(OpenSSLStart.aes256GCM, key: key.bytes, vector: nonce, isSealing: true)
        let c = context.pointer
        var length: Int32 = 0
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + 16)
        var tag = [UInt8](repeating: 0, count: tagLength)
        try check(EVP_CipherUpdate(c, nil, &length, associatedData, Int32(associatedData.count)), "seal")
        try check(EVP_CipherUpdate(c, &ciphertext, &length, plaintext, Int32(plaintext.count)), "seal")
        let written = Int(length)
        try check(EVP_CipherFinal_ex(c, &tag, &length), "seal")
        try check(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag), "seal")
        return nonce + ciphertext.prefix(written) + tag
    }

    /// Decrypts a result of `seal`.
    /// - Throws: `OpenSSLError` if the key, the associated data or any byte differs.
    package static func open(_ box: [UInt8], key: DataKey, associatedData: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        guard box.count >= nonceLength + tagLength else {
            throw OpenSSLError(operation: "open", reasons: ["too short"])
        }
        let nonce = Array(box.prefix(nonceLength))
        let ciphertext = Array(box[nonceLength..<(box.count - tagLength)])
        var tag = Array(box.suffix(tagLength))
        let context = try Owned.cipher(OpenSSLStart.aes256GCM, key: key.bytes, vector: nonce, isSealing: false)
        let c = context.pointer
        var length: Int32 = 0
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count + 16)
        defer { plaintext.wipe() }
        try check(EVP_CipherUpdate(c, nil, &length, associatedData, Int32(associatedData.count)), "open")
        try check(EVP_CipherUpdate(c, &plaintext, &length, ciphertext, Int32(ciphertext.count)), "open")
        let written = Int(length)
        try check(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag), "open")
        var rest = [UInt8](repeating: 0, count: 16)
        try check(EVP_CipherFinal_ex(c, &rest, &length), "open")
        return Array(plaintext.prefix(written))
    }
}
