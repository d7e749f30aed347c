import Testing

@testable import AuthCore

@Suite struct `Stored JSON values` {
    private struct Example: StoredObject, Equatable {
        enum Kind: String, StoredJSON { case one, two }
        struct Part: StoredObject, Equatable {
            let name: String
            init(_ name: String) { self.name = name }
            init(stored object: JSONObject) throws(UnexpectedJSON) { name = try object.stored("name") }
            var members: KeyValuePairs<String, (any StoredJSON)?> { ["name": name] }
        }

        var text: String
        var flag: Bool
        var time: Int64
        var kind: Kind
        var parts: [Part]
        var pairs: [[String]]
        var note: String?
        var token: AccessToken?

        init() {
            (text, flag, time, kind) = ("\"\u{202E}é", true, 7, .two)
            (parts, pairs, token) = ([Part("a"), Part("")], [["a", "b"], []], AccessToken("t"))
        }

        init(stored object: JSONObject) throws(UnexpectedJSON) {
            text = try object.stored("text")
            flag = try object.stored("flag")
            time = try object.stored("time")
            kind = try object.stored("kind")
            parts = try object.stored("parts")
            pairs = try object.stored("pairs")
            note = try object.storedIfPresent("note")
            token = try object.storedIfPresent("token")
        }

        var members: KeyValuePairs<String, (any StoredJSON)?> {
            [
                "text": text, "flag": flag, "time": time, "kind": kind, "parts": parts, "pairs": pairs, "note": note,
                "token": token,
            ]
        }
    }

    private let text = #"""
        {"text":"a","flag":false,"time":1,"kind":"one","parts":[{"name":"b"}],"pairs":[],"later":1}
        """#

    private func read(_ text: String) throws -> Example { try Example(stored: StrictJSON.parse(text.utf8)) }

    @Test func `A value with every supported member type is read back unchanged`() throws {
        let example = Example()
        let json = example.stored
        #expect(json.object?["note"] == nil && json.object?["token"] == "t")
        #expect(try read(json.text) == example)
    }

    @Test func `A stored object can have unknown members, and null for optional members`() throws {
        #expect(try read(text).parts == [.init("b")])
        #expect(try read(text.replacing("\"later\":1", with: "\"note\":null,\"token\":null")).token == nil)
    }

    @Test(arguments: [
        (#""text":"a""#, #""text":1"#), (#""flag":false"#, #""flag":0"#), (#""time":1"#, #""time":1.5"#),
        (#""time":1"#, #""time":"1""#), (#""kind":"one""#, #""kind":"three""#), (#""pairs":[]"#, #""pairs":{}"#),
        (#""pairs":[]"#, #""pairs":[[1]]"#), (#""parts":[{"name":"b"}]"#, #""parts":[{}]"#),
        (#""parts":[{"name":"b"}]"#, #""parts":["b"]"#), (#""flag":false,"#, ""), (#""later":1"#, #""note":5"#),
        (#""later":1"#, #""token":5"#),
    ])
    func `A stored object with a missing or wrongly typed member is rejected`(old: String, new: String) throws {
        #expect(text.contains(old))
        #expect(throws: UnexpectedJSON.self) { try read(text.replacing(old, with: new)) }
    }

    @Test func `A stored object with a duplicate member is rejected`() {
        #expect(throws: JSONError.duplicateName("flag")) {
            try read(text.replacing(#""later":1"#, with: #""flag":true"#))
        }
    }

    @Test func `A stored time is read from any number format and clamped to the supported range`() throws {
        for (number, time) in [("-5", 0), ("1e3", 1000), ("9223372036854775807", Seconds.latest)] {
            #expect(try read(text.replacing("\"time\":1", with: "\"time\":\(number)")).time == time)
        }
    }
}
