/// The key of an identity: the provider, the issuer or base URL, and the provider's stable identifier. Compared byte by
/// byte, without case folding.
package struct IdentityKey: Sendable, Hashable {
    package let providerID: String
    package internal(set) var authority: String
    /// The provider's stable identifier; bytes are compared.
    package internal(set) var federatedID: String

    package static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.providerID.hasSameBytes(as: right.providerID) && left.authority.hasSameBytes(as: right.authority)
            && left.federatedID.hasSameBytes(as: right.federatedID)
    }

    package func hash(into hasher: inout Hasher) {
        for part in [providerID, authority, federatedID] { hasher.combine(Array(part.utf8)) }
    }
}

/// A user's identity at one provider: one element of an account's provider data.
package struct Identity: Sendable, Equatable {
    package var key: IdentityKey
    package var email: String?
    package var isEmailVerified = false
    package var displayName: String?
    package var photoURL: String?
    /// The user name at the provider, which users can change: never an identifier.
    package var screenName: String?
    /// Whether the address only forwards (Apple).
    package var isPrivateRelay = false
    package var tenantID: String?
    /// When the user agreed to link this identity, in seconds since 1970; nil if no consent was required.
    package var consentedAt: Int64?
    package var isMachine = false
}
