import ArgumentParser
import AuthCore

extension ProfileCommand {
    struct Rename: ProfileIndependent, PrintsJSON {
        static let output = View<(name: String, previous: String)> {
            Field("profile", of: \.name, means: "the new name")
            Field("previousName", of: \.previous)
        }

        static let configuration = CommandConfiguration(
            abstract: "Rename a profile with its settings, accounts and sessions.")
        static let examples: Examples = [
            "Rename a profile.": "authctl profile rename work acme",
            "Make room for another default profile.": "authctl profile rename default private",
        ]

        @Argument(help: "The profile.", completion: .profiles)
        var name: String

        @Argument(help: .init("The new name.", valueName: "new-name"))
        var other: String

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("profile not renamed") }

        func run(_ context: Context) async throws {
            let (profile, other) = (try await context.existingProfile(name), try Context.profileName(other))
            let directory = context.configDirectory
            let isChosen = try (ProfileChoice.load(from: directory) ?? Profile.defaultName) == profile.name
            try await profile.move(to: other) {
                if isChosen { try ProfileChoice.save(other, in: directory) }
                try AccountRules.move(profile.name, to: other, in: directory)
            }
            context.output.done(
                Self.output.json((other, profile.name)),
                "the profile '\(profile.name)' is now '\(other)'\(isChosen ? ", and still the default" : "")")
        }
    }

    struct Remove: ProfileIndependent, PrintsJSON {
        static let output = View<String> { Field("removed", of: \.self) }

        static let configuration = CommandConfiguration(
            abstract: "Remove a profile from this machine.",
            discussion: """
                Removes its settings, accounts, sessions and secrets. The tokens stay valid at the providers until \
                they expire: 'authctl signout --all --revoke --profile NAME' revokes them first. Accounts of a Firebase \
                project remain in the project.
                """)
        static let examples: Examples = [
            "Remove a profile.": "authctl profile remove staging",
            "Remove it without a question.": "authctl profile remove staging --yes",
        ]

        @Argument(help: "The profile.", completion: .profiles)
        var name: String

        @OptionGroup var options: GlobalOptions

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        var errorContext: ErrorContext { .init("profile not removed") }

        func run(_ context: Context) async throws {
            let profile = try await context.existingProfile(name)
            try await confirm(profile, context)
            let providers = try profile.settings().providerIDs(profile: profile.name)
            // Removing a profile must not require the encryption key.
            var clients: [(RegisteredClient, Provider?)] = []
            for id in providers {
                guard let client = try? await profile.registeredClient(of: id) else { continue }
                clients.append((client, try? profile.resolve(id).configuration))
            }
            try await profile.remove()
            try await profile.changingSettings {
                try AccountRules.move(profile.name, to: nil, in: context.configDirectory)
            }
            let isChosen = try ProfileChoice.load(from: context.configDirectory) == profile.name
            if isChosen { try ProfileChoice.save(Profile.defaultName, in: context.configDirectory) }
            context.output.done(Self.output.json(profile.name), "the profile '\(profile.name)' is removed")
            if isChosen, profile.name != Profile.defaultName {
                context.output.note("the default profile is '\(Profile.defaultName)' again")
            }
            for (client, provider) in clients { try await ProviderText.delete(client, of: provider, in: context) }
        }

        private func confirm(_ profile: Profile, _ context: Context) async throws {
            guard !yes else { return }
            let count = try await profile.storedAccountCount()
            let accounts = count == 1 ? "one account" : "\(count) accounts"
            try require(
                context.agrees("Remove the profile '\(profile.name)' with \(accounts) from this machine?"),
                .unconfirmed("removing a profile cannot be undone"))
        }
    }
}

extension Context {
    fileprivate func existingProfile(_ name: String) async throws -> Profile {
        let name = try Context.profileName(name)
        let known = try await profile.knownNames()
        try require(known.contains(name), .other(Context.notFound(name, known), hint: .run("authctl profile list")))
        return Profile(name, in: configDirectory, host: profile.host)
    }
}
