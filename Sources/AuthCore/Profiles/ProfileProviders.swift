/// The providers of a profile, by precedence: the environment, `config.yaml`, the system configuration.
extension Profile {
    package func resolve(_ id: String) throws -> ResolvedProvider {
        if let found = try find(id) { return found }
        _ = try ProviderID(id)
        if let problem = try systemConfiguration().problem(of: id) { throw problem }
        guard Dialect.named(id)?.personalTokens != nil else { throw ProviderError.notConfigured(id) }
        return ResolvedProvider(id: id, configuration: nil, isThroughProject: false)
    }

    package func find(_ id: String) throws -> ResolvedProvider? { try found(id) { try lookUp(id) } }

    private func lookUp(_ id: String) throws -> ResolvedProvider? {
        let known = try? ProviderID(id)
        guard try known?.isPlainOAuth != true || projectSettings() == nil else {
            throw ProviderError.invalid(setting: id, .notInProjects)
        }
        let configuration = try known.flatMap { try self.configuration(of: $0) }
        let canBeProjects = known != nil || Dialect.onlyInProjects.contains(id)
        // For some providers, a project accepts only its own client.
        let isThroughProject =
            try canBeProjects && (configuration == nil || Dialect.isOnlyProjects(id)) && projectSettings() != nil
        guard configuration != nil || isThroughProject else { return nil }
        return ResolvedProvider(id: id, configuration: configuration, isThroughProject: isThroughProject)
    }

    private func configuration(of id: ProviderID) throws -> Provider? {
        func variable(_ setting: String) throws -> (name: String, value: String)? {
            let name = Provider.variable(setting, of: id.description)
            guard let value = host.variable(name), try isOwn(variable: name, of: id.description) else { return nil }
            return (name, value)
        }
        let issuer = try variable("ISSUER").map { try Provider.url($0.value, setting: $0.name) }
        guard issuer == nil || !id.isBuiltIn else {
            throw ProviderError.invalid(
                setting: Provider.variable("ISSUER", of: id.description), .issuerOfBuiltIn(id.description))
        }
        let clientID = try variable("CLIENT_ID")?.value
        var provider: Provider
        if let written = try written(id.description) {
            provider = written
            if let issuer { provider.issuer = issuer }
            if let clientID { provider.clientID = clientID }
        } else if let clientID, issuer != nil || id.isBuiltIn {
            provider = try Provider(id, issuer: issuer?.text, baseURL: nil, clientID: clientID)
        } else {
            if let problem = try systemConfiguration().problem(of: id.description), problem.provider != nil {
                throw problem
            }
            return nil
        }
        if let secret = try variable("CLIENT_SECRET") {
            (provider.clientSecretFile, provider.clientSecretVariable) = (nil, secret.name)
        }
        return provider
    }

    /// Whether a provider uses an environment variable. A provider that `signin --resource` added does not, because the
    /// server chose its name.
    package func isOwn(variable: String, of id: String) throws -> Bool {
        guard try written(id)?.addedForResource == nil else { return false }
        let name = Provider.environmentName(id)
        let others = try settings().providerIDs(profile: self.name) + systemConfiguration().ids
        let sharing = Set(others).filter { $0 != id && Provider.environmentName($0) == name }
            .filter { (try? written($0))??.addedForResource == nil }
        guard sharing.isEmpty else { throw ProviderError.sharedVariable(variable, [id] + sharing.sorted()) }
        return true
    }

    /// The variables that are set and replace settings of a configured provider.
    package func overrides(of id: String) throws -> [String] {
        guard try written(id) != nil else { return [] }
        return try ["ISSUER", "CLIENT_ID"].map { Provider.variable($0, of: id) }
            .filter { try host.variable($0) != nil && isOwn(variable: $0, of: id) }
    }

    /// The configuration in a file: the user's own, or else the system's. They are not merged.
    private func written(_ id: String) throws -> Provider? {
        try settings().provider(id, profile: name) ?? systemConfiguration()[id]?.provider
    }

