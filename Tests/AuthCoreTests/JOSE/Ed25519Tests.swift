import Testing

@testable import AuthCore

@Suite struct `Ed25519 keys of small order` {
    /// The points whose order divides 8, from the lists of weak keys in libsodium and RFC 7748 section 7, without the
    /// sign bit of x.
    private static let encodings = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(arguments: encodings, [UInt8(0), 0x80])
    func `An Ed25519 public key of small order is rejected when it is read`(hexadecimal: String, sign: UInt8) throws {
        var bytes: [UInt8] = stride(from: 0, to: 64, by: 2).compactMap {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
        }
        bytes[31] |= sign
        #expect(throws: KeyError.invalidPoint) { try PublicKey(.ed25519(bytes)) }
        let jwk: JSONObject = ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(bytes))]
        #expect(throws: KeyError.invalidPoint) { try JWK(jwk) }
    }
}

@Suite struct `The EdDSA and Ed25519 algorithm names` {
    @Test(arguments: [SignatureAlgorithm.edDSA, .ed25519], [nil, SignatureAlgorithm.edDSA, .ed25519])
    func `A JWS with alg EdDSA or Ed25519 verifies with a key for either alg (RFC 9864)`(
        algorithm: SignatureAlgorithm, keyAlgorithm: SignatureAlgorithm?
    ) throws {
        let key = try PrivateKey.generate(.ed25519)
        let token = try UnverifiedJWS(JWSSigner(key: key, algorithm: algorithm, keyID: nil).sign(["sub": "1"]))
        #expect(token.header.algorithm == algorithm)
        let set = JWKSet(keys: [JWK(key: key.publicKey, keyID: nil, algorithm: keyAlgorithm)])
        _ = try JWSVerifier(keys: try JWKSet(Array(JSONValue.object(set.json).text.utf8))).verify(token)
    }
}
