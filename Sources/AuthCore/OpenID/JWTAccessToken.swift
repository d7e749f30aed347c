/// The claims of an access token that is a JWT (RFC 9068 section 4); only its `init` makes them, from a JWS whose signature
/// was checked.
struct JWTAccessTokenClaims: Sendable {
    let claims: JSONObject
    let issuer: String
    let subject: String
    /// Seconds since 1970.
    let expiresAt: Int64
    let issuedAt: Int64?
    let authenticatedAt: Int64?

    /// What a header may call it: RFC 9068's name, and that of the providers which had access tokens before it.
    private static let types: Set<String> = ["at+jwt", "application/at+jwt", "jwt", "application/jwt"]

    /// - Parameter now: seconds since 1970.
    /// - Throws: `IDTokenRejection`, the first rule that failed.
    init(_ token: VerifiedJWS, issuer: String, audience: String, now: Int64) throws(IDTokenRejection) {
        if let type = token.header.type, !Self.types.contains(type.lowercased()) {
            throw .jose(.type(ServerText.shown(type)))
        }
        let claims: JSONObject
        do { claims = try StrictJSON.object(token.payload, maximumLength: UnverifiedJWS.maximumLength) } catch {
            throw .jose(.payload(error))
        }
        guard let named = claims["iss"]?.string else { throw .claim("iss") }
        guard named.hasSameBytes(as: issuer) else { throw .issuer(ServerText(named)) }
        guard let audiences = claims["aud"]?.oneOrMoreStrings, !audiences.isEmpty else { throw .claim("aud") }
        guard audiences.containsBytes(of: audience) else { throw .audience }
        guard let subject = claims["sub"]?.string, (1...1024).contains(subject.utf8.count) else { throw .claim("sub") }
        // A nonce is an ID token's: one for this audience is no access token (RFC 9068 section 5).
        guard claims["nonce"] == nil else { throw .claim("nonce") }
        let skew = ExpectedIDToken.clockSkew
        guard let expiresAt = try claims.time("exp") else { throw .claim("exp") }
        guard now < expiresAt + skew else { throw .expired(at: expiresAt, now: now) }
        if let notBefore = try claims.time("nbf"), notBefore > now + skew {
            throw .notYetValid(at: notBefore, now: now)
        }
        issuedAt = try claims.time("iat")
        if let issuedAt, issuedAt > now + skew { throw .issuedInFuture(at: issuedAt, now: now) }
        authenticatedAt = try claims.time("auth_time")
        self.claims = claims
        self.issuer = issuer
        self.subject = subject
        self.expiresAt = expiresAt
    }
}
