import Testing

@testable import AuthCore

@Suite struct `Published JOSE and PKCE test vectors` {
    @Test func `The asymmetric examples of RFC 7515 appendix A verify; HMAC and unsecured ones do not`() throws {
        let cases = try #require(try Vectors.object("rfc7515/appendix-a.json")["cases"]?.array)
        #expect(cases.count == 5)
        for value in cases {
            let example = try #require(value.object)
            let section = try #require(example["section"]?.string)
            let compact = try #require(example["compact"]?.string)
            let set: JSONValue = ["keys": [example["key"] ?? .null]]
            func verify() throws {
                _ = try JWSVerifier(keys: try JWKSet(Array(set.text.utf8))).verify(try UnverifiedJWS(compact))
            }
            let refused = ["A.1": "HS256", "A.5": "none"][section]
            #expect((refused == nil) == example["verifies"]?.bool, "\(section)")
            if let refused { #expect(throws: JOSEError.algorithm(refused)) { try verify() } } else { try verify() }
        }
    }

    @Test func `The JWS JSON Serialization is rejected (RFC 7515 appendix A.6)`() throws {
        let text = try #require(try Vectors.object("rfc7515/appendix-a.json")["jsonSerialization"]?.string)
        #expect(throws: JOSEError.notCompact) { try UnverifiedJWS(text) }
    }

    @Test func `The PKCE verifier of RFC 7636 appendix B has the published challenge`() throws {
        let example = try Vectors.object("rfc7636/appendix-b.json")
        let verifier = try #require(example["verifier"]?.string)
        let key = try ProofKey(verifier: verifier)
        #expect(key.challenge == example["challenge"]?.string)
    }

    @Test(arguments: ["rfc7638/example.json", "rfc8037/appendix-a.json"])
    func `The example keys of RFC 7638 and RFC 8037 have the published thumbprints`(file: String) throws {
        let example = try Vectors.object(file)
        let members = try #require(example["key"]?.object)
        let key = try #require(try JWK(members))
        #expect(try key.thumbprint() == example["thumbprint"]?.string)
    }

    @Test func `The Ed25519 signature of RFC 8037 appendix A.4 verifies`() throws {
        let example = try Vectors.object("rfc8037/appendix-a.json")
        let set: JSONValue = ["keys": [example["key"] ?? .null]]
        let compact = try #require(example["compact"]?.string)
        let token = try UnverifiedJWS(compact)
        let verified = try JWSVerifier(keys: try JWKSet(Array(set.text.utf8))).verify(token)
        #expect(String(decoding: verified.payload, as: UTF8.self) == example["payload"]?.string)
    }
}
