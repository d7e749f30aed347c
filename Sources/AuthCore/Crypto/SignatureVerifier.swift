import COpenSSL

/// Checks signatures of one algorithm under one key, keeping OpenSSL's contexts between calls: setting them up costs
/// nearly as much as an RSA verification. Not `Sendable`: a context belongs to one task at a time.
package final class SignatureVerifier {
    private let key: PublicKey
    private let algorithm: SignatureAlgorithm
    private let context: Owned
    private let hashing: Owned
    private let hash: Owned
    private var digest: [UInt8]

    package init(key: PublicKey, algorithm: SignatureAlgorithm) throws {
        guard key.family == algorithm.family else { throw KeyError.malformed }
        self.key = key
        self.algorithm = algorithm
        // Fetched once: EVP_sha256() would be looked up at every use.
        hash = try Owned(EVP_MD_fetch(nil, algorithm.hash.name, nil), by: "hash", freeing: EVP_MD_free)
        digest = [UInt8](repeating: 0, count: algorithm.hash.digestLength)
        hashing = try Owned(EVP_MD_CTX_new(), by: "hash", freeing: EVP_MD_CTX_free)
        context = try Owned(EVP_PKEY_CTX_new_from_pkey(nil, key.pkey, nil), by: "verify", freeing: EVP_PKEY_CTX_free)
        if algorithm.family != .ed25519 {
            let c = context.pointer
            try check(EVP_PKEY_verify_init(c), "verify")
            try check(EVP_PKEY_CTX_set_signature_md(c, hash.pointer), "verify")
            if algorithm.usesPSS {
                try check(EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PSS_PADDING), "verify")
                try check(EVP_PKEY_CTX_set_rsa_mgf1_md(c, hash.pointer), "verify")
                try check(EVP_PKEY_CTX_set_rsa_pss_saltlen(c, Int32(algorithm.hash.digestLength)), "verify")
            } else if algorithm.family == .rsa {
                try check(EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PADDING), "verify")
            }
        }
    }

    package func isValid(_ signature: [UInt8], for message: ArraySlice<UInt8>) throws(OpenSSLError) -> Bool {
        // Checks the length first: OpenSSL accepts a PSS signature with appended zeros.
        guard signature.count == expectedLength else { return false }
        let accepted: Int32
        if algorithm.family == .ed25519 {
            let bytes = Array(message)
            try check(EVP_DigestVerifyInit(hashing.pointer, nil, nil, nil, key.pkey), "verify")
            accepted = EVP_DigestVerify(hashing.pointer, signature, signature.count, bytes, bytes.count)
            EVP_MD_CTX_reset(hashing.pointer)
        } else {
            try check(EVP_DigestInit_ex2(hashing.pointer, hash.pointer, nil), "hash")
            try check(message.withUnsafeBytes { EVP_DigestUpdate(hashing.pointer, $0.baseAddress, $0.count) }, "hash")
            try check(EVP_DigestFinal_ex(hashing.pointer, &digest, nil), "hash")
            let encoded = algorithm.family == .rsa ? signature : try derEncoded(signature)
            accepted = EVP_PKEY_verify(context.pointer, encoded, encoded.count, digest, digest.count)
        }
        // 0 means a wrong signature, a negative value a malformed one: both are invalid.
        if accepted != 1 { ERR_clear_error() }
        return accepted == 1
    }

    private var expectedLength: Int {
        switch key.material {
        case .rsa(let modulus, _): modulus.count
        case .ellipticCurve(let curve, _, _): curve.coordinateLength * 2
        case .ed25519: 64
        }
    }

    /// Converts JWA's `r ‖ s` (RFC 7518 section 3.4) to the DER form that OpenSSL requires.
    private func derEncoded(_ raw: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let half = raw.count / 2
        let signature = try Owned(ECDSA_SIG_new(), by: "signature", freeing: ECDSA_SIG_free)
        let r = try Owned(BN_bin2bn(Array(raw[..<half]), Int32(half), nil), by: "signature", freeing: BN_free)
        let s = try Owned(BN_bin2bn(Array(raw[half...]), Int32(half), nil), by: "signature", freeing: BN_free)
        try check(ECDSA_SIG_set0(signature.pointer, r.take(), s.take()), "signature")
        var output: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(signature.pointer, &output)
        guard length > 0, let output else { throw OpenSSLError.draining("signature") }
        defer { CRYPTO_free(output, nil, 0) }
        return Array(UnsafeBufferPointer(start: output, count: Int(length)))
    }
}
