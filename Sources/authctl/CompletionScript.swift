import ArgumentParser

/// A shell's completions as ArgumentParser makes them, which knows no aliases: with those of a program's commands put in, so
/// that `login` completes as `signin` does.
enum CompletionScript {
    /// - Returns: the script unchanged where it has no place for them.
    static func withAliases(_ script: String, of program: any ParsableCommand.Type) -> String {
        var aliases: [Alias] = []
        for command in program.configuration.subcommands where command.configuration.shouldDisplay {
            for name in command.configuration.aliases {
                aliases.append(
                    Alias(name: name, command: command._commandName, abstract: command.configuration.abstract))
            }
        }
        guard !aliases.isEmpty else { return script }
        if script.hasPrefix("#compdef ") { return zsh(script, aliases) }
        return script.hasPrefix("function ") ? fish(script, aliases) : bash(script, aliases)
    }

    private struct Alias {
        let name: String
        let command: String
        let abstract: String
    }

    private static func bash(_ script: String, _ aliases: [Alias]) -> String {
        let arms = aliases.map { "    \($0.name)) subcommand=\($0.command) ;;\n" }.joined()
        let place = "    local -r subcommand=\"${unparsed_words[0]}\"\n"
        let names = aliases.map { " " + $0.name }.joined()
        return script.replacing(
            place,
            with: "    local subcommand=\"${unparsed_words[0]}\"\n    case \"${subcommand}\" in\n\(arms)    esac\n",
            maxReplacements: 1
        ).replacing(" help' -- \"${cur}\"", with: " help\(names)' -- \"${cur}\"", maxReplacements: 1)
    }

    private static func zsh(_ script: String, _ aliases: [Alias]) -> String {
        let names = aliases.map { "            '\($0.name):\(quoted($0.abstract, by: "'\\''"))'\n" }.joined()
        let arms = aliases.map { "        \($0.name))\n            _authctl_\($0.command) && ret=0\n            ;;\n" }
            .joined()
        return script.replacing(
            "        case \"${words[1]}\" in\n", with: "        case \"${words[1]}\" in\n\(arms)", maxReplacements: 1
        ).replacing("            'help:", with: "\(names)            'help:", maxReplacements: 1)
    }

    private static func fish(_ script: String, _ aliases: [Alias]) -> String {
        let place = "        switch $unparsed_tokens[1]\n"
        let arms = aliases.map { "        case '\($0.name)'\n            set unparsed_tokens[1] '\($0.command)'\n" }
            .joined()
        let lines = aliases.map { alias in
            "\ncomplete -c 'authctl' -n '__authctl_should_offer_completions_for_positional \"authctl\" -eq 1'"
                + " -fa '\(alias.name)' -d '\(quoted(alias.abstract, by: "\\'"))'"
        }
        return script.replacing(place, with: "\(place)\(arms)        end\n\(place)", maxReplacements: 1)
            + lines.joined()
    }

    private static func quoted(_ text: String, by quote: String) -> String { text.replacing("'", with: quote) }
}
