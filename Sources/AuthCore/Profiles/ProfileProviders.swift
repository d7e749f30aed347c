/// The providers of a profile: `config.yaml`, beneath it what an organization gives, and the environment's word before both.
extension Profile {
    /// A provider's entry.
    /// - Throws: `ProviderError`, `OrganizationProblem`, `StoreError`.
    package func provider(_ id: String) throws -> (provider: Provider, secret: ProviderEntry.SecretSource) {
        var (provider, secret) = try described(id)
        // A project compares the claim with the hash of the raw nonce.
        if try projectSettings() != nil { provider.nonceMode = .sha256 }
        return (provider, secret)
    }

    /// A provider as file and environment describe it, whoever it is used with.
    /// - Throws: `ProviderError`, `OrganizationProblem`, `StoreError`.
    func described(_ id: String) throws -> (provider: Provider, secret: ProviderEntry.SecretSource) {
        let name = "AUTHCTL_" + Provider.environmentName(id)
        func variable(_ setting: String) throws -> String? {
            let variable = "\(name)_\(setting)"
            guard let value = host.variable(variable) else { return nil }
            return try isOwn(variable: variable, of: id) ? value : nil
        }
        let issuer = try variable("ISSUER").map { try ProviderEntry.issuer($0, setting: "\(name)_ISSUER") }
        guard issuer == nil || !Provider.isBuiltIn(id) else {
            throw ProviderError.invalid(setting: "\(name)_ISSUER", .issuerOfBuiltIn(id))
        }
        if var (provider, secret) = try entry(id) {
            if let issuer { provider.issuer = issuer }
            if let clientID = try variable("CLIENT_ID") { provider.clientID = clientID }
            if try variable("CLIENT_SECRET") != nil { secret = .init(environment: "\(name)_CLIENT_SECRET") }
            return (provider, secret)
        }
        guard let clientID = try variable("CLIENT_ID"), issuer != nil || Provider.isBuiltIn(id) else {
            if let problem = try organization().problem(of: id) { throw problem }
            throw ProviderError.notConfigured(id)
        }
        let provider = try ProviderEntry.bare(id, issuer: issuer?.text, baseURL: nil, clientID: clientID)
        return (
            provider, .init(environment: try variable("CLIENT_SECRET") == nil ? nil : "\(name)_CLIENT_SECRET")
        )
    }

    /// Whether a provider reads a variable that is set: one that `signin --resource` added reads none, because the server chose
    /// its name.
    /// - Throws: `ProviderError.sharedVariable` where the variable fits another configured provider too.
    package func isOwn(variable: String, of id: String) throws -> Bool {
        guard try entry(id)?.provider.madeFor == nil else { return false }
        let name = Provider.environmentName(id)
        let others = try settings().providerIDs(profile: self.name) + organization().ids
        let sharing = Set(others).filter { $0 != id && Provider.environmentName($0) == name }
            .filter { (try? entry($0))??.provider.madeFor == nil }
        guard sharing.isEmpty else { throw ProviderError.sharedVariable(variable, [id] + sharing.sorted()) }
        return true
    }

    /// As a file has it: the person's own whole, or an organization's whole, and never a mixture.
    private func entry(_ id: String) throws -> (provider: Provider, secret: ProviderEntry.SecretSource)? {
        if let own = try settings().provider(id, profile: name) { return own }
        return try organization()[id].map { ($0.provider, $0.secret) }
    }

    /// Where a provider's entry stands.
    package enum EntryPlace: Sendable, Equatable {
        /// The person's own `config.yaml`.
        /// - Parameter insteadOf: the organization's, which it hides.
        case own(path: String, insteadOf: Organization.Place?)
        case organization(Organization.Place)
        /// Variables alone describe it.
        case environment
    }

    /// - Returns: nil for a provider without an entry.
    /// - Throws: `StoreError`.
    package func place(of id: String) throws -> EntryPlace? {
        let organization = try organization()
        if try settings().providerIDs(profile: name).contains(id) {
            return .own(
                path: configDirectory.path(of: ConfigDirectory.settingsName), insteadOf: organization[id]?.place)
        }
        return organization[id].map { .organization($0.place) }
            ?? (environmentProviders.contains(id) ? .environment : nil)
    }

    /// A provider by its entry. A built-in one needs none if the project is its client, or if it has personal access tokens:
    /// its hosts are known.
    /// - Throws: `ProviderError`, `StoreError`.
    package func known(_ id: String) throws -> (provider: Provider, secret: ProviderEntry.SecretSource) {
        do {
            return try provider(id)
        } catch ProviderError.notConfigured {
            guard let dialect = Dialect.named(id), try dialect.personalTokens != nil || isThroughProject(id) else {
                throw ProviderError.notConfigured(id)
            }
            return (try ProviderEntry.bare(id, issuer: nil, baseURL: nil, clientID: ""), .init())
        }
    }

