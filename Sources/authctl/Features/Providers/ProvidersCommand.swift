import ArgumentParser
import AuthCore

struct ProvidersCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "List, show, add, change, remove, check, discover and export providers; list services.",
        subcommands: [
            List.self, Show.self, ProvidersAddCommand.self, ProvidersSetCommand.self, Remove.self, Check.self,
            ProvidersDiscoverCommand.self, ProvidersExportCommand.self, ProvidersCatalogCommand.self,
        ])
    static let examples: Examples = [
        "Add GitHub.": "authctl providers add github.com --client-id Ov23liExample",
        "Show where to register a client at Microsoft.": "authctl providers show microsoft.com",
    ]

    struct List: SupportsFields, AccountIndependent, PrintsJSON {
        static let output = View<[ProviderView]> { Field("providers", of: \.self) }

        static let configuration = CommandConfiguration(abstract: "List the configured providers.")
        static let examples: Examples = [
            "List the configured providers.": "authctl providers list",
            "Print the client ID of the first provider, for a script.":
                "authctl providers list --field providers.0.clientId",
        ]

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("providers not listed") }

        func run(_ context: Context) async throws {
            try context.noteUnknownKeys()
            var providers: [ProviderView] = []
            for id in try context.profile.providerIDs() { providers.append(await ProviderView(listed: id, context)) }
            try context.show(Self.output.json(providers)) { Table.lines(providers.map(\.cells), on: $0) }
            for provider in providers {
                guard let failure = provider.failure else { continue }
                let check: ShellCommand = "authctl providers check \(provider.id)"
                context.output.note(
                    "'\(provider.id)' cannot be used: \(failure.message); to check it: \(context.text(of: check))")
            }
            if providers.isEmpty {
                try await context.noteUnknownProfile()
                if let project = try context.profile.projectSettings() {
                    context.output.note(
                        "users sign in through the Firebase project '\(shown: project.projectID)', with its providers: authctl signin google.com"
                    )
                } else {
                    let setup: ShellCommand = .setup(nil)
                    context.output.note("no provider is configured; to add one: \(context.text(of: setup))")
                }
            }
        }
    }

    struct Show: SupportsFields, AccountIndependent, PrintsJSON {
        static let output = ProviderView.view
        static let configuration = CommandConfiguration(abstract: "Show a provider's settings, without secrets.")
        static let examples: Examples = [
            "Show the settings of a configured provider.": "authctl providers show oidc.work",
            "Show where to register a client at GitHub, and the redirect URI.": "authctl providers show github.com",
        ]
        var whole: Hint? { .run("authctl providers show \(id) --json") }

        @Argument(help: "The provider.", completion: .allProviders, transform: Dialect.id(called:))
        var id: String

        @OptionGroup var options: GlobalOptions
        @OptionGroup var part: FieldFlag

        var errorContext: ErrorContext { .init("provider not shown", provider: id) }

        func run(_ context: Context) async throws {
            try context.noteUnknownKeys()
            // Built-in providers can be shown before they are configured.
            let id = try context.named(self.id)
            let found = try context.profile.find(id)
            var provider =
                try found == nil && Provider.isBuiltIn(id)
                ? Provider(builtIn: id, clientID: "") : context.profile.resolve(id).provider()
            var place: String?
            if let configured = found?.configuration { place = try await ProviderText.secretPlace(configured, context) }
            let from = try context.profile.place(of: id)
            let overrides = try context.profile.overrides(of: id)
            let project = found?.isThroughProject == true ? try context.profile.projectSettings() : nil
            if let project, provider.redirectURI == nil, provider.dialect.redirect != .publicURL {
                provider.redirectURI = project.redirectURI ?? FirebaseSettings.defaultRedirectURI
            }
            // Not cut to the terminal's width: users copy the redirect URI.
            try context.output.show(ProviderView(provider, secret: place, from: from).json, on: Screen()) {
                Table.lines(
                    ProviderText.rows(provider, at: place, from: from, overrides: overrides, project: project)
                ).map { [Cell($0)] }
            }
        }
    }

    struct Remove: AccountIndependent, PrintsJSON {
        static let output = View<String> { Field("removed", of: \.self) }

        static let configuration = CommandConfiguration(
            abstract: "Remove a provider's configuration and its stored secret.")
        static let examples: Examples = [
            "Remove a provider.": "authctl providers remove oidc.work",
            "Remove it from another profile.": "authctl providers remove oidc.work --profile staging",
        ]

        @Argument(help: "The provider.", completion: .providers, transform: Dialect.id(called:))
        var id: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("provider not removed", for: .removeProvider, provider: id) }

        func run(_ context: Context) async throws {
            let id = try context.named(self.id)
            let system = try context.profile.systemConfiguration()[id]
            guard try context.configDirectory.exists else { throw notFound(system?.place) }
            let sessionStore = try context.profile.sessionStoreForDisplay()
            let isUsed = try await sessionStore?.sessions().contains { $0.providerID == id } == true
            let old = try? context.profile.resolve(id).configuration
            var registered: RegisteredClient?
            if context.canPrompt {
                registered = try await context.profile.registeredClient(of: id)
                let losses = [
                    isUsed ? "Sessions with '\(id)' can then be neither renewed nor revoked. " : "",
                    registered == nil ? "" : "Its client is deleted at the provider too. ",
                ].joined()
                if !losses.isEmpty { _ = try context.agrees(losses + "Remove it?") }
            }
            try await context.profile.changingSettings {
                registered = try await context.profile.registeredClient(of: id)
                var file = try context.profile.settings()
                var isRemoved = try file.remove(id, profile: context.profile.name)
                if !isRemoved, system == nil { isRemoved = try await context.profile.hasSealedSecret(of: id) }
                guard isRemoved else { throw notFound(system?.place) }
                try await context.profile.save(file, removing: id)
            }
            let rest = "; its sessions remain, but without it their tokens can be neither renewed nor revoked"
            context.output.done(Self.output.json(id), "'\(id)' was removed\(isUsed ? rest : "")")
            // Other users of the system configuration sign in with the same client.
            if let registered, registered.clientID != system?.provider.clientID {
                try await ProviderText.delete(registered, of: old, in: context)
                // Only this client could revoke them.
                if try await sessionStore?.forgetUnrevoked(of: id) == true {
                    let tokens = "the tokens that '\(id)' did not revoke"
                    context.output.note("\(tokens) are forgotten, and stay valid until they expire")
                }
            }
            if let below = system?.place {
                context.output.note("the system configuration applies again: '\(shown: below.path)' line \(below.line)")
            }
        }

        private func notFound(_ below: SystemConfiguration.Place?) -> any Error {
            guard let below else { return ProviderError.notConfigured(id) }
            return CommandError(
                .invalidConfiguration,
                "'\(id)' is part of the system configuration, in '\(shown: below.path)' line \(below.line): only root can remove it",
                hint: "to override it for this user: \(run: "authctl providers set \(id) --help")")
        }
    }
}
