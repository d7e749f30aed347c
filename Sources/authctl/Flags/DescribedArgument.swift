import ArgumentParser
import AuthCore

/// An option, flag or argument, as the parser describes it.
struct DescribedArgument {
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

    init(_ object: JSONObject) {
        let all = (object["names"]?.array ?? []).compactMap(\.object).compactMap { name in
            name["name"]?.string.map { (name["kind"] == "long" ? "--" : "-") + $0 }
        }
        names = all.filter { !$0.hasPrefix("--") } + all.filter { $0.hasPrefix("--") }
        value = object["kind"] == "flag" ? nil : object["valueName"]?.string
        isOptional = object["isOptional"] == true
        isRepeating = object["isRepeating"] == true
        hasOptionalValue = object["parsingStrategy"] == "scanningForValue"
        followsTerminator = object["parsingStrategy"] == "postTerminator"
        isShown = object["shouldDisplay"] != false
        abstract = object["abstract"]?.string ?? ""
        values = object["allValues"]?.strings ?? []
        standard = object["defaultValue"]?.string
        section = object["sectionTitle"]?.string ?? ""
    }

    static func all(of type: any ParsableArguments.Type) -> [DescribedArgument] {
        guard let document = try? StrictJSON.object(Array(type._dumpHelp().utf8)),
            let arguments = document["command"]?.object?["arguments"]?.array
        else { return [] }
        return arguments.compactMap(\.object).map(DescribedArgument.init)
    }

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
        let unsaid = values.filter { !abstract.contains($0) }.isEmpty ? [] : values
        let preset = standard.flatMap { $0.isEmpty ? nil : "default: \($0)" }
        let more = [unsaid.joined(separator: ", "), preset ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
        guard !more.isEmpty else { return abstract }
        return abstract.hasSuffix(".") ? "\(abstract.dropLast()) (\(more))." : "\(abstract) (\(more))"
    }
}
