import TestSupport
import Testing

@testable import AuthCore

@Suite struct `YAML parser and editor` {
    private func root(_ text: String) throws -> YAMLMapping {
        try #require(try YAMLDocument(Array(text.utf8)).root?.mapping)
    }

    private func problem(_ text: String) -> YAMLProblem? {
        do throws(YAMLProblem) {
            _ = try YAMLDocument(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func `The position of a YAML node is the byte range of its text`() throws {
        let line = "a: ä\u{2028}b: \"ö\u{1F600}\"  # ü"
        for text in [
            line, "\u{FEFF}" + line, "# ÄÖ\u{0085}\r\n" + line, "\u{FEFF}# é\r\n\r\n" + line + "\r\nc: {x: [y]}\r\n",
        ] {
            let bytes = Array(text.utf8)
            let root = try #require(try YAMLDocument(bytes).root?.mapping)
            func slice(_ node: YAMLNode?) -> String? {
                node?.place.map { String(decoding: bytes[$0.range], as: UTF8.self) }
            }
            #expect(slice(root["a"]) == "ä")
            #expect(slice(root["b"]) == "\"ö\u{1F600}\"")
            #expect(root.entries.map { slice($0.key) }.starts(with: ["a", "b"]))
            if let last = root["c"] { #expect(slice(last) == "{x: [y]}") }
        }
    }

    @Test(arguments: [
        ("x: y\nx: z", 2, 1, YAMLProblem.Reason.repeatedKey(ServerText("x"))),
        ("{a: 1, 'a': 2}", 1, 8, .repeatedKey(ServerText("a"))), ("a: 1\n---\nb: 2", 2, 1, .secondDocument),
        ("ä: *gone", 1, 4, .undefinedAlias), ("a: &a [*a]", 1, 8, .undefinedAlias), ("[1]: 2", 1, 1, .keyIsNotText),
        ("a: &a {x: 1}\nb:\n  <<: *a", 3, 3, .mergeKey),
        (String(repeating: "[", count: 70), 1, 65, .tooDeep(levels: 64)),
    ])
    func `Invalid YAML is reported with its position`(text: String, line: Int, column: Int, reason: YAMLProblem.Reason)
    {
        #expect(problem(text) == YAMLProblem(position: .init(line: line, column: column), reason: reason))
    }

    @Test func `Names with different bytes are different, even if Unicode regards them as equal`() throws {
        let mapping = try #require(try YAMLDocument(Array("\u{E9}: 1\ne\u{301}: 2\n".utf8)).root?.mapping)
        #expect(mapping.entries.count == 2)
        #expect(problem("e\u{301}: 1\n\u{E9}: 2\ne\u{301}: 3\n")?.position == .init(line: 3, column: 1))
    }

    @Test func `Deeply nested YAML values are compared quickly, and mapping keys are rejected`() throws {
        func nested(_ value: String) -> String {
            "a: " + String(repeating: "{a: ", count: 60) + value + String(repeating: "}", count: 60) + "\n"
        }
        let (one, other) = (try YAMLDocument(Array(nested("1").utf8)), try YAMLDocument(Array(nested("2").utf8)))
        #expect(one.root != other.root)
        #expect(problem("? {a: 1}\n: x\n")?.reason == .keyIsNotText)
    }

    @Test(arguments: [
        ("a: 1\nb: [1, ]]", 2, 9, ""), ("a: b: c", 1, 5, "mapping values are not allowed"),
        ("# ok\na: ü\u{1}", 2, 5, "control characters"),
    ])
    func `An error of libyaml is reported with its message and position`(
        text: String, line: Int, column: Int, expected: String
    ) {
        let problem = problem(text)
        guard case .parser(let message, _)? = problem?.reason else { return #expect(Bool(false), "\(text)") }
        #expect(problem?.position == .init(line: line, column: column))
        #expect(message.contains(expected))
    }

    @Test func `Aliases that expand to too many nodes are rejected quickly`() throws {
        var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for n in 1...9 {
            laughs += "a\(n): &a\(n) [" + Array(repeating: "*a\(n - 1)", count: 10).joined(separator: ", ") + "]\n"
        }
        #expect(problem(laughs)?.reason == .tooManyValues(100_000))
        var deep = "a0: &a0 {x: {x: {x: {x: y}}}}\n"
        for n in 1...50 { deep += "a\(n): &a\(n) {x: {x: {x: *a\(n - 1)}}}\n" }
        #expect(problem(deep)?.reason == .tooDeep(levels: 64))
        #expect(problem(String(repeating: "- \n", count: 200_000))?.reason == .tooManyValues(100_000))
    }

    @Test func `Aliases that expand to more text than the file size limit are rejected quickly`() throws {
        let text = String(repeating: "x", count: 2000)
        let long = "a: &a \(text)\nb: &b [\(Array(repeating: "*a", count: 30).joined(separator: ","))]\n"
        #expect(problem(long) == nil)
        let longer = long + "c: [\(Array(repeating: "*b", count: 30).joined(separator: ","))]\n"
        #expect(problem(longer)?.reason == .tooManyBytes(1_048_576))
    }

    @Test func `An alias has the value of its anchor`() throws {
        let root = try root("base: &base {x: [1]}\nother: *base\n")
        #expect(root["other"] == root["base"])
    }

    @Test(arguments: [
        ("yes", true), ("On", true), ("TRUE", true), ("no", false), ("OFF", false), ("'true'", nil), ("tRue", true),
        ("1", nil), ("~", nil), ("!!bool yes", true), ("!!str yes", nil), ("\"off\"", nil), ("!!bool \"on\"", true),
    ])
    func `Only an unquoted or tagged boolean word is read as a boolean`(word: String, truth: Bool?) throws {
        #expect(try root("a: \(word)")["a"]?.bool == truth)
    }

    @Test(arguments: [
        "yes", "No", "on", "y", "N", "null", "~", "", "1", "-1", "0x1F", "0o17", "0b1", "1_000", "1.5", ".5", "1e3",
        "1.e+3", "-.INF", ".nan", "190:20:30", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "=", "<<", "-", "- a",
        "?", ": x", "a: b", "a #b", "#a", "a:", " a", "a ", "@a", "`a", "%a", "&a", "*a", "!a", "|", ">", "'a", "\"a",
        "[a", "{a", ",a", "---", "...", "a\nb", "\ta", "ä", "\u{0}", "\u{85}", "\u{FEFF}", "\u{1F600}", "a\\b", "it's",
        "a]", "a,b", "a{b", "http://a.example/b?c=d", "127.0.0.1:9099", "##vso[a.b]", "a###b",
    ])
    func `A string in any position is written and read back as a string`(text: String) throws {
        for written in [
            "a: \(YAMLText.quoted(text, inFlow: false))", "a: [\(YAMLText.quoted(text, inFlow: true)), b]",
            "{\(YAMLText.quoted(text, inFlow: true)): {a: \(YAMLText.quoted(text, inFlow: true))}}",
            "\(YAMLText.quoted(text, inFlow: false)): b",
        ] {
            let entry = try #require(try root(written).entries.first, "\(written)")
            let found: [YAMLNode?] = [
                entry.key, entry.value, entry.value.sequence?.first, entry.value.mapping?.entries.first?.value,
            ]
            #expect(found.contains(.text(text)), "\(written)")
        }
    }

    @Test(arguments: [
        "72f988bf-86f1-41af-91ab-2d7cd011db47", "1234-abc.apps.googleusercontent.com", "https://id.example.com/a?b=c#d",
        "openid", "read:org", "/callback/oidc.a", "Iv1.abc", "A1B2C3D4E5", "client_secret_post", "a b",
    ])
    func `An unambiguous string is written without quotes`(text: String) {
        #expect(YAMLText.quoted(text, inFlow: false) == text)
    }

    // MARK: Random trees

    private static let words = [
        "a", "b", "client_id", "oidc.x", "true", "12", "", "a: b", "it's", "ä\u{2028}", "x y", "#", "- z", "two\nlines",
        "{}", "https://a.example", "null", "0x1",
    ]

    private func node(_ depth: Int, _ generator: inout SeededGenerator) -> YAMLNode {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
        case 0: return .bool(Bool.random(using: &generator))
        case 1...3: return .text(Self.words.randomElement(using: &generator) ?? "a")
        case 4:
            let count = Int.random(in: 0...3, using: &generator)
            return YAMLNode(.sequence((0..<count).map { _ in node(depth - 1, &generator) }))
        default: return .mapping(mapping(depth - 1, &generator))
        }
    }

    private func mapping(_ depth: Int, _ generator: inout SeededGenerator) -> YAMLMapping {
        var mapping = YAMLMapping()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            mapping[Self.words.randomElement(using: &generator) ?? "a"] = node(depth, &generator)
        }
        return mapping
    }

    private func empty() throws -> YAMLDocument { try YAMLDocument([]) }

    @Test func `A random tree is written and read back unchanged`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<Fuzz.iterations(300) {
            let tree = mapping(3, &generator)
            let bytes = try YAMLEditor.bytes(of: empty(), containing: tree)
            let read = try YAMLDocument(bytes).root?.mapping ?? YAMLMapping()
            #expect(read == tree, "\(String(decoding: bytes, as: UTF8.self))")
            let flow = "top: " + YAMLText.flow(.mapping(tree)) + "\n"
            #expect(try root(flow)["top"]?.mapping == tree, "\(flow)")
        }
    }

    @Test func `A random tree can be edited into another random tree`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<Fuzz.iterations(300) {
            let (old, new) = (mapping(3, &generator), mapping(3, &generator))
            let isFlow = Bool.random(using: &generator)
            let text =
                isFlow
                ? Array((YAMLText.flow(.mapping(old)) + " # the end\n").utf8)
                : try YAMLEditor.bytes(of: empty(), containing: old)
            let bytes = try YAMLEditor.bytes(of: try YAMLDocument(text), containing: new)
            #expect(
                (try YAMLDocument(bytes).root?.mapping ?? YAMLMapping()) == new,
                "\(String(decoding: text, as: UTF8.self))")
        }
    }

