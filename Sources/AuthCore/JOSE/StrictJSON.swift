/// The reason why bytes are not acceptable JSON.
package enum JSONError: CodedError, Sendable, Equatable {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    case duplicateName(String)
    case invalidUTF8
    case numberOutOfRange
    /// Another syntax error. The offset is in bytes.
    case malformed(offset: Int)
    case notAnObject

    package var code: ErrorCode { .invalidResponse }
}

/// The JSON parser for all input: exactly RFC 8259, UTF-8 only, with limits and unique names.
///
/// Foundation's two parsers accept trailing commas, and differ in which of two members with the same name they return.
/// So the verifier and a user of a token could see different claims.
/// See docs/decisions/024.
package enum StrictJSON {
    /// - maximumLength: the maximum length in bytes; 1 MiB by default, the limit of a response.
    package static func parse(
        _ bytes: some Collection<UInt8>, maximumLength: Int = 1 << 20, maximumDepth: Int = 32
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= maximumLength else { throw .tooLong(limit: maximumLength) }
        let input = Array(bytes)
        let result = input.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
            var parser = JSONParser(input: buffer, maximumDepth: maximumDepth)
            return Result { () throws(JSONError) in try parser.document() }
        }
        return try result.get()
    }

    /// Parses a document that must be an object, like all documents of OAuth and JOSE.
    package static func object(
        _ bytes: some Collection<UInt8>, maximumLength: Int = 1 << 20, maximumDepth: Int = 32
    ) throws(JSONError) -> JSONObject {
        let value = try parse(bytes, maximumLength: maximumLength, maximumDepth: maximumDepth)
        guard case .object(let object) = value else { throw .notAnObject }
        return object
    }

    /// Parses the object in the body of a server's response, whatever its media type says: several servers send errors
    /// as `text/plain`. A byte order mark is skipped (RFC 8259 section 8.1). Other documents, for example an HTML page,
    /// are not JSON.
    package static func object(body: [UInt8], maximumLength: Int = 1 << 20) throws(JSONError) -> JSONObject {
        try object(body.withoutByteOrderMark, maximumLength: maximumLength)
    }
}

private struct JSONParser {
    let input: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    var position = 0
    var depth = 0

    private var next: UInt8? { position < input.count ? input[position] : nil }

    private func malformed() -> JSONError { .malformed(offset: position) }

