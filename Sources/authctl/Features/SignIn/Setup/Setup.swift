import AuthCore

/// Configures a provider interactively. Writes the configuration only after the last question and the provider's check
/// of the client.
struct Setup {
    let context: Context
    let request: SetupRequest
    private var output: Output { context.output }

    func run() async throws -> SetUp? {
        try context.configDirectory.requireWritable()
        let found = try await SetupProvider(context: context, request: request).find()
        let known = try context.profile.find(found.provider.id)
        if let known, known.isSetUp { return try await already(known) }
        let provider = known?.configuration.map(request.redirected) ?? found.provider
        if found.registers {
            // A registered client must be stored immediately.
            if let (client, made) = try await registered(provider) {
                try await write(client, secret: made.secret, registered: made.registered)
                return SetUp(provider: provider.id)
            }
        }
        let screen = Screen.standardError(context.environment)
        let guide = SetupGuide(provider, of: found.entry)
        output.prompt(SetupText.lines(guide, on: screen), on: screen)
        if !request.isSignIn, let tokens = guide.withoutClient(in: context) { context.say([tokens, ""]) }
        var draft = SetupDraft(
            context: context, redirects: request.redirects, entry: found.entry, provider: provider,
            setUp: SetUp(provider: provider.id))
        let client = try await draft.completed()
        try await write(client, secret: draft.secret)
        return draft.setUp
    }

    private func already(_ known: ResolvedProvider) async throws -> SetUp? {
        let id = known.id
        guard !request.isSignIn else { return SetUp(provider: id) }
        if known.isThroughProject {
            output.prompt("'\(id)' requires no setup: the Firebase project of this profile is its client.")
        } else {
            let provider = try known.signingIn()
            if provider.requiresSecret, try await context.profile.keys(of: provider).secret == nil {
                throw CommandError(
                    .invalidConfiguration, "'\(id)' is configured without its client secret",
                    hint: .run("authctl providers set \(id) --client-secret-stdin"))
            }
            let place = provider.baseURL.map { ", at '\($0.text)'" } ?? ""
            let change: ShellCommand = "authctl providers set \(id) --help"
            output.prompt(
                "'\(id)' is already configured, as the client '\(provider.clientID)'\(place); to change its settings: \(change.text)"
            )
        }
        guard request.signsIn else { return nil }
        return try await context.confirm("Sign in with it now?", default: true) ? SetUp(provider: id) : nil
    }

    private func registered(
        _ provider: Provider
    ) async throws -> (ProviderClient, made: ClientRegistration.Client)? {
        let services = try context.profile.services()
        let registered: RegisterClient.Registered
        try await context.createStore()
        do {
            registered = try await RegisterClient(in: context.profile, clientName: "authctl").run(provider, key: nil)
        } catch let error as OAuthError {
            output.prompt("The provider does not support dynamic client registration: \(InvalidInput(error).reason).")
            return nil
        }
        for note in ProviderText.notes(registered) { output.note(note) }
        let client = try await ProviderClient.resolve(
            registered.provider, keys: ClientKeys(secret: registered.client.secret), services: services)
        output.prompt("The provider registered the client '\(registered.provider.clientID)'.")
        return (client, registered.client)
    }

    private func write(
        _ client: ProviderClient, secret: ClientSecret?, registered: RegisteredClient? = nil
    ) async throws {
        let id = client.provider.id
        try await context.createStore()
        try await context.profile.changingSettings {
            guard try context.profile.reopened().find(id)?.isSetUp != true else {
                throw CommandError(
                    .invalidConfiguration, "another process has added '\(id)' in the meantime", hint: .signIn(id))
            }
            try await context.profile.save(client.provider, secret: secret, registered: registered)
        }
        output.prompt("Added provider '\(id)': \(ProviderText.place(client)).")
    }
}
