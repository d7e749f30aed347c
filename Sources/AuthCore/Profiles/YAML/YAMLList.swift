/// A list in another tool's YAML file, such as `users` of kubectl's. A change inserts or removes one item, which is
/// written as JSON on one line, and leaves every other byte.
///
/// If the list was missing, empty or null, the spaces inside its brackets record which, so that `remove` can restore
/// it.
package struct YAMLList {
    package private(set) var bytes: [UInt8]
    private let key: String
    private var document: YAMLDocument
    private var lines: YAMLLines { YAMLLines(bytes: bytes) }

    package init(_ bytes: [UInt8], key: String) throws(YAMLProblem) {
        self.bytes = bytes
        self.key = key
        document = try YAMLDocument(bytes)
        guard document.root == nil || document.root?.mapping != nil else { throw YAMLProblem(reason: .notAMapping) }
    }

    /// The items, with each scalar as a string.
    package var items: [JSONValue] { list?.map(\.json) ?? [] }

    /// - Parameter item: strings, and arrays and objects of strings.
    package mutating func append(_ item: JSONValue) throws(YAMLProblem) {
        try apply(try insertion(of: item.text), expecting: items + [item])
    }

    package mutating func remove(at index: Int) throws(YAMLProblem) {
        var rest = items
        rest.remove(at: index)
        try apply(try removal(of: index), expecting: rest)
    }

    private var entry: YAMLMapping.Entry? { document.root?.mapping?.entry(key) }
    private var list: [YAMLNode]? { entry?.value.sequence }

    /// Throws if the result is not the expected list.
    private mutating func apply(_ splices: [YAMLSplice], expecting items: [JSONValue]) throws(YAMLProblem) {
        let list = try YAMLList(lines.applying(splices), key: key)
        guard list.items == items else { throw unchangeable }
        self = list
    }

    private var unchangeable: YAMLProblem { lines.unchangeable(at: entry?.key.place?.range.lowerBound) }

    // MARK: Insertion

    private func insertion(of item: String) throws(YAMLProblem) -> [YAMLSplice] {
        guard let root = document.root, let entries = root.mapping?.entries, let place = root.place else {
            return [wholeLine("\(key): [ \(item) ]", at: bytes.count)]
        }
        guard let entry else {
            guard place.style != .flow else {
                let text = "\(JSONValue.string(key).text): [ \(item) ]"
                guard let last = entries.last else { return [.at(place.range.lowerBound + 1, text)] }
                return [.at(lines.end(last.key, last.value), ", " + text)]
            }
            guard let first = entries.first, let start = first.key.place?.range.lowerBound, let last = entries.last
            else { throw unchangeable }
            let margin = String(repeating: " ", count: lines.column(start))
            return [wholeLine("\(margin)\(key): [ \(item) ]", at: lines.lineAfter(last.key, last.value))]
        }
        guard let value = entry.value.place, value.style != .alias else { throw unchangeable }
        switch (entry.value.content, value.style) {
        case (.sequence(let nodes), .flow):
            guard let last = nodes.last?.place else { return [.at(value.range.upperBound - 1, item)] }
            return [.at(last.range.upperBound, ", " + item)]
        case (.sequence(let nodes), _):
            guard let last = nodes.last, last.place != nil else { throw unchangeable }
            let margin = String(repeating: " ", count: lines.column(try dash(of: last)))
            return [wholeLine("\(margin)- \(item)", at: lines.lineAfter(nil, last))]
        case (.scalar(let scalar), .plain) where scalar.text.isEmpty && place.style == .block:
            return [.at(try colon(after: entry.key) + 1, " [\(item) ]")]
        case (.scalar(let scalar), .plain) where scalar.text == "null" && place.style == .flow:
            return [YAMLSplice(range: value.range, text: "[\(item) ]")]
        case (.scalar(let scalar), .plain) where YAMLList.nulls.contains(scalar.text):
            return [.at(value.range.lowerBound, "[\(item) ]\(YAMLList.comment)")]
        default: throw unchangeable
        }
    }

    private static let nulls = ["null", "~"]
    private static let comment = " #"

    /// If the text does not end with a newline, it does not end with one afterwards either.
    private func wholeLine(_ text: String, at offset: Int) -> YAMLSplice {
        guard offset > 0 else { return .at(0, text + (bytes.isEmpty ? "" : lines.lineEnd)) }
        let isStart = lines.start(offset) == offset
        return .at(offset, isStart ? text + lines.lineEnd : lines.lineEnd + text)
    }

    // MARK: Removal

    private func removal(of index: Int) throws(YAMLProblem) -> [YAMLSplice] {
        guard let entry, let list, let place = entry.value.place, let item = list[index].place else {
            throw unchangeable
        }
        guard place.style == .flow else {
            let removed = lines.whole(try dash(of: list[index]), lines.lineAfter(nil, list[index]))
            guard list.count == 1 else { return [removed] }
            return [.at(try colon(after: entry.key) + 1, " []"), removed]
        }
        guard list.count == 1 else {
            let next = index > 0 ? item.range.upperBound : list[1].place?.range.lowerBound ?? item.range.upperBound
            let start = index > 0 ? list[index - 1].place?.range.upperBound : item.range.lowerBound
            return [YAMLSplice(range: (start ?? item.range.lowerBound)..<next)]
        }
        func isSpace(_ range: Range<Int>) -> Bool { bytes[range].elementsEqual([0x20]) }
        let before = isSpace(place.range.lowerBound + 1..<item.range.lowerBound)
        guard isSpace(item.range.upperBound..<place.range.upperBound - 1) else {
            return [YAMLSplice(range: item.range)]
        }
        if before { return [try removalOfKey(entry)] }
        if document.root?.place?.style == .flow { return [YAMLSplice(range: place.range, text: "null")] }
        let rest = bytes[place.range.upperBound...]
        if YAMLList.nulls.contains(where: { rest.starts(with: (YAMLList.comment + $0).utf8) }) {
            return [YAMLSplice(range: place.range.lowerBound..<place.range.upperBound + YAMLList.comment.utf8.count)]
        }
        return [YAMLSplice(range: try colon(after: entry.key) + 1..<place.range.upperBound)]
    }

    private func removalOfKey(_ entry: YAMLMapping.Entry) throws(YAMLProblem) -> YAMLSplice {
        guard let root = document.root, let entries = root.mapping?.entries, let key = entry.key.place?.range,
            let value = entry.value.place?.range, let index = entries.firstIndex(of: entry)
        else { throw unchangeable }
        if root.place?.style != .flow { return lines.whole(key.lowerBound, lines.next(value.upperBound)) }
        if index > 0 {
            let before = entries[index - 1]
            return YAMLSplice(range: lines.end(before.key, before.value)..<value.upperBound)
        }
        guard entries.count > 1, let next = entries[1].key.place?.range.lowerBound else {
            return YAMLSplice(range: key.lowerBound..<value.upperBound)
        }
        return YAMLSplice(range: key.lowerBound..<next)
    }

    // MARK: Positions

    private func colon(after key: YAMLNode) throws(YAMLProblem) -> Int {
        guard let offset = lines.colon(after: key) else { throw unchangeable }
        return offset
    }

    /// The hyphen of an item in a block list. It must be the first character of its line.
    private func dash(of item: YAMLNode) throws(YAMLProblem) -> Int {
        var offset = item.place?.range.lowerBound ?? 0
        while offset > 0, [0x20, 0x0A, 0x0D].contains(bytes[offset - 1]) { offset -= 1 }
        guard offset > 0, bytes[offset - 1] == UInt8(ascii: "-"), lines.isFirstInLine(offset - 1) else {
            throw unchangeable
        }
        return offset - 1
    }
}

extension YAMLNode {
    /// The node with each scalar as a string.
    var json: JSONValue {
        switch content {
        case .scalar(let scalar): return .string(scalar.text)
        case .sequence(let nodes): return .array(nodes.map(\.json))
        case .mapping(let mapping):
            return .object(mapping.entries.reduce(into: JSONObject()) { $0[$1.key.text ?? ""] = $1.value.json })
        }
    }
}
