extension Profile {
    package func keys(of provider: Provider, sealed: Bool = true) async throws -> ClientKeys {
        var keys = ClientKeys()
        let files = ConfiguredFiles(host: host, provider: provider.id)
        if let variable = provider.clientSecretVariable {
            guard let secret = host.variable(variable) else {
                throw ProfileError.secretNotSet(provider: provider.id, variable: variable)
            }
            keys.secret = ClientSecret(secret)
        } else if let file = provider.clientSecretFile {
            keys.secret = ClientSecret(try files.secret(file, "client_secret_file").withoutByteOrderMark)
        } else if sealed {
            keys.secret = try await sealedSecret(of: provider.id)
        }
        if let file = provider.privateKeyFile {
            keys.privateKey = try privateKey(
                file, content: try files.file(file, "private_key"), passphraseFile: provider.privateKeyPassphraseFile,
                in: files)
        }
        if let file = provider.certificateFile {
            keys.certificate = try certificate(file, of: provider, key: keys.privateKey, in: files)
        }
        return keys
    }

    private func secrets(creating: Bool = false) throws -> ProviderSecrets? {
        try store(creating: creating).map { ProviderSecrets(sessionStore: SessionStore(store: $0, profile: name)) }
    }

    package func sealedSecret(of provider: String) async throws -> ClientSecret? {
        try await secrets()?.text(.clientSecret, of: provider).map { ClientSecret($0) }
    }

    package func hasSealedSecret(of provider: String) async throws -> Bool {
        try await secrets()?.has(.clientSecret, of: provider) ?? false
    }

    /// Writes `config.yaml` and stores a provider's client secret, or removes it with nil: both or neither. The caller holds
    /// the `config` lock.
    package func save(
        _ file: ConfigFile, secret: ClientSecret?, registered: RegisteredClient? = nil, of provider: String
    ) async throws {
        var texts: [ProviderSecrets.Kind: String?] = [.clientSecret: secret?.revealed()]
        if let registered { texts[.registration] = registered.text }
        try await save(file, with: texts, of: provider)
    }

    /// Writes `config.yaml` and removes the provider's client secret and registration: both or neither. The caller holds the
    /// `config` lock.
    package func save(_ file: ConfigFile, removing provider: String) async throws {
        try await save(file, with: [.clientSecret: nil, .registration: nil], of: provider)
    }

    private func save(_ file: ConfigFile, with texts: [ProviderSecrets.Kind: String?], of provider: String) async throws
    {
        let isSecret = texts.values.contains { $0 != nil }
        guard let secrets = try secrets(creating: isSecret) else { return try file.save(in: configDirectory) }
        try await secrets.set(texts, of: provider, saving: file)
    }

    package func seal(_ secret: ClientSecret?, of provider: String) async throws {
        try await secrets(creating: secret != nil)?.set([.clientSecret: secret?.revealed()], of: provider)
    }

    package func registeredClient(of provider: String) async throws -> RegisteredClient? {
        try await secrets()?.text(.registration, of: provider).flatMap { RegisteredClient(text: $0) }
    }

    /// Writes the configuration of a provider and stores its secret. The caller holds the `config` lock.
    package func save(_ provider: Provider, secret: ClientSecret?, registered: RegisteredClient? = nil) async throws {
        var file = try settings()
        try file.set(provider, profile: name)
        _ = try store(creating: true)
        try await save(file, secret: secret, registered: registered, of: provider.id)
    }

    /// Checks whether this configuration and a secret can be stored, before a client is registered.
    func requireStorable(_ provider: Provider) async throws {
        try configDirectory.requireWritable()
        var file = try settings()
        try file.set(provider, profile: name)
        _ = try file.bytes()
        try await openKey()
    }

    private func privateKey(
        _ file: String, content: NamedFile, passphraseFile: String?, in files: ConfiguredFiles
    ) throws -> PrivateKey {
        let pem = try content.secret()
        func read(_ passphrase: KeyPassphrase? = nil) throws -> PrivateKey {
            do { return try PrivateKey(pem: pem, passphrase: passphrase) } catch {
                throw KeyFileProblem(file: file, error: error)
            }
        }
        do { return try read() } catch let problem as KeyFileProblem where problem.error == .passphraseNeeded {
            if let passphraseFile {
                return try read(KeyPassphrase(try files.secret(passphraseFile, "private_key_passphrase_file")))
            }
            guard let typed = host.passphrase(ofKey: file) else { throw problem }
            return try read(typed)
        }
    }

    private func certificate(
        _ file: String, of provider: Provider, key: PrivateKey?, in files: ConfiguredFiles
    ) throws -> ClientCertificate {
        let content = try files.file(file, "certificate")
        let hasKey = String(decoding: content.bytes, as: UTF8.self).contains("PRIVATE KEY-----")
        let own =
            hasKey
            ? try privateKey(file, content: content, passphraseFile: provider.privateKeyPassphraseFile, in: files) : key
        guard let own else { throw provider.invalid("certificate", .certificateWithoutKey) }
        do { return try ClientCertificate(pem: content.bytes, key: own) } catch {
            throw KeyFileProblem(file: file, error: error)
        }
    }
}

/// The files that a configuration names.
private struct ConfiguredFiles {
    let host: any ProfileHost
    let provider: String

    func secret(_ path: String, _ setting: String) throws -> String {
        try read(setting) { try host.secret(inFile: path) }
    }

    func file(_ path: String, _ setting: String) throws -> NamedFile { try read(setting) { try host.file(path) } }

    private func read<R>(_ setting: String, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as InsecureFile { throw error } catch {
            throw ConfiguredFileError(setting: "\(provider): \(setting)", cause: error)
        }
    }
}

extension ProviderSecrets {
    /// Stores or removes texts and writes `config.yaml`. If one of the two fails, both stay as they were. A process that
    /// is killed between the two leaves the new file with the old secret; the same command run again repairs that.
    func set(_ texts: [Kind: String?], of provider: String, saving file: ConfigFile) async throws {
        do { try await set(texts, of: provider) { try file.save(in: sessionStore.store.directory) } } catch {
            // The commit itself can fail, after the file was written.
            try? file.restore(in: sessionStore.store.directory)
            throw error
        }
    }
}
