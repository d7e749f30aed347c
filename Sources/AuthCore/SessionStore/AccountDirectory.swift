/// Where accounts live. Every function is one change there, and leaves its trace in the session store; of two processes at once one
/// wins, and the other gets a conflict.
package protocol AccountDirectory: Sendable {
    /// What this machine knows of it.
    var sessionStore: SessionStore { get }

    // MARK: Ways in

    /// Opens the account of a credential's identity, or makes one, by `LinkingRules.signIn`; stores the session and makes
    /// the account current. A credential that conflicts is kept as pending.
    /// - Throws: `AccountConflict`, and the directory's own errors.
    func signIn(_ credential: AccountCredential, now: Int64) async throws -> (account: Account, isNew: Bool)

    /// Attaches a credential's identity to an account by `LinkingRules.link`, and stores its session.
    /// - Throws: `AccountConflict`, `AccountRefusal`.
    func link(_ credential: AccountCredential, to uid: String, hasConsent: Bool, now: Int64) async throws -> Account

    /// Takes a new proof of an account's own identity, and stores its session.
    /// - Throws: `AccountConflict.userMismatch`; nothing is changed then.
    func reauthenticate(_ credential: AccountCredential, as uid: String, now: Int64) async throws -> Account

    /// Detaches a provider by `LinkingRules.unlink`, and forgets its session.
    /// - Throws: `AccountConflict.noSuchProvider`, `AccountRefusal`.
    func unlink(_ provider: String, from uid: String, now: Int64) async throws -> Account

    // MARK: Passwords

    /// Looks at a password that somebody wants to have, where its rules are known before it is set.
    /// - Throws: `PasswordError.weak`.
    func check(_ password: Password, of email: String) throws
    /// Makes an account that signs in with a password, and makes it current.
    /// - Throws: `AccountConflict.emailAlreadyInUse`.
    func signUp(email: String, _ password: Password, now: Int64) async throws -> Account
    /// Opens the account of an address and its password, and makes it current.
    /// - Throws: `PasswordError.wrong`, `.throttled`.
    func signIn(email: String, _ password: Password, now: Int64) async throws -> Account
    /// Takes a password as a new proof of an account.
    /// - Throws: `PasswordError.wrong`, `.throttled`; `AccountConflict.userMismatch`, and nothing is changed then.
    func reauthenticate(email: String, _ password: Password, as uid: String, now: Int64) async throws -> Account
    /// Gives an account that has no password an address and a password to sign in with.
    /// - Throws: `AccountConflict.providerAlreadyLinked`, `.emailAlreadyInUse`; on this machine
    ///   `AccountRefusal.requiresRecentLogin`.
    func linkPassword(_ password: Password, email: String, to uid: String, now: Int64) async throws -> Account
    /// Sets or changes the password of an account.
    /// - Throws: `AccountRefusal.requiresRecentLogin`, `.noEmail`, `AccountConflict.emailAlreadyInUse`.
    func setPassword(_ password: Password, of uid: String, now: Int64) async throws -> Account

    // MARK: The account

    /// Whether two ways to write an address are one here.
    func isOneAddress(_ one: String, _ other: String) -> Bool
    /// - Throws: `AccountRefusal.requiresRecentLogin`, `AccountConflict.emailAlreadyInUse`.
    func setEmail(_ email: String, of uid: String, now: Int64) async throws -> Account
    /// Changes what an account says of its person; nobody need prove anything for that.
    func set(_ detail: AccountDetail, of uid: String, now: Int64) async throws -> Account
    /// The account as it is where it lives, with new tokens of that moment where those say how it is.
    /// - Throws: `NotRenewed` where only a person can open it again.
    func reloaded(_ uid: String, now: Int64) async throws -> Account
    /// What the tokens of an account that the directory made say; nil where it makes none.
    func claims(of uid: String) async throws -> JSONObject?
    /// Deletes an account where it lives.
    /// - Throws: `AccountRefusal.requiresRecentLogin`, `.signedOut`.
    func delete(_ uid: String, now: Int64) async throws
    /// Forgets an account that is no longer there where it lived; false where it is, or lives here.
    /// - Throws: `AccountRefusal.signedOut` where nobody can ask; the directory's errors.
    func forgetIfGone(_ uid: String) async throws -> Bool
    /// Which ways to sign in an address has; nil where the directory does not tell.
    func providers(of email: String) async throws -> EmailLookup?

    /// New tokens for the directory's own session, where it has one; nil for a provider's, which its provider renews.
    /// - Throws: `NotRenewed` when the directory ends the session.
    func renewed(_ session: Session, now: Int64) async throws -> Session?
}

extension AccountDirectory {
    /// What makes its sessions.
    package var origin: DirectoryOrigin { sessionStore.origin }

    /// The address that an account will sign in by: its own, as it is written here, or the one that it will get.
    /// - Parameter given: what the person says; nil where nobody did.
    /// - Throws: `AccountRefusal.noEmail`, `.otherAddress`.
    package func address(of account: Account, given: String?) throws -> String {
        guard let own = account.email else {
            guard let given else { throw AccountRefusal.noEmail }
            return given
        }
        if let given, !isOneAddress(given, own) { throw AccountRefusal.otherAddress(own) }
        return own
    }
}

/// What an account says of its person; nil takes it out.
package enum AccountDetail: Sendable, Equatable {
    case displayName(String?)
    case photoURL(HTTPURL?)

    /// The account with it.
    func put(into account: Account) -> Account {
        var account = account
        switch self {
        case .displayName(let name): account.displayName = name
        case .photoURL(let url): account.photoURL = url?.text
        }
        return account
    }
}

/// What a directory says of an address.
package struct EmailLookup: Sendable, Equatable {
    package let isRegistered: Bool
    package let providers: [String]

    package init(isRegistered: Bool, providers: [String]) {
        self.isRegistered = isRegistered
        self.providers = providers
    }
}

/// The directory's own session is over, and only a person can begin another.
package struct NotRenewed: CodedError, Sendable, Equatable {
    package enum Cause: Sendable {
        case ended
        /// The account itself is gone.
        case accountGone
        /// An administrator has disabled the account, and may enable it again.
        case disabled
    }

    package let cause: Cause
    /// What the person signed in with.
    package let provider: String?
    package var code: ErrorCode { cause == .disabled ? .userDisabled : .signInRequired }
    package var isAccountGone: Bool { cause == .accountGone }

    package init(_ cause: Cause = .ended, provider: String? = nil) {
        self.cause = cause
        self.provider = provider
    }
}