    /// A file with random formatting and a comment above and behind each line.
    private func commented(
        _ mapping: YAMLMapping, _ margin: String, _ path: String, _ comments: inout [String: String], _ lineEnd: String,
        _ generator: inout SeededGenerator
    ) -> String {
        var text = ""
        for entry in mapping.entries {
            let key = YAMLText.flow(entry.key, inFlow: false)
            let place = "\(path)/\(key.debugDescription)"
            let above = "# above \(comments.count) é"
            comments[above] = String(path)
            text += "\(margin)\(above)\(lineEnd)"
            let behind = " # behind \(comments.count)"
            comments[behind] = place
            if let inner = entry.value.mapping, !inner.entries.isEmpty {
                text += "\(margin)\(key):\(behind)\(lineEnd)"
                let step = margin + (Bool.random(using: &generator) ? "  " : "    ")
                text += commented(inner, step, place, &comments, lineEnd, &generator)
            } else if let items = entry.value.sequence, !items.isEmpty, Bool.random(using: &generator) {
                text += "\(margin)\(key):\(lineEnd)"
                for item in items { text += "\(margin)- \(YAMLText.flow(item, inFlow: false))\(lineEnd)" }
                comments[behind] = nil
            } else if let word = entry.value.text, word.contains("\n") {
                let lines = word.split(separator: "\n").map { "\(margin)  \($0)" }.joined(separator: lineEnd)
                text += "\(margin)\(key): |-\(lineEnd)\(lines)\(lineEnd)"
                comments[behind] = nil
            } else {
                text += "\(margin)\(key): \(YAMLText.flow(entry.value, inFlow: false))\(behind)\(lineEnd)"
            }
            if Bool.random(using: &generator) { text += lineEnd }
        }
        return text
    }

