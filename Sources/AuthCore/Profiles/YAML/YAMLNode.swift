/// One value of a YAML document.
///
/// Equality ignores the places and styles of nodes, and the order of mappings.
struct YAMLNode: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping(YAMLMapping)
    }

    var content: Content
    var place: YAMLPlace?

    init(_ content: Content, place: YAMLPlace? = nil) { (self.content, self.place) = (content, place) }

    static func text(_ text: String) -> YAMLNode { YAMLNode(.scalar(YAMLScalar(text: text, kind: .text))) }

    static func bool(_ isTrue: Bool) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text: isTrue ? "true" : "false", kind: .plain)))
    }

    static func texts(_ texts: [String]) -> YAMLNode { YAMLNode(.sequence(texts.map(text))) }

    static func mapping(_ mapping: YAMLMapping) -> YAMLNode { YAMLNode(.mapping(mapping)) }

    private var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
    var text: String? { scalar?.text }
    var bool: Bool? { scalar?.bool }
    /// Whether it is YAML's null, which may be written as an empty value.
    var isNull: Bool { scalar?.kind == .plain && ["", "~", "null"].contains(text?.lowercased()) }
    var sequence: [YAMLNode]? { if case .sequence(let nodes) = content { nodes } else { nil } }
    var mapping: YAMLMapping? { if case .mapping(let mapping) = content { mapping } else { nil } }

    var texts: [String] { sequence?.compactMap(\.text) ?? [] }

    var withoutPositions: YAMLNode {
        switch content {
        case .scalar: YAMLNode(content)
        case .sequence(let nodes): YAMLNode(.sequence(nodes.map(\.withoutPositions)))
        case .mapping(let mapping):
            YAMLNode(
                .mapping(
                    YAMLMapping(
                        mapping.entries.map {
                            YAMLMapping.Entry(key: $0.key.withoutPositions, value: $0.value.withoutPositions)
                        })))
        }
    }

    static func == (left: YAMLNode, right: YAMLNode) -> Bool { left.content == right.content }

    func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

struct YAMLScalar: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case text
        case plain
        case tagged(String)
    }

    var text: String
    var kind: Kind

    var bool: Bool? {
        let word = text.lowercased()
        switch kind {
        case .text: return nil
        case .tagged(let tag): guard tag != "tag:yaml.org,2002:str" else { return nil }
        case .plain: break
        }
        return ["true", "yes", "on"].contains(word) ? true : ["false", "no", "off"].contains(word) ? false : nil
    }

    // Compares bytes, because `String` equality ignores different Unicode encodings of the same text.
    static func == (left: YAMLScalar, right: YAMLScalar) -> Bool {
        left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(text.utf8.count)
    }
}

/// Keys with their values, in the order of the file.
struct YAMLMapping: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var key: YAMLNode
        var value: YAMLNode

        var name: YAMLNode { key.text.map(YAMLNode.text) ?? key }

        static func == (left: Entry, right: Entry) -> Bool { left.name == right.name && left.value == right.value }

        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    private(set) var entries: [Entry]

    init(_ entries: [Entry] = []) { self.entries = entries }

    var keys: [String] { entries.compactMap(\.key.text) }
    var valuesByName: [YAMLNode: YAMLNode] { Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first } }

    func index(of key: String) -> Int? {
        entries.firstIndex { $0.key.text.map { $0.utf8.elementsEqual(key.utf8) } ?? false }
    }

    func entry(_ key: String) -> Entry? { index(of: key).map { entries[$0] } }

    subscript(key: String) -> YAMLNode? {
        get { entry(key)?.value }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(key: .text(key), value: value))
            case (nil, nil): break
            }
        }
    }

    static func == (left: YAMLMapping, right: YAMLMapping) -> Bool {
        guard left.entries.count == right.entries.count else { return false }
        // Visits each value once: otherwise the cost is exponential in the depth.
        guard zip(left.entries, right.entries).contains(where: { $0.name != $1.name }) else {
            return zip(left.entries, right.entries).allSatisfy { $0.value == $1.value }
        }
        let values = right.valuesByName
        return left.entries.allSatisfy { values[$0.name] == $0.value }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(entries.reduce(0) { $0 &+ $1.hashValue }) }
}

/// The position and style of a node in the parsed bytes.
struct YAMLPlace: Sendable {
    enum Style: Sendable {
        case plain, quoted
        /// A scalar after `|` or `>`.
        case literal
        case block, flow, alias
    }

    /// From the node's tag or anchor to its end. A block collection ends with its last value, but libyaml's end mark is
    /// the start of the next token.
    var range: Range<Int>
    var style: Style
    var hasProperties: Bool
}
