import ArgumentParser

/// The help of a command: usage, options, global options and examples; or a screen that is written by hand.
/// See docs/decisions/039.
struct Help {
    let path: [String]
    let command: any ParsableCommand.Type
    private let columns: Int
    private(set) var extent: Extent
    private let own: [DescribedArgument]

    enum Extent: Equatable { case most, all, group(String), topic(String) }

    static let common = "Global options"
    /// The title of options without a group.
    static let untitled = "Options"
    private static let shownInUsage = 4
    /// The column where texts begin; on a narrow terminal they are below the option.
    private var indent: Int { columns < 60 ? 4 : 26 }
    /// If the help is longer, the groups of some options are only named.
    private static let mostLines = 30

    /// - Parameter columns: by default, the terminal's width.
    init(_ place: CommandPlace, columns: Int? = nil, extent: Extent = .most) {
        (path, command, self.extent) = (place.path, place.command, extent)
        self.columns = columns ?? min(Screen.size(of: 1).columns ?? 80, 100)
        own = DescribedArgument.shown(of: command)
    }

    /// The help that the arguments request: `help NAME [GROUP]`, `NAME --help`, `--help-all`, or only the name of a
    /// group of commands. Nil if the parser must decide.
    init?(requestedBy arguments: [String]) {
        var words = arguments[...]
        if words.prefix(while: { $0 != "--" }).contains("--help-all") {
            let place = CommandPlace(of: words.filter { $0 != "--help-all" })
            guard place.unknown == nil else { return nil }
            self.init(place, extent: .all)
            return
        }
        if arguments.count == 2, words.first == "help", let topic = words.last,
            topic == "all" || Help.screens["authctl help \(topic)"] != nil
        {
            self.init(CommandPlace(), extent: topic == "all" ? .all : .topic(topic))
            return
        }
        let isRequested = words.first == "help" || ["--help", "-h"].contains(words.last)
        if words.first == "help" { words.removeFirst() } else if isRequested { words.removeLast() }
        let place = CommandPlace(of: words)
        if arguments.first == "help", words.count == place.path.count + 1, let word = words.last {
            self.init(place)
            guard let title = groups.first(where: { Help.names($0).contains(word.lowercased()) }) else { return nil }
            extent = .group(title)
            return
        }
        guard place.path.count == words.count, isRequested || !place.command.configuration.subcommands.isEmpty else {
            return nil
        }
        self.init(place)
    }

    private var name: String { (["authctl"] + path).joined(separator: " ") }

    /// The screens of `Screens.txt`, which are written by hand, by the command that prints them.
    static var screens: [String: Substring] {
        let file = "\n\n" + String(decoding: PackageResources.Screens_txt, as: UTF8.self).dropLast()
        return file.split(separator: "\n\n$ ").reduce(into: [:]) { screens, text in
            let command = text.prefix { $0 != "\n" }
            screens[String(command)] = text.dropFirst(command.count + 1)
        }
    }

    var text: String {
        switch extent {
        case .group(let title):
            return Help.joined([section("\(title) (\(name))", options(of: title)), [more]])
        case .topic(let topic): return fitted(Help.screens["authctl help \(topic)"])
        case .all: return Help.joined(wholeSections)
        case .most: break
        }
        if let screen = Help.screens["\(name) --help"] { return fitted(screen) }
        let whole = Help.joined(wholeSections)
        let isShort = !command.configuration.subcommands.isEmpty || whole.count { $0 == "\n" } < Help.mostLines
        return isShort ? whole : Help.joined(shortSections)
    }

    private func fitted(_ screen: Substring?) -> String {
        WrittenScreen.lines(String(screen ?? ""), on: Screen(columns: columns)).joined(separator: "\n")
    }

