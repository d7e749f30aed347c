import AuthCore

/// The tables and keys of a TOML file, with their lines.
struct TOMLOutline {
    struct Statement {
        /// The table of the key or header.
        let table: [String]
        /// Whether the table is an element of an array, as after `[[table]]`.
        let isArray: Bool
        /// Empty for a header.
        let key: [String]
        /// Without spaces and comments. Strings and arrays of strings are JSON.
        let value: [UInt8]
        let lines: ClosedRange<Int>

        var path: [String] { table + key }
    }

    private(set) var statements: [Statement] = []
    /// The line, counted from 1, where an invalid statement begins, for example one with an unclosed string or array.
    private(set) var unreadableLine: Int?
    private let bytes: [UInt8]
    private var index = 0
    private var line = 0
    private var start = 0

    init(_ lines: [[UInt8]]) {
        bytes = Array(lines.joined(separator: [0x0A]))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        var table: [String] = []
        var isArray = false
        while index < bytes.count {
            start = line
            if take("[") {
                isArray = current == UInt8(ascii: "[")
                if isArray { index += 1 }
                if let path = readPath(), take("]"), !isArray || take("]") {
                    table = path
                    statements.append(
                        Statement(table: table, isArray: isArray, key: [], value: [], lines: start...line))
                } else {
                    fail()
                }
            } else if !isAtEnd {
                if let path = readPath(), take("=") {
                    let value = readValue()
                    statements.append(
                        Statement(table: table, isArray: isArray, key: path, value: value, lines: start...line))
                } else {
                    fail()
                }
            }
            skipSpaces()
            if !isAtEnd { fail() }
            skipLine()
            index += 1
            line += 1
        }
    }

    private mutating func fail() { unreadableLine = unreadableLine ?? start + 1 }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Whether only a comment can follow on the line.
    private var isAtEnd: Bool { current == nil || current == 0x0A || current == UInt8(ascii: "#") }

    private mutating func skipSpaces() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0D { index += 1 }
    }

    private mutating func skipLine() { while let byte = current, byte != 0x0A { index += 1 } }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard current == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func readPath() -> [String]? {
        var path: [String] = []
        repeat {
            skipSpaces()
            guard let key = readKey() else { return nil }
            path.append(key)
        } while take(".")
        return path
    }

    private mutating func readKey() -> String? {
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            guard let text = readString() else { return nil }
            return (try? StrictJSON.parse(text))?.string
        }
        let start = index
        while let byte = current, String(UnicodeScalar(byte)).hasOnlyLettersAndDigits(or: "-_") { index += 1 }
        return start == index ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func readValue() -> [UInt8] {
        var value: [UInt8] = []
        var open: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let string = readString() else {
                    fail()
                    return value
                }
                value += string
                continue
            case UInt8(ascii: "#"):
                skipLine()
                continue
            case 0x0A:
                if open.isEmpty { return value }
                line += 1
            case 0x20, 0x09, 0x0D: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(byte)
                value.append(byte)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                // In ASCII, a closing bracket is the opening bracket plus 2.
                guard open.popLast() == byte - 2 else {
                    fail()
                    return value
                }
                if value.last == UInt8(ascii: ",") { value.removeLast() }
                value.append(byte)
            default: value.append(byte)
            }
            index += 1
        }
        if !open.isEmpty { fail() }
        return value
    }

    /// Returns the string as JSON, or nil if it is not closed. A multi-line string is skipped; its result is not valid
    /// JSON.
    private mutating func readString() -> [UInt8]? {
        let (start, quote) = (index, bytes[index])
        let mark = [quote, quote, quote]
        let isLong = bytes[index...].starts(with: mark)
        index += isLong ? 3 : 1
        while let byte = current {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count,
                bytes[index + 1] != 0x0A
            {
                index += 2
                continue
            }
            if byte == 0x0A {
                guard isLong else { return nil }
                line += 1
            }
            if isLong, bytes[index...].starts(with: mark) {
                index += 3
                // Up to two quotes before the closing quotes belong to the string.
                for _ in 0..<2 where current == quote { index += 1 }
                return mark
            }
            index += 1
            guard !isLong, byte == quote else { continue }
            guard quote == UInt8(ascii: "'") else { return Array(bytes[start..<index]) }
            return Array(JSONValue.string(String(decoding: bytes[(start + 1)..<(index - 1)], as: UTF8.self)).text.utf8)
        }
        return nil
    }
}
