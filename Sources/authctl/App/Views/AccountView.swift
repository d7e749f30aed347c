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

extension PendingCredential: Viewed {
    static let view = View<PendingCredential>("Pending") {
        Field("id", of: \.id)
        Field("providerId", of: \.providerID)
        Field("email", of: \.email)
        Field("reason", of: \.reason.rawValue, means: "the code of the conflict")
        Field("expiresAt", of: { Time($0.expiresAt) })
    }
}

enum AccountText {
    static func name(_ account: Account) -> String {
        name(account.name, account.known)
    }

    /// The user, as in the name of a session, or else the account.
    static func user(_ account: Account, at providerID: String) -> String {
        account.user(at: providerID) ?? account.displayName.map { ServerText.shown($0) } ?? name(account)
    }

    static func name(_ alias: String?, _ known: String) -> String {
        let known = ServerText.shown(known)
        return alias.map { "\($0) (\(known))" } ?? known
    }
}

extension Context {
    /// Prints a note if a rule or the environment makes commands use a different account.
    func noteOtherAccount(than account: Account) {
        guard settings.account == nil, let choice = try? accountChoice(), let other = choice.account,
            ![account.name, account.email].contains(other), !account.uid.hasPrefix(other), !other.hasSuffix(account.uid)
        else { return }
        output.note("here, commands use another account: \(choice.text)")
    }

    func accountStatus() async throws -> AccountStatus { try await AccountStatus.one(account, in: profile.directory()) }

    func done(_ account: Account, _ note: String) {
        output.done(Account.output.json(account), note)
    }
}
