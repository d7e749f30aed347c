import Testing

@testable import AuthCore

@Suite struct `Entries of a mapping in another tool's YAML file` {
    private static let entry: JSONValue = ["type": "stdio", "enabled": true, "args": ["a b", "#"]]

    @Test(arguments: [
        "", "a: 1\n", "a: 1", "extensions:\n", "extensions:\n  b:\n    c: 1\n", "extensions: # mine\n    b: {}\nz: 1",
        "# head\r\nextensions:\r\n  # first\r\n  b: 1\r\n", "extensions:\n  b: |\n    text\n\n\nz: 1\n", "--- \na: 1\n",
    ])
    func `An added entry is read back, and removing it restores every byte`(text: String) throws {
        var file = try YAMLEntries(Array(text.utf8), key: "extensions")
        let before = file.values
        try file.add("x", Self.entry)
        #expect(file.values.members.count == before.members.count + 1)
        #expect(file.values["x"]?.object?["args"] == ["a b", "#"])
        try file.remove("x")
        #expect(String(decoding: file.bytes, as: UTF8.self) == text)
    }

    @Test(arguments: ["extensions: {}\n", "extensions: {a: 1}\n", "{extensions: {}}\n", "extensions: [1]\n", "extensions:\n- a\n", "{a: 1}\n"])
    func `A mapping in another form is not changed`(text: String) throws {
        var file = try YAMLEntries(Array(text.utf8), key: "extensions")
        #expect(throws: YAMLProblem.self) { try file.add("x", Self.entry) }
        #expect(String(decoding: file.bytes, as: UTF8.self) == text)
    }

    @Test func `An entry that another program rewrote is removed as a whole`() throws {
        var file = try YAMLEntries(Array("extensions:\n  x:\n    args:\n    - a\n  y: 1\n".utf8), key: "extensions")
        try file.remove("x")
        #expect(String(decoding: file.bytes, as: UTF8.self) == "extensions:\n  y: 1\n")
    }
}
