import AuthCoreTesting
import COpenSSL
import Testing

@testable import AuthCore

/// ID tokens, checked by the verifier that sign-in and `verify` share.
@Suite struct `ID tokens` {
    let provider: TestProvider

    init() throws { provider = try TestProvider() }

    private var claims: JSONObject { TestProvider.goodClaims }

    private func with(_ changes: (inout JSONObject) -> Void) -> String {
        var claims = self.claims
        changes(&claims)
        return provider.sign(JSONValue.object(claims).text)
    }

    /// A token in which one claim has this JSON text, which may be invalid.
    private func claim(_ name: String, _ json: String) -> String {
        var rest = claims
        rest[name] = nil
        let text = JSONValue.object(rest).text
        return provider.sign("{\"\(name)\":\(json)," + text.dropFirst())
    }

    private func header(_ json: String) -> String { provider.sign(JSONValue.object(claims).text, header: json) }

    /// The error of a token that is checked as in a sign-in; nil if the token is accepted.
    private func refusal(
        _ token: String, keys: JWKSet? = nil, _ change: (inout ExpectedIDToken) -> Void = { _ in }
    ) -> IDTokenRejection? {
        var expected = ExpectedIDToken(
            issuers: .exact(TestProvider.issuer), audience: TestProvider.clientID, nonce: .none,
            now: TestProvider.now,
            maximumAge: ExpectedIDToken.signInAge)
        change(&expected)
        do {
            let set = try keys ?? JWKSet(Array(JSONValue.object(provider.keySet).text.utf8))
            _ = try IDTokenClaims(try JWSVerifier(keys: set).verify(try UnverifiedJWS(token)), expecting: expected)
            return nil
        } catch let error as JOSEError {
            return .jose(error)
        } catch let error as IDTokenRejection {
            return error
        } catch {
            Issue.record("the token was not verified: \(error)")
            return nil
        }
    }

    private func refusal(_ token: String, _ change: (inout ExpectedIDToken) -> Void) -> IDTokenRejection? {
        refusal(token, keys: nil, change)
    }

    @Test func `a valid ID token is accepted`() {
        #expect(refusal(with { _ in }) == nil)
    }

