package struct SignInResult: Sendable {
    package let operation: SignInOperation.Kind
    package let account: Account
    package let providerID: String
    package let isNewUser: Bool
    package let profile: JSONObject
    package let scopes: [String]
    package let expiresAt: Int64?
    package let hasRefreshToken: Bool
    /// Whether the session can be renewed without the user.
    package let isRenewable: Bool
    package let hasIDToken: Bool
    package let binding: Grant.Binding
    package let source: Grant.Source
    package let notes: [SignInNote]
}

extension SignInResult {
    init(
        _ kind: SignInOperation.Kind, _ grant: Grant, of account: Account, isNew: Bool = false,
        profile: JSONObject = JSONObject(), notes: [SignInNote] = []
    ) {
        self.init(
            operation: kind, account: account, providerID: grant.providerID, isNewUser: isNew, profile: profile,
            scopes: grant.scopes,
            expiresAt: grant.expiresAt ?? (grant.accessToken == nil ? grant.idTokenExpiresAt : nil),
            hasRefreshToken: grant.refreshToken != nil, isRenewable: grant.isRenewable,
            hasIDToken: grant.idToken != nil, binding: grant.binding, source: grant.source, notes: notes)
    }
}
