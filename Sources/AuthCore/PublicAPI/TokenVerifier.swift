public import FoundationEssentials

/// Verifies tokens of requests, as a resource server does: signature, issuer, audience and times. No claim is used
/// before the signature is verified.
///
/// One verifier can be shared by all tasks of a program. It caches the issuer's keys as long as their HTTP response is
/// fresh, and fetches them again, at most once a minute, if a token names an unknown key.
public struct TokenVerifier: Sendable {
    /// The accepted type of token.
    public enum Kind: Sendable {
        /// Access tokens that are JWTs, with the `typ` of RFC 9068: `at+jwt`.
        case accessToken
        /// Access tokens of an issuer that does not set that `typ`. Only claims distinguish them from ID tokens.
        /// Rejected are those with `nonce`, `at_hash` or `c_hash`, and those with `auth_time` but neither `client_id`
        /// nor `scope`. Use it only for an issuer whose ID tokens never name your audience.
        case untypedAccessToken
        /// ID tokens (OpenID Connect Core section 2).
        case idToken
    }

    /// The source of an issuer's keys.
    public struct Keys: Sendable {
        /// Nil for the published ones.
        let fixed: JWKSet?

        /// At the `jwks_uri` of its discovery document (OpenID Connect Discovery section 4).
        public static let published = Keys(fixed: nil)

        /// Only the keys of this JWK Set (RFC 7517 section 5).
        /// - Throws: `AuthError`: `invalidResponse`.
        public static func fixed(_ jwks: [UInt8]) throws(AuthError) -> Keys {
            do { return Keys(fixed: try JWKSet(jwks)) } catch { throw AuthError(error) }
        }
    }

    private let issuer: HTTPURL
    private let audience: String
    private let kind: Kind
    private let keys: VerifyingKeys
    private let now: @Sendable () -> Date

    /// A verifier of one issuer's tokens for one audience.
    ///
    /// - Parameters:
    ///   - issuer: the issuer, compared byte by byte; https, or http on loopback.
    ///   - audience: the audience that tokens must name.
    ///   - kind: the accepted type of token.
    ///   - keys: the source of the issuer's keys.
    ///   - transport: the HTTP transport; nil for libcurl.
    ///   - now: the current time.
    /// - Throws: `AuthError`: `invalidConfiguration` if the issuer is not a trusted URL, or if the file in SSL_CERT_FILE
    ///   cannot be used.
    public init(
        issuer: String, audience: String, kind: Kind = .accessToken, keys: Keys = .published,
        transport: (any HTTPTransport)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(AuthError) {
        guard let url = try? HTTPURL(issuer), url.protectsSecrets, !audience.isEmpty else {
            throw AuthError(.invalidConfiguration)
        }
        self.issuer = url
        self.audience = audience
        self.kind = kind
        self.now = now
        let environment = Environment(ProcessInfo.processInfo.environment)
        let known: any HTTPTransport
        do { known = try transport ?? ProgramHost.curl(environment, "AuthCore") } catch { throw AuthError(error) }
        self.keys = VerifyingKeys(
            issuer: url, fixed: keys.fixed,
            fetcher: DocumentFetcher(
                transport: known, cache: MemoryDocumentCache(),
                clock: Clock(now: { Int64(now().timeIntervalSince1970) })))
    }

    /// Verifies a token.
    /// - Parameter token: the compact text, without `Bearer`.
    /// - Throws: `AuthError`: the first rule that the token violates.
    public func verify(_ token: String) async throws -> VerifiedToken {
        try await AuthError.wrapping {
            let unverified = try UnverifiedJWS(token)
            let now = Int64(self.now().timeIntervalSince1970)
            let signed = try await keys.verify(unverified)
            switch kind {
            case .idToken:
                let expected = ExpectedIDToken(
                    issuers: .exact(issuer.text), audience: audience, nonce: .notChecked, now: now)
                let token = try IDTokenClaims(signed, expecting: expected)
                return try VerifiedToken(
                    token.claims, subject: token.subject, issuer: token.issuer, expiresAt: token.expiresAt,
                    payload: signed.payload, now: now)
            case .accessToken, .untypedAccessToken:
                let token = try JWTAccessTokenClaims(
                    signed, issuer: issuer.text, audience: audience, needsType: kind == .accessToken, now: now)
                return try VerifiedToken(
                    token.claims, subject: token.subject, issuer: token.issuer, expiresAt: token.expiresAt,
                    payload: signed.payload, now: now)
            }
        }
    }
}
