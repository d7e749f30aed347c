/// A personal access token that its provider accepts.
struct CheckedPersonalToken: Sendable {
    /// What the provider says about the user.
    var person: JSONObject
    /// Empty if they are not known.
    var scopes: [String]
    /// Seconds since 1970; nil if it does not expire.
    var expiresAt: Int64?
}

/// An access token that its provider says is for this client.
struct CheckedAccessToken: Sendable {
    /// Whose it is.
    var federatedID: String
    var scopes: [String]
    /// Seconds since 1970; nil when it does not expire.
    var expiresAt: Int64?
}
