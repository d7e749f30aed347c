/// A warning about a successful sign-in.
package enum SignInNote: Sendable, Equatable {
    case notGranted([String])
    case offlineAccessNotRequested
    /// The provider issued no refresh token, because the user was not asked for consent (OpenID Connect Core section
    /// 11).
    case offlineAccessRequiresConsent
    case offlineAccessRefused
    /// The provider advertises certificate-bound tokens (RFC 8705 section 3.3), but did not bind this token.
    case notBoundToCertificate
    case noUserInfo
}
