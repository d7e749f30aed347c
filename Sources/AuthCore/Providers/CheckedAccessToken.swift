/// An access token that its provider says is for this client.
struct CheckedAccessToken: Sendable {
    /// Whose it is.
    var federatedID: String
    var scopes: [String]
    /// Seconds since 1970; nil when it does not expire.
    var expiresAt: Int64?
}
