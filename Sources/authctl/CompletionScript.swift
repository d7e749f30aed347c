import ArgumentParser

/// The commands for shell completion. ArgumentParser's scripts omit aliases, so each alias is a separate command here,
/// and `login` is completed like `signin`.
struct CompletionScript<Root: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let root = Root.configuration
        return CommandConfiguration(
            commandName: root.commandName, abstract: root.abstract, version: root.version,
            subcommands: root.subcommands + root.subcommands.compactMap { alias(of: $0) })
    }

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
