import Testing

@testable import AuthCore

@Suite struct `Lists in YAML files of other tools` {
    private static let item: JSONValue = [
        "name": "ours", "user": ["exec": ["command": "/a \"b\"", "args": ["c: d", "#", "é"]]],
    ]

    private static let texts = [
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
        "text: |\n  a\n\n", "text: |+\n  a\n\n",
    ]

    @Test(arguments: texts) func `Inserting and removing items restores the original bytes`(before: String) throws {
        var list = try YAMLList(Array(before.utf8), key: "users")
        let others = list.items
        let second: JSONValue = ["name": "second"]
        try list.append(Self.item)
        #expect(list.items == others + [Self.item])
        try list.append(second)
        #expect(try YAMLList(list.bytes, key: "users").items == others + [Self.item, second])
        try list.remove(at: others.count)
        try list.remove(at: others.count)
        #expect(String(decoding: list.bytes, as: UTF8.self) == before)
        try list.append(Self.item)
        try list.append(second)
        try list.remove(at: others.count + 1)
        try list.remove(at: others.count)
        #expect(String(decoding: list.bytes, as: UTF8.self) == before)
    }

    @Test func `Removing an item keeps the items before and after it`() throws {
        var list = try YAMLList(
            Array("users:\n- name: a\n- {\"name\": \"ours\"}\n- name: b\n  user: {}\n".utf8), key: "users")
        try list.remove(at: 1)
        #expect(list.bytes == Array("users:\n- name: a\n- name: b\n  user: {}\n".utf8))
        try list.remove(at: 0)
        try list.remove(at: 0)
        #expect(list.bytes == Array("users: []\n".utf8))
    }

    @Test(arguments: [
        "users: text\n", "users: {a: b}\n", "a: &x [1]\nusers: *x\n", "- users\n", "text", "users: [\n", "? users\n",
    ]) func `A list in an unsupported YAML form is not changed`(before: String) {
        #expect(throws: YAMLProblem.self) {
            var list = try YAMLList(Array(before.utf8), key: "users")
            try list.append(Self.item)
        }
    }
}
