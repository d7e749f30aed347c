/// A warning about a successful sign-in.
package enum SignInNote: Sendable, Equatable {
    case notGranted([String])
    case offlineAccessNotRequested
    /// No refresh token came: the user was not asked to consent to one (OpenID Connect Core section 11).
    case offlineAccessRequiresConsent
    case offlineAccessRefused
    /// The provider says that it binds tokens to certificates (RFC 8705 section 3.3), and did not bind this one.
    case notBoundToCertificate
    case noUserInfo
}
