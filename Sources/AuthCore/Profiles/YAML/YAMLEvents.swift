import CYAML

/// The events of libyaml's parser.
///
/// Owns the parser, which has pointers into itself and into the text. These pointers do not leave this type.
struct YAMLEvents: ~Copyable {
    struct Event {
        enum Kind {
            case streamStart, streamEnd, documentStart, documentEnd, collectionEnd
            case alias(String)
            case scalar(YAMLScalar, YAMLPlace.Style)
            case sequenceStart(isFlow: Bool)
            case mappingStart(isFlow: Bool)
        }

        let kind: Kind
        let anchor: String?
        let hasTag: Bool
        /// Byte offsets in the text.
        let range: Range<Int>
        let position: YAMLProblem.Position

        var isEndOfCollection: Bool { if case .collectionEnd = kind { true } else { false } }

        func problem(_ reason: YAMLProblem.Reason) -> YAMLProblem { YAMLProblem(position: position, reason: reason) }
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// The byte offset of each character, and of the end, because libyaml counts characters. Nil if each character is
    /// one byte.
    private let starts: [Int]?
    /// The length of the byte order mark, which libyaml would count as a column.
    private let skipped: Int

    init?(_ bytes: [UInt8]) {
        let skipped = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            return nil
        }
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count - skipped)
        _ = text.initialize(fromContentsOf: bytes[skipped...])
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
        let isASCII = bytes[skipped...].allSatisfy { $0 < 0x80 }
        self.parser = parser
        self.text = text
        self.skipped = skipped
        starts = isASCII ? nil : text.indices.filter { text[$0] & 0xC0 != 0x80 } + [text.count]
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    private func offset(_ mark: yaml_mark_t) -> Int {
        let index = Int(mark.index)
        guard let starts else { return skipped + min(index, text.count) }
        return skipped + (index < starts.count ? starts[index] : text.count)
    }

    mutating func next() throws(YAMLProblem) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        let start = offset(event.start_mark)
        let range = start..<max(start, offset(event.end_mark))
        let position = YAMLEvents.position(event.start_mark)
        func made(_ kind: Event.Kind, anchor: UnsafeMutablePointer<UInt8>? = nil, hasTag: Bool = false) -> Event {
            Event(
                kind: kind, anchor: anchor.map { String(cString: $0) }, hasTag: hasTag, range: range, position: position
            )
        }
        switch event.type {
        case YAML_STREAM_START_EVENT: return made(.streamStart)
        case YAML_STREAM_END_EVENT: return made(.streamEnd)
        case YAML_DOCUMENT_START_EVENT: return made(.documentStart)
        case YAML_DOCUMENT_END_EVENT: return made(.documentEnd)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return made(.collectionEnd)
        case YAML_ALIAS_EVENT: return made(.alias(event.data.alias.anchor.map { String(cString: $0) } ?? ""))
        case YAML_SEQUENCE_START_EVENT:
            let data = event.data.sequence_start
            let isFlow = data.style == YAML_FLOW_SEQUENCE_STYLE
            return made(.sequenceStart(isFlow: isFlow), anchor: data.anchor, hasTag: data.tag != nil)
        case YAML_MAPPING_START_EVENT:
            let data = event.data.mapping_start
            let isFlow = data.style == YAML_FLOW_MAPPING_STYLE
            return made(.mappingStart(isFlow: isFlow), anchor: data.anchor, hasTag: data.tag != nil)
        case YAML_SCALAR_EVENT:
            let data = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
            let style: YAMLPlace.Style =
                switch data.style {
                case YAML_PLAIN_SCALAR_STYLE: .plain
                case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .literal
                default: .quoted
                }
            let kind: YAMLScalar.Kind =
                if let tag = data.tag { .tagged(String(cString: tag)) } else if data.quoted_implicit == 1 { .text } else
                { YAMLText.isAmbiguous(text) ? .plain : .text }
            return made(
                .scalar(YAMLScalar(text: text, kind: kind), style), anchor: data.anchor, hasTag: data.tag != nil)
        default: throw YAMLProblem(position: position, reason: .stopped)
        }
    }

    private var problem: YAMLProblem {
        let parser = parser.pointee
        guard parser.error != YAML_MEMORY_ERROR else { return YAMLProblem(reason: .noMemory) }
        let isUnreadable = parser.error == YAML_READER_ERROR
        let position =
            isUnreadable ? position(ofByte: Int(parser.problem_offset)) : YAMLEvents.position(parser.problem_mark)
        guard let message = parser.problem else { return YAMLProblem(position: position, reason: .notYAML) }
        let context =
            isUnreadable
            ? nil
            : parser.context.map {
                YAMLProblem.Context(message: String(cString: $0), start: YAMLEvents.position(parser.context_mark))
            }
        return YAMLProblem(position: position, reason: .parser(String(cString: message), context))
    }

    private static func position(_ mark: yaml_mark_t) -> YAMLProblem.Position {
        YAMLProblem.Position(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func position(ofByte offset: Int) -> YAMLProblem.Position {
        let before = text.prefix(offset)
        let lines = before.split(separator: 0x0A, omittingEmptySubsequences: false)
        return YAMLProblem.Position(
            line: max(lines.count, 1), column: (lines.last?.count { $0 & 0xC0 != 0x80 } ?? 0) + 1)
    }
}