    /// Whether there is anything to sign in with.
    /// - Throws: `ProviderError`, `StoreError`.
    package func isConfigured(_ id: String) throws -> Bool { try isEntered(id) || isThroughProject(id) }

    /// Whether this machine has a client of its own at the provider.
    /// - Throws: `ProviderError`, `StoreError`.
    package func isEntered(_ id: String) throws -> Bool {
        do {
            _ = try provider(id)
            return true
        } catch ProviderError.notConfigured {
            return false
        } catch ProviderError.unknownID {
            return false
        } catch let problem as OrganizationProblem where problem.provider == nil {
            return false
        }
    }

    /// Whether people sign in by the client that the profile's Firebase project has: where none is configured here, and
    /// where the project takes no other's word.
    /// - Throws: `ProviderError`, `StoreError`.
    package func isThroughProject(_ id: String) throws -> Bool {
        guard Provider.canBeProjects(id), try projectSettings() != nil else { return false }
        return try Dialect.isOnlyProjects(id) || !isEntered(id)
    }

    /// The IDs of the configured providers: those of the file in its order, then the organization's, then those that the
    /// environment alone describes.
    /// - Throws: `StoreError`.
    package func providerIDs() throws -> [String] {
        let own = try settings().providerIDs(profile: name)
        let entered = try own + organization().ids.filter { !own.contains($0) }
        let names = entered.map(Provider.environmentName)
        return entered + environmentProviders.filter { !names.contains(Provider.environmentName($0)) }
    }

