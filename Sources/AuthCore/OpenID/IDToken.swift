/// The expected claims of an ID token.
package struct ExpectedIDToken: Sendable {
    package enum NonceRule: Sendable {
        /// The request had no nonce, so the token must not have one.
        case none
        case raw(Nonce)
        case sha256(Nonce)
        /// The sent nonce, or none: after a refresh (OpenID Connect Core section 12.2), or if the provider's setting
        /// `nonce_required` is false.
        case rawOrAbsent(Nonce?)
        /// Not checked: `authctl verify` does not know the request.
        case notChecked
    }

    package var issuers: IssuerRule
    package var audience: String
    /// Other clients that the token may name as audiences beside this one (OpenID Connect Core section 3.1.3.7).
    package var trustedAudiences: [String] = []
    /// The clients that the token may have been issued to (`azp`) beside this one; nil for any.
    package var otherParties: [String]? = []
    /// Required claims with their values; a nil value means any value.
    package var requiredClaims: [(name: String, value: String?)] = []
    package var acceptsTextTimes = false
    package var nonce: NonceRule
    /// Seconds since 1970.
    package var now: Int64
    /// The maximum number of seconds since `iat`; nil if old tokens are accepted.
    package var maximumAge: Int64?
    /// The maximum number of seconds since `auth_time`.
    package var maximumAuthenticationAge: Int64?
    /// The user must have authenticated at or after this time, if the token has `auth_time` (seconds since 1970).
    package var authenticatedSince: Int64?
    package var authenticationContexts: [String] = []
    /// The maximum length of `sub` in bytes. OpenID Connect Core section 2 allows 255; the subjects of CI jobs are
    /// longer.
    package var longestSubject = 255
    /// Whether `sub` may have any characters. The caller then checks it.
    package var acceptsAnySubject = false
    package var accessToken: AccessToken?
    package var code: AuthorizationCode?

    /// The permitted difference between two clocks in seconds.
    package static let clockSkew: Int64 = 60
    /// The maximum age of an ID token in a sign-in, in seconds.
    package static let signInAge: Int64 = 600

    package init(issuers: IssuerRule, audience: String, nonce: NonceRule, now: Int64, maximumAge: Int64? = nil) {
        self.issuers = issuers
        self.audience = audience
        self.nonce = nonce
        self.now = now
        self.maximumAge = maximumAge
    }
}

