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
            "Allow several accounts with one address.": "authctl profile set --one-account-per-email off",
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

        @Option(help: .init("The same as 'authctl vault'.", visibility: .hidden))
        var vault: VaultKind?

        @Flag(help: .init("The same as 'authctl vault passphrase --weak'.", visibility: .hidden))
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
            if oneAccountPerEmail != nil || directory != nil || project.isUsed { try await changeSettings(context) }
            guard let vault else { return try ProfileText.show(context) }
            try await VaultText.move(to: vault, acceptsWeak: weak, in: context)
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
