/// The text of one YAML document, with its tree.
///
/// Aliases are expanded in the tree. The size of the tree is limited, so that a short text cannot use all memory.
struct YAMLDocument {
    let bytes: [UInt8]
    let root: YAMLNode?

    static let maximumNodes = 100_000
    static let maximumDepth = 64
    /// The limit of the texts with expanded aliases, in bytes; the limit of a file is the same.
    static let maximumBytes = 1 << 20

    init(_ bytes: [UInt8]) throws(YAMLProblem) {
        self.bytes = bytes
        guard let events = YAMLEvents(bytes) else { throw YAMLProblem(reason: .noMemory) }
        var composer = Composer(events: events)
        root = try composer.document()
    }
}

/// Builds a tree from events.
private struct Composer: ~Copyable {
    /// A node, with the size that each alias of it adds.
    private struct Composed {
        let node: YAMLNode
        let weight: Weight
        let height: Int

        var end: Int? { node.place?.range.upperBound }
    }

    /// The size of a node: its values, and the bytes of their texts.
    private struct Weight {
        var values: Int
        var bytes: Int

        static func += (sum: inout Weight, more: Weight) {
            sum.values += more.values
            sum.bytes += more.bytes
        }
    }

    private var events: YAMLEvents
    private var anchors: [String: Composed] = [:]
    private var taken = Weight(values: 0, bytes: 0)

    init(events: consuming YAMLEvents) { self.events = events }

    mutating func document() throws(YAMLProblem) -> YAMLNode? {
        _ = try events.next()  // the stream's start
        guard case .documentStart = try events.next().kind else { return nil }
        let root = try node(try events.next(), depth: 1).node
        _ = try events.next()  // the document's end
        let next = try events.next()
        guard case .streamEnd = next.kind else { throw next.problem(.secondDocument) }
        return root
    }

    private mutating func take(_ weight: Weight, _ event: YAMLEvents.Event) throws(YAMLProblem) {
        taken += weight
        let (values, bytes) = (YAMLDocument.maximumNodes, YAMLDocument.maximumBytes)
        guard taken.values <= values else { throw event.problem(.tooManyValues(values)) }
        guard taken.bytes <= bytes else { throw event.problem(.tooManyBytes(bytes)) }
    }

    private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws(YAMLProblem) -> Composed {
        guard depth <= YAMLDocument.maximumDepth else { throw tooDeep(event) }
        if case .alias(let name) = event.kind {
            guard let target = anchors[name] else { throw event.problem(.undefinedAlias) }
            guard depth + target.height <= YAMLDocument.maximumDepth else { throw tooDeep(event) }
            try take(target.weight, event)
            var node = target.node
            node.place = YAMLPlace(range: event.range, style: .alias, hasProperties: false)
            return Composed(node: node, weight: target.weight, height: target.height)
        }
        try take(own(event), event)
        let composed = try collected(event, depth: depth)
        if let anchor = event.anchor { anchors[anchor] = composed }
        return composed
    }

    private func own(_ event: YAMLEvents.Event) -> Weight {
        guard case .scalar(let scalar, _) = event.kind else { return Weight(values: 1, bytes: 0) }
        return Weight(values: 1, bytes: scalar.text.utf8.count)
    }

    private func tooDeep(_ event: YAMLEvents.Event) -> YAMLProblem {
        event.problem(.tooDeep(levels: YAMLDocument.maximumDepth))
    }

    private mutating func collected(_ first: YAMLEvents.Event, depth: Int) throws(YAMLProblem) -> Composed {
        switch first.kind {
        case .scalar(let scalar, let style):
            composed(first, content: .scalar(scalar), style: style, end: first.range.upperBound)
        case .sequenceStart(let isFlow): try sequence(first, isFlow: isFlow, depth: depth)
        case .mappingStart(let isFlow): try mapping(first, isFlow: isFlow, depth: depth)
        default: throw first.problem(.noValue)
        }
    }

    private mutating func sequence(
        _ first: YAMLEvents.Event, isFlow: Bool, depth: Int
    ) throws(YAMLProblem) -> Composed {
        var items: [Composed] = []
        var event = try events.next()
        while !event.isEndOfCollection {
            items.append(try node(event, depth: depth + 1))
            event = try events.next()
        }
        let end = isFlow ? nil : items.last?.end
        return composed(
            first, content: .sequence(items.map(\.node)), style: isFlow ? .flow : .block, children: items,
            end: end ?? event.range.upperBound)
    }

    private mutating func mapping(
        _ first: YAMLEvents.Event, isFlow: Bool, depth: Int
    ) throws(YAMLProblem) -> Composed {
        var entries: [YAMLMapping.Entry] = []
        var keysAndValues: [Composed] = []
        var names: Set<YAMLNode> = []
        var event = try events.next()
        while !event.isEndOfCollection {
            let key = try node(event, depth: depth + 1)
            guard let name = key.node.text else { throw event.problem(.keyIsNotText) }
            guard name != "<<" || key.node.place?.style != .plain else { throw event.problem(.mergeKey) }
            let value = try node(try events.next(), depth: depth + 1)
            let entry = YAMLMapping.Entry(key: key.node, value: value.node)
            guard names.insert(entry.name).inserted else { throw event.problem(.repeatedKey(ServerText(name))) }
            entries.append(entry)
            keysAndValues += [key, value]
            event = try events.next()
        }
        let end = isFlow ? nil : keysAndValues.suffix(2).compactMap(\.end).max()
        return composed(
            first, content: .mapping(YAMLMapping(entries)), style: isFlow ? .flow : .block, children: keysAndValues,
            end: end ?? event.range.upperBound)
    }

    private func composed(
        _ first: YAMLEvents.Event, content: YAMLNode.Content, style: YAMLPlace.Style, children: [Composed] = [],
        end: Int
    ) -> Composed {
        let start = first.range.lowerBound
        let place = YAMLPlace(
            range: start..<max(start, end), style: style, hasProperties: first.anchor != nil || first.hasTag)
        var weight = own(first)
        for child in children { weight += child.weight }
        let height = children.map { $0.height + 1 }.max() ?? 0
        return Composed(node: YAMLNode(content, place: place), weight: weight, height: height)
    }
}
