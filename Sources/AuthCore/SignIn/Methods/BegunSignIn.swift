/// A sign-in that was begun: whoever shows the URL to a person comes back with the URL it ended at.
package struct BegunSignIn: Sendable {
    package let id: String
    package let authorizationURL: String
    package let redirectURI: String
    /// Seconds since 1970.
    package let expiresAt: Int64
    /// When a browser must have come with the URL, where that is sooner said than the answer (RFC 9126 section 2.2).
    package var urlExpiresAt: Int64?
}
