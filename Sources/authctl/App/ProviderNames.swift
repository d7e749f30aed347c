import AuthCore

extension Context {
    /// The first of an account's providers with which the user can sign in.
    func usable(_ providers: [String]) throws -> String? {
        try providers.first { try ProjectSignInProvider.byAddress.contains($0) || profile.find($0) != nil }
    }

    /// The provider's issuer, if authctl registered the client there.
    func issuerOfRegistration(_ id: String) async -> String? {
        guard let client = try? await profile.registeredClient(of: id),
            let provider = try? profile.find(id)?.configuration, provider.clientID == client.clientID
        else { return nil }
        return provider.issuer.text
    }

    /// Resolves a provider's name: an ID, or a unique prefix of a configured ID, with or without `oidc.` or `oauth.`.
    ///
    /// A complete ID is not treated as a prefix. Otherwise a script that names a removed provider could get another
    /// provider's token. In non-interactive runs only these may be omitted, so that a provider added later does not
    /// break a script.
    func named(_ given: String, or linked: [String]) throws -> String {
        let isID = (try? ProviderID(given)) != nil || WorkloadPlatform.isPlatform(given)
        let others = ProjectSignInProvider.byAddress + [ProjectSignInProvider.anonymous, SessionIssuer.projectID]
        guard !isID, !given.isEmpty, !others.contains(given) else { return given }
        let configured = try profile.providerIDs()
        let ids = configured + linked.filter { !configured.contains($0) }
        let exact = ids.filter { ProviderID.name(in: $0) == given }
        if exact.count == 1 { return exact[0] }
        let matches = ids.filter { $0.hasPrefix(given) || ProviderID.name(in: $0)?.hasPrefix(given) == true }
        try require(matches.count < 2, "'\(shown: given)' could be \(matches.joined(separator: " or "))")
        // The host of an issuer.
        if matches.isEmpty, given.contains("."), let id = (try? HTTPURL("https://" + given)).flatMap(providerID(at:)) {
            return id
        }
        guard isUnattended, let name = matches.first else { return matches.first ?? given }
        throw UsageProblem.other(
            "'\(shown: given)' is not the provider's full name, which non-interactive runs require",
            hint: "use '\(name)'")
    }

    func named(_ given: String) throws -> String { try named(given, or: []) }
}
