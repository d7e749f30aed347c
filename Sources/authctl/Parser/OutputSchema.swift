import AuthCore

enum OutputSchema {
    /// The JSON Schema of the outputs of a command.
    static func json(of command: String, _ outputs: [any Outlined]) -> JSONValue {
        var types = JSONObject()
        let shapes = outputs.map { output -> JSONObject in
            let title = output.name.contains(" ") ? "\(command) \(output.name)" : command
            var shape: JSONObject = ["title": .string("authctl \(title)")]
            shape.merge(output.schema(&types))
            return shape
        }
        var json: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        if shapes.count == 1 { json.merge(shapes[0]) } else { json["anyOf"] = .array(shapes.map { .object($0) }) }
        if !types.members.isEmpty { json["$defs"] = .object(types) }
        return .object(json)
    }
}
