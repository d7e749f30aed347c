import ArgumentParser

/// The commands for shell completion. ArgumentParser's scripts omit aliases, so each alias is a separate command here,
/// and `login` is completed like `signin`. The common options may come before the command, so each group has them too.
struct CompletionScript<Group: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Group.configuration
        let path = Group._commandName == "authctl" ? "" : "\(Group._commandName) "
        let commands = configuration.subcommands.filter { !FormerCommands.paths.contains(path + $0._commandName) }
        configuration.subcommands = commands.map { group($0) } + commands.compactMap { alias(of: $0) }
        return configuration
    }

    @OptionGroup var options: GlobalOptions

    /// The script of a shell, with two changes for fish. Its own function, unlike ArgumentParser's, completes directories
    /// with a space or a `~`. And fish would parse the line for each option of each command (0.6 seconds): a condition
    /// that all options of a command share is evaluated once.
    static func text(for shell: CompletionShell) -> String {
        completionScript(for: shell)
            .replacing("(__authctl_complete_directories)", with: "(__fish_complete_directories)")
            .replacing(/-n '__authctl_should_offer_completions_for_\w+ ("[^"]*") [^']+'/) { condition in
                "-n '__authctl_should_offer_completions_for_flags_or_options \(condition.1)' \(condition.0)"
            }
    }

    private static func group<Named: ParsableCommand>(_ command: Named.Type) -> any ParsableCommand.Type {
        command.configuration.subcommands.isEmpty ? command : CompletionScript<Named>.self
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
