import ArgumentParser
import AuthCore

extension ProfileCommand {
    struct Set: AccountIndependent, PrintsJSON {
        static let output = ProfileText.output
        static var outputs: [any Outlined] { [output, VaultText.output.named("with --vault")] }

        static let configuration = CommandConfiguration(
            abstract: "Change settings of this profile; others stay unchanged.",
            discussion: """
                With --directory firebase, all settings of the project are replaced. Without it, an empty value \
                removes a setting of the project.
                """)
        static let examples: Examples = [
            "Store accounts in a Firebase project.":
                "authctl profile set --directory firebase --api-key AIzaExample --project-id demo-project",
            "Encrypt the key with a passphrase.": "authctl profile set --vault passphrase",
        ]

        @OptionGroup var options: GlobalOptions

        enum Directory: String, CaseIterable, ExpressibleByArgument { case local, firebase }

        @Option(help: .init("Allow only one account for each email address: on or off.", valueName: "on|off"))
        var oneAccountPerEmail: Switch?

        @Option(
            help: .init(
                "Where accounts are stored: local, or firebase with --api-key and --project-id.",
                valueName: "local|firebase"))
        var directory: Directory?

        @Option(
            help: """
                Chooses where the encryption key of this machine's sessions is stored: in the desktop's keyring, in a \
                file protected by a passphrase, or in a plain file. The key is moved for every profile of this \
                configuration directory.
                """)
        var vault: VaultKind?

        @Flag(help: "Accept a new passphrase of fewer than 8 characters (requires --vault passphrase).")
        var weak = false

        @OptionGroup(title: "Firebase project") var project: ProjectFlags

        var errorContext: ErrorContext { .init("profile not changed") }

        func validate() throws {
            try require("--vault passphrase", isGiven: vault == .passphrase, for: ["--weak": weak])
            try require(
                oneAccountPerEmail != nil || directory != nil || vault != nil || project.isUsed,
                "at least one setting is required")
            try require(directory != .local || !project.isUsed, "the local directory does not use a project's settings")
        }

        func run(_ context: Context) async throws {
            // A store that cannot be used is reported before the settings are changed.
            if vault != nil { _ = try context.profile.store(creating: true) }
            if oneAccountPerEmail != nil || directory != nil || project.isUsed {
                try await changeSettings(context)
                guard vault != nil else { return try ProfileText.show(context) }
            }
            guard let vault else { return }
            var context = context
            if vault == .passphrase {
                context = context.reopened { ($0.isPassphraseNew, $0.acceptsWeakPassphrase) = (true, weak) }
            }
            guard let store = try context.profile.store(creating: true) else { return }
            VaultText.show(try await store.moveKey(to: vault), status: try await store.vaultStatus(), in: context)
        }

        private func changeSettings(_ context: Context) async throws {
            try await context.profile.changingSettings {
                var file = try context.profile.settings()
                let profile = context.profile.name
                if let oneAccountPerEmail {
                    let staysProject = try directory == nil && file.firebaseProject(profile: profile) != nil
                    try require(
                        directory != .firebase && !staysProject,
                        "one account per email is a setting of the Firebase project, in its console")
                    try file.setOneAccountPerEmail(oneAccountPerEmail == .on, profile: profile)
                }
                switch directory {
                case .firebase: try file.setDirectory(try project.settings(), profile: profile)
                case .local:
                    if let former = try file.firebaseProject(profile: profile) {
                        context.output.note("the settings of the project '\(shown: former.projectID)' are removed")
                    }
                    try file.setDirectory(nil, profile: profile)
                case nil where project.isUsed:
                    guard var settings = try file.firebaseProject(profile: profile) else {
                        throw UsageProblem.other(
                            "this profile has no Firebase project: its settings require --directory firebase, --api-key and --project-id"
                        )
                    }
                    try project.change(&settings)
                    try file.setDirectory(settings, profile: profile)
                case nil: break
                }
                try file.save(in: context.configDirectory)
            }
        }
    }
}
