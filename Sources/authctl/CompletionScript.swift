import ArgumentParser

/// The program as shells complete it: ArgumentParser's scripts leave out aliases, so each is a command of its own here, and
/// `login` completes as `signin` does.
struct CompletionScript: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authctl", abstract: Authctl.configuration.abstract, version: Version.text,
        subcommands: commands + commands.compactMap { alias(of: $0) })

    private static var commands: [any ParsableCommand.Type] { Authctl.configuration.subcommands }

    private static func alias<Named: ParsableCommand>(of command: Named.Type) -> (any ParsableCommand.Type)? {
        command.configuration.aliases.isEmpty ? nil : Alias<Named>.self
    }

    private struct Alias<Named: ParsableCommand>: ParsableCommand {
        static var configuration: CommandConfiguration {
            var configuration = Named.configuration
            configuration.commandName = configuration.aliases.first
            configuration.aliases = []
            return configuration
        }

        @OptionGroup var command: Named
    }
}
