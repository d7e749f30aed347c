/// What a person should know of a sign-in that went well.
package enum SignInNote: Sendable, Equatable {
    /// The provider granted less than was asked for.
    case notGranted([String])
    /// No refresh token came, and none was asked for.
    case offlineAccessNotAsked
    /// No refresh token came: the person was not asked to consent to one (OpenID Connect Core section 11).
    case offlineAccessWantsConsent
    /// No refresh token came, whatever was asked.
    case offlineAccessRefused
    /// The provider says that it binds tokens to certificates (RFC 8705 section 3.3), and did not bind this one.
    case notBoundToCertificate
    /// The userinfo endpoint gave nothing that can be used.
    case noUserInfo
}
