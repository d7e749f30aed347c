import COpenSSL

/// The hash functions of JWA (RFC 7518).
package enum HashFunction: Int, Sendable {
    case sha256 = 256
    case sha384 = 384
    case sha512 = 512

    /// Length of a digest in bytes.
    package var digestLength: Int { rawValue / 8 }
    var name: String { "SHA\(rawValue)" }

    var evp: OpaquePointer? {
        switch self {
        case .sha256: OpenSSLStart.sha256
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }

    /// Returns the digest of `bytes`.
    package func digest(_ bytes: some Sequence<UInt8>) throws(OpenSSLError) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: digestLength)
        try check(EVP_Digest(input, input.count, &output, nil, evp, nil), "digest")
        return output
    }

    /// Returns HMAC (RFC 2104) of `bytes` under `key`.
    package func authenticationCode(of bytes: [UInt8], key: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: digestLength)
        var length: UInt32 = 0
        guard HMAC(evp, key, Int32(key.count), bytes, bytes.count, &output, &length) != nil else {
            throw OpenSSLError.draining("HMAC")
        }
        return output
    }
}

package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
    let a = Array(left.utf8)
    let b = Array(right.utf8)
    return a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
