import AuthCore

/// Configures a provider interactively. Writes the configuration only after the last question and the provider's check
/// of the client.
struct Setup {
    let context: Context
    let request: SetupRequest
    private var output: Output { context.output }

    func run() async throws -> SetUp? {
        let found = try await SetupProvider(context: context, request: request).find()
        if let known = try context.profile.find(found.provider.id) { return try await already(known) }
        // Report an unwritable directory before asking questions.
        if try context.configDirectory.exists { try context.configDirectory.requireWritable() }
        var provider = found.provider
        let offers = try await acceptedOffers(&provider)
        if found.registers {
            // A registered client must be stored immediately.
            try await offerKeyring()
            if let (client, made) = try await registered(provider) {
                try await write(client, secret: made.secret, registered: made.registered)
                return SetUp(provider: provider.id, offers: offers)
            }
        }
        try await show(SetupGuide(provider))
        let started = SetUp(provider: provider.id, offers: offers)
        var draft = SetupDraft(context: context, provider: provider, setUp: started)
        let client = try await draft.completed()
        if !found.registers { try await offerKeyring() }
        try await write(client, secret: draft.secret)
        return draft.setUp
    }

    /// Asks whether to do what other features offer. Adds the scopes that this requires.
    private func acceptedOffers(_ provider: inout Provider) async throws -> [Context.Offer] {
        var accepted: [Context.Offer] = []
        guard request.makesOffers, request.signsIn else { return accepted }
        for offer in context.offers {
            guard let question = offer.question(provider, context),
                try await context.confirm(question.text, default: false)
            else { continue }
            provider.scopes.append(question.scope)
            accepted.append(offer)
        }
        return accepted
    }

    private func already(_ known: ResolvedProvider) async throws -> SetUp? {
        let id = known.id
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

    private func show(_ guide: SetupGuide) async throws {
        output.prompt("To configure '\(guide.provider.id)', register a client:")
        output.prompt("")
        for line in SetupText.lines(guide) { output.prompt(line) }
        output.prompt("")
        guard let page = guide.page, request.opensBrowser,
            !context.environment.isRemote,
            Browser(environment: context.environment).program != nil,
            try await context.confirm("Open the page in the browser?", default: true)
        else { return }
        if !Browser(environment: context.environmentOfPrograms).open(page) {
            output.prompt("No browser can be started.")
        }
    }

    private func offerKeyring() async throws {
        guard try context.profile.store(creating: false) == nil else { return }
        switch context.profile.keyringState() {
        case .open, .missing: break
        case .locked, .unavailable: return
        }
        let question = "Store the encryption key in the desktop keyring instead of a file?"
        guard try await context.confirm(question, default: false),
            let store = try context.profile.store(creating: true)
        else { return }
        _ = try await store.moveKey(to: .keyring)
        output.note("the encryption key is in the keyring")
    }

    private func registered(
        _ provider: Provider
    ) async throws -> (ProviderClient, made: ClientRegistration.Client)? {
        let services = try context.profile.services()
        let registered: RegisterClient.Registered
        do {
            registered = try await RegisterClient(services: services, clientName: "authctl").run(provider, key: nil)
        } catch let error as OAuthError {
            output.prompt("The provider does not support dynamic client registration: \(InvalidInput(error).reason).")
            return nil
        }
        for note in ProviderText.notes(registered) { output.note(note) }
        let client = try await ProviderClient.resolve(
            registered.provider, keys: ClientKeys(secret: registered.client.secret), services: services)
        output.note("the provider registered the client '\(registered.provider.clientID)'")
        return (client, registered.client)
    }

    private func write(
        _ client: ProviderClient, secret: ClientSecret?, registered: RegisteredClient? = nil
    ) async throws {
        let id = client.provider.id
        try await context.profile.changingSettings {
            guard try !context.profile.settings().providerIDs(profile: context.profile.name).contains(id) else {
                throw CommandError(
                    .invalidConfiguration, "another process has added '\(id)' in the meantime", hint: .signIn(id))
            }
            try await context.profile.save(client.provider, secret: secret, registered: registered)
        }
        output.note("added provider '\(id)': \(ProviderText.place(client))")
    }
}
