/// An option, flag or argument, as the parser describes it.
struct DescribedArgument: Equatable {
    let names: [String]
    let value: String?
    let isOptional: Bool
    let isRepeating: Bool
    let hasOptionalValue: Bool
    let followsTerminator: Bool
    let isShown: Bool
    let abstract: String
    let values: [String]
    let standard: String?
    /// The title that it stands under; empty without one.
    let section: String

    var label: String {
        let names = names.joined(separator: ", ")
        guard let value else { return names }
        guard !names.isEmpty else { return followsTerminator ? "-- <\(value)>" : "<\(value)>" }
        return hasOptionalValue ? "\(names) [<\(value)>]" : "\(names) <\(value)>"
    }

    var usage: String {
        guard let value else { return "[\(names.last ?? "")]" }
        guard let name = names.last else {
            let repeated = (followsTerminator ? "-- " : "") + "<\(value)>" + (isRepeating ? "..." : "")
            return isOptional ? "[\(repeated)]" : repeated
        }
        return "[\(name) \(hasOptionalValue ? "[<\(value)>]" : "<\(value)>")]" + (isRepeating ? "..." : "")
    }

    var explanation: String {
        let unlisted = values.filter { !abstract.contains($0) }.isEmpty ? [] : values
        let preset = standard.flatMap { $0.isEmpty ? nil : "default: \($0)" }
        let more = [unlisted.joined(separator: ", "), preset ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
        guard !more.isEmpty else { return abstract }
        return abstract.hasSuffix(".") ? "\(abstract.dropLast()) (\(more))." : "\(abstract) (\(more))"
    }
}

extension DescribedArgument {
    /// From a line of `HelpArguments.swift`.
    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 7 else { return nil }
        self.init(
            names: fields[0].split(separator: " ").map(String.init), value: fields[1].isEmpty ? nil : fields[1],
            isOptional: fields[2].contains("o"), isRepeating: fields[2].contains("r"),
            hasOptionalValue: fields[2].contains("s"), followsTerminator: fields[2].contains("t"), isShown: true,
            abstract: fields[6], values: fields[3].split(separator: "|").map(String.init),
            standard: fields[4].isEmpty ? nil : fields[4], section: fields[5])
    }

    /// The arguments of a command that its help shows, without those of every command.
    static func shown(of path: [String]) -> [DescribedArgument] {
        shown(in: (["authctl"] + path).joined(separator: " "))
    }

    private static func shown(in section: String) -> [DescribedArgument] {
        sections[section, default: []].flatMap { line in
            line.hasPrefix("+ ") ? shown(in: String(line)) : DescribedArgument(line: line).map { [$0] } ?? []
        }
    }

    private static let sections = lines.split(separator: "\n", omittingEmptySubsequences: false)
        .split(separator: "").reduce(into: [:]) { sections, lines in
            sections[String(lines[lines.startIndex])] = lines.dropFirst()
        }

    /// Those that every command takes.
    static let common = shown(in: "*")
}