    /// The providers that have a client ID in the environment, and there what says where they are. Of an `oidc.NAME` the
    /// variable has no case, and an underscore for what is no letter: the name is in lower case, with hyphens.
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
            return Provider.environmentName(id) == name && (try? Provider.check(id: id)) != nil ? id : nil
        }
    }

    /// Every provider's entry, and the built-in providers whose client the profile's project is.
    /// - Throws: `ProviderError`, `StoreError`.
    package func entries() throws -> [Provider] {
        let ids = try providerIDs()
        let own = try ids.map { try provider($0).provider }
        guard try projectSettings() != nil else { return own }
        return try own
            + Dialect.builtIn.map(\.id).filter { try !ids.contains($0) && isThroughProject($0) }
            .map { try known($0).provider }
    }

    /// The providers whose token may go to a URL, in the order in which they are configured; else those that are not
    /// configured and have a session by a personal access token.
    /// - Parameter id: the only one that may be meant.
    /// - Throws: `ProviderError`, `StoreError`.
    package func providers(
        for url: HTTPURL, _ use: Provider.TokenUse, named id: String?
    ) async throws -> [Provider] {
        let found = try (id.map { [try known($0).provider] } ?? entries()).filter { $0.allows(url, for: use) }
        guard found.isEmpty, id == nil, let sessionStore = try shownSessionStore() else { return found }
        let ids = try await sessionStore.sessions().filter { $0.source == .personalToken }.map(\.providerID)
        return try Set(ids).filter { try !isConfigured($0) }.map { try known($0).provider }
            .filter { $0.allows(url, for: use) }
    }

    /// The same for a host as tools name it: reached over https, or over http on this machine.
    /// - Throws: `ProviderError`, `StoreError`.
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

    /// The provider that a host belongs to: a configured one, or a built-in one where it is at home. No other provider's token
    /// should ever go there.
    package func owner(of url: HTTPURL) -> String? {
        let builtIn = Dialect.builtIn.compactMap {
            try? ProviderEntry.bare($0.id, issuer: nil, baseURL: nil, clientID: "")
        }
        return ((try? entries()) ?? []).first { $0.owns(url) }?.id ?? builtIn.first { $0.owns(url) }?.id
    }

    /// The secret, the private key and the certificate that a provider's entry points to.
    /// - Parameter sealed: also the secret that the store keeps.
    /// - Throws: `ProfileError.secretNotSet`, `PrivateKeyProblem`, `CertificateProblem`, `InsecureFile`, `ProviderError`,
    ///   `StoreError`; what keeps a file from being read.
    package func keys(
        of provider: Provider, _ source: ProviderEntry.SecretSource, sealed: Bool = true
    ) async throws -> ClientKeys {
        var keys = ClientKeys()
        let files = EntryFiles(host: host, provider: provider.id)
        if let variable = source.environment {
            guard let secret = host.variable(variable) else {
                throw ProfileError.secretNotSet(provider: provider.id, variable: variable)
            }
            keys.secret = ClientSecret(secret)
        } else if let file = source.file {
            keys.secret = ClientSecret(try files.secret(file, "client_secret_file"))
        } else if sealed {
            keys.secret = try await sealedSecret(of: provider.id)
        }
        if let file = provider.privateKeyFile {
            keys.privateKey = try privateKey(
                file, try files.file(file, "private_key"), passphraseFile: provider.privateKeyPassphraseFile, files)
        }
        if let file = provider.certificateFile {
            keys.certificate = try certificate(file, provider, keys.privateKey, files)
        }
        return keys
    }

    /// The client secret that the store keeps; nil where it keeps none.
    /// - Throws: `StoreError`.
    package func sealedSecret(of provider: String) async throws -> ClientSecret? {
        guard let store = try store(creating: false) else { return nil }
        return try await ProviderSecrets(sessionStore: SessionStore(store, profile: name)).text(
            .clientSecret, of: provider
        )
        .map { ClientSecret($0) }
    }

    /// Whether the store has a client secret of a provider.
    /// - Throws: `StoreError`.
    package func hasSealedSecret(of provider: String) async throws -> Bool {
        guard let store = try store(creating: false) else { return false }
        return try await ProviderSecrets(sessionStore: SessionStore(store, profile: name)).has(
            .clientSecret, of: provider)
    }

    /// Writes `config.yaml` and stores a provider's client secret, or removes it with nil: both or neither. The caller holds
    /// the `config` lock.
    /// - Parameter registered: the client, if it registered itself.
    /// - Throws: `StoreError`, `ConfigFileError`.
    package func save(
        _ file: ConfigFile, secret: ClientSecret?, registered: RegisteredClient? = nil, of provider: String
    ) async throws {
        var texts: [ProviderSecrets.Kind: String?] = [.clientSecret: secret?.revealed()]
        if let registered { texts[.registration] = registered.text }
        try await save(file, texts, of: provider)
    }

    /// Writes `config.yaml` and removes the provider's client secret and registration: both or neither. The caller holds the
    /// `config` lock.
    /// - Throws: `StoreError`, `ConfigFileError`.
    package func save(_ file: ConfigFile, removing provider: String) async throws {
        try await save(file, [.clientSecret: nil, .registration: nil], of: provider)
    }

    private func save(_ file: ConfigFile, _ texts: [ProviderSecrets.Kind: String?], of provider: String) async throws {
        let isSecret = texts.values.contains { $0 != nil }
        guard let store = try store(creating: isSecret) else { return try file.save(in: configDirectory) }
        try await ProviderSecrets(sessionStore: SessionStore(store, profile: name)).set(
            texts, of: provider, saving: file)
    }

    /// Keeps a client secret, or removes it with nil.
    /// - Throws: `StoreError`.
    package func seal(_ secret: ClientSecret?, of provider: String) async throws {
        guard let store = try store(creating: secret != nil) else { return }
        try await ProviderSecrets(sessionStore: SessionStore(store, profile: name)).set(
            [.clientSecret: secret?.revealed()], of: provider)
    }

    /// The client that registered itself for a provider; nil for any other.
    /// - Throws: `StoreError`.
    package func registeredClient(of provider: String) async throws -> RegisteredClient? {
        guard let store = try store(creating: false) else { return nil }
        return try await ProviderSecrets(sessionStore: SessionStore(store, profile: name)).text(
            .registration, of: provider
        )
        .flatMap { RegisteredClient(text: $0) }
    }

    /// Writes an entry, while `config.yaml` is this process's to change, and keeps its secret.
    /// - Parameter registered: the client, if it registered itself.
    /// - Throws: `StoreError`, `ConfigFileError`.
    package func keep(
        _ provider: Provider, _ source: ProviderEntry.SecretSource, _ secret: ClientSecret?,
        registered: RegisteredClient? = nil
    ) async throws {
        var file = try settings()
        try file.set(provider, secret: source, profile: name)
        _ = try store(creating: true)
        try await save(file, secret: secret, registered: registered, of: provider.id)
    }

    /// Reads a key; whoever can be asked is asked for its passphrase where no file has it.
    private func privateKey(
        _ file: String, _ content: NamedFile, passphraseFile: String?, _ files: EntryFiles
    ) throws -> PrivateKey {
        let pem = try content.secret()
        func read(_ passphrase: KeyPassphrase? = nil) throws -> PrivateKey {
            do { return try PrivateKey(pem: pem, passphrase: passphrase) } catch {
                throw PrivateKeyProblem(file: file, error: error)
            }
        }
        do {
            return try read()
        } catch let problem as PrivateKeyProblem where problem.error == .passphraseNeeded {
            if let passphraseFile {
                return try read(
                    KeyPassphrase(
                        try files.secret(passphraseFile, "private_key_passphrase_file")))
            }
            guard let typed = host.passphrase(ofKey: file) else { throw problem }
            return try read(typed)
        }
    }

    /// Reads a certificate with its key: the one in the same file, else the entry's.
    /// - Throws: `InsecureFile` if others can read the key.
    private func certificate(
        _ file: String, _ provider: Provider, _ key: PrivateKey?, _ files: EntryFiles
    ) throws -> ClientCertificate {
        let content = try files.file(file, "certificate")
        let hasKey = String(decoding: content.bytes, as: UTF8.self).contains("PRIVATE KEY-----")
        let own =
            hasKey
            ? try privateKey(file, content, passphraseFile: provider.privateKeyPassphraseFile, files) : key
        guard let own else {
            throw ProviderError.invalid(setting: "\(provider.id): certificate", .certificateWithoutKey)
        }
        do { return try ClientCertificate(pem: content.bytes, key: own) } catch {
            throw CertificateProblem(file: file, error: error)
        }
    }

    /// This machine's client at a provider.
    /// - Throws: `ProviderError`, `ProfileError`, and what discovery throws.
    package func client(_ id: String) async throws -> ProviderClient {
        let (provider, source) = try known(id)
        return try await client(of: provider, source)
    }

    /// - Throws: `ProviderError`, `ProfileError`, and what discovery throws.
    func client(of provider: Provider, _ source: ProviderEntry.SecretSource) async throws -> ProviderClient {
        try await ProviderClient.resolve(provider, try await keys(of: provider, source), services: try services())
    }
}