    private static func joined(_ sections: [[String]]) -> String {
        sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    // MARK: Groups of options

    /// The titles of the groups in order. The untitled group is first.
    var groups: [String] {
        guard command.configuration.subcommands.isEmpty else { return [] }
        var titles = [Help.untitled]
        for option in own where !option.section.isEmpty && !titles.contains(option.section) {
            titles.append(option.section)
        }
        return (titles + [Help.common]).filter { !options(of: $0).isEmpty }
    }

    /// The names of a group: each word of its title. The first one is shown.
    static func names(_ title: String) -> [String] { title.split(separator: " ").map { $0.lowercased() } }

    private func options(of title: String) -> [DescribedArgument] {
        guard title != Help.common else { return DescribedArgument.common }
        let section = title == Help.untitled ? "" : title
        return own.filter { !$0.names.isEmpty && $0.section == section }
    }

    /// The help with the options that most users need.
    private var shortSections: [[String]] {
        let most = (command as? any Command.Type)?.mostUsed ?? []
        let shown = own.filter { option in
            !option.names.isEmpty
                && (most.isEmpty ? option.section.isEmpty : option.names.contains(where: most.contains))
        }
        let others = groups.filter { title in options(of: title).contains { !shown.contains($0) } }
        // The global options are last.
        let names = others.map { Help.names($0)[0] }.dropLast().sorted() + ["global"]
        let last = "All options: \(name) --help-all     \(more)"
        return beginning + [
            section("Arguments", own.filter(\.names.isEmpty)), section(Help.untitled, shown),
            ["More options (authctl help \(path.joined(separator: " ")) GROUP):"]
                + WrittenScreen.wrapped(names.joined(separator: ", "), to: columns - 2).map { "  " + $0 },
            examples(2), last.count <= columns ? [last] : ["All options: \(name) --help-all", more],
        ]
    }

    // MARK: The whole help

    private var beginning: [[String]] {
        [
            ([command.configuration.abstract] + (discussion.isEmpty ? [] : ["", discussion])).flatMap(paragraph),
            ["Usage: " + usage],
            command.configuration.aliases.isEmpty ? [] : ["Aliases: " + aliases.joined(separator: ", ")],
        ]
    }

    private var allExamples: Examples { (command as? any HasExamples.Type)?.examples ?? [:] }

    private var wholeSections: [[String]] {
        var sections = beginning + [section("Arguments", own.filter(\.names.isEmpty))]
        sections += groups.map { section($0, options(of: $0)) } + subcommands
        // `authctl` itself only has `--version`, which is listed last.
        if path.isEmpty { sections.append(section(Help.common, DescribedArgument.common + own)) }
        return sections + [examples(), [more]]
    }

    private var discussion: String { command.configuration.discussion }

    private var aliases: [String] {
        command.configuration.aliases.map { (["authctl"] + path.dropLast() + [$0]).joined(separator: " ") }
    }

    private var more: String {
        let manual = "Manual: man " + (["authctl"] + path.prefix(1)).joined(separator: "-")
        guard !command.configuration.subcommands.isEmpty else { return manual }
        return "Help of a command: \(name) COMMAND --help\n\(manual)"
    }

    private var usage: String {
        guard command.configuration.subcommands.isEmpty else { return "\(name) COMMAND" }
        let arguments = own.filter(\.names.isEmpty).map(\.usage)
        let options = own.filter { !$0.names.isEmpty }.map(\.usage)
        let whole = ([name] + options + arguments).joined(separator: " ")
        if options.count <= Help.shownInUsage, whole.count + "Usage: ".count <= columns { return whole }
        return ([name, "[options]"] + arguments).joined(separator: " ")
    }

    private var subcommands: [[String]] {
        let configuration = command.configuration
        return [group("Commands", configuration.ungroupedSubcommands)]
            + configuration.groupedSubcommands.map { group($0.name, $0.subcommands) }
    }

    private func group(_ title: String, _ commands: [any ParsableCommand.Type]) -> [String] {
        let shown = commands.filter {
            !FormerCommands.paths.contains((path + [$0._commandName]).joined(separator: " "))
        }
        let lines = shown.map { command in
            let names = [command._commandName] + command.configuration.aliases
            return (label: names.joined(separator: ", "), text: command.configuration.abstract)
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
                let lines = WrittenScreen.wrapped(text, to: max(30, columns - indent))
                    .map { String(repeating: " ", count: indent) + $0 }
                let head = "  " + label
                guard head.count < indent, let first = lines.first else { return [head] + lines }
                return [head + first.dropFirst(head.count)] + lines.dropFirst()
            }
    }

    private func examples(_ count: Int? = nil) -> [String] {
        let shown = allExamples.prefix(count ?? allExamples.count)
        return shown.isEmpty ? [] : ["Examples:"] + shown.flatMap { ["  # \($0)", "  \($1)"] }
    }

    private func paragraph(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.isEmpty ? [""] : WrittenScreen.wrapped(String(line), to: columns)
        }
    }
}
