/// What makes an identity one: the provider, the issuer or base URL, and the provider's stable identifier. Bytes are
/// compared, never folded.
package struct IdentityKey: Sendable, Hashable {
    package let providerID: String
    /// The issuer; the same number at two issuers is two identities.
    package let authority: String
    package let federatedID: String

    package init(providerID: String, authority: String, federatedID: String) {
        self.providerID = providerID
        self.authority = authority
        self.federatedID = federatedID
    }

    package static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.providerID.hasSameBytes(as: right.providerID) && left.authority.hasSameBytes(as: right.authority)
            && left.federatedID.hasSameBytes(as: right.federatedID)
    }

    package func hash(into hasher: inout Hasher) {
        for part in [providerID, authority, federatedID] { hasher.combine(Array(part.utf8)) }
    }
}

/// Who a provider says a person is: one entry of an account's provider data.
package struct Identity: Sendable, Equatable {
    package var key: IdentityKey
    package var email: String?
    /// The provider's word, where that word is safe.
    package var isEmailVerified: Bool
    package var displayName: String?
    package var photoURL: String?
    /// The user name at the provider, which users can change. Identity Toolkit calls it `screenName`.
    package var screenName: String?
    /// The address only forwards (Apple).
    package var isPrivateRelay: Bool
    /// Microsoft's tenant.
    package var tenantID: String?
    /// When the person agreed to tie this identity to others, in seconds since 1970; nil where nobody had to ask.
    package var consentedAt: Int64?
    /// It is a job's or a program's, not a person's.
    package var isMachine: Bool

    package init(
        key: IdentityKey, email: String?, isEmailVerified: Bool, displayName: String?, photoURL: String?,
        screenName: String? = nil, isPrivateRelay: Bool = false, tenantID: String? = nil, consentedAt: Int64? = nil,
        isMachine: Bool = false
    ) {
        self.key = key
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.photoURL = photoURL
        self.screenName = screenName
        self.isPrivateRelay = isPrivateRelay
        self.tenantID = tenantID
        self.consentedAt = consentedAt
        self.isMachine = isMachine
    }
}

/// One person or machine in an account directory.
package struct Account: Sendable, Equatable {
    package let uid: String
    package var email: String?
    package var isEmailVerified: Bool
    package var displayName: String?
    package var photoURL: String?
    /// Seconds since 1970.
    package var createdAt: Int64
    package var lastSignInAt: Int64
    package var providerData: [Identity]
    /// It is a job's or a program's: never tied to a person's.
    package var isMachine: Bool
    /// Nobody can come back to it: a Firebase project let somebody in who did not say who they are, and nothing is linked.
    package var isAnonymous = false
    /// What the person calls it on this machine.
    package var name: String?

    package init(
        uid: String, email: String?, isEmailVerified: Bool, displayName: String?, photoURL: String?, createdAt: Int64,
        lastSignInAt: Int64, providerData: [Identity], isMachine: Bool = false
    ) {
        self.uid = uid
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.photoURL = photoURL
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.providerData = providerData
        self.isMachine = isMachine
    }
}
