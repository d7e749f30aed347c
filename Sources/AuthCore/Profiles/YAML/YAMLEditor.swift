/// Changes a YAML text to a new tree, and preserves every other byte: comments, order, quotes.
///
/// Each step is a splice at the marks of a node. Then the text is parsed again, so that the next step has the right
/// marks. The result is the expected tree or an error, never another tree.
///
/// A library that writes the whole file again, such as Yams, loses comments and order.
struct YAMLEditor {
    private let document: YAMLDocument
    private let lines: YAMLLines

    private init(_ document: YAMLDocument) {
        self.document = document
        lines = YAMLLines(bytes: document.bytes)
    }

    private static let maximumSteps = 1000

    /// The text of `document`, changed so that it contains `root`.
    static func bytes(of document: YAMLDocument, containing root: YAMLMapping) throws(YAMLProblem) -> [UInt8] {
        let target = YAMLNode.mapping(root)
        var document = document
        var done: Set<YAMLEdit> = []
        for _ in 0..<maximumSteps {
            guard let edit = next(document, to: target) else { return document.bytes }
            let editor = YAMLEditor(document)
            // A step without the expected effect would repeat forever.
            guard done.insert(edit).inserted else { throw editor.unchangeable(at: edit.path) }
            let changed = document.bytes.applying(try editor.splices(edit))
            do throws(YAMLProblem) { document = try YAMLDocument(changed) } catch {
                throw editor.unchangeable(at: edit.path)
            }
        }
        throw YAMLProblem(reason: .tooManyChanges(maximumSteps))
    }

    private static func next(_ document: YAMLDocument, to target: YAMLNode) -> YAMLEdit? {
        guard let root = document.root else {
            return target.mapping?.entries.isEmpty == true ? nil : .replace([], target)
        }
        return YAMLEdit(from: root, to: target)
    }

    private func unchangeable(at path: [String]) -> YAMLProblem {
        lines.unchangeable(at: target(path)?.key?.place?.range.lowerBound)
    }

    // MARK: Positions

    private struct Target {
        var node: YAMLNode
        var key: YAMLNode?
        var parent: YAMLNode?
    }

    private func target(_ path: [String]) -> Target? {
        guard let root = document.root else { return nil }
        var target = Target(node: root)
        for name in path {
            guard let entry = target.node.mapping?.entry(name) else { return nil }
            target = Target(node: entry.value, key: entry.key, parent: target.node)
        }
        return target
    }

    /// The start of the line after a value, and after the comments that are indented to `column` or more.
    private func lineAfter(_ key: YAMLNode?, value: YAMLNode, column: Int) -> Int {
        lines.skippingComments(lines.lineAfter(key, value), column: column)
    }

    private var step: Int {
        guard let first = document.root?.mapping?.entries.first(where: { $0.value.mapping?.entries.isEmpty == false }),
            first.value.place?.style == .block, let outer = first.key.place?.range.lowerBound,
            let inner = first.value.mapping?.entries.first?.key.place?.range.lowerBound,
            lines.column(inner) > lines.column(outer)
        else { return 2 }
        return min(lines.column(inner) - lines.column(outer), 8)
    }

    // MARK: Splices

    private func splices(_ edit: YAMLEdit) throws(YAMLProblem) -> [Splice] {
        if case .replace([], let node) = edit { return [try wholly(node)] }
        guard let target = target(edit.containing), let place = target.node.place else {
            throw unchangeable(at: edit.path)
        }
        switch edit {
        case .replace(_, let node): return try replacing(target, at: place, with: node)
        case .remove(let path): return [try removing(path.last ?? "", from: target.node, at: place)]
        case .insert(let path, let entry):
            guard let mapping = target.node.mapping, let first = mapping.entries.first, let last = mapping.entries.last
            else { return try splices(.replace(path, .mapping(YAMLMapping([entry])))) }
            guard let start = first.key.place?.range.lowerBound, let lastStart = last.key.place?.range.lowerBound else {
                throw lines.unchangeable(at: place.range.lowerBound)
            }
            guard place.style == .block else {
                return adding(
                    [YAMLText.entry(entry.key, value: entry.value, inFlow: true)],
                    after: lines.end(last.key, last.value),
                    beginning: lastStart)
            }
            let column = lines.column(start)
            let text = YAMLText.lines(YAMLMapping([entry]), indentation: column, step: step)
            return [whole(text, at: lineAfter(last.key, value: last.value, column: column))]
        case .append(_, let nodes):
            guard let last = target.node.sequence?.last, let start = last.place?.range.lowerBound else {
                throw lines.unchangeable(at: place.range.lowerBound)
            }
            guard place.style == .block else {
                return adding(nodes.map { YAMLText.flow($0) }, after: lines.end(nil, last), beginning: start)
            }
            var dash = start
            while dash > lines.start(start), lines.bytes[dash - 1] == 0x20 { dash -= 1 }
            guard dash > 0, lines.bytes[dash - 1] == UInt8(ascii: "-") else { throw lines.unchangeable(at: start) }
            let column = lines.column(dash - 1)
            let margin = String(repeating: " ", count: column) + "- "
            return [
                whole(
                    nodes.map { margin + YAMLText.flow($0, inFlow: false) },
                    at: lineAfter(nil, value: last, column: column))
            ]
        }
    }

    private func whole(_ added: [String], at offset: Int) -> Splice {
        let isInLine = offset > 0 && lines.start(offset) != offset
        return .at(offset, (isInLine ? lines.lineEnd : "") + added.map { $0 + lines.lineEnd }.joined())
    }

