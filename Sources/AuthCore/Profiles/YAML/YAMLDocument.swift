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
        guard case .streamEnd = next.kind else { throw YAMLProblem(position: next.position, reason: .secondDocument) }
        return root
    }

    private mutating func take(_ weight: Weight, _ event: YAMLEvents.Event) throws(YAMLProblem) {
        taken += weight
        let (values, bytes) = (YAMLDocument.maximumNodes, YAMLDocument.maximumBytes)
        guard taken.values <= values else {
            throw YAMLProblem(position: event.position, reason: .tooManyValues(values))
        }
        guard taken.bytes <= bytes else { throw YAMLProblem(position: event.position, reason: .tooManyBytes(bytes)) }
    }

    private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws(YAMLProblem) -> Composed {
        guard depth <= YAMLDocument.maximumDepth else { throw tooDeep(event) }
        if case .alias(let name) = event.kind {
            guard let target = anchors[name] else {
                throw YAMLProblem(position: event.position, reason: .undefinedAlias)
            }
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
        YAMLProblem(position: event.position, reason: .tooDeep(levels: YAMLDocument.maximumDepth))
    }

    private mutating func collected(_ first: YAMLEvents.Event, depth: Int) throws(YAMLProblem) -> Composed {
        var weight = own(first)
        var height = 0
        func composed(_ content: YAMLNode.Content, _ style: YAMLPlace.Style, end: Int) -> Composed {
            let place = YAMLPlace(
                range: first.range.lowerBound..<max(first.range.lowerBound, end), style: style,
                hasProperties: first.anchor != nil || first.hasTag)
            return Composed(node: YAMLNode(content, place: place), weight: weight, height: height)
        }
        func add(_ child: Composed) {
            weight += child.weight
            height = max(height, child.height + 1)
        }
        switch first.kind {
        case .scalar(let scalar, let style): return composed(.scalar(scalar), style, end: first.range.upperBound)
        case .sequenceStart(let isFlow):
            var nodes: [YAMLNode] = []
            var event = try events.next()
            while true {
                if case .sequenceEnd = event.kind { break }
                let child = try node(event, depth: depth + 1)
                add(child)
                nodes.append(child.node)
                event = try events.next()
            }
            let end = isFlow ? event.range.upperBound : nodes.last?.place?.range.upperBound
            return composed(.sequence(nodes), isFlow ? .flow : .block, end: end ?? event.range.upperBound)
        case .mappingStart(let isFlow):
            var entries: [YAMLMapping.Entry] = []
            var seen: Set<YAMLNode> = []
            var event = try events.next()
            while true {
                if case .mappingEnd = event.kind { break }
                let keyEvent = event
                let key = try node(keyEvent, depth: depth + 1)
                guard let name = key.node.text else {
                    throw YAMLProblem(position: keyEvent.position, reason: .keyIsNotText)
                }
                guard name != "<<" || key.node.place?.style != .plain else {
                    throw YAMLProblem(position: keyEvent.position, reason: .mergeKey)
                }
                add(key)
                let value = try node(try events.next(), depth: depth + 1)
                add(value)
                let entry = YAMLMapping.Entry(key: key.node, value: value.node)
                guard seen.insert(entry.name).inserted else {
                    throw YAMLProblem(position: keyEvent.position, reason: .repeatedKey(ServerText(name)))
                }
                entries.append(entry)
                event = try events.next()
            }
            let last = entries.last.map {
                max($0.key.place?.range.upperBound ?? 0, $0.value.place?.range.upperBound ?? 0)
            }
            let end = isFlow ? event.range.upperBound : last
            return composed(
                .mapping(YAMLMapping(entries)), isFlow ? .flow : .block, end: end ?? event.range.upperBound)
        default: throw YAMLProblem(position: first.position, reason: .noValue)
        }
    }
}
