import ArgumentParser
import AuthCore

struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "List, choose and set up profiles.",
        subcommands: [List.self, Use.self, Set.self, Import.self])

    struct List: Command {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the profiles that are configured.")

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("no profiles", again: "authctl profile list") }

        func run(_ context: Context) async throws {
            let file = try context.configuration()
            let names = Swift.Set(file.profileNames + [context.profile]).sorted()
            let rows = try names.map { name in
                (
                    name, try file.firebaseProject(profile: name), try file.oneAccountPerEmail(profile: name),
                    try file.providerIDs(profile: name)
                )
            }
            context.output.result([
                "profiles": .array(
                    rows.map { name, project, isOne, providers in
                        [
                            "name": .string(name), "current": .bool(name == context.profile),
                            "directory": .string(project == nil ? "local" : "firebase"),
                            "oneAccountPerEmail": .bool(isOne), "providers": JSONValue(providers),
                        ]
                    })
            ]) {
                Table.lines(
                    rows.map { name, project, isOne, providers in
                        [
                            name == context.profile ? "*" : " ", name,
                            project.map { "Firebase project '\(ServerText.shown($0.projectID))'" }
                                ?? "one account per email: \(isOne ? "on" : "off")", providers.joined(separator: ", "),
                        ]
                    })
            }
        }
    }

    struct Use: Command {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Use a profile from here on, where neither --profile nor AUTHCTL_PROFILE names one.")

        @Argument(help: ArgumentHelp("The profile.", valueName: "name"))
        var name: String

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("profile not chosen", again: "authctl profile list") }

        func run(_ context: Context) async throws {
            let name = try Context.profileName(name)
            try await ConfigChange.locked(context) { try ProfileChoice.save(name, in: context.configDirectory) }
            context.output.result(["profile": .string(name)]) { [] }
            context.output.note("the profile is '\(name)'")
        }
    }

    struct Set: Command {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the settings of this profile: what is named, and nothing else.",
            discussion: "With --directory firebase the project is set anew, with the settings that are given.")

        enum Switch: String, ExpressibleByArgument { case on, off }

        @OptionGroup var options: GlobalOptions

        enum Directory: String, ExpressibleByArgument { case local, firebase }

        @Option(help: "Whether an email address can be only one account's: on or off.")
        var oneAccountPerEmail: Switch?

        @Option(help: "Where accounts live: local, or firebase with --api-key and --project-id.")
        var directory: Directory?

        @OptionGroup var project: ProjectFlags

        var task: Undertaking { Undertaking("profile not changed", again: "authctl profile set --help") }

        func validate() throws {
            guard oneAccountPerEmail != nil || directory != nil || project.isUsed else {
                throw ValidationError("say what to set, see --help")
            }
            guard directory == .firebase || !project.namesProject else {
                throw ValidationError("--api-key and --project-id go with --directory firebase")
            }
            guard directory != .local || !project.isUsed else {
                throw ValidationError("the local directory has none of a project's settings")
            }
        }

        func run(_ context: Context) async throws {
            try await ConfigChange.locked(context) {
                var file = try context.configuration()
                if let oneAccountPerEmail {
                    try file.setOneAccountPerEmail(oneAccountPerEmail == .on, profile: context.profile)
                }
                switch directory {
                case .firebase: try file.setDirectory(try project.settings(), profile: context.profile)
                case .local: try file.setDirectory(nil, profile: context.profile)
                case nil where project.isUsed:
                    guard var settings = try file.firebaseProject(profile: context.profile) else {
                        throw UsageProblem(
                            "--tenant-id, --redirect-uri and what else is a project's go with --directory firebase")
                    }
                    try project.change(&settings)
                    try file.setDirectory(settings, profile: context.profile)
                case nil: break
                }
                try file.save(in: context.configDirectory)
            }
            try ProfileText.show(context)
        }
    }

    struct Import: Command {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Use the Firebase project of a web app's configuration.",
            discussion: """
                Takes the firebaseConfig of the console as JSON or JavaScript, google-services.json, or \
                GoogleService-Info.plist.
                """)

        @Argument(
            help: ArgumentHelp("The file, or standard input (-).", valueName: "file|-"), completion: .file())
        var source: String

        @OptionGroup var options: GlobalOptions

        @OptionGroup var use: ProjectUseFlags

        var task: Undertaking { Undertaking("profile not changed", again: "authctl profile import --help") }

        func run(_ context: Context) async throws {
            let text = String(decoding: try SecretInput.bytes(source), as: UTF8.self)
            guard var settings = FirebaseSettings(configuration: text) else {
                throw UsageProblem("there is no API key and project ID in it")
            }
            try use.apply(to: &settings)
            let found = settings
            try await ConfigChange.locked(context) {
                var file = try context.configuration()
                try file.setDirectory(found, profile: context.profile)
                try file.save(in: context.configDirectory)
            }
            try ProfileText.show(context)
        }
    }
}

