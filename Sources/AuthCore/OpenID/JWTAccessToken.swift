/// The claims of an access token that is a JWT (RFC 9068 section 4). They are created only from a JWS with a valid
/// signature.
struct JWTAccessTokenClaims: Sendable {
    let claims: JSONObject
    let issuer: String
    let subject: String
    /// Seconds since 1970.
    let expiresAt: Int64

    /// The `typ` of RFC 9068 section 2.1, and that of issuers which do not follow it.
    private static let types: Set<String> = ["at+jwt", "application/at+jwt"]
    private static let generalTypes: Set<String> = ["jwt", "application/jwt"]

    /// - needsType: whether `typ` must be that of RFC 9068, which ID tokens never have.
    ///   - now: seconds since 1970.
    init(_ token: VerifiedJWS, issuer: String, audience: String, needsType: Bool, now: Int64) throws(IDTokenRejection) {
        let type = token.header.type?.lowercased()
        let isTyped = type.map(Self.types.contains) == true
        guard isTyped || !needsType && type.map(Self.generalTypes.contains) ?? true else {
            throw .jose(.type(ServerText.shown(token.header.type ?? "")))
        }
        let claims = try token.claims()
        guard let named = claims["iss"]?.string else { throw .claim("iss") }
        guard named.hasSameBytes(as: issuer) else { throw .issuer(ServerText(named), expected: issuer) }
        guard let audiences = claims["aud"]?.oneOrMoreStrings, !audiences.isEmpty else { throw .claim("aud") }
        guard audiences.containsBytes(of: audience) else {
            throw .audience(ServerText(audiences.joined(separator: ", ")), expected: audience)
        }
        guard let subject = claims["sub"]?.string, (1...1024).contains(subject.utf8.count) else { throw .claim("sub") }
        // Only ID tokens have these claims, and an ID token must not be accepted as an access token (RFC 9068 section
        // 5).
        for name in ["nonce", "at_hash", "c_hash"] where claims[name] != nil { throw .claim(name) }
        // An access token has `client_id` (RFC 9068 section 2.2); older ones have `scope` at least.
        guard claims["auth_time"] == nil || claims["client_id"] != nil || claims["scope"] != nil else {
            throw .claim("auth_time")
        }
        guard let expiresAt = try claims.time("exp") else { throw .claim("exp") }
        try claims.checkPeriod(until: expiresAt, now: now)
        if let issuedAt = try claims.time("iat"), issuedAt > now + ExpectedIDToken.clockSkew {
            throw .issuedInFuture(at: issuedAt, now: now)
        }
        // A malformed one is refused too.
        _ = try claims.time("auth_time")
        self.claims = claims
        self.issuer = issuer
        self.subject = subject
        self.expiresAt = expiresAt
    }
}