    private func adding(_ texts: [String], after end: Int, beginning start: Int) -> [Splice] {
        var rest = lines.skippingSpaces(end)
        let hasComma = rest < lines.bytes.count && lines.bytes[rest] == UInt8(ascii: ",")
        if hasComma { rest += 1 }
        // Directly after a colon, the comma would be part of the key.
        let comma = lines.bytes[end - 1] == UInt8(ascii: ":") ? " ," : ","
        guard lines.isFirstInLine(start), lines.isRestIdle(rest) else {
            return [.at(end, comma + " " + texts.joined(separator: ", "))]
        }
        let margin = String(repeating: " ", count: lines.column(start))
        let added = texts.map { lines.lineEnd + margin + $0 }.joined(separator: ",")
        return [.at(end, hasComma ? "" : comma), .at(lines.end(end), added)].filter { !$0.text.isEmpty }
    }

    private func wholly(_ node: YAMLNode) throws(YAMLProblem) -> Splice {
        guard let mapping = node.mapping else { throw YAMLProblem(reason: .notAMapping) }
        let text = mapping.entries.isEmpty ? ["{}"] : YAMLText.lines(mapping, indentation: 0, step: 2)
        guard let place = document.root?.place else { return whole(text, at: lines.bytes.count) }
        let end = lines.trimmedEnd(place.range)
        guard lines.isRestIdle(end) else { throw lines.unchangeable(at: place.range.lowerBound) }
        let isInLine = lines.start(place.range.lowerBound) != place.range.lowerBound
        return Splice(
            range: place.range.lowerBound..<end,
            text: (isInLine ? lines.lineEnd : "") + text.joined(separator: lines.lineEnd))
    }

    private func replacing(
        _ target: Target, at place: YAMLPlace, with node: YAMLNode
    ) throws(YAMLProblem) -> [Splice] {
        guard let key = target.key, let start = key.place?.range.lowerBound, let parent = target.parent?.place else {
            throw lines.unchangeable(at: place.range.lowerBound)
        }
        let colon = lines.colon(after: key)
        guard parent.style == .block else {
            let text = YAMLText.flow(node)
            guard place.range.isEmpty else { return [Splice(range: place.range, text: text)] }
            return [.at(lines.end(key, target.node), colon == nil ? ": " + text : " " + text)]
        }
        guard let colon else { throw lines.unchangeable(at: start) }
        let end = lines.end(key, target.node)
        let column = lines.column(start)
        let below = lines.start(place.range.lowerBound)..<lines.next(end)
        let isBelow = !place.range.isEmpty && below.lowerBound > colon
        let block = node.mapping.map { YAMLText.lines($0, indentation: column + step, step: step) } ?? []
        if let text = YAMLText.inline(node) {
            if place.range.isEmpty { return [.at(colon + 1, " " + text)] }
            guard place.style == .block else { return [Splice(range: place.range.lowerBound..<end, text: text)] }
            guard isBelow, lines.isFirstInLine(place.range.lowerBound) else { throw lines.unchangeable(at: start) }
            return [.at(colon + 1, " " + text), Splice(range: below, text: "")]
        }
        if place.range.isEmpty {
            guard lines.isRestIdle(colon + 1) else { throw lines.unchangeable(at: start) }
            return [whole(block, at: lines.skippingComments(lines.next(colon), column: column + 1))]
        }
        guard lines.isRestIdle(end) else { throw lines.unchangeable(at: start) }
        if isBelow {
            guard lines.isFirstInLine(place.range.lowerBound) else { throw lines.unchangeable(at: start) }
            return [Splice(range: below, text: block.map { $0 + lines.lineEnd }.joined())]
        }
        guard place.style != .block else { throw lines.unchangeable(at: start) }
        // The rest of the line is a comment, which stays.
        let comment = lines.skippingSpaces(end) == lines.end(end) ? lines.end(end) : end
        return [
            Splice(range: colon + 1..<comment, text: ""),
            .at(lines.end(end), block.map { lines.lineEnd + $0 }.joined()),
        ]
    }

    private func removing(_ name: String, from node: YAMLNode, at place: YAMLPlace) throws(YAMLProblem) -> Splice {
        guard let entries = node.mapping?.entries, let index = node.mapping?.index(of: name),
            let start = entries[index].key.place?.range.lowerBound
        else { throw lines.unchangeable(at: place.range.lowerBound) }
        let (key, value) = (entries[index].key, entries[index].value)
        let end = lines.end(key, value)
        if place.style == .block {
            guard lines.isFirstInLine(start), lines.isRestIdle(end) else { throw lines.unchangeable(at: start) }
            // Comments that are indented more than the key are removed with it.
            let isCollection = value.place?.style == .block
            let next = isCollection ? lines.skippingComments(lines.next(end), column: lines.column(start) + 1) : nil
            return Splice(range: lines.start(start)..<(next ?? lines.next(end)), text: "")
        }
        var rest = lines.skippingSpaces(end)
        let hasComma = rest < lines.bytes.count && lines.bytes[rest] == UInt8(ascii: ",")
        if hasComma { rest += 1 }
        if lines.isFirstInLine(start), lines.isRestIdle(rest) {
            return Splice(range: lines.start(start)..<lines.next(end), text: "")
        }
        if hasComma { return Splice(range: start..<lines.skippingSpaces(rest), text: "") }
        guard index > 0 else { return Splice(range: start..<end, text: "") }
        let before = lines.end(entries[index - 1].key, entries[index - 1].value)
        let isOnSameLine = lines.start(before) == lines.start(start)
        return Splice(range: (isOnSameLine ? before : start)..<end, text: "")
    }
}

extension YAMLEdit {
    fileprivate var path: [String] {
        switch self {
        case .replace(let path, _), .insert(let path, _), .append(let path, _), .remove(let path): path
        }
    }

    fileprivate var containing: [String] {
        if case .remove(let path) = self { return Array(path.dropLast()) }
        return path
    }
}
