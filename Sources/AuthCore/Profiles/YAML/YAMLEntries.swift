/// The entries of a mapping in another tool's YAML file, such as `extensions` of goose's. A change inserts or removes one
/// entry, which is written as JSON on one line, and leaves every other byte.
package struct YAMLEntries {
    package private(set) var bytes: [UInt8]
    private let key: String
    private let document: YAMLDocument
    private var lines: YAMLLines { YAMLLines(bytes: bytes) }

    /// Marks a key that was added with the first entry, so that `remove` deletes it with the last one.
    private static let mark = " # authctl"

    package init(_ bytes: [UInt8], key: String) throws(YAMLProblem) {
        self.bytes = bytes
        self.key = key
        document = try YAMLDocument(bytes)
        guard document.root == nil || document.root?.mapping != nil else { throw YAMLProblem(reason: .notAMapping) }
    }

    /// The entries, with each scalar as a string.
    package var values: JSONObject { entry?.value.json.object ?? JSONObject() }

    private var entry: YAMLMapping.Entry? { document.root?.mapping?.entry(key) }

    package mutating func add(_ name: String, _ value: JSONValue) throws(YAMLProblem) {
        var expected = values
        expected[name] = try YAMLDocument(Array(value.text.utf8)).root?.json
        let line = "\(JSONValue.string(name).text): \(value.text)"
        let end = lines.lineEnd
        guard let entry, let place = entry.key.place else {
            guard document.root?.place?.style != .flow else { throw unchangeable }
            let isWhole = bytes.isEmpty || bytes.last == 0x0A
            let text = "\(key):\(YAMLEntries.mark)\(end)  \(line)"
            return try apply(.at(bytes.count, isWhole ? text + end : end + text), expecting: expected)
        }
        let isNull = entry.value.text == "" && entry.value.place?.style == .plain
        guard isNull || (entry.value.place?.style == .block && entry.value.mapping != nil) else { throw unchangeable }
        let first = entry.value.mapping?.entries.first?.key.place?.range.lowerBound
        let start = first.map { lines.start($0) } ?? lines.next(place.range.upperBound)
        guard start > 0, bytes[start - 1] == 0x0A else { throw unchangeable }
        let column = first.map { lines.column($0) } ?? lines.column(place.range.lowerBound) + 2
        try apply(.at(start, String(repeating: " ", count: column) + line + end), expecting: expected)
    }

    package mutating func remove(_ name: String) throws(YAMLProblem) {
        guard let entry, let own = entry.value.mapping?.entry(name), let key = entry.key.place?.range,
            let range = own.key.place?.range, let value = own.value.place?.range, entry.value.place?.style == .block
        else { throw unchangeable }
        var expected = values
        expected[name] = nil
        let last = lines.trimmedEnd(value)
        var start = lines.start(range.lowerBound)
        let head = lines.start(key.lowerBound)
        let isOwn = bytes[head..<start].elementsEqual(Array("\(self.key):\(YAMLEntries.mark)\(lines.lineEnd)".utf8))
        if isOwn, expected.members.isEmpty { start = head }
        try apply(lines.whole(start, lines.next(last)), expecting: expected)
    }

    /// Throws if the result does not have the expected entries.
    private mutating func apply(_ splice: YAMLSplice, expecting expected: JSONObject) throws(YAMLProblem) {
        let result = try YAMLEntries(lines.applying([splice]), key: key)
        guard result.values == expected else { throw unchangeable }
        self = result
    }

    private var unchangeable: YAMLProblem { lines.unchangeable(at: entry?.key.place?.range.lowerBound) }
}
