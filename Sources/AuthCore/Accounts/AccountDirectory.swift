/// Where accounts and this machine's sessions live. Every function is one transaction.
public protocol AccountDirectory: Sendable {
    /// Opens the account of an identity, or makes one by the rules of `LinkingRules`; stores the session and makes the
    /// account current.
    /// - Throws: `AccountConflict`, and the directory's own errors.
    func signIn(_ identity: Identity, now: Int64, session: @escaping @Sendable (String) -> Session) async throws -> (
        account: Account, isNew: Bool
    )

    func accounts() async throws -> [Account]
    /// The current account's uid; nil when nobody is signed in.
    func currentUID() async throws -> String?
    func makeCurrent(_ uid: String) async throws

    func sessions() async throws -> [SessionSummary]
    func session(account uid: String, provider: String) async throws -> Session?
    /// Replaces the tokens of a session that is still there; false when it was signed out meanwhile.
    func update(_ session: Session) async throws -> Bool
    /// Forgets sessions; the account stays, but is no longer current when none is left.
    func removeSessions(account uid: String) async throws

    /// Remembers that a nonce of an ID token given by hand was used; false when it had been before.
    func useNonce(_ nonce: Nonce, now: Int64) async throws -> Bool
}

/// The rules of design 3 that decide what a sign-in does; pure, so that they can be read and tested as a table.
public enum LinkingRules {
    public enum Decision: Sendable, Equatable {
        case open(uid: String)
        case create
        case conflict(email: String, providers: [String])
    }

    /// - Parameters:
    ///   - owner: the account that has the identity.
    ///   - sameEmail: the account whose email is the identity's, byte for byte.
    public static func signIn(
        _ identity: Identity, owner: Account?, sameEmail: Account?, oneAccountPerEmail: Bool
    ) -> Decision {
        if let owner { return .open(uid: owner.uid) }
        // An email is never a reason to merge on its own, verified or not.
        if oneAccountPerEmail, let email = identity.email, let sameEmail {
            return .conflict(email: email, providers: sameEmail.providerData.map(\.key.providerID))
        }
        return .create
    }
}
