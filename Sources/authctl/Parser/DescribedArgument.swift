import ArgumentParser
import AuthCore

/// An option, flag or argument, as the parser describes it.
struct DescribedArgument: Equatable {
    let names: [String]
    var value: String?
    let isOptional: Bool
    var isRepeating = false
    var hasOptionalValue = false
    var followsTerminator = false
    let isShown: Bool
    let abstract: String
    var values: [String] = []
    var standard: String?
    /// The title of the argument's group; empty if there is none.
    var section = ""

    /// The value in capitals; a literal value, as of `on|off`, remains.
    private var placeholder: String? { value.map { $0.contains("|") && !$0.hasSuffix("-") ? $0 : $0.uppercased() } }

    var label: String {
        let names = names.joined(separator: ", ")
        guard let placeholder else { return names }
        guard !names.isEmpty else { return followsTerminator ? "-- \(placeholder)" : placeholder }
        return hasOptionalValue ? "\(names) [\(placeholder)]" : "\(names) \(placeholder)"
    }

    var usage: String {
        guard let placeholder else { return "[\(names.last ?? "")]" }
        guard let name = names.last else {
            let repeated = (followsTerminator ? "-- " : "") + placeholder + (isRepeating ? "..." : "")
            return isOptional ? "[\(repeated)]" : repeated
        }
        return "[\(name) \(hasOptionalValue ? "[\(placeholder)]" : placeholder)]" + (isRepeating ? "..." : "")
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
    /// Reads the parser's JSON description.
    private init(_ object: JSONObject) {
        let all = (object["names"]?.array ?? []).compactMap(\.object).compactMap { name in
            name["name"]?.string.map { (name["kind"] == "long" ? "--" : "-") + $0 }
        }
        self.init(
            names: all.filter { !$0.hasPrefix("--") } + all.filter { $0.hasPrefix("--") },
            value: object["kind"] == "flag" ? nil : object["valueName"]?.string,
            isOptional: object["isOptional"] == true, isRepeating: object["isRepeating"] == true,
            hasOptionalValue: object["parsingStrategy"] == "scanningForValue",
            followsTerminator: object["parsingStrategy"] == "postTerminator", isShown: object["shouldDisplay"] != false,
            abstract: object["abstract"]?.string ?? "", values: object["allValues"]?.strings ?? [],
            standard: object["defaultValue"]?.string.flatMap { $0.isEmpty ? nil : $0 },
            section: object["sectionTitle"]?.string ?? "")
    }

    static func all(of type: any ParsableArguments.Type) -> [DescribedArgument] {
        guard let document = try? StrictJSON.object(Array(type._dumpHelp().utf8)) else { return [] }
        let arguments = document["command"]?.object?["arguments"]?.array ?? []
        return arguments.compactMap(\.object).map(DescribedArgument.init)
    }

    /// The arguments that a command's help shows, without the global options.
    static func shown(of command: any ParsableCommand.Type) -> [DescribedArgument] {
        // A group has no options, and the parser would describe each command in it.
        let configuration = command.configuration
        guard configuration.subcommands.isEmpty else { return configuration.version.isEmpty ? [] : [version] }
        let others = Set(common.flatMap(\.names))
        return all(of: command).filter { $0.isShown && others.isDisjoint(with: $0.names) }
    }

    /// The global options.
    static let common = all(of: GlobalOptions.self)

    private static let version = DescribedArgument(
        names: ["--version"], isOptional: true, isShown: true, abstract: "Show the version.")
}
