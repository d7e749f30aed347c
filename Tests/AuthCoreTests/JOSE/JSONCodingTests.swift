import FoundationEssentials
import Testing

@testable import AuthCore

/// Stored JSON is read back unchanged, and other values are rejected.
@Suite struct `A stored value` {
    private struct Thing: Codable, Equatable {
        enum Kind: String, Codable { case one, two }
        struct Part: Codable, Equatable { let name: String }

        var text: String
        var flag: Bool
        var time: Int64
        var kind: Kind
        var parts: [Part]
        var pairs: [[String]]
        var said: JSONObject
        var note: String?
        var token: AccessToken?
    }

    private let thing = Thing(
        text: "\"\u{202E}é", flag: true, time: 7, kind: .two, parts: [.init(name: "a"), .init(name: "")],
        pairs: [["a", "b"], []], said: ["x": [1, nil]], note: nil, token: AccessToken("t"))
    private let text = #"""
        {"text":"a","flag":false,"time":1,"kind":"one","parts":[{"name":"b"}],"pairs":[],"said":{},"later":1}
        """#

    private func read(_ text: String) throws -> Thing { try StrictJSON.parse(text.utf8).decoded() }

    @Test func `is read back the same`() throws {
        let json = try JSONValue(encoding: thing)
        #expect(json.object?["note"] == nil && json.object?["token"] == "t")
        #expect(try read(json.text) == thing)
    }

    @Test func `may have unknown members, and null for optional ones`() throws {
        #expect(try read(text).parts == [.init(name: "b")])
        #expect(try read(text.replacing("\"later\":1", with: "\"note\":null,\"token\":null")).token == nil)
    }

    @Test(
        arguments: [
            (#""text":"a""#, #""text":1"#), (#""flag":false"#, #""flag":0"#), (#""time":1"#, #""time":1.5"#),
            (#""time":1"#, #""time":"1""#), (#""kind":"one""#, #""kind":"three""#), (#""pairs":[]"#, #""pairs":{}"#),
            (#""pairs":[]"#, #""pairs":[[1]]"#), (#""parts":[{"name":"b"}]"#, #""parts":[{}]"#),
            (#""said":{}"#, #""said":[]"#), (#""flag":false,"#, ""), (#""later":1"#, #""note":5"#),
            (#""later":1"#, #""token":5"#), (#""later":1"#, #""flag":true"#),
        ])
    func `is rejected if a member is missing, duplicate or of another type`(old: String, new: String) throws {
        #expect(text.contains(old))
        #expect(throws: (any Error).self) { try read(text.replacing(old, with: new)) }
    }

    @Test func `has its times clamped`() throws {
        for (number, time) in [("-5", 0), ("1e3", 1000), ("9223372036854775807", Seconds.latest)] {
            #expect(try read(text.replacing("\"time\":1", with: "\"time\":\(number)")).time == time)
        }
    }

    @Test func `does not use Foundation types with another encoding`() {
        enum Choice: Codable { case one(String) }
        #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: 1.5) }
        #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: [UInt16(1)]) }
        #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: Choice.one("a")) }
        #expect(throws: UnexpectedJSON.self) { try (1 as JSONValue).decoded(as: Double.self) }
        #expect(throws: (any Error).self) { try (["one": ["_0": "a"]] as JSONValue).decoded(as: Choice.self) }
    }

    @Test func `does not reveal a secret to another encoder`() {
        #expect(throws: UnexpectedJSON.self) { try JSONEncoder().encode(thing) }
        #expect(throws: UnexpectedJSON.self) { try JSONEncoder().encode(["token": AccessToken("t")]) }
    }
}
