/// Why there is no token to return. Each case requires user interaction.
package enum NotSignedIn: CodedError, Sendable, Equatable {
    case noAccount
    case noCurrent(others: [String])
    case passwordSessionOnly
    case unknownAccount(String)
    /// Several accounts have the address; one must be named by its UID.
    case ambiguousAccount(String, uids: [String])
    case ambiguousPrefix(String, accounts: [String])
    /// A user that was named is linked to the provider, but has no session with it.
    case noSession(provider: String?, user: String? = nil)
    /// No provider was named, and the account has no session on this machine.
    case signedOut(Account)
    /// Several providers have a session; one must be named.
    case ambiguous([String])
    /// The account is not signed in to the provider, but these accounts are. A nil account is the current one.
    case otherAccounts(provider: String, account: String?, accounts: [String])
    /// The account's sessions are for these resources only; one must be named.
    case onlyForResources([String], provider: String)
    case noSessionForResource(String, others: [String])
    /// A server refused a request without a token, and its response says how to get a token (RFC 9728 section 5.1).
    case challenged(url: String)
    /// The session is for this resource.
    indirect case ofResource(NotSignedIn, HTTPURL, provider: String, source: Grant.Source)
    case noToken(Token, provider: String)
    case expired(provider: String)
    /// The session ended at the time that the provider said, in seconds since 1970.
    case ended(provider: String, at: Int64)
    /// The personal access token expired or expires too soon: only the user can create a new one.
    case personalTokenExpired(provider: String, isExpired: Bool)
    case refused(provider: String)
    /// The authorization server does not know the client any more that authctl registered (RFC 6749 section 5.2).
    case clientForgotten(provider: String)
    /// The provider rejected the refresh token after the response of an earlier request with it was lost.
    case responseLost(provider: String)
    /// The provider's own API rejects the access token, which cannot be refreshed.
    case tokenRejected(provider: String, isPersonal: Bool)
    /// A server rejected the access token for this path only.
    case tokenRejectedFor(path: String, provider: String)
    /// The provider returns no ID token when it refreshes.
    case noIDTokenAtRefresh(provider: String)
    /// The tokens are bound to a DPoP key that does not exist any more (RFC 9449).
    case keyLost(provider: String)
    /// The tokens are bound to another certificate than the configured one (RFC 8705).
    case otherCertificate(provider: String)
    case certificateMissing(provider: String)
    case unbound(provider: String)
    /// The job's tokens have expired, and its CI system does not issue new ones to this process.
    case jobTokensExpired(platform: String)
    case otherIssuer(provider: String, issuer: String)

    package var code: ErrorCode {
        switch self {
        case .unknownAccount: .accountNotFound
        case .ambiguous, .ambiguousPrefix, .onlyForResources: .usage
        default: .signInRequired
        }
    }

    package var libraryCode: ErrorCode {
        switch self {
        case .ambiguous, .ambiguousAccount, .ambiguousPrefix, .onlyForResources, .otherAccounts, .noCurrent:
            .ambiguous
        case .noToken, .passwordSessionOnly: .noSuchToken
        case .ofResource(let error, _, _, _): error.libraryCode
        default: code
        }
    }

    package var endsWithSignIn: Bool {
        switch self {
        case .unknownAccount, .ambiguousAccount, .ambiguousPrefix, .ambiguous, .otherAccounts, .onlyForResources,
            .personalTokenExpired, .tokenRejectedFor, .tokenRejected(_, isPersonal: true):
            false
        default: true
        }
    }

    /// The provider whose session is missing or has ended.
    var provider: String? {
        switch self {
        case .noSession(let provider, _): provider
        case .noToken(_, let provider), .expired(let provider), .ended(let provider, _), .refused(let provider),
            .clientForgotten(let provider), .responseLost(let provider), .keyLost(let provider),
            .otherIssuer(let provider, _):
            provider
        default: nil
        }
    }

    package var isForEveryURL: Bool {
        switch self {
        case .noAccount, .noCurrent, .passwordSessionOnly, .noSession, .signedOut, .onlyForResources: true
        default: false
        }
    }

    package var hasNoSession: Bool { if case .noSessionForResource = self { true } else { isForEveryURL } }

    package enum Token: Sendable, Equatable { case access, id }
}