    @inline(__always)
    private mutating func skipWhiteSpace() {
        while let byte = next, byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position &+= 1
        }
    }

    @inline(__always)
    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard next == byte else { throw malformed() }
        position += 1
    }

    mutating func document() throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        let value = try value()
        skipWhiteSpace()
        guard position == input.count else { throw malformed() }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index]) }
        return value
    }

    /// Enters an array or an object; false if it is empty.
    private mutating func enter(until end: UInt8) throws(JSONError) -> Bool {
        position += 1
        depth += 1
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        skipWhiteSpace()
        guard next == end else { return true }
        position += 1
        depth -= 1
        return false
    }

    /// Reads the comma or the end after an element. Returns false at the end.
    @inline(__always)
    private mutating func continues(until end: UInt8) throws(JSONError) -> Bool {
        skipWhiteSpace()
        if next == end {
            position += 1
            depth -= 1
            return false
        }
        try expect(UInt8(ascii: ","))
        skipWhiteSpace()
        return true
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        guard try enter(until: UInt8(ascii: "]")) else { return [] }
        var values: [JSONValue] = []
        repeat { values.append(try value()) } while try continues(until: UInt8(ascii: "]"))
        return values
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        guard try enter(until: UInt8(ascii: "}")) else { return JSONObject() }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(12)
        // A few names are compared one by one, many with a set, so that a hostile object does not take quadratic time.
        var names: Set<[UInt8]> = []
        repeat {
            let name = try string()
            let mark = name.mark
            if members.count < 24 {
                if members.indices.contains(where: { members[$0].isNamed(name, mark) }) { throw .duplicateName(name) }
            } else {
                if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
                guard names.insert(Array(name.utf8)).inserted else { throw .duplicateName(name) }
            }
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            skipWhiteSpace()
            members.append(JSONObject.Member(name: name, value: try value(), mark: mark))
        } while try continues(until: UInt8(ascii: "}"))
        return JSONObject(members: members)
    }

    private mutating func string() throws(JSONError) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        var end = afterPlainWords(from: start)
        var seen: UInt8 = 0
        while end < input.count {
            let byte = input[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            seen |= byte
            end &+= 1
        }
        position = end
        if next == UInt8(ascii: "\"") {
            // Fast path: most names and values are ASCII, which requires no UTF-8 validation.
            let text = seen < 0x80 ? ascii(from: start) : try decoded(UnsafeBufferPointer(rebasing: input[start..<end]))
            position += 1
            return text
        }
        var bytes = Array(input[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in try decoded(buffer) }
            case UInt8(ascii: "\\"): try appendEscape(to: &bytes)
            case 0..<0x20:
                position -= 1
                throw malformed()
            default: bytes.append(byte)
            }
        }
        throw malformed()
    }

    /// Skips plain ASCII, eight bytes at a time. Stops at the eight bytes that contain a quotation mark, a backslash, a
    /// control character or a byte that is not ASCII.
    @inline(__always)
    private func afterPlainWords(from start: Int) -> Int {
        // Marks the lowest byte that is zero, and perhaps bytes above it.
        func zero(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }
        guard let base = UnsafeRawPointer(input.baseAddress) else { return start }
        var end = start
        while end &+ 8 <= input.count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            let ends = zero(word ^ 0x2222_2222_2222_2222) | zero(word ^ 0x5C5C_5C5C_5C5C_5C5C)
            let controls = (word &- 0x2020_2020_2020_2020) & ~word
            let stops = (ends | controls | word) & 0x8080_8080_8080_8080
            guard stops == 0 else { return end &+ stops.trailingZeroBitCount >> 3 }
            end &+= 8
        }
        return end
    }

    @inline(__always)
    private func ascii(from start: Int) -> String {
        let bytes = UnsafeBufferPointer(rebasing: input[start..<position])
        return String(unsafeUninitializedCapacity: bytes.count) { $0.initialize(fromContentsOf: bytes) }
    }

    private func decoded(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private mutating func appendEscape(to bytes: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = UInt32(try hexadecimal())
            if (0xD800..<0xDC00).contains(scalar) {
                try expect(UInt8(ascii: "\\"))
                try expect(UInt8(ascii: "u"))
                let low = UInt32(try hexadecimal())
                guard (0xDC00..<0xE000).contains(low) else { throw malformed() }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let character = Unicode.Scalar(scalar) else { throw malformed() }
            bytes += Array(String(Character(character)).utf8)
        default: throw malformed()
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexadecimalDigit else { throw malformed() }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    private mutating func digits() throws(JSONError) {
        guard let byte = next, byte.isDigit else { throw malformed() }
        while let byte = next, byte.isDigit { position += 1 }
    }

    private mutating func shortWholeNumber() -> Int64? {
        var value: Int64 = 0
        var end = position
        while end < min(input.count, position &+ 18), input[end].isDigit {
            value = value &* 10 &+ Int64(input[end] & 15)
            end &+= 1
        }
        guard end > position, end == position &+ 1 || input[position] != UInt8(ascii: "0") else { return nil }
        if end < input.count {
            let byte = input[end]
            guard !byte.isDigit, byte != UInt8(ascii: "."), byte | 0x20 != UInt8(ascii: "e") else { return nil }
        }
        position = end
        return value
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        if let whole = shortWholeNumber() { return JSONNumber(whole) }
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        guard position - start <= 64 else { throw .numberOutOfRange }
        let number = JSONNumber(text: ascii(from: start))
        if isWhole && position - start < 19 { return number }
        guard number.double.isFinite else { throw .numberOutOfRange }
        return number
    }
}
