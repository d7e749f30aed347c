/// A sign-in on this machine with one provider: the grant and its account.
/// It cannot be made without the account: a sign-in may end in a conflict, and then no account gets the grant.
@dynamicMemberLookup
package struct Session: Sendable, Equatable {
    package let accountUID: String
    package var grant: Grant
    /// The directory that the session belongs to; nil before it is stored.
    package internal(set) var directory: DirectoryOrigin?

    package init(_ grant: Grant, of accountUID: String) { (self.grant, self.accountUID) = (grant, accountUID) }

    package subscript<Value>(dynamicMember member: WritableKeyPath<Grant, Value>) -> Value {
        get { grant[keyPath: member] }
        set { grant[keyPath: member] = newValue }
    }

    /// Whether new tokens can be requested without user interaction.
    package var isRenewable: Bool { grant.isRenewable }

    package var signInProvider: String { grant.signInProvider }
    package var issuedBy: SessionIssuer { SessionIssuer(grant.providerID) }

    /// Whether no other sign-in or refresh was stored since `seen`. A job's expired tokens may be missing.
    func hasTokens(of seen: Session) -> Bool {
        func isSame<Kind>(_ token: Secret<Kind>?, _ before: Secret<Kind>?) -> Bool { token == nil || token == before }
        return grant.tokens.refreshToken == seen.refreshToken && grant.lastProvenAt == seen.lastProvenAt
            && isSame(grant.tokens.accessToken, seen.accessToken) && isSame(grant.tokens.idToken, seen.idToken)
    }
}

/// The part of a session that can be listed without decrypting its secrets.
package struct SessionSummary: Sendable, Equatable {
    package let accountUID: String
    package let providerID: String
    package let scopes: [String]
    package let validity: TokenValidity
    package let hasRefreshToken: Bool
    /// Seconds since 1970; nil if the provider does not say it, or if the refresh token does not expire.
    package internal(set) var refreshTokenExpiresAt: Int64?
    package let isMachine: Bool
    package let lastProvenAt: Int64
    package let source: Grant.Source
    package let directory: DirectoryOrigin?
    package let binding: Grant.Binding
    package let resource: HTTPURL?
    /// Whether this version cannot read the session.
    package internal(set) var isDamaged = false
    /// Whether commands use this session if they know only the account.
    package internal(set) var isDefault = false
    /// Whether the provider rejects the access token.
    package internal(set) var isRejected = false
    /// The issuer of the sign-in, which the provider's configuration may no longer name.
    let issuer: String

    package var isRenewable: Bool { hasRefreshToken || isMachine }

    /// Whether the session can still be renewed by what the provider said.
    package func isRenewable(at now: Int64) -> Bool { isRenewable && refreshTokenExpiresAt.map { $0 > now } ?? true }

    package var issuedBy: SessionIssuer { SessionIssuer(providerID) }
    /// Whether the tokens are a provider's, and not those of a password or of a Firebase project.
    package var hasProviderTokens: Bool { source != .project && issuedBy != .password }

    /// Seconds since 1970; nil for a token that does not expire.
    package var expiresAt: Int64? { validity.expiresAt }

    package var signInProvider: String { source.provider ?? providerID }
}

extension SessionSummary {
    init(_ session: Session, isDamaged: Bool, isDefault: Bool) {
        let tokens = session.grant.tokens
        self.init(
            accountUID: session.accountUID, providerID: session.providerID, scopes: session.scopes,
            validity: tokens.accessToken == nil ? tokens.idTokenValidity : tokens.accessTokenValidity,
            hasRefreshToken: session.refreshToken != nil,
            refreshTokenExpiresAt: session.refreshToken == nil ? nil : tokens.refreshTokenExpiresAt,
            isMachine: session.renewal != nil, lastProvenAt: session.lastProvenAt, source: session.source,
            directory: session.directory, binding: session.binding, resource: session.resource,
            isDamaged: isDamaged, isDefault: isDefault, isRejected: tokens.isRejected, issuer: session.issuer)
    }
}

extension NotSignedIn {
    /// The same error, which names the session's resource; unchanged if it is about the session with another provider,
    /// which issues the assertions for this one.
    func of(_ session: Session) -> NotSignedIn {
        guard let resource = session.resource, provider ?? session.providerID == session.providerID else { return self }
        return .ofResource(self, resource, provider: session.providerID, source: session.source)
    }
}
