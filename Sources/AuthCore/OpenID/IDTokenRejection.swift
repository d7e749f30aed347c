/// The first rule that an ID token violates.
/// See docs/decisions/052.
package enum IDTokenRejection: CodedError, Sendable, Equatable {
    case jose(JOSEError)
    case claim(String)
    case issuer(ServerText, expected: String)
    case audience(ServerText, expected: String)
    /// The token is also for these clients, which are not trusted (OpenID Connect Core section 3.1.3.7 step 3).
    case otherAudiences([String])
    case authorizedParty
    /// Seconds since 1970.
    case expired(at: Int64, now: Int64)
    case notYetValid(at: Int64, now: Int64)
    case issuedInFuture(at: Int64, now: Int64)
    case issuedTooLongAgo(at: Int64, now: Int64)
    /// A refresh returned a token of another user.
    case otherUser
    case nonce, nonceMissing, accessTokenHash, codeHash, authenticationTooOld, authenticationContext

    package var code: ErrorCode {
        switch self {
        case .jose(let error): error.code
        case .nonce, .nonceMissing: .missingOrInvalidNonce
        default: .invalidIDToken
        }
    }

    package var libraryCode: ErrorCode { refusal.code }

    /// Whether the token belongs, or may belong, to another user, client or sign-in.
    var isOfAnotherSignIn: Bool {
        switch self {
        case .issuer, .audience, .otherAudiences, .authorizedParty, .nonce, .nonceMissing, .claim, .otherUser: true
        case .jose, .expired, .notYetValid, .issuedInFuture, .issuedTooLongAgo, .accessTokenHash, .codeHash,
            .authenticationTooOld, .authenticationContext:
            false
        }
    }

    /// Whether the tokens of the same response are not this user's, or not this issuer's.
    var isOfAnotherUser: Bool {
        switch self {
        case .issuer, .nonce, .otherUser, .claim("sub"), .claim("iss"): true
        default: false
        }
    }

    package var claim: String? { refusal.claim }

    private var refusal: (code: ErrorCode, claim: String?) {
        switch self {
        case .jose(let error): (error.libraryCode, nil)
        case .claim(let name): (.invalidClaim, name)
        case .otherUser: (.invalidClaim, "sub")
        case .issuer: (.wrongIssuer, "iss")
        case .audience, .otherAudiences: (.wrongAudience, "aud")
        case .authorizedParty: (.wrongAudience, "azp")
        case .expired: (.expiredToken, "exp")
        case .notYetValid: (.tokenNotYetValid, "nbf")
        case .issuedInFuture: (.tokenNotYetValid, "iat")
        case .issuedTooLongAgo: (.invalidClaim, "iat")
        case .nonce, .nonceMissing: (.invalidClaim, "nonce")
        case .accessTokenHash: (.invalidClaim, "at_hash")
        case .codeHash: (.invalidClaim, "c_hash")
        case .authenticationTooOld: (.insufficientAuthentication, "auth_time")
        case .authenticationContext: (.insufficientAuthentication, "acr")
        }
    }
}
