/// The result of one sign-in, as the directory receives it: the identity, the granted tokens and the provider's claims.
package struct AccountCredential: Sendable {
    package var identity: Identity
    package var grant: Grant
    package var profile: JSONObject
    package var rawNonce: Nonce?
    /// A Firebase project's own name for a credential that it has received before.
    package var pendingToken: PendingToken?
}

/// A pending credential, stored because of a conflict.
package struct PendingCredential: Sendable, Equatable {
    /// Why the credential is pending.
    package enum Reason: String, Sendable {
        case accountExists = "account-exists-with-different-credential"
        case alreadyInUse = "credential-already-in-use"
    }

    package let id: String
    package let providerID: String
    package let email: String?
    package let reason: Reason
    /// The account named by the conflict: the only one that the credential can be linked to. Nil if the directory
    /// reports only its address.
    package let accountUID: String?
    /// Seconds since 1970.
    package let expiresAt: Int64

    package func isPending(for account: Account) -> Bool { reason == .accountExists && names(account) }

    package func names(_ account: Account) -> Bool {
        // A Firebase project stores addresses in lower case.
        accountUID.map { $0 == account.uid } ?? (email != nil && email?.lowercased() == account.email?.lowercased())
    }

    /// Seconds that a pending credential is stored.
    package static let lifetime: Int64 = 3600
}
