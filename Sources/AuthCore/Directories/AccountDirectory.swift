/// An account directory. Every function is one change, and updates the session store. If two processes change the same
/// account, one gets a conflict.
///
/// It has the rules, and decides. Tokens, pending credentials and the current account are on this machine for every
/// directory, so all share the session store, and `token` reads only that.
package protocol AccountDirectory: Sendable {
    var sessionStore: SessionStore { get }

    // MARK: Sign-in, links

    func signIn(_ credential: AccountCredential, now: Int64) async throws -> (account: Account, isNew: Bool)

    func link(_ credential: AccountCredential, to uid: String, hasConsent: Bool, now: Int64) async throws -> Account

    func reauthenticate(_ credential: AccountCredential, as uid: String, now: Int64) async throws -> Account

    func unlink(_ provider: String, from uid: String, now: Int64) async throws -> Account

    // MARK: Passwords

    /// Checks a new password against the directory's rules, if they are known before it is set.
    func check(_ password: Password, of email: String) throws
    func signUp(email: String, _ password: Password, now: Int64) async throws -> Account
    func signIn(email: String, _ password: Password, now: Int64) async throws -> Account
    func reauthenticate(email: String, _ password: Password, as uid: String, now: Int64) async throws -> Account
    func linkPassword(_ password: Password, email: String, to uid: String, now: Int64) async throws -> Account
    func setPassword(_ password: Password, of uid: String, now: Int64) async throws -> Account

    // MARK: The account

    func isOneAddress(_ one: String, _ other: String) -> Bool
    func setEmail(_ email: String, of uid: String, now: Int64) async throws -> Account
    func set(_ detail: AccountDetail, of uid: String) async throws -> Account
    func reloaded(_ uid: String) async throws -> Account
    func claims(of uid: String) async throws -> JSONObject?
    func delete(_ uid: String, now: Int64) async throws
    func forgetIfDeleted(_ uid: String) async throws -> Bool
    func providers(of email: String) async throws -> EmailLookup?

    func renewed(_ session: Session, now: Int64) async throws -> Session?
}

extension AccountDirectory {
    package var origin: DirectoryOrigin { sessionStore.origin }

    package func address(of account: Account, given: String?) throws -> String {
        guard let own = account.email else {
            guard let given else { throw AccountRefusal.noEmail }
            return given
        }
        if let given, !isOneAddress(given, own) { throw AccountRefusal.otherAddress(own) }
        return own
    }
}

/// A field of an account's profile; nil removes it.
package enum AccountDetail: Sendable, Equatable {
    case displayName(String?)
    case photoURL(HTTPURL?)

    func put(into account: Account) -> Account {
        var account = account
        switch self {
        case .displayName(let name): account.displayName = name
        case .photoURL(let url): account.photoURL = url?.text
        }
        return account
    }
}

package struct EmailLookup: Sendable, Equatable {
    package let isRegistered: Bool
    package let providers: [String]

    package init(isRegistered: Bool, providers: [String]) {
        self.isRegistered = isRegistered
        self.providers = providers
    }
}

/// The directory's own session has ended, and the user must sign in again.
package struct ProjectSessionEnded: CodedError, Sendable, Equatable {
    package enum Cause: Sendable {
        case ended
        case accountDeleted
        /// An administrator has disabled the account, and may enable it again.
        case disabled
    }

    package internal(set) var cause = Cause.ended
    package internal(set) var provider: String?
    package var code: ErrorCode { cause == .disabled ? .userDisabled : .signInRequired }
}
