import FoundationEssentials
import Testing

@testable import AuthCore

@Suite struct `Stored JSON values` {
    private struct Example: Codable, Equatable {
        enum Kind: String, Codable { case one, two }
        struct Part: Codable, Equatable { let name: String }

        var text: String
        var flag: Bool
        var time: Int64
        var kind: Kind
        var parts: [Part]
        var pairs: [[String]]
        var claims: JSONObject
        var note: String?
        var token: AccessToken?
    }

    private let example = Example(
        text: "\"\u{202E}é", flag: true, time: 7, kind: .two, parts: [.init(name: "a"), .init(name: "")],
        pairs: [["a", "b"], []], claims: ["x": [1, nil]], note: nil, token: AccessToken("t"))
    private let text = #"""
        {"text":"a","flag":false,"time":1,"kind":"one","parts":[{"name":"b"}],"pairs":[],"claims":{},"later":1}
        """#

    private func read(_ text: String) throws -> Example { try StrictJSON.parse(text.utf8).decoded() }

    @Test func `A value with every supported member type is read back unchanged`() throws {
        let json = try JSONValue(encoding: example)
        #expect(json.object?["note"] == nil && json.object?["token"] == "t")
        #expect(try read(json.text) == example)
    }

    @Test func `A stored object can have unknown members, and null for optional members`() throws {
        #expect(try read(text).parts == [.init(name: "b")])
        #expect(try read(text.replacing("\"later\":1", with: "\"note\":null,\"token\":null")).token == nil)
    }

    @Test(
        arguments: [
            (#""text":"a""#, #""text":1"#), (#""flag":false"#, #""flag":0"#), (#""time":1"#, #""time":1.5"#),
            (#""time":1"#, #""time":"1""#), (#""kind":"one""#, #""kind":"three""#), (#""pairs":[]"#, #""pairs":{}"#),
            (#""pairs":[]"#, #""pairs":[[1]]"#), (#""parts":[{"name":"b"}]"#, #""parts":[{}]"#),
            (#""claims":{}"#, #""claims":[]"#), (#""flag":false,"#, ""), (#""later":1"#, #""note":5"#),
            (#""later":1"#, #""token":5"#), (#""later":1"#, #""flag":true"#),
        ])
    func `A stored object with a missing, duplicate or wrongly typed member is rejected`(old: String, new: String)
        throws
    {
        #expect(text.contains(old))
        #expect(throws: (any Error).self) { try read(text.replacing(old, with: new)) }
    }

    @Test func `A stored time is read from any number format and clamped to the supported range`() throws {
        for (number, time) in [("-5", 0), ("1e3", 1000), ("9223372036854775807", Seconds.latest)] {
            #expect(try read(text.replacing("\"time\":1", with: "\"time\":\(number)")).time == time)
        }
    }

    @Test func `Doubles, other integer types and enums with payloads cannot be encoded or decoded`() {
        enum Choice: Codable { case one(String) }
        #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: 1.5) }
        #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: [UInt16(1)]) }
        #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: Choice.one("a")) }
        #expect(throws: UnexpectedJSON.self) { try (1 as JSONValue).decoded(as: Double.self) }
        #expect(throws: (any Error).self) { try (["one": ["_0": "a"]] as JSONValue).decoded(as: Choice.self) }
    }

    @Test func `A secret cannot be encoded with Foundation's JSONEncoder`() {
        #expect(throws: UnexpectedJSON.self) { try JSONEncoder().encode(example) }
        #expect(throws: UnexpectedJSON.self) { try JSONEncoder().encode(["token": AccessToken("t")]) }
    }

    // MARK: What the coding does not have

    private enum Name: String, CodingKey { case a }

    private struct Written: Encodable {
        let write: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    @Test func `A list is stored with null for missing elements`() throws {
        let list: [Int64?] = [1, nil, 3]
        #expect(try JSONValue(encoding: list) == [1, nil, 3])
        #expect(try ([1, nil, 3] as JSONValue).decoded(as: [Int64?].self) == list)
        let object = Written { encoder in
            var members = encoder.container(keyedBy: Name.self)
            try members.encodeNil(forKey: .a)
        }
        #expect(try JSONValue(encoding: object) == ["a": nil])
        let counted = Written { encoder in
            var elements = encoder.unkeyedContainer()
            try elements.encode("x")
            try elements.encode(Int64(elements.count))
        }
        #expect(try JSONValue(encoding: counted) == ["x", 1])
    }

    @Test func `Nested containers and encoders of a superclass are not supported`() {
        let ways: [(any Encoder) throws -> Void] = [
            {
                var list = $0.unkeyedContainer(); _ = list.nestedContainer(keyedBy: Name.self)
            },
            {
                var list = $0.unkeyedContainer(); _ = list.nestedUnkeyedContainer()
            },
            {
                var list = $0.unkeyedContainer(); _ = list.superEncoder()
            },
            {
                var object = $0.container(keyedBy: Name.self);
                _ = object.nestedContainer(keyedBy: Name.self, forKey: .a)
            },
            {
                var object = $0.container(keyedBy: Name.self); _ = object.nestedUnkeyedContainer(forKey: .a)
            },
            {
                var object = $0.container(keyedBy: Name.self); _ = object.superEncoder()
            },
            {
                var object = $0.container(keyedBy: Name.self); _ = object.superEncoder(forKey: .a)
            },
        ]
        for way in ways { #expect(throws: UnexpectedJSON.self) { try JSONValue(encoding: Written(write: way)) } }
    }

    private struct ListReader: Decodable {
        var faults = 0
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            do { _ = try list.nestedContainer(keyedBy: Name.self) } catch is UnexpectedJSON { faults += 1 }
            do { _ = try list.nestedUnkeyedContainer() } catch is UnexpectedJSON { faults += 1 }
            do { _ = try list.superDecoder() } catch is UnexpectedJSON { faults += 1 }
            _ = try list.decode(String.self)
            do { _ = try list.decode(String.self) } catch is UnexpectedJSON { faults += 1 }
        }
    }

    private struct ObjectReader: Decodable {
        var faults = 0
        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Name.self)
            do { _ = try object.nestedContainer(keyedBy: Name.self, forKey: .a) } catch is UnexpectedJSON {
                faults += 1
            }
            do { _ = try object.nestedUnkeyedContainer(forKey: .a) } catch is UnexpectedJSON { faults += 1 }
            do { _ = try object.superDecoder() } catch is UnexpectedJSON { faults += 1 }
            do { _ = try object.superDecoder(forKey: .a) } catch is UnexpectedJSON { faults += 1 }
        }
    }

    @Test func `Reading a nested container, behind a list's end or another type is an error`() throws {
        #expect(try (["x"] as JSONValue).decoded(as: ListReader.self).faults == 4)
        #expect(try (["a": 1] as JSONValue).decoded(as: ObjectReader.self).faults == 4)
        #expect(throws: UnexpectedJSON.self) { try (["x"] as JSONValue).decoded(as: ObjectReader.self) }
        #expect(throws: UnexpectedJSON.self) { try (["a": 1] as JSONValue).decoded(as: ListReader.self) }
    }
}
