/// Why there is no token to hand out: each needs a person.
package enum NotSignedIn: CodedError, Sendable, Equatable {
    case noAccount
    /// No account is the current one, and others are signed in; by their addresses, or UIDs where they have none.
    case noCurrent(others: [String])
    /// The account signs in by password alone, which brings no tokens.
    case passwordAlone
    case unknownAccount(String)
    /// Several accounts have the address; one must be named by its UID.
    case ambiguousAccount(String, uids: [String])
    /// Several accounts have a uid that begins so, each by its uid and its address.
    case ambiguousPrefix(String, accounts: [String])
    case noSession(provider: String?)
    /// Several providers have a session; one must be named.
    case ambiguous([String])
    /// The current account has no session with the provider, and several others have one, by what names them.
    case severalAccounts(provider: String, accounts: [String])
    /// The account's sessions are for these resources only; one must be named.
    case onlyForResources([String], provider: String)
    /// No session is for this URL, or for what it is below.
    /// - Parameter others: the accounts that have one, by what names them.
    case noSessionForResource(String, others: [String])
    /// A server refused a request without a token, and says how to get one (RFC 9728 section 5.1).
    /// - Parameter scopes: those that its challenge names.
    case challenged(url: String, scopes: [String])
    /// The session has no token of this kind.
    case noToken(Token, provider: String)
    /// It expired, and there is no refresh token.
    case expired(provider: String)
    /// The personal access token expired or expires too soon: only the user can make a new one.
    case personalTokenExpired(provider: String)
    /// The provider refused the refresh token.
    case refused(provider: String)
    /// Its tokens are bound to a key that is no longer here (RFC 9449).
    case keyLost(provider: String)
    /// Its tokens are bound to a certificate, and the entry names another one now, or none (RFC 8705).
    case otherCertificate(provider: String)
    case certificateGone(provider: String)
    /// Its tokens are bound to nothing, and the entry wants them bound (FAPI 2.0).
    case unbound(provider: String)
    /// The job's tokens have expired, and its CI system gives this process no new one.
    case jobOver(platform: String)
    /// The session was made at another issuer than the provider's entry names now.
    case elsewhere(provider: String, issuer: String)

    package var code: ErrorCode {
        switch self {
        case .unknownAccount: .accountNotFound
        case .ambiguous, .ambiguousPrefix, .onlyForResources: .usage
        default: .signInRequired
        }
    }

    package var libraryCode: ErrorCode {
        switch self {
        case .ambiguous, .ambiguousAccount, .ambiguousPrefix, .onlyForResources, .severalAccounts, .noCurrent:
            .ambiguous
        case .noToken, .passwordAlone: .noSuchToken
        default: code
        }
    }

    /// Whether a sign-in in the browser or by a code solves this. It does not replace a choice or a token of the user.
    package var endsWithSignIn: Bool {
        switch self {
        case .unknownAccount, .ambiguousAccount, .ambiguousPrefix, .ambiguous, .severalAccounts, .onlyForResources,
            .personalTokenExpired:
            false
        default: true
        }
    }

    /// No session is found whatever URL a request is for.
    package var isForEveryURL: Bool {
        switch self {
        case .noAccount, .noCurrent, .passwordAlone, .noSession, .onlyForResources: true
        default: false
        }
    }

    package enum Token: Sendable, Equatable { case access, id }
}
