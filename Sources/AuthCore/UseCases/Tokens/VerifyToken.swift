/// Verifies the given tokens with the verifier that sign-ins use. Not `Sendable`, because it reuses OpenSSL's contexts,
/// which makes many verifications cheap.
package final class VerifyToken {
    private let verifier: JWSVerifier
    private var known: UnverifiedJWS.KnownHeader?

    package init(keys: JWKSet, algorithms: Set<SignatureAlgorithm>) {
        verifier = JWSVerifier(keys: keys, algorithms: algorithms)
    }

    /// The payload of a token that was checked.
    package struct Checked: Sendable {
        package let algorithm: SignatureAlgorithm
        package let payload: [UInt8]
        package let claims: JSONObject?
    }

    /// The claims that a token must have.
    package enum Expected: Sendable {
        case idToken(ExpectedIDToken)
        /// An access token (RFC 9068 section 4).
        case accessToken(issuer: String, audience: String, now: Int64)

        fileprivate func claims(of token: VerifiedJWS) throws(IDTokenRejection) -> JSONObject {
            switch self {
            case .idToken(let expected): try IDTokenClaims(token, expecting: expected).claims
            case .accessToken(let issuer, let audience, let now):
                try JWTAccessTokenClaims(token, issuer: issuer, audience: audience, needsType: true, now: now).claims
            }
        }
    }

    /// Checks tokens one step at a time, which is faster because of the processor's caches.
    package func run(
        _ tokens: ArraySlice<[UInt8]>, expecting expected: Expected?
    ) -> [Result<Checked, IDTokenRejection>] {
        let parsed = tokens.map { token in
            Result { () throws(JOSEError) in try UnverifiedJWS(bytes: token, known: &known) }
        }
        let verified = parsed.map { parsed in Result { () throws(JOSEError) in try verifier.verify(try parsed.get()) } }
        guard let expected else { return verified.map { VerifyToken.checked($0) { _ in nil } } }
        return verified.map { verified in
            VerifyToken.checked(verified) { jws throws(IDTokenRejection) in
                try expected.claims(of: jws)
            }
        }
    }

    private static func checked(
        _ verified: Result<VerifiedJWS, JOSEError>, _ claims: (VerifiedJWS) throws(IDTokenRejection) -> JSONObject?
    ) -> Result<Checked, IDTokenRejection> {
        switch verified {
        case .failure(let error): .failure(.jose(error))
        case .success(let jws):
            Result { () throws(IDTokenRejection) in
                Checked(algorithm: jws.header.algorithm, payload: jws.payload, claims: try claims(jws))
            }
        }
    }
}