/// The files that an entry names.
private struct EntryFiles {
    let host: any ProfileHost
    let provider: String

    func secret(_ path: String, _ setting: String) throws -> String {
        try read(setting) { try host.secret(inFile: path) }
    }

    func file(_ path: String, _ setting: String) throws -> NamedFile { try read(setting) { try host.file(path) } }

    private func read<R>(_ setting: String, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as InsecureFile { throw error } catch {
            throw EntryFileProblem(setting: "\(provider): \(setting)", cause: error)
        }
    }
}

/// Who is a provider's client.
package enum ProviderWay: Sendable {
    /// This program.
    case own(ProviderClient)
    /// The Firebase project that the accounts live in.
    /// - Parameter redirectURI: as the provider and the project know it; nil for the usual one.
    case project(FirebaseDirectory, redirectURI: String?)
}

extension Profile {
    /// By whom people sign in with a provider.
    /// - Parameters:
    ///   - tenant: instead of the entry's.
    ///   - isOwn: by this program, whatever else there is.
    /// - Throws: `ProviderError`, `ProfileError`, and what discovery throws.
    package func way(to id: String, tenant: String? = nil, isOwn: Bool = false) async throws -> ProviderWay {
        guard try !isOwn && isThroughProject(id) else {
            var (entry, source) = try provider(id)
            if let tenant { entry.tenant = tenant }
            return .own(try await client(of: entry, source))
        }
        return try projectWay(to: id)
    }

    /// By the profile's project.
    /// - Throws: `ProviderError.notConfigured` where the profile has none; what `directory` throws.
    func projectWay(to id: String) throws -> ProviderWay {
        guard let directory = try directory(creating: true) as? FirebaseDirectory else {
            throw ProviderError.notConfigured(id)
        }
        let registered = try projectSettings()?.redirectURI
        let own = try isEntered(id) ? provider(id).provider.redirectURI : nil
        return .project(directory, redirectURI: own ?? registered)
    }
}

extension ProviderSecrets {
    /// Stores or removes texts and writes `config.yaml`. If one of the two fails, both stay as they were. A process that
    /// is killed between the two leaves the new file with the old secret; the same command run again repairs that.
    /// - Throws: `StoreError`, `ConfigFileError`.
    func set(_ texts: [Kind: String?], of provider: String, saving file: ConfigFile) async throws {
        do {
            try await set(texts, of: provider) { try file.save(in: sessionStore.store.directory) }
        } catch {
            // The commit itself can fail, after the file was written.
            try? file.restore(in: sessionStore.store.directory)
            throw error
        }
    }
}
