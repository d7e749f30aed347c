import ArgumentParser
import AuthCore

struct ProvidersAddCommand: AccountIndependent, PrintsJSON {
    static let output = ProviderView.view
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a provider and run discovery.",
        discussion: """
            For a configured provider, existing settings are kept. Use 'authctl providers set' to change single \
            settings, or --replace to remove settings that are not given.
            """)
    static let examples: Examples = [
        "Add an OpenID Provider.":
            "authctl providers add oidc.work --issuer https://id.example.com --client-id my-client",
        "Add GitHub, and type the client secret.":
            "authctl providers add github.com --client-id Ov23liExample --client-secret-stdin",
        "Add a GitHub Enterprise Server, for personal access tokens.":
            "authctl providers add github.com --base-url https://github.example.com",
        "Add a GitHub App, for tokens that are valid for one repository.":
            "authctl providers add github.com --app-id 12345 --private-key app.pem",
    ]
    static let asking: ShellCommand? = .setup(nil)
    static let mostUsed = [
        "--issuer", "--client-id", "--client-secret-stdin", "--base-url", "--preset", "--scope", "--redirect-uri",
        "--register",
    ]

    @Argument(
        help: "A built-in provider such as github.com, a service such as spotify, or a name of your choice: oidc.NAME.",
        completion: .providers, transform: Dialect.id(called:))
    var id: String

    @OptionGroup var options: GlobalOptions

    @OptionGroup var flags: ProviderFlags

    @Flag(help: "Register a client at the provider (OpenID Dynamic Client Registration).")
    var register = false

    @Flag(help: "Replace an existing configuration and remove settings that are not given.")
    var replace = false

    var errorContext: ErrorContext { .init("provider not added", for: .addProvider, provider: id) }

    func validate() throws {
        let isNamed = flags.client.clientId != nil || flags.client.appId != nil
        try refuse(
            ["--register": register], with: ["--client-id": flags.client.clientId, "--app-id": flags.client.appId])
        let hasTokens = flags.baseUrl != nil && Dialect.named(id)?.personalTokens != nil
        guard isNamed || register || hasTokens else {
            let isKnown = (try? ProviderID(id)) != nil || Catalog.named(id) != nil
            let setup = ShellCommand.setup(id).with(["--base-url": flags.baseUrl])
            throw UsageProblem.other(
                "either --client-id, --app-id or --register is required",
                hint: isKnown ? "to be asked for each value: \(run: setup)" : nil)
        }
        let passphrase = flags.client.certificate == nil ? flags.client.privateKeyPassphraseFile : nil
        try require(
            "--private-key", isGiven: flags.client.privateKey != nil,
            for: [
                "--app-id": flags.client.appId, "--key-alg": flags.client.keyAlg?.rawValue,
                "--private-key-passphrase-file": passphrase,
            ])
    }

    func run(_ context: Context) async throws {
        let entry = try context.profile.catalogEntry(flags.service ?? id)
        let kind = flags.tokenEndpoint.map { _ in "oauth." } ?? flags.issuer.map { _ in "oidc." } ?? entry?.id
        let checked = try ProviderID(adding: flags.service == nil ? entry?.id ?? id : id, like: kind)
        let id = checked.description
        _ = try context.profile.find(id)
        try refuse(
            if: register && checked.isBuiltIn,
            .other(
                "'\(id)' does not support dynamic client registration",
                hint: "register a client at the provider, then: \(run: .setup(id))"))
        var provider = try flags.provider(checked, of: entry, in: context.environment)
        if let source = flags.assertionFrom { try context.profile.checkAssertionSource(source, of: id) }
        // The same client is already registered with the existing redirect URI.
        let old = try? context.profile.settings().provider(id, profile: context.profile.name)
        if let old, old.clientID == provider.clientID, old.issuer.isSameIssuer(as: provider.issuer) {
            provider.redirectPath = old.redirectPath
        }
        let secret = try flags.client.secret(context)
        // Before the lock, because the user may have to enter a passphrase.
        var keys = try await context.profile.keys(of: provider, sealed: false)
        try await context.profile.changingSettings {
            if !replace { try await checkSettingsAreKept(by: provider, insteadOf: old, context) }
            if let secret { keys.secret = secret }
            // Before the registration, so that no client is registered whose secret cannot be stored.
            _ = try context.profile.store(creating: register)
            let registered = register ? try await registerClient(provider, keys: keys, in: context) : nil
            if let registered { (provider, keys.secret) = (registered.provider, registered.client.secret) }
            let client = try await context.checkedClient(provider, keys)
            try client.checkCertificate()
            if let note = ProviderText.tenantNote(flags.tenant, client) { context.output.note(note) }
            let sealed = register ? keys.secret : secret
            try await context.profile.save(client.provider, secret: sealed, registered: registered?.client.registered)
            let changed = context.profile.reopened()
            let from = try changed.place(of: id)
            context.output.done(
                ProviderView(client.provider, secret: sealed == nil ? nil : "encrypted in the store", from: from).json,
                "\(old == nil ? "added" : "changed") provider '\(id)': \(ProviderText.place(client))")
            if case .own(_, let place?) = from {
                context.output.note(
                    "it overrides the system configuration in '\(shown: place.path)' line \(place.line)")
            }
            for advice in ProviderText.advice(client, hasSecret: keys.secret != nil) { context.output.note(advice) }
            let sessions = try await context.profile.sessionStoreForDisplay()?.sessions() ?? []
            if sessions.contains(where: { $0.providerID == id && changed.hasOtherIssuer($0) }) {
                context.output.note("the session with '\(id)' is from another server, so you must sign in again")
            }
            if let entry, flags.client.redirectUri == nil, let uri = client.provider.redirectURI {
                context.output.note("register the redirect URI '\(uri)' at \(entry.page ?? entry.title)")
            }
        }
    }

    private func registerClient(
        _ provider: Provider, keys: ClientKeys, in context: Context
    ) async throws -> RegisterClient.Registered {
        // Before the registration, so that no unusable client is registered.
        if provider.isFAPI2 { _ = try await context.checkedClient(provider, keys) }
        let client = try await RegisterClient(in: context.profile, clientName: "authctl").run(
            provider, key: keys.privateKey, certificate: keys.certificate, method: flags.client.authMethod)
        for note in ProviderText.notes(client) { context.output.note(note) }
        return client
    }

    private func checkSettingsAreKept(
        by provider: Provider, insteadOf old: Provider?, _ context: Context
    ) async throws {
        let file = try context.profile.settings()
        guard try file.providerIDs(profile: context.profile.name).contains(provider.id) else { return }
        var dropped = try file.dropped(by: provider, profile: context.profile.name)
        // A service of the catalog has settings of its own.
        let isMoved = flags.baseUrl != nil || flags.issuer != nil || !flags.answer.isEmpty
        let named = try flags.named.union(["client_id", "service"])
        for setting in Provider.settings where !named.contains(setting.key) && !dropped.contains(setting.key) {
            let before = old.flatMap(setting.written)?.displayText
            let isPlace = setting.key == "issuer" || setting.key.hasSuffix("_endpoint")
            guard let before, before != setting.written(provider)?.displayText, !isMoved || !isPlace else { continue }
            dropped.append(setting.key)
        }
        if flags.client.namesSecret || register {
            dropped.removeAll { $0.hasPrefix("client_secret") }
        } else if try await context.profile.sealedSecret(of: provider.id) != nil {
            dropped.append("client_secret")
        }
        guard !dropped.isEmpty else { return }
        throw CommandError(
            .usage,
            "'\(provider.id)' is already configured, and this would remove its \(dropped.joined(separator: ", "))",
            hint: "to keep them, use providers set with the same options; to remove them: add --replace",
            isComplete: false)
    }
}

extension Context {
    /// Resolves the client of a provider before it is saved, with the provider's current metadata.
    func checkedClient(_ provider: Provider, _ keys: ClientKeys) async throws -> ProviderClient {
        let client = try await ProviderClient.resolve(
            provider, keys: keys, services: profile.services(), refetch: .always)
        try client.requireFAPI2()
        return client
    }
}
