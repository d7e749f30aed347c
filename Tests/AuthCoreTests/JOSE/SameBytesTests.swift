import Testing

@testable import AuthCore

/// The Kelvin sign U+212A and `K` are canonically equivalent, so Swift's `==` calls them equal. Protocols compare bytes.
@Suite struct `Comparison of strings by bytes` {
    static let kelvin = "\u{212A}1"
    static let plain = "K1"

    @Test func `JSON strings and member names are compared by bytes`() throws {
        #expect(Self.kelvin == Self.plain, "equal by Swift's ==")
        #expect(JSONValue.string(Self.kelvin) != .string(Self.plain))
        #expect(["a": .string(Self.kelvin)] as JSONValue != ["a": .string(Self.plain)])
        let object = try StrictJSON.object(Array(#"{"\u212A1":1,"K1":2}"#.utf8))
        #expect(object["K1"] == 2 && object[Self.kelvin] == 1)
        var merged = object
        merged.merge(["K1": 3])
        #expect(merged["K1"] == 3 && merged[Self.kelvin] == 1 && merged.members.count == 2)
        #expect(
            object == (["K1": 2, "\u{212A}1": 1] as JSONObject) && object != (["K1": 1, "\u{212A}1": 2] as JSONObject))
    }

    @Test func `Identities whose IDs or authorities are only canonically equivalent are different`() {
        func key(_ provider: String, _ authority: String, _ id: String) -> IdentityKey {
            IdentityKey(providerID: provider, authority: authority, federatedID: id)
        }
        #expect(key("p", "a", Self.plain) != key("p", "a", Self.kelvin))
        #expect(key("p", Self.plain, "1") != key("p", Self.kelvin, "1"))
        #expect(Set([key("p", "a", Self.plain), key("p", "a", Self.kelvin), key("p", "a", Self.plain)]).count == 2)
    }

    private func verified(
        _ claims: JSONObject, audience: String = plain, _ change: (inout ExpectedIDToken) -> Void = { _ in }
    ) throws {
        let key = try PrivateKey.generate(.ed25519)
        var all: JSONObject = [
            "iss": "https://id.example.com", "sub": "1", "aud": .string(audience), "iat": 1_795_248_000,
            "exp": 1_795_248_600,
        ]
        all.merge(claims)
        let token = try JWSSigner(key: key, algorithm: .edDSA, keyID: nil).sign(all)
        var expected = ExpectedIDToken(
            issuers: .exact("https://id.example.com"), audience: audience, nonce: .notChecked, now: 1_795_248_000)
        change(&expected)
        _ = try IDTokenClaims(
            JWSVerifier(keys: JWKSet(keys: [JWK(key: key.publicKey, keyID: nil)])).verify(UnverifiedJWS(token)),
            expecting: expected)
    }

    @Test func `azp, acr and the audiences of an ID token are compared by bytes`() throws {
        try verified(["azp": .string(Self.plain)])
        #expect(throws: IDTokenRejection.authorizedParty) { try verified(["azp": .string(Self.kelvin)]) }
        try verified(["acr": .string(Self.plain)]) { $0.authenticationContexts = [Self.plain] }
        #expect(throws: IDTokenRejection.authenticationContext) {
            try verified(["acr": .string(Self.kelvin)]) { $0.authenticationContexts = [Self.plain] }
        }
        let audience = Self.plain
        #expect(throws: IDTokenRejection.audience(ServerText(Self.kelvin), expected: audience)) {
            try verified(["aud": [.string(Self.kelvin)]], audience: audience)
        }
        #expect(throws: IDTokenRejection.otherAudiences([Self.kelvin])) {
            try verified(["aud": [.string(audience), .string(Self.kelvin)]], audience: audience)
        }
        let several: JSONObject = ["aud": ["c", .string(Self.kelvin)]]
        try verified(several, audience: "c") { $0.trustedAudiences = [Self.kelvin] }
        #expect(throws: IDTokenRejection.otherAudiences([Self.kelvin])) {
            try verified(several, audience: "c") { $0.trustedAudiences = [Self.plain] }
        }
    }

    @Test func `Keys with canonically equivalent kids are different, and each verifies only its own JWS`() throws {
        let (one, other) = (try PrivateKey.generate(.ed25519), try PrivateKey.generate(.ed25519))
        let set = JWKSet(keys: [
            JWK(key: one.publicKey, keyID: Self.plain), JWK(key: other.publicKey, keyID: Self.kelvin),
        ])
        #expect(try JWKSet(Array(JSONValue.object(set.json).text.utf8)).keys.count == 2)
        for (key, name) in [(one, Self.plain), (other, Self.kelvin)] {
            let token = try UnverifiedJWS(JWSSigner(key: key, algorithm: .edDSA, keyID: name).sign(["sub": "1"]))
            _ = try JWSVerifier(keys: set).verify(token)
        }
        let token = try UnverifiedJWS(JWSSigner(key: one, algorithm: .edDSA, keyID: Self.kelvin).sign(["sub": "1"]))
        #expect(throws: JOSEError.signature) { try JWSVerifier(keys: set).verify(token) }
        let otherKeys = JWKSet(keys: [
            JWK(key: one.publicKey, keyID: Self.plain), JWK(key: other.publicKey, keyID: "another"),
        ])
        #expect(throws: JOSEError.noKey(kid: Self.kelvin)) { try JWSVerifier(keys: otherKeys).verify(token) }
    }

    @Test(.timeLimit(.minutes(5))) func `JSON objects with 60,000 members are merged in linear time`() throws {
        func object(_ prefix: String) -> JSONObject {
            JSONObject(members: (0..<60_000).map { JSONObject.Member(name: "\(prefix)-name-\($0)", value: true) })
        }
        let (own, other) = (object("own"), object("other"))
        // A comparison of each member with each other member takes much longer than the limit.
        var all = own
        all.complete(with: other)
        all.merge(own)
        #expect(all.members.count == 120_000 && all == all.filter { _ in true })
    }

    @Test func `A key that cannot be used is left out of its set, and a private one rejects the set`() throws {
        let key = try PrivateKey.generate(.ed25519)
        let good = JWK(key: key.publicKey, keyID: "good").json
        func set(_ change: (inout JSONObject) -> Void) throws -> [String?] {
            var other = good
            other["kid"] = "other"
            change(&other)
            let set: JSONObject = ["keys": [.object(other), .object(good), 5]]
            return try JWKSet(Array(JSONValue.object(set).text.utf8)).keys.map(\.keyID)
        }
        #expect(try set { _ in } == ["other", "good"])
        let changes: [(String, JSONValue?)] = [
            ("kty", nil), ("kty", "oct"), ("kty", "new"), ("kid", 5), ("crv", "X25519"), ("alg", "ES256"),
            ("alg", "none"),
            ("use", "enc"), ("key_ops", ["sign"]), ("x", nil), ("x", "AAAA"),
        ]
        for (name, value) in changes { #expect(try set { $0[name] = value } == ["good"], "\(name)") }
        #expect(try set { $0["kty"] = "EC" } == ["good"])
        #expect(throws: KeySetError.privateMembers) { try set { $0["d"] = "AAAA" } }
    }

    @Test func `Two optional texts are the same if both are nil`() {
        let (none, some): (String?, String?) = (nil, Self.plain)
        #expect(none.hasSameBytes(as: none) && !none.hasSameBytes(as: some) && !some.hasSameBytes(as: none))
        #expect(some.hasSameBytes(as: some) && !some.hasSameBytes(as: Self.kelvin))
        #expect(([] as [UInt8])[...].hasSameBytes(as: [][...]))
    }
}
