import AuthCore
import Testing

@testable import authctl

@Suite struct `Schemas of JSON output` {
    private func schema(of command: String) -> JSONValue? {
        CommandPlace.outputs[command].map { SchemaCommand.schema(of: command, $0) }
    }

    /// This schema and all schemas inside it.
    private func all(in schema: JSONValue) -> [JSONObject] {
        let inner = schema.object?.members.map(\.value) ?? schema.array ?? []
        return (schema.object.map { [$0] } ?? []) + inner.flatMap { all(in: $0) }
    }

    @Test(arguments: CommandPlace.outputs.keys.sorted())
    func `each schema requires all fields, and defines exactly the types that it uses`(command: String) throws {
        let schema = try #require(self.schema(of: command))
        var used: Set<String> = []
        for part in all(in: schema) {
            if let name = part["$ref"]?.string { used.insert(String(name.dropFirst("#/$defs/".count))) }
            guard let properties = part["properties"]?.object else { continue }
            let required = part["required"]?.array?.compactMap(\.string) ?? []
            #expect(!required.isEmpty && required == properties.members.map(\.name))
        }
        let defined = schema.object?["$defs"]?.object?.members ?? []
        #expect(Set(defined.map(\.name)) == used)
        for type in defined { #expect(type.value.object?["required"]?.array?.isEmpty == false, "\(type.name)") }
    }

    @Test func `types may be null, lists, times and types of the page`() throws {
        let text = try #require(schema(of: "status")).text
        for part in [
            ##""until":{"type":["string","null"],"format":"date-time","description":"when it will be locked"}"##,
            ##""sessions":{"type":"array","items":{"$ref":"#/$defs/Session"}}"##,
            ##""accountsWithoutSession":{"type":"integer""##, ##""Session":{"type":"object","properties":{"##,
        ] { #expect(text.contains(part), "\(part)") }
        let doctor = try #require(schema(of: "doctor")).text
        #expect(doctor.contains(##""vault":{"anyOf":[{"$ref":"#/$defs/Vault"},{"type":"null"}],"##))
    }

    @Test func `a command with several outputs has a schema for each, and link has those of signin`() throws {
        let shapes = try #require(schema(of: "signin")?.object?["anyOf"]?.array)
        let titles = shapes.map { $0.object?["title"]?.string }
        #expect(titles == ["authctl signin", "authctl signin with --begin"])
        let link = try #require(schema(of: "link")?.object?["anyOf"]?.array)
        let own = link.prefix(2).map { $0.text.replacing("\"authctl link", with: "\"authctl signin") }
        #expect(own == shapes.map(\.text) && link.count == 4)
    }

    @Test func `an error has exactly the fields of its schema`() throws {
        let schema = try #require(self.schema(of: "error")?.object?["$defs"]?.object?["Error"]?.object)
        let fields = schema["properties"]?.object?.members.map(\.name)
        let error = Failure.usage("x", hint: .run("authctl schema")).json.object?["error"]?.object
        #expect(fields == error?.members.map(\.name))
    }

    @Test func `the schema of an unknown command or a group does not exist`() {
        #expect(schema(of: "statsu") == nil && schema(of: "accounts") == nil && schema(of: "") == nil)
        #expect(schema(of: "Account") == nil)
    }
}
