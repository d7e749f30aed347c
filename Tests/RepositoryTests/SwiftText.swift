/// The code of a Swift file without comments and string contents, and its string literals. Interpolations are code.
struct SwiftText {
    struct Literal {
        let line: Int
        /// Its text, with `\(…)` for each interpolation.
        let words: String
    }

    /// An identifier, with its nesting depth and whether a dot precedes it.
    struct Word {
        let text: String
        /// The number of open braces, brackets and parentheses.
        let depth: Int
        let isMember: Bool
    }

    private(set) var literals: [Literal] = []
    private(set) var words: [Word] = []
    /// The lines that have a postfix `!`: a forced unwrap, `try!`, `as!`, or an implicitly unwrapped type.
    private(set) var forcedUnwraps: [Int] = []

    /// The lines in which an interpolation ends that has two conditional expressions or more.
    private(set) var nestedConditions: [Int] = []

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var depth = 0
    /// The number of conditional expressions that were read so far, in interpolations only.
    private var conditions = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        code(until: nil)
    }

    private func byte(_ offset: Int = 0) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

    private func isNext(_ text: StaticString) -> Bool {
        (0..<text.utf8CodeUnitCount).allSatisfy { byte($0) == text.utf8Start[$0] }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            if byte() == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    /// Reads code up to the end of the file, or behind the parenthesis that closes an interpolation.
    private mutating func code(until end: UInt8?) {
        let outer = depth
        let before = conditions
        while let next = byte() {
            if isNext("//") {
                while let next = byte(), next != UInt8(ascii: "\n") { advance() }
            } else if isNext("/*") {
                comment()
            } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "#") && startsRawText {
                text()
            } else if SwiftText.isWordStart(next) {
                word()
            } else {
                if end != nil, isNext("? "), byte(-1) == UInt8(ascii: " ") { conditions += 1 }
                if isNext("!"), !isNext("!="), isAfterOperand { forcedUnwraps.append(line) }
                if "([{".utf8.contains(next) { depth += 1 }
                if ")]}".utf8.contains(next) {
                    if next == end, depth == outer {
                        if conditions > before + 1 { nestedConditions.append(line) }
                        return advance()
                    }
                    depth -= 1
                }
                advance()
            }
        }
    }

    /// Whether the previous byte ends an operand or a type, so that an operator here is a postfix one.
    private var isAfterOperand: Bool {
        guard index > 0 else { return false }
        let last = bytes[index - 1]
        return SwiftText.isWordStart(last) || (0x30...0x39).contains(last) || ")]}>?`\"".utf8.contains(last)
    }

    /// Skips a comment, which can contain comments.
    private mutating func comment() {
        var open = 0
        repeat {
            if isNext("/*") {
                open += 1
                advance(2)
            } else if isNext("*/") {
                open -= 1
                advance(2)
            } else {
                advance()
            }
        } while open > 0 && index < bytes.count
    }

    private var startsRawText: Bool {
        let rest = bytes[index...].drop { $0 == UInt8(ascii: "#") }
        return rest.first == UInt8(ascii: "\"")
    }

    private mutating func text() {
        let start = line
        var hashes = 0
        while byte() == UInt8(ascii: "#") {
            hashes += 1
            advance()
        }
        let quotes = isNext("\"\"\"") ? 3 : 1
        advance(quotes)
        func isMark(_ mark: [UInt8]) -> Bool { mark.enumerated().allSatisfy { byte($0.offset) == $0.element } }
        let raw = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let end = [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + raw
        let escape = [UInt8(ascii: "\\")] + raw
        var words: [UInt8] = []
        while index < bytes.count, !isMark(end) {
            if isMark(escape + [UInt8(ascii: "(")]) {
                advance(escape.count + 1)
                code(until: UInt8(ascii: ")"))
                words += "\\(…)".utf8
            } else if isMark(escape) {
                advance(escape.count + 1)
            } else {
                if let next = byte() { words.append(next) }
                advance()
            }
        }
        advance(end.count)
        literals.append(Literal(line: start, words: String(decoding: words, as: UTF8.self)))
    }

    private mutating func word() {
        let start = index
        let isMember = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
        while let next = byte(), SwiftText.isWordStart(next) || (0x30...0x39).contains(next) { advance() }
        words.append(
            Word(text: String(decoding: bytes[start..<index], as: UTF8.self), depth: depth, isMember: isMember))
    }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte >= 0x80
    }
}
