import ArgumentParser
import AuthCore
import Glibc

/// Rewrites ArgumentParser's messages in this tool's form.
enum Usage {
    static func report(_ error: any Error, arguments: [String]) -> Int32 {
        func report(_ failure: Failure) -> Int32 {
            CommandPlace(of: arguments).report(failure, isJSON: arguments.contains("--json"))
        }
        let isHelp = arguments.first == "help"
        let words = isHelp ? Array(arguments.dropFirst()) : arguments
        if Authctl.exitCode(for: error).isSuccess {
            let place = CommandPlace(of: words)
            let requestsHelp = isHelp || arguments.contains("--help") || arguments.contains("-h")
            if isHelp, place.unknown == nil, let word = words.dropFirst(place.path.count).first {
                Output.report(unknownGroup(word, place), isJSON: false)
                return ErrorCode.usage.exitCode
            }
            if let failure = valueOfHelp(arguments) { return report(failure) }
            guard requestsHelp, place.unknown != nil else {
                Output.help(shown(Authctl.fullMessage(for: error), at: place, arguments: arguments))
                return 0
            }
        }
        return report(failure(error, isHelp ? words + ["--help"] : words).repeating(Settings().repeatedOptions))
    }

    private static func shown(_ message: String, at place: CommandPlace, arguments: [String]) -> String {
        if message == Version.text { return Version.lines.joined(separator: "\n") }
        if arguments.first?.hasPrefix("--generate-completion-script") == true {
            let name = arguments[0].split(separator: "=").dropFirst().last.map(String.init) ?? arguments.last
            let shell = name.flatMap { CompletionShell(rawValue: $0) } ?? CompletionShell.autodetected()
            return shell.map { CompletionScript<Authctl>.text(for: $0) } ?? message
        }
        guard message.hasPrefix("OVERVIEW: ") else { return message }
        return Help(place).text
    }

    /// The error for `-h` with a value, which is the host in commands of gh. A script would use the help as a token.
    static func valueOfHelp(_ arguments: [String]) -> Failure? {
        let place = CommandPlace(of: arguments)
        guard place.command is any Command.Type,
            let index = arguments.prefix(while: { $0 != "--" }).firstIndex(of: "-h"),
            let value = arguments[(index + 1)...].first, !value.hasPrefix("-")
        else { return nil }
        var words = arguments
        words[index] = "--provider"
        return .usage("'-h' prints the help and has no value", hint: .run(accepted(words) ?? place.help))
    }

    private static func unknownGroup(_ word: String, _ place: CommandPlace) -> Failure {
        let groups = Help(place).groups.map { Help.names($0)[0] }
        let message = "'\(shown: word)' is not a group of options"
        return .usage(
            groups.isEmpty ? message : "\(message): \(groups.joined(separator: ", "))", hint: .run(place.help))
    }

    /// The error of a rule in `validate()`. The parser wraps it in types that are internal to it.
    private static func problem(_ error: any Error) -> UsageProblem? {
        Mirror(reflecting: error).descendant("parserError", "userValidationError") as? UsageProblem
    }

