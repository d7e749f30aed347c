import ArgumentParser

/// A command's place in the command tree.
struct CommandPlace {
    var path: [String] = []
    var command: any ParsableCommand.Type = Authctl.self
    var unknown: String?

    var help: ShellCommand { ShellCommand(words: ["authctl"] + path + ["--help"]) }

    /// The context of a usage error of this command.
    var context: ErrorContext {
        var context = ErrorContext()
        context.command = path
        return context
    }

    /// Prints why this command failed.
    func report(_ failure: Failure, isJSON: Bool) -> Int32 {
        Output.report(failure, isJSON: isJSON)
        if let command = command as? any AnswersWithFailure.Type { Output.response(command.response(to: failure)) }
        return failure.exitCode
    }

    var options: [String: String?] {
        (DescribedArgument.shown(of: command) + DescribedArgument.common).reduce(into: [:]) { options, argument in
            for name in argument.names { options[name] = .some(argument.value) }
        }
    }

    /// The names of the command's options, with those that its help does not show.
    var optionNames: Set<String> {
        Set((DescribedArgument.all(of: command) + DescribedArgument.common).flatMap(\.names))
    }
}

extension CommandPlace {
    init(of arguments: some Sequence<String>) {
        for argument in arguments {
            let inner = command.configuration.subcommands
            guard !inner.isEmpty, !argument.hasPrefix("-") else { return }
            let next = inner.first { $0._commandName == argument || $0.configuration.aliases.contains(argument) }
            guard let next else {
                unknown = argument
                return
            }
            path.append(next._commandName)
            command = next
        }
    }

    /// All commands. Each group precedes its commands.
    static let all: [CommandPlace] = below(CommandPlace())

    /// What commands print as JSON, by their names, and the object that a failed command prints.
    static let outputs: [String: [any Outlined]] = all.reduce(into: ["error": [ErrorObject.output]]) {
        guard let command = $1.command as? any PrintsJSON.Type else { return }
        $0[$1.path.joined(separator: " ")] = command.outputs
        if command is DoctorCommand.Type { $0["doctor"]? += [ProvidersDiscoverCommand.output.named("with a URL")] }
    }

    private static func below(_ place: CommandPlace) -> [CommandPlace] {
        place.command.configuration.subcommands.flatMap { command -> [CommandPlace] in
            let inner = CommandPlace(path: place.path + [command._commandName], command: command)
            return [inner] + below(inner)
        }
    }

    static func accepts(_ words: [String], _ option: String) -> Bool {
        let place = CommandPlace(of: words)
        guard let command = place.command as? any Command.Type,
            (try? command.parseAsRoot([option, "x"] + words.dropFirst(place.path.count))) is any Command
        else { return false }
        return switch option {
        case "--account": !(place.command is any AccountIndependent.Type)
        case "--profile": !(place.command is any ProfileIndependent.Type)
        default: true
        }
    }

    static func path(of command: any ParsableCommand.Type) -> [String] {
        all.first { ObjectIdentifier($0.command) == ObjectIdentifier(command) }?.path ?? []
    }

    static let commandsOfOtherTools = [
        "auth": "signin", "auth login": "signin", "auth logout": "signout", "auth status": "status",
        "auth token": "token", "auth switch": "accounts switch", "auth refresh": "token --force-refresh",
        "auth refresh -s": "signin --provider github.com --scope",
        "auth refresh --scopes": "signin --provider github.com --scope", "auth setup-git": "use git",
        "auth list": "accounts list", "auth revoke": "signout --revoke --account", "auth print-access-token": "token",
        "auth print-identity-token": "token --type id", "auth configure-docker": "use docker",
        "get-token": "credential kubectl", "mcp-remote": "signin --resource", "oidc-add": "vault unlock",
        "oidc-gen": "setup", "oidc-token": "token --provider", "version": "--version", "api": "request",
        "refresh": "token --force-refresh", "revoke": "signout --revoke", "switch": "accounts switch",
        "install": "use", "uninstall": "use --remove", "discard": "link --discard", "lock": "vault lock",
        "unlock": "vault unlock",
        "config": "profile", "configure": "setup", "init": "setup",
    ]

    /// Moves the global options behind the command.
    static func commandFirst(_ arguments: [String]) -> [String] {
        guard arguments != ["-V"] else { return ["--version"] }
        var (rest, options, place) = (arguments[...], [String](), CommandPlace(of: []))
        while let word = rest.first, place.unknown == nil, !place.command.configuration.subcommands.isEmpty {
            rest.removeFirst()
            guard word.hasPrefix("-") else {
                place = CommandPlace(of: place.path + [word])
                continue
            }
            guard let hasValue = Usage.everyCommands[String(word.prefix { $0 != "=" })] else { return arguments }
            options.append(word)
            if hasValue, !word.contains("="), let value = rest.popFirst() { options.append(value) }
        }
        guard !options.isEmpty else { return arguments }
        // The error is about the unknown word and those after it.
        if let unknown = place.unknown { return place.path + [unknown] + rest + options }
        return place.path + options + rest
    }

    /// Other tools' words for a command of a group, the best first.
    private static let otherWords = [
        "rm": ["remove", "delete", "uninstall"], "remove": ["delete", "uninstall"], "delete": ["remove", "uninstall"],
        "ls": ["list"], "show": ["list"], "edit": ["set"], "create": ["add", "use --create"], "add": ["use --create"],
    ]

    func suggestions(for word: String) -> [String] {
        let here = command.configuration.subcommands
        if path.isEmpty {
            // Exact words precede similar ones.
            if let command = CommandPlace.commandsOfOtherTools[word] { return [command] }
            let former = FormerCommands.paths
            let exact = CommandPlace.all.filter {
                $0.path.count > 1 && $0.path.last == word && !former.contains($0.path[0])
            }
            .map { $0.path.joined(separator: " ") }.filter { !former.contains($0) }
            guard exact.isEmpty else { return exact }
        }
        let near = Spelling.suggestions(for: word, among: here.map { $0._commandName })
        guard near.isEmpty else { return near }
        let aliases = Spelling.suggestions(for: word, among: here.flatMap { $0.configuration.aliases })
        guard aliases.isEmpty else { return aliases }
        let names = here.map { $0._commandName }
        return CommandPlace.otherWords[word, default: []]
            .filter { other in names.contains { other.split(separator: " ")[0] == $0 } }
    }
}
