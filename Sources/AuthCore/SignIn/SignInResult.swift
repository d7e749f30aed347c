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
    /// What it takes to use the access token.
    public let binding: Grant.Binding
    public let notes: [SignInNote]
}

extension SignInResult {
    /// - Parameter said: what the provider said of the person.
    init(
        _ kind: SignInOperation.Kind, _ grant: Grant, of account: Account, isNew: Bool = false,
        said: JSONObject = JSONObject(), notes: [SignInNote] = []
    ) {
        self.init(
            operation: kind, account: account, providerID: grant.providerID, isNewUser: isNew, profile: said,
            scopes: grant.scopes,
            expiresAt: grant.expiresAt ?? (grant.accessToken == nil ? grant.idTokenExpiresAt : nil),
            hasRefreshToken: grant.refreshToken != nil, isRenewable: grant.isRenewable,
            hasIDToken: grant.idToken != nil, binding: grant.binding, notes: notes)
    }
}
