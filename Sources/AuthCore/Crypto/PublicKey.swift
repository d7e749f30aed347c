import COpenSSL

/// Why a key or a certificate is not accepted.
package enum KeyError: CodedError, Sendable, Equatable {
    case weakRSA(bits: Int)
    case invalidPoint
    case malformed
    case unsupported(String)
    case passphraseNeeded
    case wrongPassphrase
    /// OpenSSL does not support the key's encryption, or has disabled it.
    case unsupportedEncryption
    case notACertificate
    /// The private key is not that of the first certificate.
    case otherKey

    package var code: ErrorCode { .invalidConfiguration }
}

/// A public key that passed the checks of this library; immutable.
///
/// - Note: `@unchecked Sendable` holds because the `EVP_PKEY` is never changed after `init`, and OpenSSL documents
///   concurrent use of an unchanging key as safe (its counter and caches are locked or atomic).
package final class PublicKey: @unchecked Sendable {
    /// The key type and its parameters, as in a JWK (RFC 7517).
    package enum Material: Sendable, Hashable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ellipticCurve(EllipticCurve, x: [UInt8], y: [UInt8])
        case ed25519([UInt8])
    }

    package let material: Material
    let pkey: OpaquePointer

    deinit { EVP_PKEY_free(pkey) }

    package var family: SignatureAlgorithm.Family {
        switch material {
        case .rsa: .rsa
        case .ellipticCurve(let curve, _, _): .ellipticCurve(curve)
        case .ed25519: .ed25519
        }
    }

    package init(_ material: Material) throws {
        self.material = material
        switch material {
        case .rsa(let modulus, let exponent): pkey = try PublicKey.rsa(modulus, exponent)
        case .ellipticCurve(let curve, let x, let y): pkey = try PublicKey.point(on: curve, x: x, y: y)
        case .ed25519(let bytes):
            guard bytes.count == 32, !PublicKey.hasSmallOrder(bytes) else { throw KeyError.invalidPoint }
            let key = try Owned(
                EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count), by: "Ed25519 key",
                freeing: EVP_PKEY_free)
            pkey = key.take()
        }
    }

    /// Whether an Ed25519 key is one of the eight points whose order divides the cofactor. Attackers can create
    /// signatures that verify under these points, and OpenSSL accepts them. Each y is listed in the encoding of RFC
    /// 8032 section 5.1.2. Values below 19 are also listed unreduced. The sign bit of x is ignored.
    private static func hasSmallOrder(_ encoded: [UInt8]) -> Bool {
        var y = encoded
        y[31] &= 0x7F
        return smallOrder.contains(y)
    }

    private static let smallOrder: Set<[UInt8]> = {
        func around(_ first: UInt8) -> [UInt8] { [first] + Array(repeating: 0xFF, count: 30) + [0x7F] }
        let zero = Array(repeating: UInt8(0), count: 32)
        let one = [1] + zero.dropFirst()
        // The two y of the points of order 8, whose sum is p.
        let eighths = [
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        ].compactMap { [UInt8](hexadecimal: $0) }
        // p - 1, p and p + 1, with p = 2^255 - 19.
        return Set([zero, one, around(0xEC), around(0xED), around(0xEE)] + eighths)
    }()

    private static func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) throws -> OpaquePointer {
        guard let first = modulus.first, let last = modulus.last, let exponentLast = exponent.last else {
            throw KeyError.malformed
        }
        // With leading zeros, a key would have several encodings (RFC 7518 section 2, Base64urlUInt).
        guard first != 0, exponent.first != 0 else { throw KeyError.malformed }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard (2048...8192).contains(bits), last & 1 == 1, exponentLast & 1 == 1, exponent != [1], exponent.count <= 8
        else { throw KeyError.weakRSA(bits: bits) }
        guard let key = authctl_rsa_key(modulus, Int32(modulus.count), exponent, Int32(exponent.count)) else {
            throw OpenSSLError.draining("RSA key")
        }
        return key
    }

    private static func point(on curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws -> OpaquePointer {
        guard x.count == curve.coordinateLength, y.count == curve.coordinateLength else { throw KeyError.invalidPoint }
        let encoded = [4] + x + y
        guard let made = authctl_ec_key(curve.groupName, encoded, encoded.count) else {
            _ = OpenSSLError.draining("point")
            throw KeyError.invalidPoint
        }
        let key = try Owned(made, by: "EC key", freeing: EVP_PKEY_free)
        let checker = try Owned(
            EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), by: "EC key", freeing: EVP_PKEY_CTX_free)
        guard EVP_PKEY_public_check(checker.pointer) == 1 else {
            _ = OpenSSLError.draining("point")
            throw KeyError.invalidPoint
        }
        return key.take()
    }
}
