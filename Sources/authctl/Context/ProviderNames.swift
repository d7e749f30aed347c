import AuthCore

extension Context {
    /// The provider that is meant: an ID is itself, and anything else the only configured one that begins with it, with
    /// `oidc.` or without. What could be an ID is never short for another: a script that names an entry which is gone gets
    /// nobody else's token, and where nobody looks on nothing but `oidc.` may be left out.
    func named(_ given: String, or linked: [String]) throws -> String {
        let isID = (try? ProviderID(given)) != nil || WorkloadPlatform.isPlatform(given)
        let others = [PasswordProvider.id, DirectorySession.id, ProjectWay.emailLink, ProjectWay.anonymous]
        guard !isID, !given.isEmpty, !others.contains(given) else { return given }
        let configured = try profile.providerIDs()
        let ids = configured + linked.filter { !configured.contains($0) }
        if ids.contains("oidc." + given) { return "oidc." + given }
        guard !isUnattended else { return given }
        let meant = ids.filter { $0.hasPrefix(given) || $0.hasPrefix("oidc." + given) }
        guard meant.count < 2 else {
            throw CommandError(.usage, "'\(ServerText.shown(given))' could be \(meant.joined(separator: " or "))")
        }
        return meant.first ?? given
    }

    func named(_ given: String) throws -> String { try named(given, or: []) }
}
