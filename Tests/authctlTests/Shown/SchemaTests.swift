import AuthCore
import Testing

@testable import authctl

@Suite struct `Schemas of JSON output` {
    /// This schema and all schemas inside it.
    private func all(in schema: JSONValue) -> [JSONObject] {
        let inner = schema.object?.members.map(\.value) ?? schema.array ?? []
        return (schema.object.map { [$0] } ?? []) + inner.flatMap { all(in: $0) }
    }

    @Test(arguments: OutputSchema.commands)
    func `each schema requires all fields, and defines exactly the types that it uses`(command: String) throws {
        let schema = try #require(OutputSchema.of(command))
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
        let text = try #require(OutputSchema.of("status")).text
        for part in [
            ##""until":{"type":["string","null"],"format":"date-time","description":"when it will be locked"}"##,
            ##""sessions":{"type":"array","items":{"$ref":"#/$defs/Session"}}"##,
            ##""accountsWithoutSession":{"type":"integer""##, ##""Session":{"type":"object","properties":{"##,
        ] { #expect(text.contains(part), "\(part)") }
        let doctor = try #require(OutputSchema.of("doctor")).text
        #expect(doctor.contains(##""vault":{"anyOf":[{"$ref":"#/$defs/Vault"},{"type":"null"}],"##))
    }

    @Test func `a command with several outputs has a schema for each, and link has those of signin`() throws {
        let shapes = try #require(OutputSchema.of("signin")?.object?["anyOf"]?.array)
        let titles = shapes.map { $0.object?["title"]?.string }
        #expect(titles == ["authctl signin", "authctl signin with --begin"])
        let link = try #require(OutputSchema.of("link")).text
        #expect(link.replacing("\"authctl link", with: "\"authctl signin") == OutputSchema.of("signin")?.text)
    }

    @Test func `an error has exactly the fields of its schema`() throws {
        let schema = try #require(OutputSchema.of("error")?.object?["$defs"]?.object?["Error"]?.object)
        let fields = schema["properties"]?.object?.members.map(\.name)
        let error = Failure.usage("x", hint: .run("authctl schema")).json.object?["error"]?.object
        #expect(fields == error?.members.map(\.name))
    }

    @Test func `the schema of an unknown command or a group does not exist`() {
        #expect(OutputSchema.of("statsu") == nil && OutputSchema.of("accounts") == nil && OutputSchema.of("") == nil)
        #expect(OutputSchema.of("Account") == nil)
    }
}
