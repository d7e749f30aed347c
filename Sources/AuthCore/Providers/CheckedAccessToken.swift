/// A personal access token that its provider accepts.
struct CheckedPersonalToken: Sendable {
    var person: JSONObject
    var scopes: [String]
    /// Seconds since 1970; nil if it does not expire.
    var expiresAt: Int64?
}

/// An access token that its provider says is for this client.
struct CheckedAccessToken: Sendable {
    var federatedID: String
    var scopes: [String]
    /// Seconds since 1970; nil when it does not expire.
    var expiresAt: Int64?
}
