import AuthCore
import Glibc
import TestSupport
import Testing

@testable import authctl

@Suite struct `Entries in files of other tools` {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try ToolFile.replace(path, with: Array(text.utf8), mode: 0o640) }

    private func json(_ key: String = "servers", hasComments: Bool = false) throws -> ToolEntries {
        try ToolEntries(path) { try JSONEntries($0, key: key, in: path, hasComments: hasComments) }
    }

    private func toml() throws -> ToolEntries {
        try ToolEntries(path, made: ToolFile.made) { TOMLTables($0, key: "servers", in: path) }
    }

    private func aws() throws -> ToolEntries { try ToolEntries.aws(["AWS_CONFIG_FILE": path]) }

    private func list() throws -> ToolEntries {
        try ToolEntries(path) { try YAMLMembers($0, key: "users", isList: true) }
    }

    private func mapping() throws -> ToolEntries {
        try ToolEntries(path) { try YAMLMembers($0, key: "extensions", isList: false) }
    }

    /// The message with which a file or a change is refused, without its end; nil if it is accepted.
    private func refusal(_ change: () throws -> Void) -> String? {
        do {
            try change()
            return nil
        } catch {
            let message = Failure(error, while: ErrorContext()).message
            return message.replacing("; nothing was changed", with: "").replacing("'\(path)'", with: "FILE")
        }
    }

    private func text(_ file: ToolEntries) -> String { String(decoding: file.bytes, as: UTF8.self) }

    /// Adds two entries, and removes them in both orders.
    private func restores(_ file: ToolEntries, _ value: JSONValue, _ second: JSONValue) throws {
        var file = file
        let (before, others) = (text(file), file.entries)
        for isFirstRemovedFirst in [true, false] {
            try file.set("ours", to: value)
            try file.set("second", to: second)
            var expected = others
            (expected["ours"], expected["second"]) = (value, second)
            #expect(file.entries == expected)
            try file.set(isFirstRemovedFirst ? "ours" : "second", to: nil)
            try file.set(isFirstRemovedFirst ? "second" : "ours", to: nil)
            #expect(text(file) == before)
        }
    }

    private struct Wrong: EntryOutline {
        let bytes: [UInt8]
        var entries: JSONObject { ["text": .string(String(decoding: bytes, as: UTF8.self))] }
        func setting(_ name: String, _ value: JSONValue) -> [Splice] { [.at(0, value.string ?? "")] }
        func removing(_ name: String) -> [Splice] { [Splice(range: bytes.indices)] }
    }

    @Test func `a change that does not give the expected entries is refused`() throws {
        try write("b")
        var file = try ToolEntries(path) { Wrong(bytes: $0) }
        for value in ["a", nil] as [JSONValue?] {
            #expect(
                refusal { try file.set("text", to: value) } == "FILE: this setting cannot be changed automatically")
        }
        #expect(text(file) == "b" && file.entries == ["text": "b"])
    }

    // MARK: JSON

    private static let objects = [
        "{}", "{ }", "{\n}\n", "{}\n", "\t{\r\n}\r\n", #"{"a":1}"#, "{\n  \"a\": [1, {\"b\": \"}\"}]\n}",
        "{\n\t\"a\": null ,\n\t\"b\":2 \n}\n\n",
        #"{"servers":{}}"#, #"{"servers" : { } , "z":1.50e3}"#,
        "{\"servers\":{\r\n    \"x\": {\"y\": \"\\\"{\"}\r\n}}\r\n",
        #"{"servers": { "x": 1 }}"#, #"{"a":{"ours":1},"servers":{"x":true,"y":[]}}"#,
    ]

    @Test(arguments: objects)
    func `a JSON file is unchanged after a member is inserted and removed`(before: String) throws {
        try write(before)
        var file = try json()
        let value: JSONValue = ["type": "http", "text": "a \"quoted\" }"]
        try restores(file, value, value)
        try file.set("ours", to: value)
        #expect(try StrictJSON.object(file.bytes)["servers"]?.object?["ours"] == value)
    }

    @Test(arguments: [
        ("{ // mine\n}\n", 1), ("{ /* { */ }", 1),
        ("{\n\t// first\n\t\"servers\": {\n\t\t\"a\": 1, // \"}\"\n\t},\n}\n", 2),
        ("{\"a\": \"//\", /* c */\r\n  \"servers\" /* { */ : {},\r\n}\r\n", 1),
        ("{\"servers\": {\"a\": [1, 2, ], }, } // end", 1),
    ])
    func `a JSON file with comments and trailing commas is unchanged afterwards`(before: String, line: Int) throws {
        try write(before)
        try restores(json(hasComments: true), ["a": "/* b */"], 1)
        #expect(refusal { _ = try json() } == "FILE line \(line) is not valid JSON")
    }

    @Test(arguments: objects)
    func `a user's members are kept when an inserted member is removed`(before: String) throws {
        try write(before)
        var file = try json()
        try file.set("ours", to: "x")
        try file.set("user's", to: 1)
        try file.save()
        var more = try json("more")
        try more.set("user's", to: 2)
        try more.save()
        file = try json()
        try file.set("ours", to: nil)
        let left = try StrictJSON.object(file.bytes)
        #expect(left["servers"]?.object?["ours"] == nil && left["servers"]?.object?["user's"] == 1)
        #expect(left["more"]?.object?["user's"] == 2)
        let original = try StrictJSON.object(Array(before.utf8))
        for member in original.members where member.name != "servers" { #expect(left[member.name] == member.value) }
        for member in original["servers"]?.object?.members ?? [] {
            #expect(left["servers"]?.object?[member.name] == member.value)
        }
    }

    @Test func `a created JSON file is removed only if it contains nothing else`() throws {
        var file = try json()
        try file.set("ours", to: "x")
        var changed = file
        try changed.set("user's", to: 1)
        try file.set("ours", to: nil)
        try file.save()
        #expect(access(path, F_OK) != 0)
        try changed.set("ours", to: nil)
        try changed.save()
        #expect(try StrictJSON.object(SecretInput.bytes(path)) == ["servers": ["user's": 1]])
    }

    @Test func `a replaced JSON value can be set back to the original bytes`() throws {
        let before = "{\"servers\" :\n {\"a\":  \"old\" , \"b\": 2}}"
        try write(before)
        var file = try json()
        try file.set("a", to: "new")
        #expect(text(file) != before)
        try file.set("a", to: "old")
        #expect(text(file) == before)
    }

    // MARK: Sections

    private static let command: JSONValue = "authctl credential aws --role-arn x"

    @Test(arguments: [
        "", "\n", "a = 1", "a = 1\n", "a = 1\n\n", "[x]\r\n  a = 1\r\n", "# only a comment", " \t", "a = 1\r",
        "[x]\na\n[y]\nb\n\n\n",
    ])
    func `a line-based file is unchanged after a section is appended and removed`(before: String) throws {
        try write(before)
        try restores(aws(), Self.command, Self.command)
        var file = try aws()
        try file.set("ours", to: Self.command)
        try file.save()
        file = try aws()
        #expect(before.contains("\r\n") == file.bytes.suffix(2).elementsEqual([13, 10]))
        try file.set("ours", to: nil)
        try file.save()
        #expect(try SecretInput.bytes(path) == Array(before.utf8))
        unlink(path)
        file = try aws()
        try file.set("ours", to: Self.command)
        try file.save()
        file = try aws()
        try file.set("ours", to: nil)
        try file.save()
        #expect(access(path, F_OK) != 0)
    }

    @Test func `the profiles of an aws file are found with authctl's lines`() throws {
        let before = """
            # credential_process = authctl credential aws
            [default]
            credential_process = /usr/bin/other aws
            [ profile ci ]
            region = eu-west-1
            credential_process = '/a b/authctl' credential aws --role-arn x
            [sso-session ci]
            credential_process = authctl credential aws
            [profile last]\r
            credential_process=authctl credential aws --role-arn x\r

            """
        try write(before)
        var file = try aws()
        #expect(file.entries.members.map(\.name) == ["ci", "last"])
        #expect(file.entries["ci"] == "'/a b/authctl' credential aws --role-arn x")
        // authctl was moved; other options are another entry.
        try file.set("ci", to: "/c/authctl credential aws --role-arn x")
        try file.set("last", to: "/c/authctl credential aws --role-arn x")
        #expect(
            refusal { try file.set("ci", to: "authctl credential aws --role-arn y") }
                == "FILE already has a section [profile ci]")
        #expect(
            refusal { try file.set("default", to: Self.command) } == "FILE already has a section [default]")
        #expect(
            refusal { try file.set("default", to: nil) } == "FILE: [default] was not created by authctl")
        let moved = before.replacing("'/a b/authctl'", with: "/c/authctl").replacing("=authctl", with: " = /c/authctl")
        #expect(text(file) == moved)
        try file.set("ci", to: nil)
        try file.set("last", to: nil)
        let line = "credential_process = /c/authctl credential aws --role-arn x"
        let removed = moved.replacing(line + "\n", with: "").replacing("[profile last]\r\n\(line)\r\n", with: "")
        #expect(text(file) == removed)
    }

    @Test(arguments: [
        "", "\n", "a = 1", "a = 1\n\n", "[x]\r\n  a = 1\r\n", "# only a comment", "a = 1\r", "\u{FEFF}a = 1\n",
        "[servers]\nb = { command = \"c\" }\n", "a = \"\"\"\n[servers.ours]\n\"\"\"\"\"\nb = ''\nc = '''a''''\n",
        "[servers.b]\nargs = [ # ]\n  'x', \"]\",\n]\n[servers.b.env]\n\"a.b\".c = 1979-05-27 07:32:00\n",
        "[[a.\"b c\"]]\nd = 1.5",
    ])
    func `a TOML file is unchanged after a table is appended and removed`(before: String) throws {
        try write(before)
        let value: JSONValue = ["command": "/a \"b\"/authctl", "args": ["[", "#", "'"]]
        try restores(toml(), value, ["command": "c", "args": []])
        var file = try toml()
        try file.set("ours", to: value)
        try file.set("ours", to: ["command": "d", "args": ["e"]])
        #expect(file.entries["ours"] == ["command": "d", "args": ["e"]])
        try file.set("ours", to: nil)
        #expect(text(file) == before)
    }

    @Test(arguments: [
        ("a = [\n", 1), ("b = 1\na = {\n[x]\n", 2), ("a = \"b\nc = 1\n", 1), ("\n\na = '''\n", 3), ("[a\n", 1),
        ("[a]]\n", 1), ("a b = 1\n", 1), ("a =\n", 1), ("a = ]\n", 1), ("a\n", 1),
        ("a = \"\\\n\"\n", 1), ("a..b = 1\n", 1),
    ])
    func `an invalid TOML file is not changed`(before: String, line: Int) throws {
        try write(before)
        var file = try toml()
        let message = refusal { try file.set("ours", to: ["command": "c", "args": []]) }
        #expect(message?.hasPrefix("FILE line \(line) is not valid TOML") == true)
        #expect(text(file) == before)
    }

    // MARK: YAML

    private static let item: JSONValue = [
        "name": "ours", "user": ["exec": ["command": "/a \"b\"", "args": ["c: d", "#", "é"]]],
    ]

    @Test(arguments: [
        "", "\n", "# only a comment", "# only a comment\n", "kind: Config", "kind: Config\n", "kind: Config\r\n",
        "kind: Config\nusers: null\nz: 1\n", "users: ~", "users: null # mine\n", "kind: Config\nusers:\nz: 1\n",
        "users:   # mine\n", "users: []\nz: 1\n", "users: [ ] # mine", "users: [\n]\n", "users: [{name: a}]\n",
        "users: [ {name: a} ]", "users: [\n  {name: a},\n  {name: b}\n]\n", "users:\n- name: a\n  user: {}\n",
        "users:\n- name: a\nz: 1\n", "users:\n  - name: a\n    user:\n      token: |\n        x\n\n\nz: 1",
        "users:\n- name: a",
        "users:\r\n- name: a\r\n- name: b\r\n# mine\r\nz: 1\r\n", "z:\n- name: x\nusers:\n-\n  name: a\n",
        "---\nkind: Config\n...\n", "{}", "{\"kind\": \"Config\"}\n", "{\"kind\":\"Config\",\"users\":null}",
        "{\"users\":[]}", "{\n  \"users\": [\n    {\"name\": \"a\"}\n  ],\n  \"kind\": \"Config\"\n}\n",
        "contexts: []\nusers: [] \nempty:",
        "text: |\n  a\n\n", "text: |+\n  a\n\n", "users: [ # mine\n  {name: a}, # b\n]\n", "  kind: Config\n",
        "{a: , users: []}", "{a}\n",
    ])
    func `inserting and removing items of a YAML list restores the original bytes`(before: String) throws {
        try write(before)
        try restores(list(), Self.item, ["name": "second"])
    }

    @Test func `removing an item of a YAML list keeps the items before and after it`() throws {
        try write("users:\n- name: a\n- {\"name\": \"ours\"}\n- name: b\n  user: {}\n")
        var file = try list()
        try file.set("ours", to: nil)
        #expect(text(file) == "users:\n- name: a\n- name: b\n  user: {}\n")
        try file.set("a", to: nil)
        try file.set("b", to: nil)
        #expect(text(file) == "users: []\n")
    }

    @Test func `an item that another program rewrote is replaced, and removed as a whole`() throws {
        try write("users:\n- name: a\n- name: ours\n  user:\n    exec: {}\n# mine\nz: 1\n")
        var file = try list()
        try file.set("ours", to: ["name": "ours"])
        #expect(text(file) == "users:\n- name: a\n- {\"name\":\"ours\"}\n# mine\nz: 1\n")
        try file.set("ours", to: nil)
        #expect(text(file) == "users:\n- name: a\n# mine\nz: 1\n")
    }

    private static func unchangeable(line: Int = 1, column: Int = 1) -> String {
        "FILE: line \(line), column \(column): this setting cannot be changed automatically"
    }

    @Test(arguments: [
        ("users: text\n", unchangeable()), ("users: {a: b}\n", unchangeable()),
        ("a: &x [1]\nusers: *x\n", unchangeable(line: 2)), ("- users\n", "FILE: its top level is not a mapping"),
        ("text", "FILE: its top level is not a mapping"),
        (
            "users: [\n",
            "FILE: line 2, column 1: did not find expected node content, while parsing a flow node from line 2, column 1"
        ),
        ("? users\n", unchangeable(column: 3)), ("users: !!null null\n", unchangeable()),
    ])
    func `a YAML list in an unsupported form is not changed`(before: String, message: String) throws {
        try write(before)
        let refusal = refusal {
            var file = try list()
            try file.set("ours", to: Self.item)
        }
        #expect(refusal == message)
    }

    private static let entry: JSONValue = [
        "type": "stdio", "enabled": true, "args": ["a b", "#", "1"], "timeout": 300,
    ]

    @Test(arguments: [
        "", "a: 1\n", "a: 1", "extensions:\n", "extensions:\n  b:\n    c: 1\n", "extensions: # mine\n    b: {}\nz: 1",
        "# head\r\nextensions:\r\n  # first\r\n  b: 1\r\n", "extensions:\n  b: |\n    text\n\n\nz: 1\n", "--- \na: 1\n",
        "extensions:", " a: 1\n",
    ])
    func `an entry added to a YAML mapping is read back, and removing it restores every byte`(before: String) throws {
        try write(before)
        try restores(mapping(), Self.entry, ["type": "builtin"])
    }

    @Test(arguments: [
        "extensions: {}\n", "extensions: {a: 1}\n", "{extensions: {}}\n", "extensions: [1]\n", "extensions:\n- a\n",
        "{a: 1}\n", "extensions: null\n",
    ])
    func `a YAML mapping in another form is not changed`(before: String) throws {
        try write(before)
        var file = try mapping()
        #expect(
            refusal { try file.set("ours", to: Self.entry) }
                == Self.unchangeable(column: before.hasPrefix("{e") ? 2 : 1))
        #expect(text(file) == before)
    }

    @Test func `an entry that another program rewrote is replaced, and removed with all its lines`() throws {
        try write("extensions:\n  x:\n    args:\n    - a\n  y: 1\n")
        let file = try mapping()
        var changed = file
        try changed.set("x", to: ["a": 1])
        #expect(changed.entries["x"] == ["a": 1] && changed.entries["y"] == 1)
        for var file in [file, changed] {
            try file.set("x", to: nil)
            #expect(text(file) == "extensions:\n  y: 1\n")
        }
    }

    // MARK: Random files

    private func restores(_ parts: [String], _ read: () throws -> ToolEntries, _ value: JSONValue) throws {
        var generator = SeededGenerator(seed: 1)
        var changed = 0
        for _ in 0..<Fuzz.iterations(150) {
            let before = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            try write(before)
            guard var file = try? read(), file.entries["ours"] == nil else { continue }
            let others = file.entries
            guard (try? file.set("ours", to: value)) != nil else {
                #expect(text(file) == before)
                continue
            }
            changed += 1
            try file.set("ours", to: nil)
            #expect(file.entries == others)
            #expect(text(file) == before, "\(before.debugDescription)")
        }
        #expect(changed > 0)
    }

    @Test func `a random file is restored, or not changed`() throws {
        let space = [" ", "\n", "\r\n", "\t", "# c\n", "a", "1"]
        let brackets = ["{", "}", "[", "]", ",", ":", "\"a\"", "{}"]
        try restores(
            space + brackets + ["\"servers\"", "{\"servers\":{", "}}", "// c\n", "/* c */", "\"a\":1,"],
            { try json(hasComments: true) }, ["a": 1])
        try restores(
            space + brackets + ["[servers.b]\n", "a.b = 1\n", "=", "'", "\"\"\"", "a = [\n", "'''", "\\"], toml,
            ["command": "c", "args": ["d"]])
        try restores(space + ["[profile b]\n", "[", "]", "credential_process = x\n", "\n\n"], aws, Self.command)
        let block = ["  ", "- ", "a: 1\n", "|\n  a\n\n", "null", "~", "&x ", "*x", "'b'", "---\n", "...\n", "? "]
        try restores(
            space + brackets + block + ["users:", "users:\n", "users: [", "- name: a\n", "{name: a}", "users: {"], list,
            Self.item)
        try restores(space + brackets + block + ["extensions:", "extensions:\n", "  b: 1\n"], mapping, Self.entry)
    }
}
