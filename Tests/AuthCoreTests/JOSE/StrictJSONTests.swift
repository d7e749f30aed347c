import TestSupport
import Testing

@testable import AuthCore

@Suite struct `The strict JSON parser` {
    private func parse(_ text: String) throws -> JSONValue { try StrictJSON.parse(Array(text.utf8)) }

    @Test(
        arguments: [
            ("null", .null), (" [ ] ", []), (#"{"a":1}"#, ["a": 1]), (#""\u00e9\n\/""#, "é\n/"),
            (#""\ud83d\ude00""#, "😀"), ("[true,false]", [true, false]), ("-0", .number(JSONNumber(text: "-0"))),
            ("1.5e3", .number(JSONNumber(text: "1.5e3"))), ("1e+2", .number(JSONNumber(text: "1e+2"))),
            ("1E-2", .number(JSONNumber(text: "1E-2"))), ("0", 0), ("-5", -5), ("[10,0]", [10, 0]),
            ("999999999999999999", 999_999_999_999_999_999), ("9223372036854775807", 9_223_372_036_854_775_807),
            ("12345678901234567890123", .number(JSONNumber(text: "12345678901234567890123"))),
        ] as [(String, JSONValue)])
    func `Valid JSON (RFC 8259) is parsed`(text: String, value: JSONValue) throws {
        #expect(try parse(text) == value)
    }

    @Test(arguments: [
        ("", 0), ("[1,]", 3), (#"{"a":1,}"#, 7), ("[1 2]", 3), ("01", 1), ("1.", 2), (".5", 0), ("+1", 0), ("NaN", 0),
        ("Infinity", 0), ("'a'", 0), ("tru", 3), ("nullx", 4), ("[", 1), (#"{"a"}"#, 4), (#""\x""#, 3),
        (#""\ud800""#, 7), (#""\ud800\u0041""#, 13), (#""\udc00""#, 7), (#""a"#, 2), ("\"\u{1}\"", 1),
        ("\u{FEFF}{}", 0), ("{} {}", 3), ("{a:1}", 1), ("1e", 2), ("-", 1), ("[1]]", 3), (#""\u12g4""#, 5),
    ])
    func `Invalid JSON (RFC 8259) is rejected at its first wrong byte`(text: String, offset: Int) {
        #expect(throws: JSONError.malformed(offset: offset)) { try parse(text) }
    }

    @Test func `Each short escape is one control character (RFC 8259 section 7)`() throws {
        #expect(try parse(#"["\b","\f","\n","\r","\t","\/"]"#) == ["\u{8}", "\u{C}", "\n", "\r", "\t", "/"])
    }

    @Test func `A duplicate member name is rejected, even if one of the names is escaped`() {
        #expect(throws: JSONError.duplicateName("aud")) { try parse(#"{"aud":"good","aud":"evil"}"#) }
        #expect(throws: JSONError.duplicateName("aud")) { try parse(#"{"aud":"good","\u0061ud":"evil"}"#) }
        let many = (0..<200).map { #""n\#($0)":0"# }.joined(separator: ",")
        #expect(throws: JSONError.duplicateName("n7")) { try parse("{\(many),\"n7\":1}") }
    }

    @Test func `Nesting depth, length and the range of numbers are limited`() throws {
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try parse(deep)
        #expect(throws: JSONError.tooDeep(limit: 32)) { try parse("[\(deep)]") }
        _ = try StrictJSON.parse(Array("[1,2]".utf8), maximumLength: 5)
        #expect(throws: JSONError.tooLong(limit: 4)) { try StrictJSON.parse(Array("[1,2]".utf8), maximumLength: 4) }
        _ = try parse(String(repeating: "9", count: 64))
        #expect(throws: JSONError.numberOutOfRange) { try parse(String(repeating: "9", count: 65)) }
        #expect(throws: JSONError.numberOutOfRange) { try parse(String(repeating: "9", count: 10_000)) }
        #expect(throws: JSONError.numberOutOfRange) { try parse("1e400") }
        #expect(try parse("9223372036854775807").number?.integer == .max)
    }

    @Test(arguments: [[0xC3, 0x28], [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]])
    func `Strings that are not valid UTF-8 are rejected`(bytes: [UInt8]) {
        #expect(throws: JSONError.invalidUTF8) { try StrictJSON.parse([0x22] + bytes + [0x22]) }
    }

    @Test func `A random JSON value is written and parsed back unchanged`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<Fuzz.iterations(2_000) {
            let value = JSONValue.random(using: &random, depth: 0)
            #expect(try parse(value.text) == value)
        }
    }

    @Test func `Random input does not crash the parser, and accepted input round-trips`() throws {
        var random = SeededGenerator(seed: 8)
        let alphabet = Array(#"{}[]",:\/ntrue0123456789eE+-. \#u{9}ud8"#.utf8)
        var acceptedCount = 0
        for _ in 0..<Fuzz.iterations(20_000) {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Int.random(in: 0..<12, using: &random) == 0
                    ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random)!
            }
            guard let value = try? StrictJSON.parse(bytes) else { continue }
            #expect(try parse(value.text) == value)
            acceptedCount += 1
        }
        #expect(acceptedCount > 100, "\(acceptedCount)")
    }

    @Test func `Escapes, non-ASCII and invalid characters are recognized at each position of a string`() throws {
        for length in 0...24 {
            for place in 0...length {
                let (before, after) = (
                    String(repeating: "a", count: place), String(repeating: "b", count: length - place)
                )
                for (written, meant) in [("é", "é"), (#"\""#, "\""), (#"\\"#, "\\"), ("\u{7F}", "\u{7F}"), ("!", "!")] {
                    #expect(try parse("\"\(before)\(written)\(after)\"") == .string(before + meant + after))
                }
                for (bad, offset) in [("\u{1F}", 1), ("\n", 1), ("\"", 2), ("\\q", 3)] {
                    #expect(throws: JSONError.malformed(offset: place + offset)) {
                        try parse("\"\(before)\(bad)\(after)\"")
                    }
                }
                var broken = Array("\"\(before)x\(after)\"".utf8)
                broken[place + 1] = 0xFF
                #expect(throws: JSONError.invalidUTF8) { try StrictJSON.parse(broken) }
            }
        }
    }
}

extension JSONValue {
    static func random(using random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return JSONValue(Int64.random(in: .min ... .max, using: &random))
        case 3: return .string(text(using: &random))
        case 4:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(using: &random, depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                object[text(using: &random)] = .random(using: &random, depth: depth + 1)
            }
            return .object(object)
        }
    }

    private static func text(using random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let limit: UInt32 = Bool.random(using: &random) ? 0x7F : 0x10FFFF
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