/// The claims of an ID token that complies with OpenID Connect Core section 3.1.3.7. They are created only from a JWS
/// with a valid signature.
package struct IDTokenClaims: Sendable {
    package let claims: JSONObject
    package let issuer: String
    package let subject: String
    /// Seconds since 1970.
    package let expiresAt: Int64
    package let issuedAt: Int64
    package let authenticatedAt: Int64?
    /// Seconds from issue to expiry.
    var lifetime: Int64 { max(0, expiresAt - issuedAt) }

    // Both are borrowed, because an `init` would copy them for each token.
    package init(
        _ token: borrowing VerifiedJWS, expecting expected: borrowing ExpectedIDToken
    ) throws(IDTokenRejection) {
        if let type = token.header.type {
            guard type == "JWT" || ["jwt", "application/jwt"].contains(type.lowercased()) else {
                throw .jose(.type(ServerText.shown(type)))
            }
        }
        let claims = try token.claims()
        guard let named = claims["iss"]?.string else { throw .claim("iss") }
        guard let issuer = expected.issuers.issuer(of: named, tenant: claims["tid"]?.string, keyIssuer: token.keyIssuer)
        else { throw .issuer(ServerText(named), expected: expected.issuers.expected) }
        subject = try claims.subject(longest: expected.longestSubject, isAny: expected.acceptsAnySubject)
        try claims.checkAudience(expected)
        let (issuedAt, expiresAt) = try claims.checkTimes(expected)
        try claims.checkNonce(expected.nonce)
        try claims.checkHashes(expected, token.header.algorithm)
        authenticatedAt = try claims.checkAuthentication(expected)
        for (name, value) in expected.requiredClaims {
            guard let claim = claims[name]?.string, value.map(claim.hasSameBytes) ?? !claim.isEmpty else {
                throw .claim(name)
            }
        }
        self.claims = claims
        self.issuer = issuer
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    package var profile: JSONObject {
        let protocolClaims: Set<String> = [
            "iss", "aud", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "s_hash", "azp", "auth_time", "sid", "jti",
        ]
        return claims.filter { !protocolClaims.contains($0) }
    }
}

extension VerifiedJWS {
    func claims() throws(IDTokenRejection) -> JSONObject {
        do { return try StrictJSON.object(payload, maximumLength: UnverifiedJWS.maximumLength) } catch {
            throw .jose(.payload(error))
        }
    }
}

extension JSONObject {
    /// A claim that restricts how a token may be used. Only these may be null, which several servers send instead of
    /// omitting them. Null is invalid for other claims, such as `nonce`, `aud`, `iss` and `exp`.
    fileprivate func restriction(_ name: String) -> JSONValue? {
        let value = self[name]
        guard case .null? = value, ["azp", "at_hash", "c_hash", "auth_time", "nbf"].contains(name) else { return value }
        return nil
    }

    /// A NumericDate (RFC 7519 section 2), which must be a JSON number.
    func time(_ name: String) throws(IDTokenRejection) -> Int64? {
        guard let value = restriction(name) else { return nil }
        if let whole = value.number?.integer, (0...Seconds.latest).contains(whole) { return whole }
        guard let number = value.number?.double, (0...Double(Seconds.latest)).contains(number) else {
            throw .claim(name)
        }
        return Int64(number)
    }

    /// Checks `exp` and `nbf` (RFC 7519 sections 4.1.4 and 4.1.5).
    func checkPeriod(until expiresAt: Int64, now: Int64) throws(IDTokenRejection) {
        let skew = ExpectedIDToken.clockSkew
        guard now < expiresAt + skew else { throw .expired(at: expiresAt, now: now) }
        if let notBefore = try time("nbf"), notBefore > now + skew { throw .notYetValid(at: notBefore, now: now) }
    }

    func subject(longest: Int = 255, isAny: Bool = false) throws(IDTokenRejection) -> String {
        guard let subject = self["sub"]?.string, (1...longest).contains(subject.utf8.count),
            // Visible ASCII characters, and spaces that are neither first nor last.
            isAny
                || subject.utf8.withContiguousStorageIfAvailable({ bytes in
                    bytes.allSatisfy { $0 >= 0x20 && $0 <= 0x7E } && bytes.first != 0x20 && bytes.last != 0x20
                }) == true
        else { throw .claim("sub") }
        return subject
    }

    fileprivate func checkAudience(_ expected: ExpectedIDToken) throws(IDTokenRejection) {
        guard let audiences = self["aud"]?.oneOrMoreStrings, !audiences.isEmpty else { throw .claim("aud") }
        guard audiences.containsBytes(of: expected.audience) else {
            throw .audience(ServerText(audiences.joined(separator: ", ")), expected: expected.audience)
        }
        let others = audiences.filter { !$0.hasSameBytes(as: expected.audience) }
        let untrusted = others.filter { !expected.trustedAudiences.containsBytes(of: $0) }
        guard untrusted.isEmpty else { throw .otherAudiences(untrusted) }
        // Servers that issue tokens for several clients also name the client in `client_id`.
        for name in others.isEmpty ? ["azp"] : ["azp", "client_id"] {
            guard let party = restriction(name), party != .string(expected.audience) else { continue }
            let isKnown = party.string.map { expected.otherParties?.containsBytes(of: $0) ?? true } ?? false
            guard isKnown else { throw .authorizedParty }
        }
    }

    fileprivate func checkTimes(_ expected: ExpectedIDToken) throws(IDTokenRejection) -> (
        issuedAt: Int64, expiresAt: Int64
    ) {
        let now = expected.now
        let skew = ExpectedIDToken.clockSkew
        guard let expiresAt = try time("exp") else { throw .claim("exp") }
        guard let issuedAt = try time("iat") else { throw .claim("iat") }
        try checkPeriod(until: expiresAt, now: now)
        guard issuedAt <= now + skew else { throw .issuedInFuture(at: issuedAt, now: now) }
        if let age = expected.maximumAge, issuedAt < now - age - skew {
            throw .issuedTooLongAgo(at: issuedAt, now: now)
        }
        return (issuedAt, expiresAt)
    }

    fileprivate func checkNonce(_ rule: ExpectedIDToken.NonceRule) throws(IDTokenRejection) {
        let claim = self["nonce"]
        func check(_ expected: String?) throws(IDTokenRejection) {
            guard let claim else { throw .nonceMissing }
            guard let expected, let text = claim.string, constantTimeEqual(text, expected) else { throw .nonce }
        }
        switch rule {
        case .notChecked: return
        case .none: guard claim == nil else { throw .nonce }
        case .raw(let nonce): try check(nonce.revealed())
        case .sha256(let nonce): try check((try? HashFunction.sha256.digest(nonce.revealed().utf8))?.hexadecimal)
        case .rawOrAbsent(let nonce): if claim != nil { try check(nonce?.revealed()) }
        }
    }

    /// A hash in the token must match (OpenID Connect Core section 3.1.3.6). It is ignored if this client does not have
    /// the hashed value.
    fileprivate func checkHashes(_ expected: ExpectedIDToken, _ algorithm: SignatureAlgorithm) throws(IDTokenRejection)
    {
        if let claim = restriction("at_hash"), let token = expected.accessToken {
            guard JSONObject.isHash(claim, of: token.revealed(), by: algorithm) else { throw .accessTokenHash }
        }
        if let claim = restriction("c_hash"), let code = expected.code {
            guard JSONObject.isHash(claim, of: code.revealed(), by: algorithm) else { throw .codeHash }
        }
    }

    private static func isHash(_ claim: JSONValue, of text: String, by algorithm: SignatureAlgorithm) -> Bool {
        let hashes: [HashFunction] = algorithm.family == .ed25519 ? [.sha512, .sha256] : [algorithm.hash]
        return hashes.contains { hash in
            guard let digest = try? hash.digest(text.utf8) else { return false }
            return claim == .string(Base64URL.encode(digest.prefix(hash.digestLength / 2)))
        }
    }

    fileprivate func checkAuthentication(_ expected: ExpectedIDToken) throws(IDTokenRejection) -> Int64? {
        let text = expected.acceptsTextTimes ? self["auth_time"]?.string.flatMap { Int64($0) }.map(Seconds.time) : nil
        let time = if let text { text } else { try time("auth_time") }
        if let age = expected.maximumAuthenticationAge {
            guard let time, time >= expected.now - age - ExpectedIDToken.clockSkew else { throw .authenticationTooOld }
        }
        if let since = expected.authenticatedSince, let time, time < since - ExpectedIDToken.clockSkew {
            throw .authenticationTooOld
        }
        if !expected.authenticationContexts.isEmpty {
            guard let context = self["acr"]?.string, expected.authenticationContexts.containsBytes(of: context) else {
                throw .authenticationContext
            }
        }
        return time
    }
}

/// An ID token with a valid signature and valid claims, and its text. Only `KeySource` creates one.
@dynamicMemberLookup
package struct VerifiedIDToken: Sendable {
    package let raw: RawIDToken
    fileprivate let verified: IDTokenClaims

    package subscript<Value>(dynamicMember member: KeyPath<IDTokenClaims, Value>) -> Value { verified[keyPath: member] }
}

extension KeySource {
    /// Verifies an ID token: the signature with the provider's keys, then the claims.
    package func verify(_ token: RawIDToken, expecting expected: ExpectedIDToken) async throws -> VerifiedIDToken {
        do {
            let unverified = try UnverifiedJWS(token.revealed())
            let verified = try await verify(unverified, algorithms: published.algorithms)
            return VerifiedIDToken(raw: token, verified: try IDTokenClaims(verified, expecting: expected))
        } catch let error as JOSEError {
            throw IDTokenRejection.jose(error)
        }
    }
}
