import Testing

@testable import AuthCore

/// DPoP proofs (RFC 9449), compared with the examples of the RFC.
@Suite struct `DPoP proofs` {
    private let vector: JSONObject

    init() throws { vector = try Vectors.object("rfc9449/proof.json") }

    private func text(_ name: String) throws -> String { try #require(vector[name]?.string) }

    private func part(_ index: Int, of token: String) throws -> JSONObject {
        try StrictJSON.object(
            try #require(Base64URL.decode(String(token.split(separator: ".")[index]))))
    }

    private func claims(
        _ url: String, nonce: String? = nil, accessToken: String? = nil, random: RandomSource = .openSSL
    ) throws -> JSONObject {
        try DPoPKey.claims(
            "POST", for: HTTPURL(url), nonce: nonce, accessToken: accessToken.map { AccessToken($0) },
            now: 1_562_262_616,
            random: random)
    }

    @Test func `A DPoP proof has the contents of the RFC 9449 example (sections 4.1 and 6.1)`() throws {
        let object = try #require(try part(0, of: text("proof"))["jwk"]?.object)
        let jwk = try #require(try JWK(object))
        #expect(try jwk.thumbprint() == text("thumbprint"))
        let verifier = JWSVerifier(keys: JWKSet(keys: [jwk]), algorithms: [.es256])
        _ = try verifier.verify(UnverifiedJWS(text("proof")))
        let published = try part(1, of: text("proof"))
        let generated = try claims("https://server.example.com/token")
        for name in ["htm", "htu", "iat"] { #expect(published[name] == generated[name], "\(name)") }
        #expect(Set(published.members.map(\.name)) == Set(generated.members.map(\.name)))
    }

    @Test func `The ath of a DPoP proof is that of the RFC 9449 example (section 7.1)`() throws {
        let claims = try claims("https://resource.example.org/protectedresource", accessToken: text("access_token"))
        #expect(claims["ath"] == vector["ath"])
        #expect(claims["nonce"] == nil)
    }

    @Test(arguments: [
        ("https://api.example.com/a/b?x=1&y=2", "https://api.example.com/a/b"),
        ("https://API.example.com:443/a", "https://api.example.com/a"),
        ("https://api.example.com", "https://api.example.com/"),
        ("http://127.0.0.1:8080/?q", "http://127.0.0.1:8080/"), ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ])
    func `The htu of a DPoP proof is the URL without its query (RFC 9449 section 4.2)`(url: String, target: String)
        throws
    {
        #expect(try claims(url)["htu"] == .string(target))
    }

    @Test func `Each DPoP proof has a unique jti of at least 96 random bits (RFC 9449 section 4.2)`() throws {
        let ids = try (0..<50).map { _ in try #require(try claims("https://a.example/")["jti"]?.string) }
        #expect(Set(ids).count == 50)
        #expect(ids.allSatisfy { (Base64URL.decode($0)?.count ?? 0) >= 12 })
    }

    @Test(arguments: DPoPKey.algorithms)
    func `A DPoP proof verifies with the public key in its header, which has no private member (D1)`(
        algorithm: SignatureAlgorithm
    ) throws {
        let key = try DPoPKey(algorithm)
        let proof = try key.sign(try claims("https://server.example.com/token", nonce: "n-1"))
        let header = try part(0, of: proof)
        #expect(header["typ"] == "dpop+jwt" && header["alg"] == .string(algorithm.rawValue))
        let object = try #require(header["jwk"]?.object)
        #expect(Set(object.members.map(\.name)).isSubset(of: ["kty", "crv", "x", "y", "n", "e"]))
        let jwk = try #require(try JWK(object))
        _ = try JWSVerifier(keys: JWKSet(keys: [jwk]), algorithms: [algorithm]).verify(UnverifiedJWS(proof))
        #expect(try jwk.thumbprint() == key.thumbprint())
        #expect(try part(1, of: proof)["nonce"] == "n-1")
    }

    @Test func `A DPoP key is read back unchanged from storage, and redacted when printed`() throws {
        for algorithm in [SignatureAlgorithm.es256, .edDSA, .ps256] {
            let key = try DPoPKey(algorithm)
            let again = try DPoPKey(key.bindingKey())
            #expect(again.algorithm == algorithm)
            #expect(try again.thumbprint() == key.thumbprint())
            #expect("\(try key.bindingKey())" == "<redacted>")
        }
        for text in ["ES256\nno key", "ES256", "nothing", ""] {
            #expect(throws: KeyError.malformed) { try DPoPKey(BindingKey(text)) }
        }
    }
}