    package func place(of id: String) throws -> ConfigurationPlace? {
        let systemPlace = try systemConfiguration()[id]?.place
        if try settings().providerIDs(profile: name).contains(id) {
            return .own(path: configDirectory.path(of: ConfigDirectory.settingsName), insteadOf: systemPlace)
        }
        return systemPlace.map { .system($0) } ?? (environmentProviders.contains(id) ? .environment : nil)
    }

    package func providerIDs() throws -> [String] {
        let own = try settings().providerIDs(profile: name)
        let entered = try own + systemConfiguration().ids.filter { !own.contains($0) }
        let names = entered.map(Provider.environmentName)
        return entered + environmentProviders.filter { !names.contains(Provider.environmentName($0)) }
    }

    private var environmentProviders: [String] {
        let suffix = "_CLIENT_ID"
        return host.variableNames.sorted().compactMap { variable in
            guard variable.hasPrefix("AUTHCTL_"), variable.hasSuffix(suffix), host.variable(variable) != nil else {
                return nil
            }
            let name = String(variable.dropFirst("AUTHCTL_".count).dropLast(suffix.count))
            if let builtIn = Dialect.builtIn.first(where: { Provider.environmentName($0.id) == name }) {
                return builtIn.id
            }
            guard name.hasPrefix("OIDC_"), host.variable("AUTHCTL_\(name)_ISSUER") != nil else { return nil }
            let id = "oidc." + name.dropFirst("OIDC_".count).lowercased().replacing("_", with: "-")
            return Provider.environmentName(id) == name && (try? ProviderID(id)) != nil ? id : nil
        }
    }

    package func providers() throws -> [Provider] {
        let ids = try providerIDs()
        let more = try projectSettings() == nil ? [] : Dialect.builtIn.map(\.id).filter { !ids.contains($0) }
        return try ids.map { try resolve($0).configured() } + more.map { try resolve($0).provider() }
    }

    package func providers(for url: HTTPURL, _ use: Provider.TokenUse, named id: String?) async throws -> [Provider] {
        let found = try (id.map { [try resolve($0).provider()] } ?? providers()).filter { $0.allows(url, for: use) }
        guard found.isEmpty, id == nil, let sessionStore = try sessionStoreForDisplay() else { return found }
        let ids = try await sessionStore.sessions().filter { $0.source.isPersonal }.map(\.providerID)
        return try Set(ids).filter { try find($0) == nil }.map { try resolve($0).provider() }
            .filter { $0.allows(url, for: use) }
    }

    package func providers(
        forHost host: String, _ use: Provider.TokenUse, named id: String?
    ) async throws -> [Provider] {
        if let url = HTTPURL(authority: host) {
            let found = try await providers(for: url, use, named: id)
            if !found.isEmpty { return found }
        }
        guard let plain = HTTPURL(scheme: "http", authority: host), plain.isLoopback else { return [] }
        return try await providers(for: plain, use, named: id)
    }

    package func owner(of url: HTTPURL) -> Provider? {
        let builtIn = Dialect.builtIn.compactMap { try? Provider(builtIn: $0.id, clientID: "") }
        return ((try? providers()) ?? []).first { $0.owns(url) } ?? builtIn.first { $0.owns(url) }
    }

    /// Whether a provider is configured with another server than that of the URL.
    package func isMoved(_ id: String, from url: HTTPURL) -> Bool {
        (try? find(id)?.configuration).map { !$0.owns(url) } ?? false
    }

    // MARK: Clients

    package func client(_ id: String) async throws -> ProviderClient {
        try await client(of: try resolve(id).provider())
    }

    private func client(of provider: Provider) async throws -> ProviderClient {
        var provider = provider
        // A project compares the claim with the SHA-256 hash of the nonce.
        if try projectSettings() != nil { provider.nonceMode = .sha256 }
        return try await ProviderClient.resolve(provider, keys: try await keys(of: provider), services: try services())
    }

    func ownClient(at resolved: ResolvedProvider, tenant: String?) async throws -> ProviderClient {
        var provider = try resolved.configured()
        if let tenant { provider.tenant = tenant }
        return try await client(of: provider)
    }
}
