/// What makes an identity one: the provider, the issuer or base URL, and the provider's stable identifier. Bytes are
/// compared, never folded.
public struct IdentityKey: Sendable, Hashable {
    public let providerID: String
    /// The issuer; the same number at two issuers is two identities.
    public let authority: String
    public let federatedID: String

    public init(providerID: String, authority: String, federatedID: String) {
        self.providerID = providerID
        self.authority = authority
        self.federatedID = federatedID
    }

    public static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.providerID.hasSameBytes(as: right.providerID) && left.authority.hasSameBytes(as: right.authority)
            && left.federatedID.hasSameBytes(as: right.federatedID)
    }

    public func hash(into hasher: inout Hasher) {
        for part in [providerID, authority, federatedID] { hasher.combine(Array(part.utf8)) }
    }
}

/// Who a provider says a person is: one entry of an account's provider data.
public struct Identity: Sendable, Equatable {
    public var key: IdentityKey
    public var email: String?
    /// The provider's word, where that word is safe.
    public var isEmailVerified: Bool
    public var displayName: String?
    public var photoURL: String?
    /// The address only forwards (Apple).
    public var isPrivateRelay: Bool
    /// Microsoft's tenant.
    public var tenantID: String?
    /// When the person agreed to tie this identity to others, in seconds since 1970; nil where nobody had to ask.
    public var consentedAt: Int64?
    /// It is a job's or a program's, not a person's.
    public var isMachine: Bool

    public init(
        key: IdentityKey, email: String?, isEmailVerified: Bool, displayName: String?, photoURL: String?,
        isPrivateRelay: Bool = false, tenantID: String? = nil, consentedAt: Int64? = nil, isMachine: Bool = false
    ) {
        self.key = key
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.photoURL = photoURL
        self.isPrivateRelay = isPrivateRelay
        self.tenantID = tenantID
        self.consentedAt = consentedAt
        self.isMachine = isMachine
    }
}

/// One person or machine in an account directory.
public struct Account: Sendable, Equatable {
    public let uid: String
    public var email: String?
    public var isEmailVerified: Bool
    public var displayName: String?
    public var photoURL: String?
    /// Seconds since 1970.
    public var createdAt: Int64
    public var lastSignInAt: Int64
    public var providerData: [Identity]
    /// It is a job's or a program's: never tied to a person's.
    public var isMachine: Bool
    /// Nobody can come back to it: a Firebase project let somebody in who did not say who they are, and nothing is linked.
    public var isAnonymous = false
    /// What the person calls it on this machine.
    public var name: String?

    public init(
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
