import ArgumentParser
import AuthCore

struct ProvidersSetCommand: AccountIndependent {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings of a provider; others stay unchanged.",
        discussion: """
            Given scopes, parameters and API hosts are added to the existing ones; --unset empties a setting first. \
            Runs discovery immediately. Changing a provider of the system configuration copies it to your \
            configuration, and later changes by the administrator have no effect. A client secret is stored without \
            copying it.
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

    var task: ErrorContext { ErrorContext("provider not changed", provider: id, again: "authctl providers show \(id)") }

    func validate() throws {
        try require(!flags.named.isEmpty || !unset.isEmpty, "at least one setting is required")
    }

    func run(_ context: Context) async throws {
        var command = self
        command.id = try context.named(id)
        try await command.change(context)
    }

    private func change(_ context: Context) async throws {
        _ = try ProviderID(id)
        let organizations = try context.profile.organization()[id]
        guard try organizations != nil || context.configDirectory.exists else { throw ProviderError.notConfigured(id) }
        let sealed = try flags.client.secret(context)
        let forgetsSecret = flags.client.namesSecret || removed.contains("client_secret_file")
        try await context.profile.changingSettings {
            var file = try context.profile.settings()
            let isOwn = try file.providerIDs(profile: context.profile.name).contains(id)
            let below = isOwn ? nil : organizations
            let isInStore = below?.provider.clientSecretFile == nil && below?.provider.clientSecretVariable == nil
            if let below, try changesSecretOnly, isInStore { return try await keep(sealed, of: below, context) }
            if let below { try file.adopt(below, profile: context.profile.name) }
            let changed = try changing(&file, context)
            if let source = flags.assertionFrom { try context.profile.checkAssertionSource(source, of: id) }
            let provider = try written(file, context)
            // Checked before any prompt: the store must be able to hold the secret.
            _ = try context.profile.store(creating: sealed != nil)
            var keys = try await context.profile.keys(of: provider, sealed: !forgetsSecret)
            if let sealed { keys.secret = sealed }
            let client = try await context.checkedClient(provider, keys)
            if flags.client.certificate != nil { try client.checkCertificate() }
            if let tenant = flags.tenant, let found = client.provider.tenant, found != tenant {
                context.output.note("tenant '\(tenant)' is '\(found)'")
                var resolved = changed
                resolved.tenant = found
                try file.change(["tenant"], to: resolved, profile: context.profile.name)
            }
            if flags.issuer != nil {
                var resolved = changed
                resolved.issuer = client.provider.issuer
                try file.change(["issuer"], to: resolved, profile: context.profile.name)
            }
            if forgetsSecret {
                try await context.profile.save(file, secret: sealed, of: id)
            } else {
                try file.save(in: context.configDirectory)
            }
            try await show(client, context)
            guard let below else { return }
            context.output.note(
                "it now overrides the system configuration in '\(shown: below.place.path)'; to undo that: authctl providers remove \(id)"
            )
        }
    }

    private func show(_ client: ProviderClient, _ context: Context) async throws {
        let place = try await ProviderText.secretPlace(client.provider, context)
        let from = try context.profile.reopened().place(of: id)
        context.output.done(
            ProviderText.json(client.provider, place, from: from),
            "changed provider '\(id)': \(ProviderText.place(client))")
    }

    private var changesSecretOnly: Bool {
        get throws {
            try flags.named.union(removed).allSatisfy { $0.hasPrefix("client_secret_") }
                && flags.client.clientSecretFile == nil && flags.client.clientSecretEnv == nil
        }
    }

    private func keep(_ sealed: ClientSecret?, of system: SystemConfiguration.Configuration, _ context: Context)
        async throws
    {
        _ = try context.profile.store(creating: sealed != nil)
        var keys = try await context.profile.keys(of: system.provider, sealed: false)
        keys.secret = sealed
        let client = try await context.checkedClient(system.provider, keys)
        try await context.profile.seal(sealed, of: id)
        try await show(client, context)
    }

    private func changing(_ file: inout ConfigFile, _ context: Context) throws -> Provider {
        try file.remove(removed, of: id, profile: context.profile.name)
        let changed = try flags.provider(ProviderID(id), insteadOf: written(file, context), context.environment)
        try file.change(flags.named, to: changed, profile: context.profile.name)
        return changed
    }

    private func written(_ file: ConfigFile, _ context: Context) throws -> Provider {
        guard let provider = try file.provider(id, profile: context.profile.name) else {
            throw ProviderError.notConfigured(id)
        }
        return provider
    }
}
