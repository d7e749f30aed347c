/// Checks tokens of others, with the same verifier a sign-in uses. Not `Sendable`: it keeps OpenSSL's contexts, so that
/// many tokens in a row cost little more than their signatures.
public final class VerifyToken {
    public enum Rule: Sendable {
        /// Signature and claims against an issuer.
        case claims(issuer: String, audience: String)
        /// Signature alone.
        case signature
    }

    private let verifier: JWSVerifier
    private let rule: Rule
    private let clock: Clock
    private var known: UnverifiedJWS.KnownHeader?

    public init(keys: JWKSet, algorithms: Set<SignatureAlgorithm>, rule: Rule, clock: Clock) {
        verifier = JWSVerifier(keys: keys, algorithms: algorithms)
        self.rule = rule
        self.clock = clock
    }

    /// The payload of a token that was checked.
    public struct Result: Sendable {
        public let header: UnverifiedJWS.Header
        public let payload: [UInt8]
        /// The claims, where the rule was about claims.
        public let claims: JSONObject?
    }

    /// - Throws: `IDTokenRejection`.
    public func callAsFunction(_ token: [UInt8]) throws(IDTokenRejection) -> Result {
        let verified: VerifiedJWS
        do {
            verified = try verifier.verify(try UnverifiedJWS(bytes: token, known: &known))
        } catch {
            throw .jose(error)
        }
        switch rule {
        case .signature: return Result(header: verified.header, payload: verified.payload, claims: nil)
        case .claims(let issuer, let audience):
            let expected = ExpectedIDToken(
                issuers: .exact(issuer), audience: audience, nonce: .notChecked, now: clock.now())
            let idToken = try VerifiedIDToken(verified, expecting: expected)
            return Result(header: verified.header, payload: verified.payload, claims: idToken.claims)
        }
    }
}
