import ArgumentParser
import AuthCore

struct ProfileCommand: AsyncParsableCommand, HasExamples {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "List, select, configure, rename and remove profiles.",
        subcommands: [List.self, Use.self, Set.self, Rename.self, Remove.self, Import.self])
    static let examples: Examples = [
        "Create a profile and select it.": "authctl profile use work --create",
        "Allow several accounts with one address.": "authctl profile set --one-account-per-email off",
    ]

    struct List: ProfileIndependent, PrintsJSON {
        struct Listed: Viewed {
            static let view = View<Listed>("Profile") {
                Field("name", of: \.name)
                Field("current", of: \.isCurrent)
                Field("directory", of: { ProfileText.directory($0.project) }, means: "local, firebase")
                Field("oneAccountPerEmail", of: \.isOneAccountPerEmail, means: "null: the project decides")
                Field("providers", of: \.providers)
            }
            let name: String
            let isCurrent: Bool
            let project: FirebaseSettings?
            let isOneAccountPerEmail: Bool?
            let providers: [String]

            var row: [String] {
                let directory = project.map { "Firebase project '\(shown: $0.projectID)'" }
                let rule = "one account per email: \(isOneAccountPerEmail == true ? "on" : "off")"
                return [isCurrent ? "*" : " ", name, directory ?? rule, providers.joined(separator: ", ")]
            }
        }
        static let output = View<[Listed]> { Field("profiles", of: \.self) }

        static let configuration = CommandConfiguration(abstract: "List the configured profiles.")
        static let examples: Examples = [
            "List the profiles.": "authctl profile list",
            "Print JSON.": "authctl profile list --json",
        ]

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("profiles not listed") }

        func run(_ context: Context) async throws {
            let file = try context.profile.settings()
            let names = Swift.Set(try await context.profile.knownNames() + [context.profile.name]).sorted()
            let profiles = try names.map { name in
                let project = try file.firebaseProject(profile: name)
                let isOne = try file.oneAccountPerEmail(profile: name)
                return Listed(
                    name: name, isCurrent: name == context.profile.name, project: project,
                    isOneAccountPerEmail: project == nil ? isOne : nil, providers: try file.providerIDs(profile: name))
            }
            context.output.result(Self.output.json(profiles)) { Table.lines(profiles.map(\.row)) }
        }
    }

    struct Use: ProfileIndependent, PrintsJSON {
        static let output = View<String> { Field("profile", of: \.self) }

        static let configuration = CommandConfiguration(
            abstract: "Select the default profile, used without --profile and AUTHCTL_PROFILE.")
        static let examples: Examples = [
            "Select a profile.": "authctl profile use work",
            "Create it if it does not exist.": "authctl profile use staging --create",
        ]

        @Argument(help: "The profile.", completion: .profiles)
        var name: String

        @OptionGroup var options: GlobalOptions

        @Flag(help: "Create the profile if it does not exist.")
        var create = false

        var errorContext: ErrorContext { .init("profile not selected") }

        func run(_ context: Context) async throws {
            let name = try Context.profileName(name)
            let known = try await context.profile.knownNames()
            try require(
                create || known.contains(name),
                .other(
                    Context.notFound(name, known),
                    hint: "to create it: \(run: "authctl profile use \(name) --create")"))
            try await context.profile.changingSettings {
                if !known.contains(name) {
                    var file = try context.profile.settings()
                    try file.add(profile: name)
                    try file.save(in: context.configDirectory)
                }
                try ProfileChoice.save(name, in: context.configDirectory)
            }
            context.output.done(Self.output.json(name), "the default profile is '\(name)'")
        }
    }
}
