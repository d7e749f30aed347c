/// What one sign-in brings to the directory: who this is, what was granted, and what the provider said.
package struct AccountCredential: Sendable {
    package var identity: Identity
    package var grant: Grant
    /// Verified claims and userinfo, for people and scripts.
    package var said: JSONObject
    /// The raw nonce of the session's ID token: what another verifier of that token wants to see.
    package var rawNonce: Nonce?
    /// A Firebase project's own name for a credential that it has seen before.
    package var pendingToken: PendingToken?
}

/// A credential that met a conflict and waits for the person to settle it.
package struct PendingCredential: Sendable, Equatable {
    /// Why it waits.
    package enum Reason: String, Sendable {
        /// Its email is another account's: sign in to that one, then link.
        case accountExists = "account-exists-with-different-credential"
        /// Its identity is another account's: sign in with it.
        case alreadyInUse = "credential-already-in-use"
    }

    package let id: String
    package let providerID: String
    package let email: String?
    package let reason: Reason
    /// The account that the conflict named: the only one it can be linked to. Nil where the directory says its address
    /// alone.
    package let accountUID: String?
    /// Seconds since 1970.
    package let expiresAt: Int64

    /// Whether this can be linked to an account: it met a conflict over an address, and that names this very account.
    package func waits(for account: Account) -> Bool { reason == .accountExists && names(account) }

    /// Whether this is the account that the conflict named.
    package func names(_ account: Account) -> Bool {
        accountUID.map { $0 == account.uid } ?? (email != nil && email == account.email)
    }

    /// Seconds a credential waits.
    package static let lifetime: Int64 = 3600
}
