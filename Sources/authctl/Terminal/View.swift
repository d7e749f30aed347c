import AuthCore

/// The fields of an output, in order. The JSON, `authctl schema` and OUTPUT of the manual are made of them.
/// See docs/decisions/048.
struct View<Value>: Sendable, Outlined {
    /// The name of a type (`Account`), or of one of several outputs of a command (`with --begin`).
    let name: String
    let fields: [Field<Value>]

    init(_ name: String = "", @Fields<Value> _ fields: () -> [Field<Value>]) {
        (self.name, self.fields) = (name, fields())
    }

    func named(_ name: String) -> View { View(name) { fields } }

    func json(_ value: Value) -> JSONValue {
        .object(fields.reduce(into: JSONObject()) { $0[$1.name] = $1.json(value) })
    }

    /// A reference to the schema, which is added to the types.
    func reference(_ types: inout JSONObject) -> JSONObject {
        if types[name] == nil {
            // Reserves the type's position before those of the types that it uses.
            types[name] = .null
            types[name] = .object(schema(&types))
        }
        return ["$ref": .string("#/$defs/\(name)")]
    }

    func schema(_ types: inout JSONObject) -> JSONObject {
        var properties = JSONObject()
        for field in fields {
            var property = field.schema(&types)
            if let meaning = field.meaning { property["description"] = .string(meaning) }
            properties[field.name] = .object(property)
        }
        return ["type": "object", "properties": .object(properties), "required": JSONValue(fields.map(\.name))]
    }
}

/// A view of values of any type.
protocol Outlined: Sendable {
    var name: String { get }
    /// The JSON Schema of the object.
    ///
    /// - Parameter types: the schemas of the types that it refers to, by name; new ones are added.
    func schema(_ types: inout JSONObject) -> JSONObject
}

/// One field of an output. Every field is always present, and null if it does not have a value.
struct Field<Value>: Sendable {
    let name: String
    let meaning: String?
    let schema: @Sendable (inout JSONObject) -> JSONObject
    let json: @Sendable (Value) -> JSONValue

    init<Part: Shown>(_ name: String, of part: @escaping @Sendable (Value) -> Part, means meaning: String? = nil) {
        (self.name, self.meaning) = (name, meaning)
        schema = { Part.schema(&$0) }
        json = { part($0).json }
    }

    /// A list of objects with the fields of a view.
    init<Part>(
        _ name: String, each view: View<Part>, of parts: @escaping @Sendable (Value) -> [Part],
        means meaning: String? = nil
    ) {
        (self.name, self.meaning) = (name, meaning)
        schema = { ["type": "array", "items": .object(view.reference(&$0))] }
        json = { .array(parts($0).map(view.json)) }
    }

    init(
        _ name: String, as type: any Shown.Type, means meaning: String?, json: @escaping @Sendable (Value) -> JSONValue
    ) {
        (self.name, self.meaning, self.json) = (name, meaning, json)
        schema = { type.schema(&$0) }
    }

    private init<Part>(_ field: Field<Part>, of part: @escaping @Sendable (Value) -> Part) {
        (name, meaning, schema) = (field.name, field.meaning, field.schema)
        json = { field.json(part($0)) }
    }

    /// All fields of a part.
    static func all<Part: Viewed>(of part: @escaping @Sendable (Value) -> Part) -> [Field] {
        Part.view.fields.map { Field($0, of: part) }
    }
}

@resultBuilder enum Fields<Value> {
    static func buildExpression(_ field: Field<Value>) -> [Field<Value>] { [field] }
    static func buildExpression(_ fields: [Field<Value>]) -> [Field<Value>] { fields }
    static func buildBlock(_ parts: [Field<Value>]...) -> [Field<Value>] { parts.flatMap(\.self) }
}

/// A value of a field.
protocol Shown: SendableMetatype {
    static func schema(_ types: inout JSONObject) -> JSONObject
    var json: JSONValue { get }
}

/// A value that is an object with the fields of its view.
protocol Viewed: Shown {
    static var view: View<Self> { get }
}

extension Viewed {
    var json: JSONValue { Self.view.json(self) }

    static func schema(_ types: inout JSONObject) -> JSONObject { view.reference(&types) }
}

extension String: Shown {
    static func schema(_ types: inout JSONObject) -> JSONObject { ["type": "string"] }
    var json: JSONValue { .string(self) }
}

extension Bool: Shown {
    static func schema(_ types: inout JSONObject) -> JSONObject { ["type": "boolean"] }
    var json: JSONValue { .bool(self) }
}

extension Int64: Shown {
    static func schema(_ types: inout JSONObject) -> JSONObject { ["type": "integer"] }
    var json: JSONValue { JSONValue(self) }
}

extension JSONObject: Shown {
    static func schema(_ types: inout JSONObject) -> JSONObject { ["type": "object"] }
    var json: JSONValue { .object(self) }
}

/// A time in seconds since 1970, shown as RFC 3339 text in UTC.
struct Time: Shown {
    let seconds: Int64

    init(_ seconds: Int64) { self.seconds = seconds }

    static func schema(_ types: inout JSONObject) -> JSONObject { ["type": "string", "format": "date-time"] }
    var json: JSONValue { .string(HTTPDate.rfc3339(seconds)) }
}

extension Array: Shown where Element: Shown {
    static func schema(_ types: inout JSONObject) -> JSONObject {
        ["type": "array", "items": .object(Element.schema(&types))]
    }
    var json: JSONValue { .array(map(\.json)) }
}

extension Optional: Shown where Wrapped: Shown {
    static func schema(_ types: inout JSONObject) -> JSONObject {
        var schema = Wrapped.schema(&types)
        guard let name = schema["type"] else { return ["anyOf": [.object(schema), ["type": "null"]]] }
        schema["type"] = [name, "null"]
        return schema
    }
    var json: JSONValue { self?.json ?? .null }
}
