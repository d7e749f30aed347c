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
    /// The only resource that the token is for.
    package let resource: HTTPURL?
    package let notes: [SignInNote]
}

extension SignInResult {
    init(
        _ kind: SignInOperation.Kind, with grant: Grant, of account: Account, isNew: Bool = false,
        profile: JSONObject = JSONObject(), notes: [SignInNote] = []
    ) {
        self.init(
            operation: kind, account: account, providerID: grant.providerID, isNewUser: isNew, profile: profile,
            scopes: grant.scopes,
            expiresAt: grant.expiresAt ?? (grant.accessToken == nil ? grant.idTokenExpiresAt : nil),
            hasRefreshToken: grant.refreshToken != nil, isRenewable: grant.isRenewable,
            hasIDToken: grant.idToken != nil, binding: grant.binding, source: grant.source,
            resource: grant.resource, notes: notes)
    }
}

/// A warning about a successful sign-in.
package enum SignInNote: Sendable, Equatable {
    case notGranted([String])
    case offlineAccessNotRequested
    /// The provider issued no refresh token, because the user was not asked for consent (OpenID Connect Core section
    /// 11).
    case offlineAccessRequiresConsent
    case offlineAccessRefused
    /// The provider advertises certificate-bound tokens (RFC 8705 section 3.3), but did not bind this token.
    case notBoundToCertificate
    case noUserInfo
    /// The session's personal access token was replaced by this sign-in.
    case personalTokenReplaced
    case replacedByPersonalToken
}

extension AccountCredential {
    func completed(
        _ operation: SignInOperation, in directory: any AccountDirectory, now: Int64, notes: [SignInNote] = []
    ) async throws -> SignInResult {
        let account: Account
        var (isNew, notes) = (false, notes)
        switch operation {
        case .signIn:
            let before = try await directory.sessionStore.sessions()
            (account, isNew) = try await directory.signIn(self, now: now)
            let replaced = before.first {
                $0.accountUID == account.uid && $0.providerID == grant.providerID && $0.resource == grant.resource
            }
            if let replaced, replaced.source.isPersonal != grant.source.isPersonal {
                notes.append(replaced.source.isPersonal ? .personalTokenReplaced : .replacedByPersonalToken)
            }
        case .link(let uid, let hasConsent):
            account = try await directory.link(self, to: uid, hasConsent: hasConsent, now: now)
        case .reauthenticate(let uid): account = try await directory.reauthenticate(self, as: uid, now: now)
        }
        return result(account, isNew: isNew, as: operation, notes: notes)
    }

    func result(
        _ account: Account, isNew: Bool, as operation: SignInOperation, notes: [SignInNote] = []
    ) -> SignInResult {
        SignInResult(operation.kind, with: grant, of: account, isNew: isNew, profile: profile, notes: notes)
    }
}