    @Test(arguments: ["none", "None", "NONE", "nOnE", "", 1, .null] as [JSONValue])
    func `D1: an ID token whose alg is none in any spelling, empty, a number or null is refused`(algorithm: JSONValue) {
        let token = header(#"{"alg":\#(algorithm.text),"kid":"k1"}"#)
        #expect(refusal(token) == .jose(.algorithm(algorithm.string)))
        let parts = token.split(separator: ".")
        #expect(refusal("\(parts[0]).\(parts[1]).") == .jose(.algorithm(algorithm.string)))
    }

    @Test func `D1: an ID token without an alg or with an empty signature is refused`() {
        #expect(refusal(header(#"{"kid":"k1"}"#)) == .jose(.algorithm(nil)))
        let parts = with { _ in }.split(separator: ".")
        #expect(refusal("\(parts[0]).\(parts[1]).") == .jose(.signature))
    }

    @Test func `D2: an ID token that is signed by HS256 with the public key as the secret is refused`() throws {
        let jwk = Array(JSONValue.object(provider.keySet).text.utf8)
        let input =
            Base64URL.encode(Array(#"{"alg":"HS256","kid":"k1"}"#.utf8)) + "."
            + Base64URL.encode(Array(JSONValue.object(claims).text.utf8))
        let mac = try HashFunction.sha256.authenticationCode(of: Array(input.utf8), key: jwk)
        #expect(refusal(input + "." + Base64URL.encode(mac)) == .jose(.algorithm("HS256")))
    }

    @Test func `D3: a key with an alg verifies only signatures of that algorithm`() throws {
        let rsa = try TestProvider(algorithm: .rs256)
        let keys = JWKSet(keys: [JWK(key: rsa.key.publicKey, keyID: "k1", algorithm: .rs256)])
        let text = JSONValue.object(claims).text
        #expect(refusal(rsa.sign(text), keys: keys) == nil)
        for name in ["PS256", "RS512", "RS384"] {
            #expect(
                refusal(rsa.sign(text, header: #"{"alg":"\#(name)","kid":"k1"}"#), keys: keys)
                    == .jose(.noKey(kid: "k1")))
        }
    }

    @Test func `D4: keys and key URLs in a token's header are ignored`() throws {
        let attacker = try TestProvider()
        let jwk = JSONValue.object(JWK(key: attacker.key.publicKey, keyID: "k1").json).text
        let evil =
            #"{"alg":"ES256","kid":"k1","jwk":\#(jwk),"jku":"https://evil.example/jwks","x5u":"https://evil.example","x5c":["x"]}"#
        #expect(refusal(attacker.sign(JSONValue.object(claims).text, header: evil)) == .jose(.signature))
        #expect(refusal(header(evil)) == nil)
    }

    @Test(
        arguments: [
            (#""unknown""#, .noKey(kid: "unknown")), (#""../../etc/passwd""#, .noKey(kid: "../../etc/passwd")),
            (#""k1' OR 1=1""#, .noKey(kid: "k1' OR 1=1")), ("1", .keyIdentifier), (#""""#, .keyIdentifier),
            (#""k1\u0000""#, .keyIdentifier), ("\"" + String(repeating: "k", count: 3000) + "\"", .keyIdentifier),
        ] as [(String, JOSEError)])
    func `D5: a token whose kid is unknown, too long, a path or not a string is refused`(kid: String, error: JOSEError)
    {
        #expect(refusal(header(#"{"alg":"ES256","kid":\#(kid)}"#)) == .jose(error))
    }

    @Test func `D5: a kid has at most 256 bytes`() {
        let kid = String(repeating: "k", count: 256)
        #expect(refusal(header(#"{"alg":"ES256","kid":"\#(kid)"}"#)) == .jose(.noKey(kid: kid)))
        #expect(refusal(header(#"{"alg":"ES256","kid":"\#(kid)k"}"#)) == .jose(.keyIdentifier))
    }

    @Test func `D5: a token without a kid is accepted only if exactly one key has its algorithm`() throws {
        #expect(refusal(header(#"{"alg":"ES256"}"#)) == nil)
        let other = JWK(key: try PrivateKey.generate(.ellipticCurve(.p256)).publicKey, keyID: "k2")
        let own = JWK(key: provider.key.publicKey, keyID: "k1")
        let rsa = JWK(key: try PrivateKey.generate(.rsa).publicKey, keyID: nil)
        #expect(refusal(header(#"{"alg":"ES256"}"#), keys: JWKSet(keys: [rsa, own])) == nil)
        for keys in [[own, other], [other, own]] {
            #expect(refusal(header(#"{"alg":"ES256"}"#), keys: JWKSet(keys: keys)) == .jose(.ambiguousKey))
        }
    }

    @Test func `D5: a key without an ID verifies a token with a kid only if it is the only key`() throws {
        let nameless = JWK(key: provider.key.publicKey, keyID: nil)
        let other = JWK(key: try PrivateKey.generate(.rsa).publicKey, keyID: "k2")
        #expect(refusal(with { _ in }, keys: JWKSet(keys: [nameless])) == nil)
        #expect(refusal(with { _ in }, keys: JWKSet(keys: [nameless, other])) == .jose(.noKey(kid: "k1")))
    }

    @Test func `D6: a key set with a duplicate kid is refused`() throws {
        let own = JWK(key: provider.key.publicKey, keyID: "k1")
        let other = JWK(key: try PrivateKey.generate(.ellipticCurve(.p256)).publicKey, keyID: "k1")
        for keys in [[own, own], [own, other], [other, own]] {
            let text = JSONValue.object(JWKSet(keys: keys).json).text
            #expect(throws: KeySetError.repeatedKeyID("k1")) { try JWKSet(Array(text.utf8)) }
        }
    }

    @Test func `D6: keys with the same kid are told apart by their type and algorithm (RFC 7517 section 4.5)`() throws {
        let rsa = try PrivateKey.generate(.rsa)
        var keys = [JWK(key: provider.key.publicKey, keyID: "k1")]
        keys += [SignatureAlgorithm.rs256, .rs512].map { JWK(key: rsa.publicKey, keyID: "k1", algorithm: $0) }
        let read = try JWKSet(Array(JSONValue.object(JWKSet(keys: keys).json).text.utf8))
        #expect(refusal(provider.sign(JSONValue.object(claims).text), keys: read) == nil)
        for algorithm in [SignatureAlgorithm.rs256, .rs512] {
            let token = try UnverifiedJWS(JWSSigner(key: rsa, algorithm: algorithm, keyID: "k1").sign([:]))
            _ = try JWSVerifier(keys: read).verify(token)
        }
        let other = try UnverifiedJWS(JWSSigner(key: rsa, algorithm: .ps256, keyID: "k1").sign([:]))
        #expect(throws: JOSEError.noKey(kid: "k1")) { try JWSVerifier(keys: read).verify(other) }
    }

    @Test(arguments: [
        #""crit":[]"#, #""crit":["exp"]"#, #""crit":["x"],"x":1"#, #""crit":"exp""#, #""crit":["b64"],"b64":false"#,
        #""b64":false"#,
    ])
    func `D7: a token with crit or b64 in its header is refused`(member: String) {
        #expect(refusal(header(#"{"alg":"ES256","kid":"k1",\#(member)}"#)) == .jose(.criticalHeader))
    }

    @Test(arguments: [
        (#""typ":"at+jwt""#, "at+jwt"), (#""typ":"logout+jwt""#, "logout+jwt"), (#""typ":123"#, "not a string"),
        (#""cty":"JWT""#, "cty"),
    ])
    func `D8: a token whose typ is not JWT, or that has a cty, is refused`(member: String, type: String) {
        #expect(refusal(header(#"{"alg":"ES256","kid":"k1",\#(member)}"#)) == .jose(.type(type)))
    }

    @Test(arguments: ["JWT", "jwt", "application/jwt"])
    func `D8: an ID token with typ JWT in any case, or application/jwt, is accepted`(type: String) {
        #expect(refusal(header(#"{"alg":"ES256","kid":"k1","typ":"\#(type)"}"#)) == nil)
    }

    @Test func `D9: an ID token for another client is refused`() {
        #expect(refusal(with { $0["aud"] = "client-2" }) == .audience(ServerText("client-2"), expected: "client-1"))
    }

    @Test func `D10, D11: an ECDSA signature that is zero, out of range, DER-encoded or of a wrong length is refused`()
        throws
    {
        let good = with { _ in }
        let cut = try #require(good.lastIndex(of: "."))
        let input = good[..<cut]
        let raw = try #require(Base64URL.decode(String(good[good.index(after: cut)...])))
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7,
            0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let zero = [UInt8](repeating: 0, count: 32)
        let half = Array(raw[..<32])
        let candidates: [[UInt8]] = [
            zero + zero, half + zero, zero + Array(raw[32...]), order + order, half + order, raw + [0],
            Array(raw.dropLast()),
            [0] + raw, [0x30, 0x44, 0x02, 0x20] + half + [0x02, 0x20] + Array(raw[32...]), [],
        ]
        for signature in candidates { #expect(refusal(input + "." + Base64URL.encode(signature)) == .jose(.signature)) }
    }

    @Test func `D12: an EC key of another curve, off its curve or with a coordinate of a wrong length is refused`()
        throws
    {
        let p384 = try PrivateKey.generate(.ellipticCurve(.p384))
        let keys = JWKSet(keys: [JWK(key: p384.publicKey, keyID: "k1")])
        #expect(refusal(with { _ in }, keys: keys) == .jose(.noKey(kid: "k1")))
        guard case .ellipticCurve(_, let x, let y) = provider.key.publicKey.material else { return }
        var off = y
        off[31] ^= 1
        #expect(throws: KeyError.invalidPoint) { try PublicKey(.ellipticCurve(.p256, x: x, y: off)) }
        #expect(throws: KeyError.invalidPoint) { try PublicKey(.ellipticCurve(.p256, x: Array(x.dropLast()), y: y)) }
        #expect(throws: KeyError.invalidPoint) { try PublicKey(.ellipticCurve(.p256, x: [0] + x, y: y)) }
        let secp: JSONObject = [
            "kty": "EC", "crv": "secp256k1", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)),
        ]
        #expect(try JWK(secp) == nil)
    }

    @Test func `D13: an RSA key with a weak, even or oversized modulus or an invalid exponent is refused`() throws {
        let good = try PrivateKey.generate(.rsa).publicKey
        guard case .rsa(let n, let e) = good.material else { return }
        for (n, e, error) in [
            (Array(n.prefix(128)), e, .weakRSA(bits: 1024)), (n, [1], .weakRSA(bits: 2048)),
            (n, [2], .weakRSA(bits: 2048)),
            (n, [1, 0, 0], .weakRSA(bits: 2048)), (n, [], .malformed),
            (Array(n.dropLast()) + [n[255] & 0xFE], e, .weakRSA(bits: 2048)),
            ([0] + n, e, .malformed), (n, [0] + e, .malformed),
            ([0x80] + [UInt8](repeating: 1, count: 2048), e, .weakRSA(bits: 16_392)),
        ] as [([UInt8], [UInt8], KeyError)] {
            #expect(throws: error) { try PublicKey(.rsa(modulus: n, exponent: e)) }
        }
        #expect(throws: Never.self) { try PublicKey(.rsa(modulus: n, exponent: [3])) }
    }

    @Test func `D14, D15: an RSA signature with a wrong length or value is refused`() throws {
        for algorithm in [SignatureAlgorithm.rs256, .ps256] {
            let rsa = try TestProvider(algorithm: algorithm)
            let keys = JWKSet(keys: [JWK(key: rsa.key.publicKey, keyID: "k1")])
            let good = rsa.sign(JSONValue.object(claims).text)
            #expect(refusal(good, keys: keys) == nil)
            let cut = try #require(good.lastIndex(of: "."))
            let raw = try #require(Base64URL.decode(String(good[good.index(after: cut)...])))
            for changed in [
                raw + [0], [0] + raw, Array(raw.dropLast()), [UInt8](repeating: 0xFF, count: 256),
                [UInt8](repeating: 0, count: 256),
            ] {
                #expect(refusal(good[..<cut] + "." + Base64URL.encode(changed), keys: keys) == .jose(.signature))
            }
        }
    }

    @Test func `D14: an RSA PKCS #1 v1.5 signature with a malformed encoding or another hash is refused`() throws {
        let rsa = try TestProvider(algorithm: .rs256)
        let token = UnsignedToken(claims, algorithm: .rs256)
        let signer = RSASigner(key: rsa.key)
        let keys = JWKSet(keys: [JWK(key: rsa.key.publicKey, keyID: "k1")])
        func refusal(_ encoded: [UInt8]) throws -> IDTokenRejection? {
            self.refusal(token.signed(try signer.raw(encoded)), keys: keys)
        }
        let digest = try HashFunction.sha256.digest(token.input.utf8)
        let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let sha512: [UInt8] = sha256.dropLast() + [0x03]
        func info(_ hash: [UInt8], null: [UInt8] = [0x05, 0x00]) -> [UInt8] {
            let algorithm = [0x06, UInt8(hash.count)] + hash + null
            let content = [0x30, UInt8(algorithm.count)] + algorithm + [0x04, UInt8(digest.count)] + digest
            return [0x30, UInt8(content.count)] + content
        }
        func padding(_ length: Int) -> [UInt8] { [UInt8](repeating: 0xFF, count: length) }
        let right = info(sha256)
        let full = padding(253 - right.count)
        #expect(try refusal([0, 1] + full + [0] + right) == nil)
        var damaged = full
        damaged[damaged.count / 2] = 0xFE
        let garbage = [UInt8](repeating: 0, count: 256 - 11 - right.count)
        let bare = info(sha256, null: [])
        let malformed: [[UInt8]] = [
            [0, 1] + padding(253 - bare.count) + [0] + bare, [0, 1] + full + [0] + info(sha512),
            [0, 2] + full + [0] + right, [0, 1] + damaged + [0] + right, [0, 1] + padding(8) + [0] + right + garbage,
            [0, 1] + padding(8) + [0] + garbage + right, [0, 1] + padding(253 - digest.count) + [0] + digest,
        ]
        for encoded in malformed {
            #expect(encoded.count == 256)
            #expect(try refusal(encoded) == .jose(.signature))
        }
    }

    @Test(
        arguments: [
            (32, .sha256, true), (0, .sha256, false), (20, .sha256, false), (31, .sha256, false),
            (33, .sha256, false), (48, .sha256, false), (222, .sha256, false), (32, .sha384, false),
            (32, .sha512, false),
        ] as [(Int32, HashFunction, Bool)])
    func `D15: an RSA-PSS signature with another salt length or another hash of its mask is refused`(
        saltLength: Int32, mask: HashFunction, isFine: Bool
    ) throws {
        let rsa = try TestProvider(algorithm: .ps256)
        let token = UnsignedToken(claims, algorithm: .ps256)
        let signature = try RSASigner(key: rsa.key).pss(token.input, saltLength: saltLength, mask: mask)
        let keys = JWKSet(keys: [JWK(key: rsa.key.publicKey, keyID: "k1")])
        #expect(refusal(token.signed(signature), keys: keys) == (isFine ? nil : .jose(.signature)))
    }

    @Test(arguments: ["=", "==", "+", "/", " ", "\n", "A"])
    func `D16: a token whose parts are not canonical base64url is refused`(suffix: String) {
        // One more `A` is canonical, and changes what is signed.
        let error = suffix == "A" ? JOSEError.signature : .notCompact
        #expect(refusal(with { _ in } + suffix) == .jose(error))
        let parts = with { _ in }.split(separator: ".")
        #expect(refusal("\(parts[0]).\(parts[1])\(suffix).\(parts[2])") == .jose(error))
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c.d", "...", String(repeating: ".", count: 5000)])
    func `D17: a token without exactly three non-empty parts is refused`(token: String) {
        #expect(refusal(token) == .jose(token == ".." ? .header(.malformed(offset: 0)) : .notCompact))
    }

    @Test func `D18: a token in the JWS JSON serialization is refused`() {
        let parts = with { _ in }.split(separator: ".")
        #expect(
            refusal(#"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#)
                == .jose(.notCompact))
    }

    @Test func `D19: a token that exceeds the limit for its size, header, nesting or numbers is refused`() {
        #expect(refusal(claim("x", "\"" + String(repeating: "a", count: 70_000) + "\"")) == .jose(.tooLong))
        #expect(
            refusal(header(#"{"alg":"ES256","kid":"k1","x":"\#(String(repeating: "a", count: 5000))"}"#))
                == .jose(.tooLong))
        #expect(
            refusal(claim("x", String(repeating: "[", count: 40) + String(repeating: "]", count: 40)))
                == .jose(.payload(.tooDeep(limit: 32))))
        #expect(refusal(claim("x", String(repeating: "9", count: 10_000))) == .jose(.payload(.numberOutOfRange)))
    }

    @Test func `D20: a token with a duplicate claim or header parameter is refused, also if the name is escaped`() {
        let text = JSONValue.object(claims).text
        #expect(refusal(provider.sign(#"{"aud":"evil","# + text.dropFirst())) == .jose(.payload(.duplicateName("aud"))))
        #expect(
            refusal(provider.sign(#"{"\u0061ud":"evil","# + text.dropFirst())) == .jose(.payload(.duplicateName("aud")))
        )
        #expect(refusal(header(#"{"alg":"ES256","alg":"ES256","kid":"k1"}"#)) == .jose(.header(.duplicateName("alg"))))
    }

    @Test(
        arguments: [
            ("[]", .notAnObject), ("\"a\"", .notAnObject), ("null", .notAnObject),
            ("{\"a\":1,}", .malformed(offset: 7)), ("{} x", .malformed(offset: 3)),
            ("\u{FEFF}{}", .malformed(offset: 0)), ("{\"a\":\"\\ud800\"}", .malformed(offset: 12)),
            ("", .malformed(offset: 0)),
        ] as [(String, JSONError)])
    func `D21: a payload that is not a valid JSON object is refused`(payload: String, error: JSONError) {
        #expect(refusal(provider.sign(payload)) == .jose(.payload(error)))
    }

    @Test(
        arguments: ["exp", "nbf", "iat"],
        [
            (#""1795248600""#, nil), ("true", nil), ("[1795248000]", nil), ("-1", nil), ("1e30", nil),
            ("1e999", .numberOutOfRange), ("NaN", .malformed(offset: 7)), ("253402300800", nil),
        ] as [(String, JSONError?)])
    func `D22: an exp, nbf or iat that is not a number from 1970 to the year 9999 is refused`(
        name: String, value: (json: String, error: JSONError?)
    ) {
        #expect(refusal(claim(name, value.json)) == value.error.map { .jose(.payload($0)) } ?? .claim(name))
    }

    @Test func `D22: null is the same as a missing claim only for claims that restrict a token further`() {
        for name in ["azp", "at_hash", "c_hash", "auth_time", "nbf"] {
            #expect(
                refusal(claim(name, "null")) { ($0.accessToken, $0.code) = (AccessToken("t"), AuthorizationCode("c")) }
                    == nil, "\(name)")
        }
        for name in ["iss", "sub", "aud", "exp", "iat"] { #expect(refusal(claim(name, "null")) == .claim(name)) }
        for rule in [.raw(Nonce("n")), .sha256(Nonce("n")), .rawOrAbsent(Nonce("n")), .none]
            as [ExpectedIDToken.NonceRule]
        {
            #expect(refusal(claim("nonce", "null")) { $0.nonce = rule } == .nonce)
        }
        #expect(refusal(claim("auth_time", "null")) { $0.maximumAuthenticationAge = 60 } == .authenticationTooOld)
        #expect(refusal(claim("acr", "null")) { $0.authenticationContexts = ["2"] } == .authenticationContext)
        #expect(refusal(claim("hd", "null")) { $0.requiredClaims = [(name: "hd", value: nil)] } == .claim("hd"))
    }

    @Test func `D23: an expired ID token is accepted for less than one minute (clock skew)`() {
        let now = TestProvider.now
        #expect(refusal(with { $0["exp"] = JSONValue(now - 59) }) == nil)
        #expect(refusal(with { $0["exp"] = JSONValue(now - 60) }) == .expired(at: now - 60, now: now))
        #expect(refusal(with { $0["exp"] = JSONValue(now - 4000) }) == .expired(at: now - 4000, now: now))
    }

    @Test(arguments: ["nbf", "iat"])
    func `D24: an nbf or iat more than a minute in the future is refused`(
        name: String
    ) throws {
        let now = TestProvider.now
        #expect(refusal(with { $0[name] = JSONValue(now + 60) }) == nil)
        let late = refusal(with { $0[name] = JSONValue(now + 61) })
        #expect(
            late == (name == "nbf" ? .notYetValid(at: now + 61, now: now) : .issuedInFuture(at: now + 61, now: now)))
    }

    @Test func `D25: a sign-in refuses an ID token that is too old, but not one that is valid for long`() {
        let now = TestProvider.now
        let old = with { $0["iat"] = JSONValue(now - 661) }
        #expect(refusal(old) == .issuedTooLongAgo(at: now - 661, now: now))
        #expect(refusal(old) { $0.maximumAge = nil } == nil)
        #expect(refusal(with { $0["iat"] = JSONValue(now - 660) }) == nil)
        #expect(refusal(with { $0["exp"] = JSONValue(now + 10 * 365 * 86_400) }) == nil)
    }

    @Test(
        arguments: [
            .null, 1, ["https://id.example.com"], "https://id.example.com/", "http://id.example.com",
            "https://id.example.com.evil.example", "id.example.com", "https://ID.example.com",
        ] as [JSONValue])
    func `D26: an ID token with a different or look-alike issuer is refused`(issuer: JSONValue) {
        let rejection = issuer.string.map { IDTokenRejection.issuer(ServerText($0), expected: TestProvider.issuer) }
        #expect(refusal(claim("iss", issuer.text)) == rejection ?? .claim("iss"))
        #expect(refusal(with { $0["iss"] = nil }) == .claim("iss"))
    }

    @Test func `D27: an ID token whose issuer is a template with a tenant placeholder is refused`() {
        let template = "https://login.microsoftonline.com/{tenantid}/v2.0"
        #expect(
            refusal(with { $0["iss"] = .string(template) })
                == .issuer(ServerText(template), expected: TestProvider.issuer))
    }

    @Test(
        arguments: [
            (.null, .claim("aud")), ("", .audience(ServerText(""), expected: "client-1")), ([], .claim("aud")),
            (1, .claim("aud")), ([["client-1"]], .claim("aud")), (["client-1", "other"], .otherAudiences(["other"])),
            (["other"], .audience(ServerText("other"), expected: "client-1")), (["client-1", 1], .claim("aud")),
        ] as [(JSONValue, IDTokenRejection)])
    func `D28: an ID token whose audience is not exactly this client is refused`(
        audience: JSONValue, rejection: IDTokenRejection
    ) {
        #expect(refusal(claim("aud", audience.text)) == rejection)
        #expect(refusal(with { $0["aud"] = nil }) == .claim("aud"))
    }

    @Test func `D28: azp must be this client, and does not permit other audiences`() {
        #expect(refusal(with { $0["azp"] = "client-2" }) == .authorizedParty)
        #expect(refusal(with { $0["azp"] = "client-1" }) == nil)
        let named = with {
            $0["aud"] = ["client-1", "api"]
            $0["azp"] = "client-1"
        }
        #expect(refusal(named) == .otherAudiences(["api"]))
        #expect(refusal(claim("aud", #"["client-1"]"#)) == nil, "A25: an array with one audience is accepted")
    }

    @Test func `D28: other audiences are accepted only if all are trusted, and azp and client_id are this client`() {
        func token(_ audience: JSONValue, _ more: JSONObject = [:]) -> String {
            with {
                $0["aud"] = audience
                $0.merge(more)
            }
        }
        let trusts = { (expected: inout ExpectedIDToken) in expected.trustedAudiences = ["998877", "sibling@project"] }
        let several: JSONValue = ["client-1", "998877", "sibling@project"]
        #expect(refusal(token(several), trusts) == nil)
        #expect(refusal(token(several, ["azp": "client-1", "client_id": "client-1"]), trusts) == nil)
        #expect(refusal(token(several, ["azp": nil]), trusts) == nil)
        #expect(refusal(token(several)) == .otherAudiences(["998877", "sibling@project"]))
        #expect(refusal(token(several)) { $0.trustedAudiences = ["998877"] } == .otherAudiences(["sibling@project"]))
        for (audience, rejection) in [
            (["998877"], .audience(ServerText("998877"), expected: "client-1")),
            ("998877", .audience(ServerText("998877"), expected: "client-1")),
            (["998877", "sibling@project"], .audience(ServerText("998877, sibling@project"), expected: "client-1")),
            (["client-1", "998877", 5], .claim("aud")),
        ] as [(JSONValue, IDTokenRejection)] {
            #expect(refusal(token(audience), trusts) == rejection, "this client is not one of them")
        }
        for (name, value) in [("azp", "998877"), ("azp", 1), ("client_id", "sibling@project"), ("client_id", nil)]
            as [(String, JSONValue)]
        {
            #expect(refusal(token(several, [name: value]), trusts) == .authorizedParty, "\(name)")
        }
        #expect(refusal(token("client-1", ["client_id": "x"])) == nil, "not a claim of ID tokens")
    }

    @Test func `D28: only a token that was handed in may have been issued to another known client`() {
        let app = with { $0["azp"] = "app" }
        #expect(refusal(app) { $0.otherParties = ["app"] } == nil)
        #expect(refusal(app) { $0.otherParties = nil } == nil)
        #expect(refusal(app) { $0.otherParties = ["another"] } == .authorizedParty)
        #expect(refusal(app) { $0.trustedAudiences = ["app"] } == .authorizedParty)
        #expect(refusal(with { $0["azp"] = 1 }) { $0.otherParties = nil } == .authorizedParty, "a client ID is text")
        #expect(
            refusal(with { $0["aud"] = "app" }) { ($0.otherParties, $0.trustedAudiences) = (nil, ["app"]) }
                == .audience(ServerText("app"), expected: "client-1"))
    }

    /// The SHA-256 hash of "n" in hexadecimal, as JSON.
    private static let hashedNonce = #""1b16b1df538ba12dc3f97edbb85caa7050d46c148134290feba80f8236c83db9""#

    @Test(arguments: [nil, #""""#, #""other""#, #"["n"]"#, hashedNonce] as [String?])
    func `D29: an ID token whose nonce is missing, empty, different, a list or hashed is refused`(json: String?) throws
    {
        let token = json.map { claim("nonce", $0) } ?? with { _ in }
        let refusal = refusal(token) { $0.nonce = .raw(Nonce("n")) }
        #expect(refusal == (json == nil ? .nonceMissing : .nonce) && refusal?.code == .missingOrInvalidNonce)
        #expect(self.refusal(claim("nonce", #""n""#)) { $0.nonce = .raw(Nonce("n")) } == nil)
    }

    @Test func `D29: if the provider hashes the nonce, only its hash is accepted`() {
        #expect(refusal(claim("nonce", Self.hashedNonce)) { $0.nonce = .sha256(Nonce("n")) } == nil)
        #expect(refusal(claim("nonce", Self.hashedNonce)) { $0.nonce = .sha256(Nonce("m")) } == .nonce)
        #expect(refusal(claim("nonce", #""n""#)) { $0.nonce = .sha256(Nonce("n")) } == .nonce)
    }

    @Test func `D29: an optional nonce must match if the token has one`() {
        let isOptional = { (expected: inout ExpectedIDToken) in expected.nonce = .rawOrAbsent(Nonce("n")) }
        #expect(refusal(with { _ in }, isOptional) == nil)
        #expect(refusal(claim("nonce", #""n""#), isOptional) == nil)
        for json in [#""other""#, #""""#, "null", "1", #"["n"]"#] {
            #expect(refusal(claim("nonce", json), isOptional) == .nonce)
        }
    }

    @Test func `D29: an ID token with a nonce that was not requested is refused`() {
        #expect(refusal(claim("nonce", #""n""#)) == .nonce)
    }

    @Test(arguments: [
        "null", #""""#, "1", "\"" + String(repeating: "s", count: 256) + "\"", #""é""#, #""a\u0007""#, #"" a""#,
        #""a ""#,
    ])
    func `D30: a subject that is missing, too long, not ASCII, not trimmed or not a string is refused`(json: String) {
        #expect(refusal(claim("sub", json)) == .claim("sub"))
        #expect(refusal(with { $0["sub"] = nil }) == .claim("sub"))
    }

    @Test func `D30: a subject has 1 to 255 visible ASCII characters, and spaces between them`() {
        for subject in [String(repeating: "s", count: 255), "~", "a b"] {
            #expect(refusal(with { $0["sub"] = .string(subject) }) == nil)
        }
    }

    @Test func `D31: an at_hash or c_hash must match if it is present`() throws {
        let token = AccessToken("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        // The example of OpenID Connect Core appendix A.3 and A.4.
        let right = with { $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" }
        #expect(refusal(right) { $0.accessToken = token } == nil)
        #expect(refusal(with { _ in }) { $0.accessToken = token } == nil)
        for wrong in ["77QmUPtjPfzWtF2AnpK9Rg", "77QmUPtjPfzWtF2A", ""] {
            #expect(refusal(with { $0["at_hash"] = .string(wrong) }) { $0.accessToken = token } == .accessTokenHash)
            #expect(refusal(with { $0["c_hash"] = .string(wrong) }) { $0.code = AuthorizationCode("c") } == .codeHash)
        }
    }

    @Test(arguments: [
        (SignatureAlgorithm.es256, [HashFunction.sha256]), (.ps384, [.sha384]), (.es512, [.sha512]),
        (.edDSA, [.sha256, .sha512]), (.ed25519, [.sha256, .sha512]),
    ])
    func `D31: an at_hash has the hash function of the signature; with Ed25519, servers use SHA-512 or SHA-256`(
        algorithm: SignatureAlgorithm, accepted: [HashFunction]
    ) throws {
        let signer = try TestProvider(algorithm: algorithm)
        for hash in [HashFunction.sha256, .sha384, .sha512] {
            var claims = self.claims
            let digest = try hash.digest("token".utf8)
            claims["at_hash"] = .string(Base64URL.encode(digest.prefix(digest.count / 2)))
            let token = signer.sign(JSONValue.object(claims).text)
            let refusal = refusal(token, keys: try JWKSet(signer.jwks)) { $0.accessToken = AccessToken("token") }
            #expect(refusal == (accepted.contains(hash) ? nil : .accessTokenHash))
        }
    }

    @Test func `D32: auth_time and acr must comply with the requested max_age and acr_values`() {
        let now = TestProvider.now
        let fresh = with { $0["auth_time"] = JSONValue(now - 100) }
        #expect(refusal(fresh) { $0.maximumAuthenticationAge = 100 } == nil)
        #expect(
            refusal(with { $0["auth_time"] = JSONValue(now - 400) }) { $0.maximumAuthenticationAge = 100 }
                == .authenticationTooOld)
        #expect(refusal(with { _ in }) { $0.maximumAuthenticationAge = 100 } == .authenticationTooOld)
        #expect(refusal(claim("auth_time", #""1795248000""#)) == .claim("auth_time"))
        #expect(refusal(with { $0["acr"] = "1" }) { $0.authenticationContexts = ["2"] } == .authenticationContext)
        #expect(refusal(with { $0["acr"] = "2" }) { $0.authenticationContexts = ["2", "3"] } == nil)
    }

    @Test func `D32: after a re-authentication, auth_time must not be older than the request`() {
        let now = TestProvider.now
        #expect(refusal(with { _ in }) { $0.authenticatedSince = now } == nil)
        #expect(refusal(with { $0["auth_time"] = JSONValue(now - 60) }) { $0.authenticatedSince = now } == nil)
        #expect(
            refusal(with { $0["auth_time"] = JSONValue(now - 61) }) { $0.authenticatedSince = now }
                == .authenticationTooOld)
    }

    @Test func `D32: a clock that is more than 60 seconds ahead explains an old authentication`() throws {
        for (offset, isAhead) in [(nil, false), (-61, false), (60, false), (61, true)] as [(Int64?, Bool)] {
            let error = IDTokenRefused(
                rejection: .authenticationTooOld, issuer: try HTTPURL(TestProvider.issuer), clockOffset: offset)
            #expect(error.isClockAhead == isAhead, "\(offset ?? 0)")
        }
    }

    @Test func `D33: a required claim must have the required value, or any value except an empty one`() {
        for (value, isFine) in [("example.com", true), ("EXAMPLE.com", false), ("", false)] {
            let token = with { $0["hd"] = .string(value) }
            #expect((refusal(token) { $0.requiredClaims = [(name: "hd", value: "example.com")] } == nil) == isFine)
            #expect((refusal(token) { $0.requiredClaims = [(name: "hd", value: nil)] } == nil) == !value.isEmpty)
        }
        #expect(refusal(with { _ in }) { $0.requiredClaims = [(name: "hd", value: nil)] } == .claim("hd"))
    }

    @Test(arguments: [
        ("true", true), (#""true""#, false), (#""false""#, false), ("1", false), (#""1""#, false), ("null", false),
        (#""TRUE""#, false), ("false", false),
    ])
    func `D34: an email is verified only if email_verified is JSON true and the configuration trusts it`(
        json: String, isVerified: Bool
    ) throws {
        let token = try IDTokenClaims(
            try JWSVerifier(keys: JWKSet(keys: [JWK(key: provider.key.publicKey, keyID: "k1")])).verify(
                try UnverifiedJWS(claim("email_verified", json))),
            expecting: ExpectedIDToken(
                issuers: .exact(TestProvider.issuer), audience: TestProvider.clientID, nonce: .none,
                now: TestProvider.now)
        )
        var entry = Provider(
            id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID)
        func identity() throws -> Identity {
            try entry.identity(authority: token.issuer, claims: token.claims, userInfo: nil)
        }
        #expect(try !identity().isEmailVerified)
        entry.trustsEmail = true
        #expect(try identity().isEmailVerified == isVerified)
    }

    @Test(arguments: [nil, .null, ""] as [JSONValue?])
    func `D34: the address and email_verified are read from the same document`(email: JSONValue?) throws {
        var claims: JSONObject = ["sub": "1", "email_verified": true, "xms_edov": true, "tid": "t", "oid": "o"]
        claims["email"] = email
        for id in ["oidc.test", "google.com", "microsoft.com"] {
            var entry =
                id == "oidc.test"
                ? Provider(id: id, issuer: try HTTPURL(TestProvider.issuer), clientID: "c")
                : try Provider(builtIn: id, clientID: "c")
            entry.trustsEmail = true
            let identity = try entry.identity(
                authority: TestProvider.issuer, claims: claims, userInfo: ["sub": "1", "email": "eve@example.com"])
            #expect(identity.email == "eve@example.com" && !identity.isEmailVerified, "\(id)")
        }
    }

    @Test func `D35: encrypted and compressed tokens are unsupported`() throws {
        for token in [
            "a.b.c.d.e", header(#"{"alg":"ES256","kid":"k1","zip":"DEF"}"#),
            header(#"{"alg":"dir","enc":"A128GCM","p2c":2147483647}"#),
        ] {
            let failure = refusal(token)
            #expect(failure == .jose(.encrypted))
            #expect(failure?.code == .unsupported)
        }
    }

    @Test func `D36: a token with an algorithm that the provider does not use is refused`() throws {
        for algorithm in [SignatureAlgorithm.edDSA, .es512] {
            let other = try TestProvider(algorithm: algorithm)
            let verifier = JWSVerifier(
                keys: JWKSet(keys: [JWK(key: other.key.publicKey, keyID: "k1")]), algorithms: [.rs256])
            let token = try UnverifiedJWS(other.sign(JSONValue.object(claims).text))
            #expect(throws: JOSEError.algorithm(algorithm.rawValue)) { try verifier.verify(token) }
        }
        #expect(refusal(header(#"{"alg":"ES256K","kid":"k1"}"#)) == .jose(.algorithm("ES256K")))
    }

    @Test func `D37: a key whose use or key_ops does not allow verification is not used`() throws {
        for (name, value) in [("use", "enc" as JSONValue), ("key_ops", ["sign"]), ("key_ops", "verify")] {
            var jwk = JWK(key: provider.key.publicKey, keyID: "k1").json
            jwk["use"] = nil
            jwk[name] = value
            let set = try JWKSet(Array(JSONValue.object(["keys": [.object(jwk)]]).text.utf8))
            #expect(refusal(with { _ in }, keys: set) == .jose(.noKey(kid: "k1")))
        }
    }

    @Test func `D38: two keys with the same modulus and different key IDs are accepted`() throws {
        let rsa = try TestProvider(algorithm: .rs256)
        let keys = JWKSet(keys: [JWK(key: rsa.key.publicKey, keyID: "k1"), JWK(key: rsa.key.publicKey, keyID: "k2")])
        #expect(refusal(rsa.sign(JSONValue.object(claims).text), keys: keys) == nil)
    }
}

/// A token that is signed by the test.
private struct UnsignedToken {
    let input: String

    init(_ claims: JSONObject, algorithm: SignatureAlgorithm) {
        input =
            Base64URL.encode(Array(#"{"alg":"\#(algorithm.rawValue)","kid":"k1"}"#.utf8)) + "."
            + Base64URL.encode(Array(JSONValue.object(claims).text.utf8))
    }

    func signed(_ signature: [UInt8]) -> String { input + "." + Base64URL.encode(signature) }
}

/// RSA signatures that `PrivateKey` does not make.
private struct RSASigner {
    let key: PrivateKey

    /// RSASSA-PSS with SHA-256.
    func pss(_ message: String, saltLength: Int32, mask: HashFunction) throws -> [UInt8] {
        try sign(try HashFunction.sha256.digest(message.utf8)) { context in
            try check(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING), "padding")
            try check(EVP_PKEY_CTX_set_signature_md(context, HashFunction.sha256.evp), "hash")
            try check(EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask.evp), "mask")
            try check(EVP_PKEY_CTX_set_rsa_pss_saltlen(context, saltLength), "salt")
        }
    }

    /// The RSA operation without an encoding (RFC 8017 section 5.2.1).
    func raw(_ encoded: [UInt8]) throws -> [UInt8] {
        try sign(encoded) { try check(EVP_PKEY_CTX_set_rsa_padding($0, RSA_NO_PADDING), "padding") }
    }

    private func sign(_ input: [UInt8], _ configure: (OpaquePointer) throws -> Void) throws -> [UInt8] {
        let context = try Owned(EVP_PKEY_CTX_new_from_pkey(nil, key.pkey, nil), by: "sign", freeing: EVP_PKEY_CTX_free)
        try check(EVP_PKEY_sign_init(context.pointer), "sign")
        try configure(context.pointer)
        var length = 256
        var output = [UInt8](repeating: 0, count: length)
        try check(EVP_PKEY_sign(context.pointer, &output, &length, input, input.count), "sign")
        return output
    }
}
