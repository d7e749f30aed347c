import ArgumentParser
import AuthCore

struct ProfileCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "List, select, configure, rename and remove profiles.",
        subcommands: [List.self, Use.self, Set.self, Rename.self, Remove.self, Import.self, Unlock.self, Lock.self])
    static let examples: Examples = [
        "Create a profile and select it.": "authctl profile use work --create",
        "Store the encryption key in the desktop keyring.": "authctl profile set --vault keyring",
    ]

    struct List: ProfileIndependent {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the configured profiles.")
        static let examples: Examples = [
            "List the profiles.": "authctl profile list",
            "Print JSON.": "authctl profile list --json",
        ]

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("profiles not listed", again: "authctl profile list") }

        func run(_ context: Context) async throws {
            let file = try context.profile.settings()
            let names = Swift.Set(try await context.profile.knownNames() + [context.profile.name]).sorted()
            var objects: [JSONValue] = []
            var rows: [[String]] = []
            for name in names {
                let project = try file.firebaseProject(profile: name)
                let isOne = try file.oneAccountPerEmail(profile: name)
                let providers = try file.providerIDs(profile: name)
                objects.append([
                    "name": .string(name), "current": .bool(name == context.profile.name),
                    "directory": .string(project == nil ? "local" : "firebase"),
                    "oneAccountPerEmail": project == nil ? .bool(isOne) : .null, "providers": JSONValue(providers),
                ])
                let directory = project.map { "Firebase project '\(shown: $0.projectID)'" }
                rows.append([
                    name == context.profile.name ? "*" : " ", name,
                    directory ?? "one account per email: \(isOne ? "on" : "off")", providers.joined(separator: ", "),
                ])
            }
            context.output.result(["profiles": .array(objects)]) { Table.lines(rows) }
        }
    }

    struct Use: ProfileIndependent {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Select the default profile, used without --profile and AUTHCTL_PROFILE.")
        static let examples: Examples = [
            "Select a profile.": "authctl profile use work",
            "Create it if it does not exist.": "authctl profile use staging --create",
        ]

        @Argument(help: "The profile.", completion: .profiles)
        var name: String

        @OptionGroup var options: GlobalOptions

        @Flag(help: "Create the profile if it does not exist.")
        var create = false

        var errorContext: ErrorContext { .init("profile not selected", again: "authctl profile list") }

        func run(_ context: Context) async throws {
            let name = try Context.profileName(name)
            let known = try await context.profile.knownNames()
            guard create || known.contains(name) else {
                throw CommandError.noSuchProfile(name, known: known, isUsed: true)
            }
            try await context.profile.changingSettings {
                if !known.contains(name) {
                    var file = try context.profile.settings()
                    try file.add(profile: name)
                    try file.save(in: context.configDirectory)
                }
                try ProfileChoice.save(name, in: context.configDirectory)
            }
            context.output.done(["profile": .string(name)], "the default profile is '\(name)'")
        }
    }

    struct Set: AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change settings of this profile; others stay unchanged.",
            discussion: """
                With --directory firebase, all settings of the project are replaced. Without it, an empty value \
                removes a setting of the project.
                """)
        static let examples: Examples = [
            "Store accounts in a Firebase project.":
                "authctl profile set --directory firebase --api-key AIzaExample --project-id demo-project",
            "Encrypt the key with a passphrase.": "authctl profile set --vault passphrase",
        ]

        enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

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

        var errorContext: ErrorContext { .init("profile not changed", again: .typed) }

        func validate() throws {
            try require(!weak || vault == .passphrase, "--weak requires --vault passphrase")
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
            let context = vault == .passphrase ? context.choosingPassphrase(acceptsWeak: weak) : context
            guard let store = try context.profile.store(creating: true) else { return }
            VaultText.show(try await store.moveKey(to: vault), try await store.vaultStatus(), context)
        }

        private func changeSettings(_ context: Context) async throws {
            try await context.profile.changingSettings {
                var file = try context.profile.settings()
                let profile = context.profile.name
                if let oneAccountPerEmail {
                    let staysProject = try directory == nil && file.firebaseProject(profile: profile) != nil
                    guard directory != .firebase, !staysProject else {
                        throw CommandError(
                            .usage, "one account per email is a setting of the Firebase project, in its console")
                    }
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
                        throw CommandError(
                            .usage,
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

    struct Import: AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Use the Firebase project of a web app's configuration.",
            discussion: """
                Reads the firebaseConfig of the console as JSON or JavaScript, google-services.json, \
                GoogleService-Info.plist, or the output of 'firebase apps:sdkconfig --json'.
                """)
        static let examples: Examples = [
            "Read the project from a file of the Firebase console.": "authctl profile import google-services.json",
            "Read the output of the Firebase CLI.": "firebase apps:sdkconfig WEB | authctl profile import -",
        ]

        @Argument(help: .init("The file, or - for standard input.", valueName: "file|-"), completion: .file())
        var source: String

        @OptionGroup var options: GlobalOptions

        @OptionGroup(title: "Firebase project") var use: ProjectUseFlags

        var errorContext: ErrorContext { .init("profile not changed", again: .typed) }

        func run(_ context: Context) async throws {
            let text = String(decoding: try SecretInput.bytes(source), as: UTF8.self)
            let all = FirebaseSettings.all(in: text)
            guard var settings = all.first else {
                throw CommandError(
                    .usage, "'\(source)' does not contain both an API key and a project ID", isComplete: false)
            }
            guard all.count == 1 else {
                let names = all.map { "'\($0.projectID)'" }.joined(separator: ", ")
                throw CommandError(
                    .usage, "'\(source)' contains several projects: \(names)",
                    hint:
                        "keep one of them in the file, or use: \(run: "authctl profile set --directory firebase --api-key KEY --project-id ID")",
                    isComplete: false)
            }
            try use.apply(to: &settings)
            let found = settings
            try await context.profile.changingSettings {
                var file = try context.profile.settings()
                try file.setDirectory(found, profile: context.profile.name)
                try file.save(in: context.configDirectory)
            }
            try ProfileText.show(context)
        }
    }
}

private enum ProfileText {
    static func show(_ context: Context) throws {
        let file = try context.profile.settings()
        let isOne = try file.oneAccountPerEmail(profile: context.profile.name)
        let project = try file.firebaseProject(profile: context.profile.name)
        let settings =
            project.map { "accounts are stored in the Firebase project '\(shown: $0.projectID)'\($0.others)" }
            ?? "one account per email is \(isOne ? "on" : "off")"
        context.output.done(
            [
                "profile": .string(context.profile.name), "directory": .string(project == nil ? "local" : "firebase"),
                "projectId": JSONValue(project?.projectID), "oneAccountPerEmail": project == nil ? .bool(isOne) : .null,
            ], "profile '\(context.profile.name)': \(settings)")
    }
}

extension FirebaseSettings {
    /// The settings other than the API key and the project's ID.
    fileprivate var others: String {
        FirebaseSettings.settings.dropFirst(2).compactMap { setting in
            setting.written(self).map { ", \(setting.option ?? setting.key) \($0.displayText)" }
        }.joined()
    }
}
