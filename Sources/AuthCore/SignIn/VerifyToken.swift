/// Checks tokens of others, with the same verifier a sign-in uses. Not `Sendable`: it keeps OpenSSL's contexts, so that
/// many tokens in a row cost little more than their signatures.
public final class VerifyToken {
    private let verifier: JWSVerifier
    private var known: UnverifiedJWS.KnownHeader?

    public init(keys: JWKSet, algorithms: Set<SignatureAlgorithm>) {
        verifier = JWSVerifier(keys: keys, algorithms: algorithms)
    }

    /// The payload of a token that was checked.
    public struct Result: Sendable {
        public let algorithm: SignatureAlgorithm
        public let payload: [UInt8]
        /// The claims, where they were checked.
        public let claims: JSONObject?
    }

    /// Checks signature and claims.
    /// - Throws: `IDTokenRejection`.
    public func callAsFunction(
        _ token: [UInt8], expecting expected: ExpectedIDToken
    ) throws(IDTokenRejection) -> Result {
        let verified = try signed(token)
        let claims = try VerifiedIDToken(verified, expecting: expected).claims
        return Result(algorithm: verified.header.algorithm, payload: verified.payload, claims: claims)
    }

    /// Checks the signature alone.
    /// - Throws: `IDTokenRejection`.
    public func signature(of token: [UInt8]) throws(IDTokenRejection) -> Result {
        let verified = try signed(token)
        return Result(algorithm: verified.header.algorithm, payload: verified.payload, claims: nil)
    }

    private func signed(_ token: [UInt8]) throws(IDTokenRejection) -> VerifiedJWS {
        do {
            return try verifier.verify(try UnverifiedJWS(bytes: token, known: &known))
        } catch {
            throw .jose(error)
        }
    }
}
