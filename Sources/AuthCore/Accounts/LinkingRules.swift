/// A refusal because of a conflict between accounts, identities or addresses.
package enum AccountConflict: CodedError, Sendable, Equatable {
    case existsWithDifferentCredential(email: String, providers: [String], pendingID: String)
    case credentialAlreadyInUse(provider: String, email: String?, pendingID: String)
    case providerAlreadyLinked(String)
    case noSuchProvider(String)
    case emailAlreadyInUse(String)
    case userMismatch

    package var code: ErrorCode {
        switch self {
        case .existsWithDifferentCredential: .accountExistsWithDifferentCredential
        case .credentialAlreadyInUse: .credentialAlreadyInUse
        case .providerAlreadyLinked: .providerAlreadyLinked
        case .noSuchProvider: .noSuchProvider
        case .emailAlreadyInUse: .emailAlreadyInUse
        case .userMismatch: .userMismatch
        }
    }
}

/// A refusal because the account or the request does not meet a requirement.
package enum AccountRefusal: CodedError, Sendable, Equatable {
    case lastProvider(String)
    case consentRequired(provider: String)
    /// The last authentication is older than `RecentLogin.seconds`.
    case requiresRecentLogin
    case staleAuthentication
    case onlyPersonalToken(provider: String)
    /// An access token does not say when the user authenticated.
    case accessTokenWithoutTime(provider: String)
    /// Only a custom token re-authenticates the account, and none was given.
    case customTokenNeeded
    case noSuchPending(String?)
    /// The credential cannot be linked to this account.
    case otherPending(PendingCredential)
    /// Several credentials are pending; one must be named.
    case ambiguousPending([String])
    /// The identity of a job or a program is never linked to a user's account, and never signs in to one.
    case machine
    case anonymous(uid: String)
    /// No user is signed in to the account, so its directory cannot be contacted.
    case signedOut(uid: String)
    case isLocalAccount
    case noEmail
    case otherAddress(String)
    case invalidImport(ImportFault)
    /// Another program uses the same token.
    case sharedToken(provider: String)

    package var code: ErrorCode {
        switch self {
        case .sharedToken, .lastProvider, .machine,
            .anonymous, .isLocalAccount, .noEmail, .otherAddress:
            .operationNotAllowed
        case .consentRequired: .consentRequired
        case .requiresRecentLogin, .customTokenNeeded, .staleAuthentication, .accessTokenWithoutTime:
            .requiresRecentLogin
        case .onlyPersonalToken: .invalidConfiguration
        case .noSuchPending: .invalidCredential
        case .otherPending: .userMismatch
        case .ambiguousPending: .usage
        case .signedOut: .signInRequired
        case .invalidImport: .invalidResponse
        }
    }
}

/// How recent an authentication must be for an irreversible operation.
/// A refresh never changes the time, nor does a link, because the linked identity may be another person's. An ID token
/// from elsewhere counts from when it was made, an access token from elsewhere never.
package enum RecentLogin {
    /// Seconds, as in Firebase Authentication.
    package static let seconds: Int64 = 300

    /// The most recent of several authentication times. Times in the future are ignored: this machine's clock was ahead
    /// by an unknown amount.
    static func last(of proofs: some Sequence<Int64>, now: Int64) -> Int64? {
        proofs.filter { $0 <= now + ExpectedIDToken.clockSkew }.max()
    }

    static func isRecent(_ proof: Int64, now: Int64) -> Bool {
        now - proof <= seconds && proof <= now + ExpectedIDToken.clockSkew
    }
}

/// The rules for sign-ins and links, as pure functions, so that they can be tested as a table.
///
/// An email address is never a reason to merge accounts, verified or not, because an attacker can often choose the one
/// that a provider reports. Machines and users never share an account: a client that may choose its ID could choose the
/// `sub` of a user (RFC 9700 section 4.15). The directory calls the rules in its transaction, so that of two processes
/// that sign in one gets a conflict.
package enum LinkingRules {
    package enum SignInDecision: Sendable, Equatable {
        case open(uid: String)
        case create
        /// Another account has the email, which is never a reason to merge.
        case conflict(email: String, with: String, providers: [String])
        case machine
    }

    /// - Parameter sameEmail: the account with the identity's email, byte for byte.
    package static func signIn(
        _ identity: Identity, owner: Account?, sameEmail: Account?, oneAccountPerEmail: Bool
    ) -> SignInDecision {
        // A client that may choose its ID could choose a user's `sub` (RFC 9700 section 4.15).
        if let owner { return owner.isMachine == identity.isMachine ? .open(uid: owner.uid) : .machine }
        if identity.isMachine { return .create }
        // An email is never a reason to merge on its own, verified or not, trusted or not.
        if oneAccountPerEmail, let email = identity.email, let sameEmail {
            return .conflict(email: email, with: sameEmail.uid, providers: sameEmail.providerIDs)
        }
        return .create
    }

    package enum LinkDecision: Sendable, Equatable {
        case attach
        case providerAlreadyLinked
        case alreadyInUse(by: String)
        case emailAlreadyInUse(String)
        case consentRequired(provider: String)
        case machine
    }

    package static func link(
        _ identity: Identity, to account: Account, owner: Account?, sameEmail: Account?, oneAccountPerEmail: Bool,
        hasConsent: Bool
    ) -> LinkDecision {
        if identity.isMachine || account.isMachine || owner?.isMachine == true { return .machine }
        // An identity is never moved from another account.
        if let owner, owner.uid != account.uid { return .alreadyInUse(by: owner.uid) }
        let provider = identity.key.providerID
        if account.has(provider) { return .providerAlreadyLinked }
        if oneAccountPerEmail, let email = identity.email, let sameEmail, sameEmail.uid != account.uid {
            return .emailAlreadyInUse(email)
        }
        if !hasConsent, let consentProvider = providerRequiringConsent(provider, for: account) {
            return .consentRequired(provider: consentProvider)
        }
        return .attach
    }

    package static func unlink(_ provider: String, from account: Account) throws {
        guard account.has(provider) else { throw AccountConflict.noSuchProvider(provider) }
        guard account.providerData.count > 1 else { throw AccountRefusal.lastProvider(provider) }
    }

    /// The provider that requires the user's consent before its identity is linked with another; nil if none does.
    package static func providerRequiringConsent(_ provider: String, for account: Account) -> String? {
        if Dialect.providersRequiringConsent.contains(provider), !account.providerData.isEmpty { return provider }
        return account.providerIDs.first(where: Dialect.providersRequiringConsent.contains)
    }
}

extension Account {
    package func has(_ providerID: String) -> Bool { identity(of: providerID) != nil }

    /// An account has at most one identity of each provider.
    func requireNone(of providerID: String) throws {
        if has(providerID) { throw AccountConflict.providerAlreadyLinked(providerID) }
    }
}
