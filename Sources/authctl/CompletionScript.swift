import ArgumentParser

/// A program as shells complete it: ArgumentParser's scripts leave out aliases, so each is a command of its own here, and
/// `login` completes as `signin` does.
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
