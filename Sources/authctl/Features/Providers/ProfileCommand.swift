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
            context.output.done(["profile": .string(name)], "the default profile is '\(name)'")
        }
    }
}
