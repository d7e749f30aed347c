/// A pending sign-in. The caller shows the URL to the user, and returns with the URL at which the browser ended.
package struct StartedSignIn: Sendable {
    package let id: String
    package let authorizationURL: String
    package let redirectURI: String
    /// Seconds since 1970.
    package let expiresAt: Int64
    /// When the URL expires, if that is earlier than the sign-in (RFC 9126 section 2.2).
    package var urlExpiresAt: Int64?
}
