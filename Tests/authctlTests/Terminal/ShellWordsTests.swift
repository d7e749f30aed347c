import AuthCore
import TestSupport
import Testing

@testable import authctl

@Suite struct `Words of shell commands` {
    @Test(
        arguments: [
            ("pass show authctl", ["pass", "show", "authctl"]),
            ("  a \t b\nc  ", ["a", "b", "c"]),
            ("", []), ("   ", []),
            ("''", [""]), (#"a "" b"#, ["a", "", "b"]),
            (#"'a b' "c d" e\ f"#, ["a b", "c d", "e f"]),
            (#"a'b'"c"d"#, ["abcd"]),
            (#"'\' "\a\"\\\$" \a\\"#, [#"\"#, #"\a"\$"#, #"a\"#]),
            ("a\\\nb 'c\\\nd' \"e\\\nf\"", ["ab", "c\\\nd", "ef"]),
            ("it'\\''s", nil), (#"it\'s"#, ["it's"]), (#"'it'\''s'"#, ["it's"]),
            (
                "$HOME `id` $(id) ~ * ? [a] {a,b} a;b a|b a&b <a >b # c !d =e",
                [
                    "$HOME", "`id`", "$(id)", "~", "*", "?", "[a]", "{a,b}", "a;b", "a|b", "a&b", "<a", ">b", "#", "c",
                    "!d", "=e",
                ]
            ),
            ("e\u{301} \u{1F600} a\u{A0}b", ["e\u{301}", "\u{1F600}", "a\u{A0}b"]),
            ("'a", nil), ("\"a", nil), (#""a\"#, nil), (#"a\"#, nil), (#""a\""#, nil), ("a'b' 'c", nil),
        ] as [(String, [String]?)])
    func `a command is split as a shell splits it, without any expansion`(text: String, words: [String]?) {
        #expect(Shell.split(text) == words, "\(text)")
    }

    @Test func `words that are quoted for a shell are split back unchanged`() {
        var random = SeededGenerator(seed: 20_261_122)
        let alphabet = Array("ab'\"\\ \t\n$`;|&<>()*?#~=-\r\u{A0}é\u{301}😀".unicodeScalars)
        for _ in 0..<Fuzz.iterations(5000) {
            let words = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                var word = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...8, using: &random) {
                    word.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
                }
                return String(word)
            }
            let split = Shell.split(Shell.words(words))
            // Compared by bytes, because Swift treats canonically equivalent strings as equal.
            #expect(split?.map { Array($0.utf8) } == words.map { Array($0.utf8) }, "\(words)")
        }
    }

    @Test func `Quoted words have no two number signs in a row, and a shell reads them unchanged`() async throws {
        let words = ["##vso[a.b]c", "a###b'##", "#", "a#b"]
        let text = Shell.words(words)
        #expect(!text.contains("##"))
        let result = try await Program(command: ["/bin/sh", "-c", "printf '%s\\n' \(text)"], environment: [:]).run()
        #expect(String(decoding: result.output, as: UTF8.self) == words.joined(separator: "\n") + "\n")
    }

    @Test func `random commands are split as sh splits them`() async throws {
        var random = SeededGenerator(seed: 1)
        // Characters that a shell does not expand.
        let alphabet = Array("ab'\"\\ \té".unicodeScalars)
        var compared = 0
        for _ in 0..<200 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            guard let words = Shell.split(String(text)) else { continue }
            let result = try await Program(
                command: ["/bin/sh", "-c", #"show() { [ $# = 0 ] || printf '%s\0' "$@"; }; show "# + String(text)],
                environment: [:]
            ).run()
            let shown = result.output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            #expect(shown.map { Array($0) } == words.map { Array($0.utf8) }, "\(String(text))")
            compared += 1
        }
        #expect(compared > 40)
    }
}
