/// A personal access token that its provider accepts.
struct CheckedPersonalToken: Sendable {
    var person: JSONObject
    var scopes: [String]
    /// Seconds since 1970; nil if it does not expire.
    var expiresAt: Int64?
}

/// An access token that was issued to this client, according to its provider.
struct CheckedAccessToken: Sendable {
    var federatedID: String
    var scopes: [String]
    /// Seconds since 1970; nil when it does not expire.
    var expiresAt: Int64?
}
