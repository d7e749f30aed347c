import Testing

@testable import AuthCore

@Suite struct `EdDSA has two names` {
    @Test(arguments: [SignatureAlgorithm.edDSA, .ed25519], [nil, SignatureAlgorithm.edDSA, .ed25519])
    func `a token of either name verifies under a key of either (RFC 9864)`(
        algorithm: SignatureAlgorithm, keyAlgorithm: SignatureAlgorithm?
    ) throws {
        let key = try PrivateKey.generate(.ed25519)
        let token = try UnverifiedJWS(JWSSigner(key: key, algorithm: algorithm, keyID: nil).sign(["sub": "1"]))
        #expect(token.header.algorithm == algorithm)
        let set = JWKSet(keys: [JWK(key: key.publicKey, keyID: nil, algorithm: keyAlgorithm)])
        _ = try JWSVerifier(keys: try JWKSet(Array(JSONValue.object(set.json).text.utf8))).verify(token)
    }
}
