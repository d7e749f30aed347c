import AuthCore

/// The JSON Schema of a command's output, generated from the fields that the manual documents.
struct OutputSchema {
    private typealias Field = (name: String, type: String, meaning: String)

    private static let sections: [String: ArraySlice<Substring>] = OutputFields.text.split(separator: "\n\n").reduce(
        into: [:]
    ) { sections, text in
        let lines = text.split(separator: "\n")
        for name in lines[0].split(separator: ", ") { sections[String(name)] = lines.dropFirst() }
    }

    private static let names = sections.keys.sorted()

    /// Section names with a capital letter are types. Names with `with` are other outputs of the same command.
    static let commands = names.filter { name in name.allSatisfy { !$0.isUppercase } && !name.contains(" with ") }

    static func of(_ command: String) -> JSONValue? {
        guard commands.contains(command) else { return nil }
        let outputs = names.filter { $0 == command || $0.hasPrefix("\(command) with ") }
        var schema = OutputSchema(page: String(command.prefix { $0 != " " }))
        var json: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        let shapes = outputs.map { output -> JSONObject in
            var shape: JSONObject = ["title": .string("authctl \(output)")]
            shape.merge(schema.object(output))
            return shape
        }
        if shapes.count == 1 { json.merge(shapes[0]) } else { json["anyOf"] = .array(shapes.map { .object($0) }) }
        if !schema.types.members.isEmpty { json["$defs"] = .object(schema.types) }
        return .object(json)
    }

    private let page: String
    private var types = JSONObject()

    private init(page: String) { self.page = page }

    private mutating func object(_ name: String) -> JSONObject {
        let fields = fields(of: name)
        var properties = JSONObject()
        for field in fields {
            var property = type(field.type)
            if !field.meaning.isEmpty { property["description"] = .string(field.meaning) }
            properties[field.name] = .object(property)
        }
        return ["type": "object", "properties": .object(properties), "required": JSONValue(fields.map(\.name))]
    }

    private func fields(of name: String) -> [Field] {
        let lines = Self.sections["\(page) \(name)"] ?? Self.sections[name] ?? []
        return lines.flatMap { line -> [Field] in
            let parts = line.split(separator: "\t").map(String.init)
            guard parts[0] != "*" else { return fields(of: parts[1]) }
            return [(parts[0], parts[1], parts.count > 2 ? parts[2] : "")]
        }
    }

    private mutating func type(_ text: String) -> JSONObject {
        if text.hasSuffix(" or null") {
            var other = type(String(text.dropLast(8)))
            guard let name = other["type"] else { return ["anyOf": [.object(other), ["type": "null"]]] }
            other["type"] = [name, "null"]
            return other
        }
        if text.hasPrefix("list of ") { return ["type": "array", "items": .object(type(String(text.dropFirst(8))))] }
        switch text {
        case "string", "boolean", "object": return ["type": .string(text)]
        case "number": return ["type": "integer"]
        case "time": return ["type": "string", "format": "date-time"]
        default:
            if types[text] == nil {
                // Reserves the type's position before those of the types that it uses.
                types[text] = .null
                types[text] = .object(object(text))
            }
            return ["$ref": .string("#/$defs/\(text)")]
        }
    }
}
