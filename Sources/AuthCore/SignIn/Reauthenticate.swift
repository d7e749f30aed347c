/// Whom a person proves again to be, and by which provider.
package struct Reauthenticate: Sendable {
    package let providerID: String
    package let identity: Identity
    package let operation: SignInOperation
    /// What tells the provider who is expected; nil where it takes no such hint.
    package let loginHint: String?

    /// - Parameter provider: nil for the one that proved the person last, among those that can be asked here.
    /// - Throws: `AccountConflict.noSuchProvider`; `AccountRefusal.anonymous`; `ProviderError.notConfigured` where none can
    ///   be asked.
    package init(_ status: AccountStatus, by provider: String?, in profile: Profile) throws {
        guard !status.account.isAnonymous else { throw AccountRefusal.anonymous(uid: status.account.uid) }
        let id = try provider ?? Reauthenticate.usual(status, profile)
        // A link goes to the address, whatever is linked.
        let isLink = id == ProjectWay.emailLink
        let own = status.account.providerData.first { $0.key.providerID == id }
        let identity = isLink ? status.account.email.map(PasswordProvider.identity) : own
        guard let identity else { throw AccountConflict.noSuchProvider(id) }
        self.identity = identity
        providerID = id
        operation = .reauthenticate(uid: status.account.uid)
        let dialect = try profile.isEntered(id) ? profile.provider(id).provider.dialect : Dialect.named(id)
        loginHint = dialect?.takesLoginHint == true ? identity.email : nil
    }

    private static func usual(_ status: AccountStatus, _ profile: Profile) throws -> String {
        let recent = status.sessions.sorted { $0.lastProvenAt > $1.lastProvenAt }.map(\.signInProvider)
        let all = recent + status.account.providerData.map(\.key.providerID)
        let usable = try all.first {
            try [PasswordProvider.id, ProjectWay.emailLink].contains($0) || profile.isConfigured($0)
        }
        guard let usable else { throw ProviderError.notConfigured(all.first ?? "") }
        return usable
    }
}
