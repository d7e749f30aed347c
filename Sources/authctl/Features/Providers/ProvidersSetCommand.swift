import ArgumentParser
import AuthCore

struct ProvidersSetCommand: AccountIndependent, PrintsJSON {
    static let output = ProviderView.view
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of a provider; others stay unchanged.",
        discussion: """
            Given scopes, parameters and API hosts are added to configured ones; --unset empties a setting first.
            """)
    static let examples: Examples = [
        "Allow one more host to receive the token.": "authctl providers set oidc.work --api-host api.example.com",
        "Replace the requested scopes.": "authctl providers set oidc.work --unset scope --scope openid --scope email",
    ]
    static let mostUsed = [
        "--client-id", "--client-secret-stdin", "--scope", "--redirect-uri", "--api-host", "--unset",
    ]

    @Argument(help: "The provider.", completion: .providers, transform: Dialect.id(called:))
    var id: String

    @OptionGroup var options: GlobalOptions

    @OptionGroup var flags: ProviderFlags

    @Option(help: .init("Remove this setting before others are set; repeatable.", valueName: "setting"))
    var unset: [ProviderSetting] = []
    private var removed: [String] { unset.flatMap(\.removed) }

    var errorContext: ErrorContext { .init("provider not changed", provider: id) }

    func validate() throws { try require(!flags.named.isEmpty || !unset.isEmpty, "at least one setting is required") }

    func run(_ context: Context) async throws {
        var command = self
        command.id = try context.named(id)
        try await command.change(context)
    }

    private func change(_ context: Context) async throws {
        _ = try ProviderID(id)
        let system = try context.profile.systemConfiguration()[id]
        guard try system != nil || context.configDirectory.exists else { throw ProviderError.notConfigured(id) }
        let secret = try flags.client.secret(context)
        try await context.profile.changingSettings {
            var file = try context.profile.settings()
            let isOwn = try file.providerIDs(profile: context.profile.name).contains(id)
            let overridden = isOwn ? nil : system
            if let overridden, try changesStoredSecretOnly(of: overridden.provider) {
                let client = try await checkedClient(of: overridden.provider, secret: secret, in: context)
                try await context.profile.seal(secret, of: id)
                return try await show(client, context)
            }
            if let overridden { try file.adopt(overridden, profile: context.profile.name) }
            let old = try? written(file, context)
            try change(&file, context)
            if let source = flags.assertionFrom { try context.profile.checkAssertionSource(source, of: id) }
            let client = try await checkedClient(of: written(file, context), secret: secret, in: context)
            if let note = ProviderText.tenantNote(flags.tenant, client) {
                context.output.note(note)
                try file.change(["tenant"], to: client.provider, profile: context.profile.name)
            }
            if flags.issuer != nil { try file.change(["issuer"], to: client.provider, profile: context.profile.name) }
            if forgetsSecret {
                try await context.profile.save(file, secret: secret, of: id)
            } else {
                try file.save(in: context.configDirectory)
            }
            try await show(client, context)
            noteDroppedScopes(from: old, to: client.provider, in: context)
            guard let overridden else { return }
            context.output.note(
                "it now overrides the system configuration in '\(shown: overridden.place.path)'; to undo that: authctl providers remove \(id)"
            )
        }
    }

    private var forgetsSecret: Bool { flags.client.namesSecret || removed.contains("client_secret_file") }

    private func changesStoredSecretOnly(of provider: Provider) throws -> Bool {
        try flags.named.union(removed).allSatisfy { $0.hasPrefix("client_secret_") }
            && flags.client.clientSecretFile == nil && flags.client.clientSecretEnv == nil
            && provider.clientSecretFile == nil && provider.clientSecretVariable == nil
    }

    private func change(_ file: inout ConfigFile, _ context: Context) throws {
        var removed = removed
        // A registered public client is replaced by one with a secret.
        let method = try written(file, context).authenticationMethod
        if method == ClientAuthentication.Method.none, flags.client.namesSecret { removed.append("auth_method") }
        try file.remove(removed, of: id, profile: context.profile.name)
        let changed = try flags.provider(ProviderID(id), insteadOf: written(file, context), in: context.environment)
        try file.change(flags.named, to: changed, profile: context.profile.name)
    }

    private func written(_ file: ConfigFile, _ context: Context) throws -> Provider {
        guard let provider = try file.provider(id, profile: context.profile.name) else {
            throw ProviderError.notConfigured(id)
        }
        return provider
    }

    private func checkedClient(
        of provider: Provider, secret: ClientSecret?, in context: Context
    ) async throws -> ProviderClient {
        // Checked before any prompt: the store must be able to hold the secret.
        _ = try context.profile.store(creating: secret != nil)
        var keys = try await context.profile.keys(of: provider, sealed: !forgetsSecret)
        if let secret { keys.secret = secret }
        let client = try await context.checkedClient(provider, keys)
        if flags.client.certificate != nil { try client.checkCertificate() }
        return client
    }

    /// Default scopes are not written to the configuration, so the first given scope replaces them.
    private func noteDroppedScopes(from old: Provider?, to new: Provider, in context: Context) {
        let dropped = (old?.scopes ?? []).filter { !new.scopes(adding: []).contains($0) }
        guard !dropped.isEmpty, !removed.contains("scopes") else { return }
        let again = ShellCommand("authctl providers set \(id)").with(["--scope": dropped])
        context.output.note(
            "default scopes that are no longer requested: \(dropped.joined(separator: " ")); to request them too: \(context.text(of: again))"
        )
    }

    private func show(_ client: ProviderClient, _ context: Context) async throws {
        let keys = try flags.named.union(removed)
        let changed = Provider.settings.filter { keys.contains($0.key) }.compactMap(\.option)
        let place = try await ProviderText.secretPlace(client.provider, context)
        let from = try context.profile.reopened().place(of: id)
        context.output.done(
            ProviderView(client.provider, secret: place, from: from).json,
            "changed provider '\(id)' (\(changed.joined(separator: ", "))): \(ProviderText.place(client))")
    }
}
