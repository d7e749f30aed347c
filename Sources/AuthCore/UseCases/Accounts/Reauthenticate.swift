/// Re-authenticates a user with one of the account's providers.
package struct Reauthenticate: Sendable {
    package let providerID: String
    package let identity: Identity
    package let operation: SignInOperation
    package let loginHint: String?

    package init(_ status: AccountStatus, by provider: String?, in profile: Profile) throws {
        guard !status.account.isAnonymous else { throw AccountRefusal.anonymous(uid: status.account.uid) }
        let id = try provider ?? Reauthenticate.defaultProvider(status, profile)
        guard id != ProjectSignInProvider.customToken else { throw AccountRefusal.customTokenNeeded }
        // An email link proves only the address, so it works with any linked provider.
        let isLink = id == ProjectSignInProvider.emailLink
        let own = status.account.identity(of: id)
        let identity = isLink ? status.account.email.map(PasswordProvider.identity) : own
        guard let identity else { throw AccountConflict.noSuchProvider(id) }
        self.identity = identity
        providerID = id
        operation = .reauthenticate(uid: status.account.uid)
        let dialect = try profile.find(id)?.configuration?.dialect ?? Dialect.named(id)
        loginHint = dialect?.supportsLoginHint == true ? identity.email : nil
    }

    package func reloaded(_ status: AccountStatus, in profile: Profile) async throws -> Reauthenticate? {
        guard let directory = try profile.directory() as? FirebaseDirectory else { return nil }
        let account: Account
        do {
            account = try await directory.reloaded(status.account.uid)
        } catch let error where !(error is CancellationError) {
            return nil
        }
        return try Reauthenticate(
            AccountStatus(account: account, isCurrent: status.isCurrent, sessions: status.sessions), by: providerID,
            in: profile)
    }

    private static func defaultProvider(_ status: AccountStatus, _ profile: Profile) throws -> String {
        let recent = status.sessions.sorted { $0.lastProvenAt > $1.lastProvenAt }.map(\.signInProvider)
        let all = recent + status.account.providerIDs
        let usable = try all.first {
            try ProjectSignInProvider.byAddress.contains($0) || profile.find($0)?.hasClient == true
        }
        if let usable { return usable }
        if all.contains(ProjectSignInProvider.customToken) { return ProjectSignInProvider.customToken }
        if let personal = status.sessions.first(where: \.source.isPersonal) {
            throw AccountRefusal.onlyPersonalToken(provider: personal.providerID)
        }
        throw ProviderError.notConfigured(all.first ?? "")
    }
}
