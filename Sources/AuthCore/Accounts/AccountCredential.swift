/// What one sign-in brings to the directory: who this is, what was granted, and what the provider said.
public struct AccountCredential: Sendable {
    public var identity: Identity
    public var grant: Grant
    /// Verified claims and userinfo, for people and scripts.
    public var said: JSONObject
    /// The raw nonce of the session's ID token: what another verifier of that token wants to see.
    public var rawNonce: Nonce?
    /// A Firebase project's own name for a credential that it has seen before.
    public var pendingToken: PendingToken?

    public init(
        identity: Identity, grant: Grant, said: JSONObject, rawNonce: Nonce? = nil, pendingToken: PendingToken? = nil
    ) {
        self.identity = identity
        self.grant = grant
        self.said = said
        self.rawNonce = rawNonce
        self.pendingToken = pendingToken
    }
}

/// A credential that met a conflict and waits for the person to settle it.
public struct PendingCredential: Sendable, Equatable {
    /// Why it waits.
    public enum Reason: String, Sendable {
        /// Its email is another account's: sign in to that one, then link.
        case accountExists = "account-exists-with-different-credential"
        /// Its identity is another account's: sign in with it.
        case alreadyInUse = "credential-already-in-use"
    }

    public let id: String
    public let providerID: String
    public let email: String?
    public let reason: Reason
    /// The account that the conflict named: the only one it can be linked to. Nil where the directory says its address
    /// alone.
    public let accountUID: String?
    /// Seconds since 1970.
    public let expiresAt: Int64

    /// Whether this can be linked to an account: it met a conflict over an address, and that names this very account.
    public func waits(for account: Account) -> Bool { reason == .accountExists && names(account) }

    /// Whether this is the account that the conflict named.
    public func names(_ account: Account) -> Bool {
        accountUID.map { $0 == account.uid } ?? (email != nil && email == account.email)
    }

    /// Seconds a credential waits.
    public static let lifetime: Int64 = 3600
}
