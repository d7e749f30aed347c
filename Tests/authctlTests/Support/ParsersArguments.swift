import ArgumentParser

@testable import AuthCore
@testable import authctl

extension DescribedArgument {
    init(_ object: JSONObject) {
        let all = (object["names"]?.array ?? []).compactMap(\.object).compactMap { name in
            name["name"]?.string.map { (name["kind"] == "long" ? "--" : "-") + $0 }
        }
        self.init(
            names: all.filter { !$0.hasPrefix("--") } + all.filter { $0.hasPrefix("--") },
            value: object["kind"] == "flag" ? nil : object["valueName"]?.string,
            isOptional: object["isOptional"] == true, isRepeating: object["isRepeating"] == true,
            hasOptionalValue: object["parsingStrategy"] == "scanningForValue",
            followsTerminator: object["parsingStrategy"] == "postTerminator",
            isShown: object["shouldDisplay"] != false, abstract: object["abstract"]?.string ?? "",
            values: object["allValues"]?.strings ?? [],
            standard: object["defaultValue"]?.string.flatMap { $0.isEmpty ? nil : $0 },
            section: object["sectionTitle"]?.string ?? "")
    }

    static func all(of type: any ParsableArguments.Type) -> [DescribedArgument] {
        guard let document = try? StrictJSON.object(Array(type._dumpHelp().utf8)),
            let arguments = document["command"]?.object?["arguments"]?.array
        else { return [] }
        return arguments.compactMap(\.object).map(DescribedArgument.init)
    }
}
