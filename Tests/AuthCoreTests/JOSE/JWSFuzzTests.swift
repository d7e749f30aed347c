import TestSupport
import Testing

@testable import AuthCore

@Suite struct `Modified compact JWSs` {
    @Test(arguments: [SignatureAlgorithm.rs256, .ps384, .es256, .es512, .edDSA])
    func `A signed JWS with a changed, removed or inserted byte does not verify`(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm.family)
        let token = Array(
            try JWSSigner(key: key, algorithm: algorithm, keyID: "k").sign(["sub": "ada"] as JSONObject).utf8)
        let verifier = JWSVerifier(keys: JWKSet(keys: [JWK(key: key.publicKey, keyID: "k")]))
        _ = try verifier.verify(try UnverifiedJWS(bytes: token))
        var random = SeededGenerator(seed: 2)
        for _ in 0..<Fuzz.iterations(300) {
            var changed = token
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 1: changed.remove(at: Int.random(in: 0..<changed.count, using: &random))
            default:
                changed.insert(
                    UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0...changed.count, using: &random))
            }
            guard changed != token else { continue }
            #expect(throws: JOSEError.self) { try verifier.verify(try UnverifiedJWS(bytes: changed)) }
        }
    }
}
