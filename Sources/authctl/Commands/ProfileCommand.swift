import ArgumentParser
import AuthCore

struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "List, choose and set up profiles.",
        subcommands: [List.self, Use.self, Set.self])

    struct List: Command {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the profiles that are configured.")

        @OptionGroup var options: GlobalOptions

        var task: Undertaking { Undertaking("no profiles", again: "authctl profile list") }

        func run(_ context: Context) async throws {
            let file = try context.configuration()
            let names = Swift.Set(file.profileNames + [context.profile]).sorted()
            let rows = try names.map { name in
                (name, try file.oneAccountPerEmail(profile: name), try file.providerIDs(profile: name))
            }
            context.output.result([
                "profiles": .array(
                    rows.map { name, isOne, providers in
                        [
                            "name": .string(name), "current": .bool(name == context.profile), "directory": "local",
                            "oneAccountPerEmail": .bool(isOne), "providers": JSONValue(providers),
                        ]
                    })
            ]) {
                Table.lines(
                    rows.map { name, isOne, providers in
                        [
                            name == context.profile ? "*" : " ", name,
                            "one account per email: \(isOne ? "on" : "off")", providers.joined(separator: ", "),
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
            commandName: "set", abstract: "Change the settings of this profile.")

        enum Switch: String, ExpressibleByArgument { case on, off }

        @OptionGroup var options: GlobalOptions

        @Option(help: "Whether an email address can be only one account's: on or off.")
        var oneAccountPerEmail: Switch?

        var task: Undertaking { Undertaking("profile not changed", again: "authctl profile set --help") }

        func validate() throws {
            guard oneAccountPerEmail != nil else { throw ValidationError("say what to set, see --help") }
        }

        func run(_ context: Context) async throws {
            try await ConfigChange.locked(context) {
                var file = try context.configuration()
                if let oneAccountPerEmail {
                    try file.setOneAccountPerEmail(oneAccountPerEmail == .on, profile: context.profile)
                }
                try file.save(in: context.configDirectory)
            }
            let isOne = try context.configuration().oneAccountPerEmail(profile: context.profile)
            context.output.result([
                "profile": .string(context.profile), "oneAccountPerEmail": .bool(isOne),
            ]) { [] }
            context.output.note("profile '\(context.profile)': one account per email is \(isOne ? "on" : "off")")
        }
    }
}
