import AuthCore

extension Context {
    /// Resolves a provider's name: an ID, or a unique prefix of a configured ID, with or without `oidc.`.
    ///
    /// A complete ID is not treated as a prefix. Otherwise a script that names a removed provider could get another
    /// provider's token. In non-interactive runs only `oidc.` may be omitted, so that a provider added later does not
    /// break a script.
    func named(_ given: String, or linked: [String]) throws -> String {
        let isID = (try? ProviderID(given)) != nil || WorkloadPlatform.isPlatform(given)
        let others = ProjectSignInProvider.byAddress + [ProjectSignInProvider.anonymous, SessionIssuer.projectID]
        guard !isID, !given.isEmpty, !others.contains(given) else { return given }
        let configured = try profile.providerIDs()
        let ids = configured + linked.filter { !configured.contains($0) }
        if ids.contains("oidc." + given) { return "oidc." + given }
        let matches = ids.filter { $0.hasPrefix(given) || $0.hasPrefix("oidc." + given) }
        try require(matches.count < 2, "'\(shown: given)' could be \(matches.joined(separator: " or "))")
        guard isUnattended, let name = matches.first else { return matches.first ?? given }
        throw UsageProblem.other(
            "'\(shown: given)' is not the provider's full name, which non-interactive runs require",
            hint: "use '\(name)'")
    }

    func named(_ given: String) throws -> String { try named(given, or: []) }
}
