import AuthCore

/// The path of one value in JSON, such as `account.email` or `accounts.0.uid`.
struct FieldPath: Sendable, Equatable {
    let text: String
    /// The command that prints all fields; nil until the entry point names it.
    var whole: Hint?

    func value(in json: JSONValue) throws(FieldMissing) -> JSONValue {
        var value = json
        var passed: [String] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            guard let next = value.part(part) else {
                throw FieldMissing(
                    path: self, place: passed.joined(separator: "."), part: part, known: Self.names(value))
            }
            value = next
            passed.append(part)
        }
        return value
    }

    private static func names(_ value: JSONValue) -> [String] {
        if let object = value.object { return object.members.map(\.name) }
        guard let items = value.array, !items.isEmpty else { return [] }
        return [items.count == 1 ? "the index 0" : "the indexes 0 to \(items.count - 1)"]
    }
}

/// A path that does not exist.
struct FieldMissing: Error, Equatable {
    let path: FieldPath
    let place: String
    let part: String
    let known: [String]
}