/// A Firebase project by its parts.
struct ProjectFlags: ParsableArguments {
    @Option(help: ArgumentHelp("The project's web API key, which is no secret.", valueName: "key"))
    var apiKey: String?

    @Option(help: ArgumentHelp("The project's ID.", valueName: "id"))
    var projectId: String?

    @Option(help: ArgumentHelp("The project's domain for sign-in pages.", valueName: "domain"))
    var authDomain: String?

    @Option(help: ArgumentHelp("The language of the project's mails.", valueName: "tag"))
    var locale: String?

    @Option(help: ArgumentHelp("The app that the key is bound to.", valueName: "id"))
    var bundleId: String?

    @OptionGroup var use: ProjectUseFlags

    var namesProject: Bool { apiKey != nil || projectId != nil }

    var isUsed: Bool {
        [apiKey, projectId, authDomain, locale, bundleId, use.tenantId, use.redirectUri, use.emulatorHost].contains {
            $0 != nil
        }
    }

    func settings() throws -> FirebaseSettings {
        guard let apiKey, let projectId else {
            throw UsageProblem("--directory firebase needs --api-key and --project-id")
        }
        var settings = FirebaseSettings(apiKey: apiKey, projectID: projectId)
        try change(&settings)
        return settings
    }

    /// Changes what is named, and nothing else.
    /// - Throws: `UsageProblem`.
    func change(_ settings: inout FirebaseSettings) throws {
        if let authDomain { settings.authDomain = authDomain }
        if let locale { settings.locale = locale }
        if let bundleId { settings.bundleID = bundleId }
        try use.apply(to: &settings)
    }
}

/// How this machine uses a Firebase project: what the project's own configuration does not say.
struct ProjectUseFlags: ParsableArguments {
    @Option(help: ArgumentHelp("One of the project's tenants.", valueName: "id"))
    var tenantId: String?

    @Option(
        help: ArgumentHelp(
            "Where providers whose client is the project send people back: http://localhost:8400/callback unless set.",
            valueName: "uri"))
    var redirectUri: String?

    @Option(
        help: ArgumentHelp(
            "A host besides this machine whose emulator FIREBASE_AUTH_EMULATOR_HOST may name [everything goes there as plain http].",
            valueName: "host"))
    var emulatorHost: String?

    /// - Throws: `UsageProblem`.
    func apply(to settings: inout FirebaseSettings) throws {
        if let emulatorHost, (try? EmulatorHost(emulatorHost, allowed: emulatorHost)) == nil {
            throw UsageProblem("--emulator-host wants a host, or host:port, without a scheme")
        }
        if let redirectUri {
            guard let url = try? HTTPURL(redirectUri), url.isSecure || url.isLoopback, !redirectUri.contains("?") else {
                throw UsageProblem("--redirect-uri wants an https URL, or a loopback one, without a query")
            }
        }
        if let tenantId { settings.tenantID = tenantId }
        if let redirectUri { settings.redirectURI = redirectUri }
        if let emulatorHost { settings.emulatorHost = emulatorHost }
    }
}

/// What a person is told of a profile's settings.
private enum ProfileText {
    static func show(_ context: Context) throws {
        let file = try context.configuration()
        let isOne = try file.oneAccountPerEmail(profile: context.profile)
        let project = try file.firebaseProject(profile: context.profile)
        context.output.result([
            "profile": .string(context.profile), "directory": .string(project == nil ? "local" : "firebase"),
            "projectId": JSONValue(project?.projectID), "oneAccountPerEmail": project == nil ? .bool(isOne) : .null,
        ]) { [] }
        guard let project else {
            return context.output.note("profile '\(context.profile)': one account per email is \(isOne ? "on" : "off")")
        }
        context.output.note(
            "profile '\(context.profile)': accounts live in the Firebase project '\(ServerText.shown(project.projectID))'"
        )
    }
}
