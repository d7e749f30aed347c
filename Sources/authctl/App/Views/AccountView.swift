import AuthCore

extension Account: Viewed {
    static let view = View<Account>("Account") {
        Field("uid", of: \.uid, means: "unique in its directory")
        Field("name", of: \.name, means: "the local alias")
        Field("email", of: \.email)
        Field("emailVerified", of: \.isEmailVerified)
        Field("displayName", of: \.displayName)
        Field("photoURL", of: \.photoURL)
        Field("isMachine", of: \.isMachine, means: "a CI job or a client")
        Field("isAnonymous", of: \.isAnonymous)
        Field("createdAt", of: { Time($0.createdAt) })
        Field("lastSignInAt", of: { Time($0.lastSignInAt) })
        Field("providerData", of: \.providerData)
    }

    /// The output of commands that show or change one account.
    static let output = View<Account> { Field("account", of: \.self) }
}

extension Identity: Viewed {
    static let view = View<Identity>("Identity") {
        Field("providerId", of: \.key.providerID)
        Field("federatedId", of: \.key.federatedID, means: "the provider's ID of the user")
        Field("email", of: \.email)
        Field("displayName", of: \.displayName)
        Field("photoURL", of: \.photoURL)
        Field("screenName", of: \.screenName, means: "the user name at the provider")
        Field("isPrivateRelay", of: \.isPrivateRelay, means: "an address of Apple's relay")
        Field("tenantId", of: \.tenantID, means: "the tenant at microsoft.com")
    }
}

/// Where an account is, as fields of `whoami` and of sessions.
extension DirectoryOrigin? {
    var projectID: String? { if case .project(let id, _, _)? = self { id } else { nil } }
    var tenantID: String? { if case .project(_, let tenant, _)? = self { tenant } else { nil } }
}