    @Test func `A change keeps the comments of other values and the line ends`() throws {
        var generator = SeededGenerator(seed: 3)
        var comparedCount = 0
        for _ in 0..<Fuzz.iterations(400) {
            var tree = mapping(3, &generator)
            guard !tree.entries.isEmpty else { continue }
            var comments: [String: String] = [:]
            let lineEnd = Bool.random(using: &generator) ? "\n" : "\r\n"
            var text = commented(tree, "", "", &comments, lineEnd, &generator)
            if Bool.random(using: &generator) { text = "\u{FEFF}" + text }
            let document = try YAMLDocument(Array(text.utf8))
            #expect(document.root?.mapping == tree, "\(text)")
            tree = try #require(document.root?.mapping)
            // Change one random value.
            var path = ""
            let isRemoved = Bool.random(using: &generator)
            tree = changed(tree, isRemoved, &path, &generator)
            let bytes = try YAMLEditor.bytes(of: document, containing: tree)
            let result = String(decoding: bytes, as: UTF8.self)
            #expect((try YAMLDocument(bytes).root?.mapping ?? YAMLMapping()) == tree, "\(text)")
            for (comment, place) in comments where !(place + "/").hasPrefix(path + "/") {
                #expect(
                    result.contains(comment + lineEnd),
                    "'\(comment)' of \(place) is gone after \(path):\n\(text)\n->\n\(result)")
                comparedCount += 1
            }
            if lineEnd == "\r\n" { #expect(!result.replacing("\r\n", with: "").contains("\n")) }
        }
        #expect(comparedCount > 1_000, "\(comparedCount)")
    }

    /// Changes or removes a random value, and sets `path` to its path.
    private func changed(
        _ mapping: YAMLMapping, _ isRemoved: Bool, _ path: inout String, _ generator: inout SeededGenerator
    ) -> YAMLMapping {
        var mapping = mapping
        guard let entry = mapping.entries.randomElement(using: &generator), let key = entry.key.text else {
            return mapping
        }
        path += "/\(YAMLText.flow(entry.key, inFlow: false).debugDescription)"
        if let inner = entry.value.mapping, !inner.entries.isEmpty, Int.random(in: 0..<4, using: &generator) > 0 {
            mapping[key] = .mapping(changed(inner, isRemoved, &path, &generator))
        } else {
            mapping[key] = isRemoved ? nil : node(2, &generator)
        }
        return mapping
    }
}
