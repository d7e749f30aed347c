/// The account of a user or machine in an account directory.
package struct Account: Sendable, Equatable {
    package let uid: String
    package var email: String?
    package var isEmailVerified = false
    package var displayName: String?
    package var photoURL: String?
    /// Seconds since 1970.
    package var createdAt: Int64
    package var lastSignInAt: Int64
    package var providerData: [Identity]
    /// Whether the account belongs to a job or a program. It is never linked to a user's account.
    package var isMachine = false
    package var isAnonymous = false
    package var name: String?

    /// What names the account in commands: the alias, else what it has without one.
    package var label: String { name ?? known }
    /// The email address, else the name of a session, else the uid.
    package var known: String { email ?? sessionName ?? uid }
    var sessionName: String? { providerData.compactMap { one in one.user.map { "\(one.key.providerID)/\($0)" } }.first }
    package var providerIDs: [String] { providerData.map(\.key.providerID) }

    package func identity(of providerID: String) -> Identity? { providerData.first { $0.key.providerID == providerID } }

    /// Whether the user can re-authenticate. An account without identities can, with a custom token.
    var canReauthenticate: Bool { providerData.isEmpty || !providerData.allSatisfy(\.key.isUnnamed) }
}

extension Account {
    /// Creates an account with one identity.
    init(uid: String, _ identity: Identity, now: Int64) {
        self.init(
            uid: uid, email: identity.email, isEmailVerified: identity.isEmailVerified,
            displayName: identity.displayName, photoURL: identity.photoURL, createdAt: now, lastSignInAt: now,
            providerData: [identity], isMachine: identity.isMachine)
    }
}
