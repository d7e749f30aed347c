import ArgumentParser

/// The help of a command: how it is used, its own options, those that every command takes, and examples.
struct Help {
    let path: [String]
    let command: any ParsableCommand.Type
    var columns = 80

    static let common = "Global options"
    /// Of those without a title.
    static let untitled = "Options"
    private static let shownInUsage = 4
    private static let indent = 26

    init(path: [String], command: any ParsableCommand.Type, columns: Int = 80) {
        self.path = path
        self.command = command
        self.columns = columns
    }

    /// The help that is printed for a place in the tree of commands.
    init(_ place: CommandPlace) {
        self.init(path: place.path, command: place.command, columns: min(Output.size(of: 1).columns ?? 80, 100))
    }

    /// If the arguments ask for help in the ordinary way: `help NAME`, `NAME --help`, or a group without a command. In all
    /// other cases the parser decides whether they do.
    init?(requestedBy arguments: [String]) {
        var words = arguments[...]
        let isRequested = words.first == "help" || ["--help", "-h"].contains(words.last)
        if words.first == "help" { words.removeFirst() } else if isRequested { words.removeLast() }
        let place = CommandPlace(of: words)
        guard place.path.count == words.count, isRequested || !place.command.configuration.subcommands.isEmpty else {
            return nil
        }
        self.init(place)
    }

    private var name: String { (["authctl"] + path).joined(separator: " ") }

    var text: String {
        let configuration = command.configuration
        let own = DescribedArgument.shown(of: path)
        var sections = [([configuration.abstract] + (discussion.isEmpty ? [] : ["", discussion])).flatMap(paragraph)]
        sections.append(["Usage: " + usage(own)])
        if !configuration.aliases.isEmpty { sections.append(["Aliases: " + aliases.joined(separator: ", ")]) }
        sections.append(section("Arguments", own.filter(\.names.isEmpty)))
        // Of the program itself there is but `--version`, which stands behind all others.
        let version = path.isEmpty ? own : []
        for title in titles(own) where version.isEmpty {
            sections.append(
                section(title.isEmpty ? Help.untitled : title, own.filter { !$0.names.isEmpty && $0.section == title }))
        }
        sections += subcommands
        if configuration.subcommands.isEmpty || path.isEmpty {
            sections.append(section(Help.common, DescribedArgument.common + version))
        }
        if let exemplified = command as? any HasExamples.Type { sections.append(examples(exemplified.examples)) }
        sections.append([more])
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private var discussion: String { command.configuration.discussion }

    private var aliases: [String] {
        command.configuration.aliases.map { (["authctl"] + path.dropLast() + [$0]).joined(separator: " ") }
    }

    private var more: String {
        let manual = "Manual: man " + (["authctl"] + path.prefix(1)).joined(separator: "-")
        guard !command.configuration.subcommands.isEmpty else { return manual }
        return "Help of a command: \(name) <command> --help\n\(manual)"
    }

    private func usage(_ own: [DescribedArgument]) -> String {
        guard command.configuration.subcommands.isEmpty else { return "\(name) <command>" }
        let arguments = own.filter(\.names.isEmpty).map(\.usage)
        let options = own.filter { !$0.names.isEmpty }.map(\.usage)
        let whole = ([name] + options + arguments).joined(separator: " ")
        if options.count <= Help.shownInUsage, whole.count + "Usage: ".count <= columns { return whole }
        return ([name, "[options]"] + arguments).joined(separator: " ")
    }

    /// The titles of the option groups in order; the group without a title is first.
    private func titles(_ own: [DescribedArgument]) -> [String] {
        var titles = [""]
        for option in own where !titles.contains(option.section) { titles.append(option.section) }
        return titles
    }

    private var subcommands: [[String]] {
        let configuration = command.configuration
        var sections = [group("Commands", configuration.ungroupedSubcommands)]
        for part in configuration.groupedSubcommands { sections.append(group(part.name, part.subcommands)) }
        return sections
    }

    private func group(_ title: String, _ commands: [any ParsableCommand.Type]) -> [String] {
        var lines: [(label: String, text: String)] = []
        for command in commands where command.configuration.shouldDisplay {
            let names = [command._commandName] + command.configuration.aliases
            lines.append((names.joined(separator: ", "), command.configuration.abstract))
        }
        return rows(title, lines)
    }

    private func section(_ title: String, _ arguments: [DescribedArgument]) -> [String] {
        rows(title, arguments.map { ($0.label, $0.explanation) })
    }

    private func rows(_ title: String, _ rows: [(label: String, text: String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["\(title):"]
            + rows.flatMap { label, text -> [String] in
                let lines = Help.wrapped(text, to: max(30, columns - Help.indent))
                    .map { String(repeating: " ", count: Help.indent) + $0 }
                let head = "  " + label
                guard head.count < Help.indent, let first = lines.first else { return [head] + lines }
                return [head + first.dropFirst(head.count)] + lines.dropFirst()
            }
    }

    private func examples(_ all: [Example]) -> [String] {
        all.isEmpty ? [] : ["Examples:"] + all.flatMap { ["  # \($0.purpose)", "  \($0.command)"] }
    }

    private func paragraph(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.isEmpty ? [""] : Help.wrapped(String(line), to: columns)
        }
    }

    private static func wrapped(_ text: String, to columns: Int) -> [String] {
        Paragraph.lines(text, on: Screen(columns: columns)).map { $0.map(\.text).joined() }
    }
}
