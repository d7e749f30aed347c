import AuthCore

/// The tokens of a JSON or TOML text: strings, words and marks. Comments are skipped. Nothing is decoded, and invalid
/// text has tokens too.
struct TextTokens {
    struct Syntax {
        var spaces = " \t\r"
        var quotes = "\""
        var marks = "{}[],:=\n"
        var comments: [(start: String, end: String)] = []

        static let json = Syntax(spaces: " \t\r\n")
        static let jsonWithComments = Syntax(spaces: " \t\r\n", comments: [("//", "\n"), ("/*", "*/")])
        /// The end of a line is a mark.
        static let toml = Syntax(quotes: "\"'", marks: "{}[],:=.\n", comments: [("#", "\n")])
    }

    struct Token {
        fileprivate let byte: UInt8
        let range: Range<Int>

        func isMark(_ scalar: Unicode.Scalar) -> Bool { byte == UInt8(ascii: scalar) }
        var isOpening: Bool { isMark("{") || isMark("[") }
        var isClosing: Bool { isMark("}") || isMark("]") }
    }

    private let bytes: [UInt8]
    private let syntax: Syntax
    /// Whether a byte ends a word.
    private var delimiters = [Bool](repeating: false, count: 256)
    private(set) var position: Int
    /// Whether a string had no end.
    private(set) var isUnclosed = false

    init(_ bytes: [UInt8], as syntax: Syntax, from start: Int = 0) {
        (self.bytes, self.syntax, position) = (bytes, syntax, start)
        let comments = syntax.comments.map { $0.start.prefix(1) }.joined()
        for byte in (syntax.spaces + syntax.quotes + syntax.marks + comments).utf8 { delimiters[Int(byte)] = true }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    mutating func next() -> Token? {
        skipSpace()
        guard let first = current else { return nil }
        let start = position
        if syntax.quotes.utf8.contains(first) {
            skipString(first)
        } else {
            position += 1
            if !delimiters[Int(first)] { while let byte = current, !delimiters[Int(byte)] { position += 1 } }
        }
        return Token(byte: first, range: start..<position)
    }

    private mutating func skipSpace() {
        while let byte = current {
            if syntax.spaces.utf8.contains(byte) {
                position += 1
            } else if let comment = syntax.comments.first(where: { isNext($0.start) }) {
                position += comment.start.utf8.count
                while current != nil, !isNext(comment.end) { position += 1 }
                if comment.end != "\n", current != nil { position += comment.end.utf8.count }
            } else {
                return
            }
        }
    }

    private mutating func skipString(_ quote: UInt8) {
        // Only TOML has strings of several lines. In JSON, an empty string is followed by another mark.
        let long = [quote, quote, quote]
        let isLong = bytes[position...].starts(with: long)
        position += isLong ? 3 : 1
        while let byte = current {
            let isEnd = isLong ? bytes[position...].starts(with: long) : byte == quote
            if isEnd || byte == 0x0A && !isLong {
                isUnclosed = isUnclosed || !isEnd
                if isEnd { position += isLong ? 3 : 1 }
                // Up to two quotes before the closing quotes belong to the string.
                for _ in 0..<2 where isLong && current == quote { position += 1 }
                return
            }
            position += 1
            let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
            if isEscape, current != nil, current != 0x0A || isLong { position += 1 }
        }
        isUnclosed = true
    }

    /// The range of the next value; nil if there is none, or if it has no end.
    mutating func value() -> Range<Int>? {
        guard let first = next(), first.isOpening || !syntax.marks.utf8.contains(first.byte) else { return nil }
        var (last, depth) = (first, first.isOpening ? 1 : 0)
        while depth > 0 {
            guard let token = next() else { return nil }
            if token.isOpening { depth += 1 } else if token.isClosing { depth -= 1 }
            last = token
        }
        return first.range.lowerBound..<last.range.upperBound
    }

    /// A JSON text with spaces instead of comments and trailing commas.
    static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var plain = bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
        var tokens = TextTokens(bytes, as: .jsonWithComments)
        var comma: Int?
        while let token = tokens.next() {
            plain.replaceSubrange(token.range, with: bytes[token.range])
            if let comma, token.isClosing { plain[comma] = 0x20 }
            comma = token.isMark(",") ? token.range.lowerBound : nil
        }
        return plain
    }
}

extension Outline {
    /// The members of the JSON object at an offset. Nil if there is no object, or the text ends inside it. The values
    /// are not validated.
    init?(json bytes: [UInt8], from start: Int = 0, _ syntax: TextTokens.Syntax = .json) {
        var tokens = TextTokens(bytes, as: syntax, from: start)
        guard let open = tokens.next(), open.isMark("{") else { return nil }
        var members: [Member] = []
        var token = tokens.next()
        while let key = token, !key.isMark("}") {
            guard let name = (try? StrictJSON.parse(bytes[key.range]))?.string, tokens.next()?.isMark(":") == true,
                let value = tokens.value()
            else { return nil }
            members.append(Member(name: name, range: key.range.lowerBound..<value.upperBound, value: value))
            token = tokens.next()
            if token?.isMark(",") == true { token = tokens.next() }
        }
        guard let close = token, !tokens.isUnclosed else { return nil }
        self.init(open: open.range.lowerBound, close: close.range.lowerBound, members: members)
    }
}
