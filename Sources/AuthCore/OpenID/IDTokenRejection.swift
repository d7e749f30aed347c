/// The first rule that an ID token broke.
package enum IDTokenRejection: Error, Sendable, Equatable {
    case jose(JOSEError)
    /// A claim is missing or has the wrong type.
    case claim(String)
    case issuer(ServerText)
    case audience
    case authorizedParty
    /// Seconds since 1970.
    case expired(at: Int64, now: Int64)
    case notYetValid(at: Int64, now: Int64)
    case issuedInFuture(at: Int64, now: Int64)
    case issuedTooLongAgo(at: Int64, now: Int64)
    case lifetime(seconds: Int64)
    case nonce
    case accessTokenHash
    case codeHash
    /// `auth_time` is older than was asked for, or missing although it was asked for.
    case authenticationTooOld
    case authenticationContext
}
