/// The key that a session's tokens are bound to (RFC 9449 section 2). It is stored only in the session's encrypted row.
/// A session has one key, and never changes from DPoP to bearer without a sign-out: silently losing the binding would make
/// a stolen token usable. The `token_type` of a response must be the one that was requested.
struct DPoPKey: Sendable {
    private let key: PrivateKey
    let algorithm: SignatureAlgorithm

    /// The supported algorithms. The most common one is first.
    static let algorithms: [SignatureAlgorithm] = [
        .es256, .es384, .es512, .edDSA, .ed25519, .ps256, .rs256, .ps384, .rs384, .ps512, .rs512,
    ]

    init(_ algorithm: SignatureAlgorithm) throws {
        self.init(key: try PrivateKey.generate(algorithm.family), algorithm: algorithm)
    }

    init(key: PrivateKey, algorithm: SignatureAlgorithm) { (self.key, self.algorithm) = (key, algorithm) }

    init(_ stored: BindingKey) throws {
        let lines = stored.revealed().split(separator: "\n", maxSplits: 1)
        guard lines.count == 2, let algorithm = SignatureAlgorithm(rawValue: String(lines[0])) else {
            throw KeyError.malformed
        }
        self.init(key: try PrivateKey(pem: Array(lines[1].utf8)), algorithm: algorithm)
    }

    func bindingKey() throws -> BindingKey {
        BindingKey("\(algorithm.rawValue)\n" + String(decoding: try key.pem(), as: UTF8.self))
    }

    /// The key's thumbprint (RFC 7638), for `dpop_jkt` and `cnf.jkt`.
    func thumbprint() throws -> String { try JWK(key: key.publicKey, keyID: nil).thumbprint() }

    /// Signs a proof, whose header contains the public key.
    func sign(_ claims: JSONObject) throws -> String {
        try JWSSigner(key: key, algorithm: algorithm, keyID: nil).sign(
            claims, type: "dpop+jwt", key: JWK(key: key.publicKey, keyID: nil).publicMembers)
    }

    /// The content of one proof (RFC 9449 section 4.2).
    /// - Parameters:
    ///   - nonce: sent by the server for this proof (section 8).
    ///   - now: seconds since 1970.
    static func claims(
        _ method: String, for url: HTTPURL, nonce: String?, accessToken: AccessToken?, now: Int64, random: RandomSource
    ) throws -> JSONObject {
        // Without its query, normalized as some servers require (RFC 3986 sections 6.2.2 and 6.2.3).
        let target = url.root + (url.path.isEmpty ? "/" : url.path)
        var claims: JSONObject = [
            "jti": .string(try random.token(bytes: 16)), "htm": .string(method), "htu": .string(target),
            "iat": JSONValue(now),
        ]
        if let accessToken {
            claims["ath"] = .string(Base64URL.encode(try HashFunction.sha256.digest(accessToken.revealed().utf8)))
        }
        if let nonce { claims["nonce"] = .string(nonce) }
        return claims
    }
}
