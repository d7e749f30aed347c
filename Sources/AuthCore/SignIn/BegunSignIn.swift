/// A sign-in that was begun: whoever shows the URL to a person comes back with the URL it ended at.
public struct BegunSignIn: Sendable {
    public let id: String
    public let authorizationURL: String
    public let redirectURI: String
    /// Seconds since 1970.
    public let expiresAt: Int64
    /// When a browser must have come with the URL, where that is sooner said than the answer (RFC 9126 section 2.2).
    public var urlExpiresAt: Int64?
}
