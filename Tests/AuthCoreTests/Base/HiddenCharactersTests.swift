import Testing

@testable import AuthCore

@Suite struct `Printed JSON` {
    static let hidden =
        (Array(0...0x1F) + Array(0x7F...0x9F)
        + [
            0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF,
            0xFFF9, 0xE0001, 0xE0041, 0xE0100,
        ]).compactMap { Unicode.Scalar(UInt32($0)) }

    @Test func `Printed JSON escapes control, bidi and zero-width characters and parses back unchanged`() throws {
        let text = "é😀 \"\\/" + Self.hidden.map { "a\($0)" }.joined()
        let value: JSONValue = [text + "name": [.string(text), "plain"]]
        let written = value.text
        #expect(!written.unicodeScalars.contains { $0.isHidden })
        #expect(written.contains("é😀"))
        #expect(written.contains("\\u202e") && written.contains("\\u007f") && written.contains("\\udb40\\udc41"))
        #expect(try StrictJSON.parse(Array(written.utf8)) == value)
    }

    @Test func `Printed JSON escapes only quotes, backslashes, hidden characters and repeated number signs`() throws {
        let text = "a#b ##vso[c] ###\u{FE0F}# é#"
        #expect(JSONValue.string(text).text == ##""a#b #\u0023vso[c] #\u0023\u0023\ufe0f# é#""##)
        #expect(try StrictJSON.parse(Array(JSONValue.string(text).text.utf8)) == .string(text))
        #expect(JSONValue.string("a\"b\\c/d\n").text == #""a\"b\\c/d\u000a""#)
        #expect(JSONValue.string("").text == #""""#)
    }
}

@Suite struct `Escaped server text` {
    @Test func `ServerText escapes hidden characters, and does not escape its own output again`() {
        for scalar in `Printed JSON`.hidden {
            let once = ServerText.escaped("a\(scalar)b")
            #expect(once.isPrintableASCII, "U+\(String(scalar.value, radix: 16))")
            #expect(ServerText.escaped(once) == once)
        }
        #expect(ServerText.escaped("naïve 😀 ❤️ 日本") == "naïve 😀 ❤️ 日本")
    }

    @Test(arguments: [
        ("##vso[task.setvariable variable=a]b", #"#\u{23}vso[task.setvariable variable=a]b"#),
        ("a ##[group]b", #"a #\u{23}[group]b"#), ("###teamcity[", ##"##\u{23}teamcity["##),
        ("::error::a", #":\u{3a}error::a"#), (" \u{3000}::error::a", " \u{3000}:\\u{3a}error::a"),
        ("\u{FE0F}::error::a", #"\u{fe0f}:\u{3a}error::a"#), (":\u{FE0F}:error::a", #":\u{fe0f}:error::a"#),
        ("#\u{FE0F}#vso[a", #"#\u{fe0f}#vso[a"#), ("##\u{FE0F}vso[a", #"##\u{fe0f}vso[a"#),
        ("\u{600}##vso[a", "\u{600}#\\u{23}vso[a"), ("é##é", "é#\\u{23}é"),
    ])
    func `Commands of CI systems are escaped once`(text: String, shown: String) {
        #expect(ServerText.escaped(text) == shown)
        #expect(ServerText.escaped(shown) == shown)
        #expect(ServerText(text).description == shown)
    }

    @Test func `Text that is not a command of a CI system is unchanged`() {
        for text in ["#1", "## title", "a::b", "[::1]:80", "https://a.example/#b", "##", "::"].dropLast() {
            #expect(ServerText.escaped(text) == text)
        }
    }
}
