/// A list in another tool's YAML file, such as `users` of kubectl's. A change inserts or removes one item, which is written as
/// JSON on one line, and leaves every other byte.
///
/// If the list is missing, empty or null, the spaces inside its brackets say how it was: `remove` restores that.
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

    private struct Splice {
        var range: Range<Int>
        var text = ""
    }

    /// The result is the expected list, or an error.
    private mutating func apply(_ splices: [Splice], expecting items: [JSONValue]) throws(YAMLProblem) {
        var changed = bytes
        for splice in splices.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            changed.replaceSubrange(splice.range, with: splice.text.utf8)
        }
        let list = try YAMLList(changed, key: key)
        guard list.items == items else { throw fixed }
        self = list
    }

    private var fixed: YAMLProblem { lines.fixed(entry) }

    // MARK: Insertion

    private func insertion(of item: String) throws(YAMLProblem) -> [Splice] {
        guard let root = document.root, let entries = root.mapping?.entries, let place = root.place else {
            return [wholeLine("\(key): [ \(item) ]", at: bytes.count)]
        }
        guard let entry else {
            guard place.style != .flow else {
                let text = "\(JSONValue.string(key).text): [ \(item) ]"
                guard let last = entries.last else { return [inserting(text, at: place.range.lowerBound + 1)] }
                return [inserting(", " + text, at: end(last))]
            }
            guard let first = entries.first, let start = first.key.place?.range.lowerBound, let last = entries.last
            else { throw fixed }
            let margin = String(repeating: " ", count: lines.column(start))
            return [wholeLine("\(margin)\(key): [ \(item) ]", at: lineAfter(last.value, end(last)))]
        }
        guard let value = entry.value.place, value.style != .alias else { throw fixed }
        switch (entry.value.content, value.style) {
        case (.sequence(let nodes), .flow):
            guard let last = nodes.last?.place else { return [inserting(item, at: value.range.upperBound - 1)] }
            return [inserting(", " + item, at: last.range.upperBound)]
        case (.sequence(let nodes), _):
            guard let last = nodes.last, let end = last.place.map({ lines.trimmedEnd($0.range) }) else { throw fixed }
            let margin = String(repeating: " ", count: lines.column(try dash(of: last)))
            return [wholeLine("\(margin)- \(item)", at: lineAfter(last, end))]
        case (.scalar(let scalar), .plain) where scalar.text.isEmpty && place.style == .block:
            return [inserting(" [\(item) ]", at: try colon(after: entry.key) + 1)]
        case (.scalar(let scalar), .plain) where scalar.text == "null" && place.style == .flow:
            return [Splice(range: value.range, text: "[\(item) ]")]
        case (.scalar(let scalar), .plain) where YAMLList.nulls.contains(scalar.text):
            return [inserting("[\(item) ]\(YAMLList.comment)", at: value.range.lowerBound)]
        default: throw fixed
        }
    }

    private static let nulls = ["null", "~"]
    private static let comment = " #"

    private func inserting(_ text: String, at offset: Int) -> Splice { Splice(range: offset..<offset, text: text) }

    /// If the text does not end with a newline, it does not end with one afterwards either.
    private func wholeLine(_ text: String, at offset: Int) -> Splice {
        guard offset > 0 else { return inserting(text + (bytes.isEmpty ? "" : lines.lineEnd), at: 0) }
        let isStart = lines.start(offset) == offset
        return inserting(isStart ? text + lines.lineEnd : lines.lineEnd + text, at: offset)
    }

    // MARK: Removal

    private func removal(of index: Int) throws(YAMLProblem) -> [Splice] {
        guard let entry, let list, let place = entry.value.place, let item = list[index].place else { throw fixed }
        guard place.style == .flow else {
            let removed = wholeLines(try dash(of: list[index]), lineAfter(list[index], lines.trimmedEnd(item.range)))
            guard list.count == 1 else { return [removed] }
            return [inserting(" []", at: try colon(after: entry.key) + 1), removed]
        }
        guard list.count == 1 else {
            let next = index > 0 ? item.range.upperBound : list[1].place?.range.lowerBound ?? item.range.upperBound
            let start = index > 0 ? list[index - 1].place?.range.upperBound : item.range.lowerBound
            return [Splice(range: (start ?? item.range.lowerBound)..<next)]
        }
        func isSpace(_ range: Range<Int>) -> Bool { bytes[range].elementsEqual([0x20]) }
        let before = isSpace(place.range.lowerBound + 1..<item.range.lowerBound)
        guard isSpace(item.range.upperBound..<place.range.upperBound - 1) else { return [Splice(range: item.range)] }
        if before { return [try removalOfKey(entry)] }
        if document.root?.place?.style == .flow { return [Splice(range: place.range, text: "null")] }
        let rest = bytes[place.range.upperBound...]
        if YAMLList.nulls.contains(where: { rest.starts(with: (YAMLList.comment + $0).utf8) }) {
            return [Splice(range: place.range.lowerBound..<place.range.upperBound + YAMLList.comment.utf8.count)]
        }
        return [Splice(range: try colon(after: entry.key) + 1..<place.range.upperBound)]
    }

    private func removalOfKey(_ entry: YAMLMapping.Entry) throws(YAMLProblem) -> Splice {
        guard let root = document.root, let entries = root.mapping?.entries, let key = entry.key.place?.range,
            let value = entry.value.place?.range, let index = entries.firstIndex(of: entry)
        else { throw fixed }
        if root.place?.style != .flow { return wholeLines(key.lowerBound, lines.next(value.upperBound)) }
        if index > 0 { return Splice(range: end(entries[index - 1])..<value.upperBound) }
        guard entries.count > 1, let next = entries[1].key.place?.range.lowerBound else {
            return Splice(range: key.lowerBound..<value.upperBound)
        }
        return Splice(range: key.lowerBound..<next)
    }

    private func wholeLines(_ first: Int, _ end: Int) -> Splice {
        var start = lines.start(first)
        // Of a last line without a newline, the one before it was added with it.
        if end == bytes.count, lines.start(end) != end, start > 0, bytes[start - 1] == 0x0A {
            start -= start > 1 && bytes[start - 2] == 0x0D ? 2 : 1
        }
        return Splice(range: start..<end)
    }

    // MARK: Where

    private func colon(after key: YAMLNode) throws(YAMLProblem) -> Int {
        guard let end = key.place?.range.upperBound else { throw fixed }
        let offset = lines.skippingSpaces(end)
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { throw fixed }
        return offset
    }

    private func end(_ entry: YAMLMapping.Entry) -> Int {
        guard let value = entry.value.place, let key = entry.key.place else { return 0 }
        guard value.range.isEmpty else { return lines.trimmedEnd(value.range) }
        return (try? colon(after: entry.key)).map { $0 + 1 } ?? key.range.upperBound
    }

    /// The start of the line after a value that ends there. After `|` the empty lines that follow are the value's.
    private func lineAfter(_ value: YAMLNode, _ end: Int) -> Int {
        let last = value.place?.range.upperBound ?? end
        return last > end && lines.start(last) == last ? last : lines.next(end)
    }

    /// The hyphen before an item of a block list, the first character of its line.
    private func dash(of item: YAMLNode) throws(YAMLProblem) -> Int {
        var offset = item.place?.range.lowerBound ?? 0
        while offset > 0, [0x20, 0x0A, 0x0D].contains(bytes[offset - 1]) { offset -= 1 }
        guard offset > 0, bytes[offset - 1] == UInt8(ascii: "-"), lines.isFirstInLine(offset - 1) else { throw fixed }
        return offset - 1
    }
}

extension YAMLNode {
    /// The same with each scalar as a string.
    var json: JSONValue {
        switch content {
        case .scalar(let scalar): return .string(scalar.text)
        case .sequence(let nodes): return .array(nodes.map(\.json))
        case .mapping(let mapping):
            return .object(
                mapping.entries.reduce(into: JSONObject()) { $0[$1.key.text ?? ""] = $1.value.json })
        }
    }
}
