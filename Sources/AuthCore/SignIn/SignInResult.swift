public struct SignInResult: Sendable {
    public let operation: SignInOperation.Kind
    public let account: Account
    public let providerID: String
    public let isNewUser: Bool
    /// Verified ID-token claims and userinfo.
    public let profile: JSONObject
    public let scopes: [String]
    public let expiresAt: Int64?
    public let hasRefreshToken: Bool
    /// The session can be renewed without a person.
    public let isRenewable: Bool
    public let hasIDToken: Bool
    public let notes: [String]
}
