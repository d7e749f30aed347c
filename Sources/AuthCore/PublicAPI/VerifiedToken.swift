public import FoundationEssentials

/// A token with a valid signature and valid claims. Only `TokenVerifier` creates one.
public struct VerifiedToken: Sendable {
    /// The token's subject (RFC 7519 section 4.1.2): stable and unique at its issuer.
    public let subject: String
    /// The issuer.
    public let issuer: String
    /// When it expires.
    public let expiresAt: Date
    /// When it was issued, if the token has `iat`.
    public let issuedAt: Date?
    /// When the user authenticated, if the token has `auth_time` (OpenID Connect Core section 2).
    public let authenticatedAt: Date?
    /// The scopes (RFC 9068 section 2.2.3), from `scope`, or from `scp` at some providers.
    public let scopes: Set<String>
    /// How the user authenticated, if the token has `acr`.
    public let authenticationContext: String?
    private let payload: [UInt8]
    /// When it was verified, in seconds since 1970.
    private let checkedAt: Int64

    /// Decodes the claims as a type of the caller.
    /// - Throws: `AuthError`: `invalidClaim`.
    public func claims<Claims: Decodable>(as type: Claims.Type = Claims.self) throws(AuthError) -> Claims {
        // The strict parser accepted these bytes, so another parser reads the same claims.
        do { return try JSONDecoder().decode(type, from: Data(payload)) } catch {
            throw AuthError(.invalidClaim, underlying: error)
        }
    }

    /// Checks that the token has the given scopes.
    /// - Throws: `AuthError`: `insufficientScope` (RFC 6750 section 3.1).
    public func require(scopes wanted: String...) throws(AuthError) {
        guard Set(wanted).isSubset(of: scopes) else { throw AuthError(.insufficientScope, claim: "scope") }
    }

    /// Checks that the user authenticated recently.
    /// - Throws: `AuthError`: `insufficientAuthentication` (RFC 9470 section 3).
    public func require(authenticatedWithin span: Duration) throws(AuthError) {
        guard let authenticatedAt,
            Double(checkedAt) - authenticatedAt.timeIntervalSince1970 <= Double(span.wholeSeconds)
        else { throw AuthError(.insufficientAuthentication, claim: "auth_time") }
    }
}

extension VerifiedToken {
    /// - Parameter claims: those of a token that was verified.
    init(
        _ claims: JSONObject, subject: String, issuer: String, expiresAt: Int64, payload: [UInt8], now: Int64
    ) throws(IDTokenRejection) {
        func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
        self.subject = subject
        self.issuer = issuer
        self.expiresAt = date(expiresAt)
        issuedAt = try claims.time("iat").map(date)
        authenticatedAt = try claims.time("auth_time").map(date)
        self.payload = payload
        checkedAt = now
        authenticationContext = claims["acr"]?.string
        let granted = claims["scope"] ?? claims["scp"]
        scopes = Set(granted?.strings ?? granted?.string?.split(separator: " ").map(String.init) ?? [])
    }
}
