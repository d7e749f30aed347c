/// What one sign-in brings to the directory: who this is, what was granted, and what the provider said.
package struct AccountCredential: Sendable {
    package var identity: Identity
    package var grant: Grant
    package var said: JSONObject
    package var rawNonce: Nonce?
    /// A Firebase project's own name for a credential that it has seen before.
    package var pendingToken: PendingToken?
}

/// A credential that met a conflict and waits for the person to settle it.
package struct PendingCredential: Sendable, Equatable {
    /// Why it waits.
    package enum Reason: String, Sendable {
        case accountExists = "account-exists-with-different-credential"
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

    package func waits(for account: Account) -> Bool { reason == .accountExists && names(account) }

    package func names(_ account: Account) -> Bool {
        accountUID.map { $0 == account.uid } ?? (email != nil && email == account.email)
    }

    /// Seconds a credential waits.
    package static let lifetime: Int64 = 3600
}
