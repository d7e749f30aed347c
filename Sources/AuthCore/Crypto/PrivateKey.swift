import COpenSSL

/// A private key for signing: client assertions, and the emulator's ID tokens. Prints as `<redacted>`.
///
/// - Note: `@unchecked Sendable` for the reason given at `PublicKey`: the `EVP_PKEY` never changes after `init`.
package final class PrivateKey: @unchecked Sendable, Redacted {
    let pkey: OpaquePointer
    package let publicKey: PublicKey

    deinit { EVP_PKEY_free(pkey) }

    private init(owning key: consuming Owned) throws {
        publicKey = try PublicKey(PrivateKey.material(of: key.pointer))
        pkey = key.take()
    }

    /// Reads the first private key of a PEM text (RFC 7468), and skips other text. Accepts PKCS#8, plain or encrypted,
    /// and PKCS#1 or SEC1, also with a `Proc-Type` header. The key is RSA, P-256, P-384, P-521 or Ed25519.
    package convenience init(pem: [UInt8], passphrase: KeyPassphrase? = nil) throws(KeyError) {
        let key = try PrivateKey.read(pem, passphrase)
        do {
            let owned = try Owned(key, by: "PEM", freeing: EVP_PKEY_free)
            // OpenSSL before 3.0.8 also returns a public key, and a provider such as tpm2 keeps the private half.
            guard PrivateKey.hasPrivateHalf(owned.pointer) else { throw KeyError.malformed }
            try self.init(owning: owned)
        } catch {
            throw error as? KeyError ?? .malformed
        }
    }

    private static func read(_ pem: [UInt8], _ passphrase: KeyPassphrase?) throws(KeyError) -> OpaquePointer {
        guard let length = Int32(exactly: pem.count) else { throw .malformed }
        OpenSSLStart.completeConfiguration()
        var isEncrypted: Int32 = 0
        var given = Array((passphrase?.revealed() ?? "").utf8)
        defer { given.wipe() }
        let key = authctl_private_key(pem, length, passphrase == nil ? nil : given, given.count, &isEncrypted)
        if let key {
            // PEM blocks before the key may have left errors in OpenSSL's queue.
            ERR_clear_error()
            return key
        }
        let reasons = OpenSSLError.draining("PEM").reasons
        guard isEncrypted != 0 else { throw .malformed }
        guard passphrase != nil else { throw .passphraseNeeded }
        // OpenSSL knows the cipher before it requests the passphrase. So the passphrase is wrong, unless OpenSSL
        // reports an unsupported algorithm.
        throw reasons.contains { $0.contains("unsupported") } ? .unsupportedEncryption : .wrongPassphrase
    }

    private static func hasPrivateHalf(_ key: OpaquePointer) -> Bool {
        func hasNumber(_ name: String) -> Bool {
            var number: OpaquePointer?
            defer { BN_clear_free(number) }
            return EVP_PKEY_get_bn_param(key, name, &number) == 1
        }
        if EVP_PKEY_is_a(key, "RSA") == 1 { return hasNumber(OSSL_PKEY_PARAM_RSA_D) }
        if EVP_PKEY_is_a(key, "EC") == 1 { return hasNumber(OSSL_PKEY_PARAM_PRIV_KEY) }
        guard EVP_PKEY_is_a(key, "ED25519") == 1 else { return true }
        var length = 0
        return EVP_PKEY_get_raw_private_key(key, nil, &length) == 1
    }

    package static func generate(_ family: SignatureAlgorithm.Family) throws -> PrivateKey {
        let key: OpaquePointer? =
            switch family {
            case .rsa: try generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, 2048) }
            case .ellipticCurve(let curve): try generate("EC") { EVP_PKEY_CTX_set_group_name($0, curve.groupName) }
            case .ed25519: try generate("ED25519") { _ in 1 }
            }
        return try PrivateKey(owning: try Owned(key, by: "key generation", freeing: EVP_PKEY_free))
    }

    private static func generate(_ name: String, configure: (OpaquePointer) -> Int32) throws -> OpaquePointer? {
        let context = try Owned(
            EVP_PKEY_CTX_new_from_name(nil, name, nil), by: "key generation", freeing: EVP_PKEY_CTX_free)
        try check(EVP_PKEY_keygen_init(context.pointer), "key generation")
        try check(configure(context.pointer), "key generation")
        var key: OpaquePointer?
        try check(EVP_PKEY_generate(context.pointer, &key), "key generation")
        return key
    }

    /// The PKCS#8 PEM text of this key, without passphrase.
    package func pem() throws -> [UInt8] {
        let bio = try Owned.memoryBIO("PEM")
        try check(PEM_write_bio_PKCS8PrivateKey(bio.pointer, pkey, nil, nil, 0, nil, nil), "PEM")
        return try bio.contents("PEM")
    }

    package func signature(over message: [UInt8], algorithm: SignatureAlgorithm) throws -> [UInt8] {
        guard algorithm.family == publicKey.family else { throw KeyError.malformed }
        let context = try Owned(EVP_MD_CTX_new(), by: "sign", freeing: EVP_MD_CTX_free)
        var parameters: OpaquePointer?
        let hash = algorithm.family == .ed25519 ? nil : algorithm.hash.evp
        try check(EVP_DigestSignInit(context.pointer, &parameters, hash, nil, pkey), "sign")
        if algorithm.usesPSS {
            try check(EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING), "sign")
            try check(EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, Int32(algorithm.hash.digestLength)), "sign")
        }
        var length = 0
        try check(EVP_DigestSign(context.pointer, nil, &length, message, message.count), "sign")
        var output = [UInt8](repeating: 0, count: length)
        try check(EVP_DigestSign(context.pointer, &output, &length, message, message.count), "sign")
        output.removeLast(output.count - length)
        guard case .ellipticCurve(let curve) = publicKey.family else { return output }
        return try rawSignature(der: output, coordinateLength: curve.coordinateLength)
    }

    private func rawSignature(der: [UInt8], coordinateLength: Int) throws -> [UInt8] {
        try der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let parsed = try Owned(d2i_ECDSA_SIG(nil, &cursor, bytes.count), by: "signature", freeing: ECDSA_SIG_free)
            return try [ECDSA_SIG_get0_r(parsed.pointer), ECDSA_SIG_get0_s(parsed.pointer)].flatMap {
                try [UInt8](number: $0, count: coordinateLength, by: "signature")
            }
        }
    }

    private static func material(of key: OpaquePointer) throws -> PublicKey.Material {
        if EVP_PKEY_is_a(key, "RSA") == 1 {
            return .rsa(
                modulus: try number(key, named: OSSL_PKEY_PARAM_RSA_N),
                exponent: try number(key, named: OSSL_PKEY_PARAM_RSA_E))
        }
        if EVP_PKEY_is_a(key, "ED25519") == 1 {
            var bytes = [UInt8](repeating: 0, count: 32)
            var length = bytes.count
            try check(EVP_PKEY_get_raw_public_key(key, &bytes, &length), "public key")
            return .ed25519(bytes)
        }
        guard EVP_PKEY_is_a(key, "EC") == 1 else {
            throw KeyError.unsupported(EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown")
        }
        var name = [CChar](repeating: 0, count: 64)
        try check(EVP_PKEY_get_group_name(key, &name, name.count, nil), "curve")
        let group = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let curve = EllipticCurve.allCases.first(where: { $0.groupName == group }) else {
            throw KeyError.unsupported(group)
        }
        let size = curve.coordinateLength
        return .ellipticCurve(
            curve, x: try number(key, named: OSSL_PKEY_PARAM_EC_PUB_X, size: size),
            y: try number(key, named: OSSL_PKEY_PARAM_EC_PUB_Y, size: size))
    }

    private static func number(_ key: OpaquePointer, named name: String, size: Int? = nil) throws -> [UInt8] {
        var value: OpaquePointer?
        try check(EVP_PKEY_get_bn_param(key, name, &value), "key parameter")
        let owned = try Owned(value, by: "key parameter", freeing: BN_free)
        let count = size ?? Int((BN_num_bits(owned.pointer) + 7) / 8)
        return try [UInt8](number: owned.pointer, count: count, by: "key parameter")
    }
}
