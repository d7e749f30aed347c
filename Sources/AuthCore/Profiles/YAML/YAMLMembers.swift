/// A list or mapping in another tool's YAML file, such as `users` of kubectl's or `extensions` of goose's. A change
/// inserts, replaces or removes one member, which is written as JSON on one line, and leaves every other byte.
///
/// Spaces in the brackets of an inserted list, or a comment after an inserted key, record what was there before, so that
/// `removing` restores it.
package struct YAMLMembers {
    private struct Member {
        /// Nil in a list.
        let key: YAMLNode?
        let value: YAMLNode
        let name: String?
    }

    private let key: String
    private let isList: Bool
    private let document: YAMLDocument
    private let lines: YAMLLines
    private let members: [Member]

    private var bytes: [UInt8] { document.bytes }

    /// - Parameter isList: whether the value is a list. Its items have names.
    package init(_ bytes: [UInt8], key: String, isList: Bool) throws(YAMLProblem) {
        (self.key, self.isList, lines) = (key, isList, YAMLLines(bytes: bytes))
        document = try YAMLDocument(bytes)
        guard document.root == nil || document.root?.mapping != nil else { throw YAMLProblem(reason: .notAMapping) }
        let value = document.root?.mapping?[key]
        members =
            isList
            ? value?.sequence?.map { Member(key: nil, value: $0, name: $0.mapping?["name"]?.text) } ?? []
            : value?.mapping?.entries.map { Member(key: $0.key, value: $0.value, name: $0.key.text) } ?? []
    }

    /// The members by name.
    package var entries: JSONObject {
        members.reduce(into: JSONObject()) { entries, member in
            if let name = member.name { entries[name] = member.value.json }
        }
    }

    // MARK: Positions

    private var entry: YAMLMapping.Entry? { document.root?.mapping?.entry(key) }

    private var unchangeable: YAMLProblem { lines.unchangeable(at: entry?.key.place?.range.lowerBound) }

    private func start(_ node: YAMLNode) -> Int { node.place?.range.lowerBound ?? 0 }

    /// The start of a member in a block: its key, or its hyphen, which must be the first character of its line.
    private func start(_ member: Member) throws(YAMLProblem) -> Int {
        if let key = member.key { return start(key) }
        var offset = start(member.value)
        while offset > 0, [0x20, 0x0A, 0x0D].contains(bytes[offset - 1]) { offset -= 1 }
        guard offset > 0, bytes[offset - 1] == UInt8(ascii: "-"), lines.isFirstInLine(offset - 1) else {
            throw unchangeable
        }
        return offset - 1
    }

    private func margin(_ offset: Int) -> String { String(repeating: " ", count: lines.column(offset)) }

    /// The members of a list or mapping in brackets.
    private func outline(_ node: YAMLNode) -> Outline {
        func member(_ key: YAMLNode?, _ value: YAMLNode) -> Outline.Member {
            let range = start(key ?? value)..<lines.end(key, value)
            return Outline.Member(name: key?.text, range: range, value: value.place?.range ?? range)
        }
        let members = node.sequence?.map { member(nil, $0) } ?? node.mapping?.entries.map { member($0.key, $0.value) }
        return Outline(open: start(node), close: (node.place?.range.upperBound ?? 1) - 1, members: members ?? [])
    }

    // MARK: Insertion

    package func setting(_ name: String, _ value: JSONValue) throws(YAMLProblem) -> [Splice] {
        let text = isList ? value.text : "\(JSONValue.string(name).text): \(value.text)"
        guard let entry else { return [try insertingKey(with: text)] }
        guard let place = entry.value.place, place.style != .alias, let colon = lines.colon(after: entry.key) else {
            throw unchangeable
        }
        if let known = members.first(where: { $0.name == name })?.value.place {
            return [Splice(range: known.range.lowerBound..<lines.trimmedEnd(known.range), text: value.text)]
        }
        if let last = members.last, place.style == .block {
            let line = margin(try start(last)) + (isList ? "- " : "") + text
            return [.inserting(lines: [line], at: lines.lineAfter(last.key, last.value), in: bytes)]
        }
        if isList, entry.value.sequence != nil { return [outline(entry.value).inserting(text, into: bytes)] }
        guard let old = entry.value.text, place.style == .plain, !place.hasProperties,
            let spaces = YAMLMembers.nulls.firstIndex(of: old)
        else { throw unchangeable }
        if isList {
            let list = "[" + text + String(repeating: " ", count: spaces + 1) + "]"
            return [old.isEmpty ? .at(colon + 1, " " + list) : Splice(range: place.range, text: list)]
        }
        guard old.isEmpty else { throw unchangeable }
        return [.inserting(lines: [margin(start(entry.key)) + "  " + text], at: lines.next(colon), in: bytes)]
    }

    private static let nulls = ["", "null", "~"]
    private static let mark = " # authctl"

    private func insertingKey(with member: String) throws(YAMLProblem) -> Splice {
        let entries = document.root?.mapping?.entries ?? []
        if let root = document.root, root.place?.style == .flow {
            guard isList else { throw unchangeable }
            return outline(root).inserting("\(JSONValue.string(key).text): [ \(member) ]", into: bytes)
        }
        let added = isList ? ["\(key): [ \(member) ]"] : ["\(key):\(YAMLMembers.mark)", "  " + member]
        let margin = entries.first.map { self.margin(start($0.key)) } ?? ""
        let end = entries.last.map { lines.lineAfter($0.key, $0.value) } ?? bytes.count
        return .inserting(lines: added.map { margin + $0 }, at: end, in: bytes)
    }

    // MARK: Removal

    package func removing(_ name: String) throws(YAMLProblem) -> [Splice] {
        guard let entry, let place = entry.value.place, let colon = lines.colon(after: entry.key),
            let index = members.firstIndex(where: { $0.name == name })
        else { throw unchangeable }
        let isLast = members.count == 1
        if isList, place.style == .flow {
            let list = outline(entry.value)
            if list.isMarked(in: bytes) { return [try removingKey(entry, to: place.range.upperBound)] }
            let (start, end) = (list.members[0].range.lowerBound, list.members[index].range.upperBound)
            let spaces = list.close - end - 1
            guard isLast, start == list.open + 1, YAMLMembers.nulls.indices.contains(spaces),
                bytes[end..<list.close].allSatisfy({ $0 == 0x20 })
            else { return [list.removing(index)] }
            let old = YAMLMembers.nulls[spaces]
            return [Splice(range: (old.isEmpty ? colon + 1 : list.open)..<place.range.upperBound, text: old)]
        }
        guard place.style == .block else { throw unchangeable }
        let member = members[index]
        let (start, end) = (lines.start(try start(member)), lines.lineAfter(member.key, member.value))
        let mark = YAMLMembers.mark + lines.lineEnd
        if isLast, bytes[..<start].suffix(mark.utf8.count).elementsEqual(mark.utf8) {
            return [try removingKey(entry, to: end)]
        }
        return (isLast && isList ? [.at(colon + 1, " []")] : []) + [.removing(lines: start..<end, of: bytes)]
    }

    /// Removes a key that was inserted, with its value, which ends there.
    private func removingKey(_ entry: YAMLMapping.Entry, to end: Int) throws(YAMLProblem) -> Splice {
        guard let root = document.root, let index = root.mapping?.entries.firstIndex(of: entry) else {
            throw unchangeable
        }
        if root.place?.style == .flow { return outline(root).removing(index) }
        let isStart = lines.start(end) == end
        return .removing(lines: lines.start(start(entry.key))..<(isStart ? end : lines.next(end)), of: bytes)
    }
}

extension YAMLNode {
    /// The node as JSON. A scalar that is not a number, a boolean or null in JSON too is a string.
    var json: JSONValue {
        switch content {
        case .scalar(let scalar):
            let value = scalar.kind == .plain ? try? StrictJSON.parse(Array(scalar.text.utf8)) : nil
            return value ?? .string(scalar.text)
        case .sequence(let nodes): return .array(nodes.map(\.json))
        case .mapping(let mapping):
            return .object(mapping.entries.reduce(into: JSONObject()) { $0[$1.key.text ?? ""] = $1.value.json })
        }
    }
}