    static func failure(_ error: any Error, _ arguments: [String]) -> Failure {
        let place = CommandPlace(of: arguments)
        // The words without values after equals signs.
        let given = arguments.prefix { $0 != "--" }.compactMap { $0.split(separator: "=").first.map(String.init) }
        // Reported first, because the user has just typed a secret.
        if let option = given.first(where: { secrets[$0] != nil }), let advice = secrets[option] {
            return .usage(
                "Unknown option '\(option)': a secret in an argument is visible to all users of this machine",
                hint: Hint(prose: advice))
        }
        if let word = place.unknown { return unknown(word, at: place, arguments: arguments) }
        if let command = separated(arguments, place) {
            return .usage("the command that exec runs must follow --", hint: .run(command))
        }
        let message = explained(invalid(message(Authctl.message(for: error)), arguments))
        // An unknown option is reported before an error that its value or the rest of the line causes.
        let names = place.command is any Command.Type ? place.optionNames : nil
        let unknown = given.first { $0.hasPrefix("--") && names?.contains($0) == false }
        let option = unknown ?? message.firstMatch(of: /^Unknown option '(--?[^'=]+)[^']*'/).map { String($0.1) }
        guard let option else {
            if let problem = problem(error) { return Failure(problem, while: place.context) }
            return .usage(message, hint: corrected(message, at: place, arguments: arguments) ?? .run(place.help))
        }
        if !(place.command is any Command.Type) {
            if everyCommands[option] != nil { return .usage("a command is required", hint: .run(place.help)) }
            let start = arguments.firstIndex { !CommandPlace(of: [$0]).path.isEmpty } ?? 0
            if let moved = accepted(Array(arguments[start...] + arguments[..<start])) {
                return .usage("'\(option)' belongs after the command", hint: .run(moved))
            }
        }
        let known = place.options.keys.filter { $0.hasPrefix("--") }.sorted()
        let initial = known.filter { option.count == 2 && bare($0).hasPrefix(bare(option)) }
        let near =
            Spelling.suggestions(for: bare(option), among: known.map(bare)).first.map { "--" + $0 }
            ?? (initial.count == 1 ? initial[0] : nil)
        var words = arguments.map { $0 == option ? near ?? $0 : $0 }
        // The value of curl's -d is the text itself.
        if near == "--data", let index = words.firstIndex(of: "--data"), words.count > index + 1,
            access(words[index + 1], R_OK) != 0
        {
            words[index + 1] = "-"
        }
        let corrected = near.flatMap { _ in accepted(words) }
        return .usage(
            "Unknown option '\(option)'" + Spelling.question(near.map { [$0] } ?? []),
            hint: .run(corrected ?? place.help))
    }

    /// The corrected command line for a sentence of the parser.
    private static func corrected(_ message: String, at place: CommandPlace, arguments: [String]) -> Hint? {
        if let word = message.firstMatch(of: /^Unexpected argument '(.+)'$/) {
            return naming(String(word.1), arguments).map(Hint.run)
        }
        guard message.hasPrefix("Missing expected argument") else { return nil }
        return (place.command as? any Command.Type)?.asking.map { "to be asked for each value: \(run: $0)" }
    }

    /// The command line of `exec` with `--` before its first operand, if that is valid.
    private static func separated(_ arguments: [String], _ place: CommandPlace) -> ShellCommand? {
        guard place.path == ["exec"], !arguments.contains("--") else { return nil }
        var isValue = false
        let start = arguments.indices.dropFirst().first { index in
            let word = arguments[index]
            defer { isValue = !isValue && place.options[word].flatMap(\.self) != nil }
            return !isValue && !word.hasPrefix("-")
        }
        return start.flatMap { accepted(arguments[..<$0] + ["--"] + arguments[$0...]) }
    }

    private static func unknown(_ word: String, at place: CommandPlace, arguments: [String]) -> Failure {
        var rest = arguments.dropFirst(place.path.count + 1)
        var suggestions = place.suggestions(for: word)
        if place.path.isEmpty {
            // In `gh auth refresh -h github.com -s repo`, the scope matters.
            if word == "auth", rest.first == "refresh",
                let index = rest.firstIndex(where: { ["-s", "--scopes"].contains($0) })
            {
                rest = ["refresh"] + rest[index...]
            }
            let commands = [2, 1].lazy.compactMap { count in
                CommandPlace.commandsOfOtherTools[([word] + rest.prefix(count)).joined(separator: " ")]
                    .map { (count, $0) }
            }
            if let (count, command) = commands.first {
                suggestions = [command]
                rest = rest.dropFirst(count)
            } else if word == "auth", let next = rest.first, !next.hasPrefix("-"), !isProvider(next) {
                suggestions = []
            }
            // In commands of gh, a value after -h is a host, and that of `gh api` is a path.
            if word == "auth", let index = rest.firstIndex(where: { ["-h", "--hostname"].contains($0) }),
                let host = rest[(index + 1)...].first, host.contains("."), isProvider(host)
            {
                rest[index] = "--provider"
            }
            if word == "api", let path = rest.first, !path.hasPrefix("-"), (try? HTTPURL(path)) == nil {
                rest[rest.startIndex] = "https://api.github.com/\(path.drop { $0 == "/" })"
            }
            // The accounts of oidc-agent have any name.
            if word.hasPrefix("oidc-") {
                rest = rest.map { isProvider($0) || $0.hasPrefix("-") ? $0 : "oidc.\($0)" }[...]
            }
        }
        let hint: ShellCommand
        if let name = suggestions.first {
            let words = place.path + name.split(separator: " ").map(String.init)
            // Without its operand, `signout` would end the session of another account.
            let bare = words[0] == "signout" && !rest.isEmpty ? nil : accepted(words)
            hint = (rest.contains("--help") ? nil : accepted(words + rest) ?? bare) ?? CommandPlace(of: words).help
        } else {
            hint = place.help
        }
        return .usage("'\(shown: word)' is not a command\(Spelling.question(suggestions))", hint: .run(hint))
    }

    /// The command line, if it is valid.
    private static func accepted(_ words: [String]) -> ShellCommand? {
        guard words == ["--version"] || (try? Authctl.parseAsRoot(words)) is any Command else { return nil }
        return ShellCommand(words: ["authctl"] + words)
    }

    /// The parser takes a negative number for an option, and reports the value as missing.
    private static func invalid(_ message: String, _ arguments: [String]) -> String {
        guard let (_, option, value) = message.firstMatch(of: /^Missing value for '(--?[a-z-]+)( <.+>)?'/)?.output,
            let index = arguments.firstIndex(of: String(option)), let next = arguments[(index + 1)...].first,
            Int(next) != nil
        else { return message }
        return "The value '\(next)' is invalid for '\(option)\(value ?? "")'"
    }

    /// Adds the expected form if the parser only says that a value is missing or invalid.
    private static func explained(_ message: String) -> String {
        let name = message.firstMatch(
            of: /^(?:The value .* is invalid|Missing value) for '(?:--?[a-z-]+ )?<([a-z-]+)>'$/)
        guard let name, let what = values[String(name.1)] else { return message }
        return "\(message): \(what)"
    }

    private static let values = [
        "time": "a time must be like 90, 5m or 1h", "url": "a URL must be like https://host/path",
        "port": "a port must be 1 to 65535", "n": "it must be a number",
    ]

    private static func naming(_ word: String, _ arguments: [String]) -> ShellCommand? {
        let isURL = (try? HTTPURL(word)) != nil
        let option = isURL ? "--resource" : "--provider"
        guard !arguments.contains(where: { $0 == option || $0.hasPrefix("\(option)=") }),
            let index = arguments.lastIndex(of: word), isURL || isProvider(word)
        else { return nil }
        let words = arguments[..<index] + [option, word] + arguments[(index + 1)...]
        return accepted(Array(words))
    }

    private static func isProvider(_ word: String) -> Bool { (try? ProviderID(Dialect.id(called: word))) != nil }

    static let everyCommands: [String: Bool] = DescribedArgument.common
        .filter { !$0.names.contains("--help") }.reduce(into: [:]) { known, argument in
            for name in argument.names { known[name] = argument.value != nil }
        }

    private static func bare(_ option: String) -> String { String(option.drop { $0 == "-" }) }

    private static func message(_ text: String) -> String {
        let lines = text.split(separator: "\n").map(String.init)
        guard let first = lines.first else { return "wrong usage" }
        guard first.hasSuffix(":") else { return first }
        let listed = lines.dropFirst().prefix { $0.hasPrefix("  ") }.map { line in
            // Removes the indentation and the bullet.
            String(line.drop { " -".contains($0) })
        }
        return "\(first) \(listed.joined(separator: ", "))"
    }

    private static let secrets = [
        "--client-secret":
            "pass it to providers add or set with --client-secret-stdin, --client-secret-file FILE or --client-secret-env VARIABLE",
        "--password": "use --password-stdin, or type it at the prompt",
        "--passphrase": "use --passphrase-fd or AUTHCTL_PASSPHRASE_FILE, or type it at the prompt",
        "--token": "use --with-token or --id-token -, and pass it on standard input",
    ]
}
