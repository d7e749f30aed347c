// Codable values as JSON, for the store. An unknown member is ignored; a missing one, or one of another type, is an
// error. Each whole number is a time or a span in seconds, and is clamped to the bounds of `Seconds`.
extension JSONValue {
    init(encoding value: some Encodable) throws { self = try JSONValueEncoder.encode(value) }

    func decoded<Value: Decodable>(as: Value.Type = Value.self) throws -> Value {
        try JSONValueDecoder.decode(Value.self, from: self)
    }
}

/// The JSON is not that of the type, or there is no JSON for the type.
struct UnexpectedJSON: Error {}

extension Secret: Codable {
    package func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? JSONValueEncoder else { throw UnexpectedJSON() }
        encoder.value = .string(revealed())
    }

    package init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }
}

extension JSONObject: Codable {
    package func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? JSONValueEncoder else { throw UnexpectedJSON() }
        encoder.value = .object(self)
    }

    package init(from decoder: any Decoder) throws {
        guard let object = (decoder as? JSONValueDecoder)?.value.object else { throw UnexpectedJSON() }
        self = object
    }
}

/// Encodes one value, and is each of its containers but that of named members.
private final class JSONValueEncoder: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var value = JSONValue.null
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var isUnsupported = false

    /// The type that is being encoded.
    private let type: Any.Type

    private init(_ type: Any.Type) { self.type = type }

    static func encode<Value: Encodable>(_ value: Value) throws -> JSONValue {
        // Compared, not cast: a cast that fails searches all conformances of the program.
        if Value.self == String.self, let text = value as? String { return .string(text) }
        if Value.self == Bool.self, let flag = value as? Bool { return .bool(flag) }
        if Value.self == Int64.self, let number = value as? Int64 { return JSONValue(number) }
        let encoder = JSONValueEncoder(Value.self)
        try value.encode(to: encoder)
        guard !encoder.isUnsupported else { throw UnexpectedJSON() }
        return encoder.value
    }

    /// One that a value encodes itself as. A number of another kind would encode itself again, without end.
    private func inner<Value: Encodable>(_ value: Value) throws -> JSONValue {
        guard Value.self != type else { throw UnexpectedJSON() }
        return try JSONValueEncoder.encode(value)
    }

    func unsupported() -> JSONValueEncoder {
        isUnsupported = true
        return self
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        value = .object(JSONObject())
        return KeyedEncodingContainer(Members(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        value = .array([])
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func add(_ new: JSONValue) { value = value.array.map { .array($0 + [new]) } ?? new }

    var count: Int { value.array?.count ?? 0 }
    func encodeNil() { add(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { add(try inner(value)) }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        unsupported().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unsupported() }
    func superEncoder() -> any Encoder { unsupported() }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: JSONValueEncoder
        let codingPath: [any CodingKey] = []

        private func put(_ value: JSONValue, _ key: Key) {
            guard case .object(var object) = encoder.value else { return }
            object[key.stringValue] = value
            encoder.value = .object(object)
        }

        func encodeNil(forKey key: Key) { put(.null, key) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            put(try JSONValueEncoder.encode(value), key)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { encoder.unsupported().container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unsupported() }
        func superEncoder() -> any Encoder { encoder.unsupported() }
        func superEncoder(forKey key: Key) -> any Encoder { encoder.unsupported() }
    }
}

/// Decodes one value, and is each of its containers but that of named members.
private final class JSONValueDecoder: Decoder, UnkeyedDecodingContainer, SingleValueDecodingContainer {
    let value: JSONValue
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var elements: [JSONValue]?
    private(set) var currentIndex = 0

    /// The type that is being decoded.
    private let type: Any.Type

    private init(_ value: JSONValue, as type: Any.Type) {
        self.value = value
        self.type = type
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        // Compared, not cast: a cast looks through all conformances of the program, which a `token` has no time for.
        let plain: Any?
        if type == String.self {
            plain = value.string
        } else if type == Int64.self {
            plain = value.number?.integer.map(Seconds.time)
        } else if type == [String].self {
            plain = value.strings
        } else if type == Bool.self {
            plain = value.bool
        } else {
            return try Value(from: JSONValueDecoder(value, as: type))
        }
        guard let plain = plain as? Value else { throw UnexpectedJSON() }
        return plain
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw UnexpectedJSON() }
        return KeyedDecodingContainer(Members(object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let array = value.array else { throw UnexpectedJSON() }
        elements = array
        return self
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    var count: Int? { elements?.count }
    var isAtEnd: Bool { currentIndex == count }
    private var next: JSONValue? {
        guard let elements else { return value }
        return isAtEnd ? nil : elements[currentIndex]
    }

    func decodeNil() -> Bool {
        guard next == .null else { return false }
        currentIndex += 1
        return true
    }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let next else { throw UnexpectedJSON() }
        // A number of another kind would ask for itself again, without end.
        guard type != self.type else { throw UnexpectedJSON() }
        defer { currentIndex += 1 }
        return try JSONValueDecoder.decode(type, from: next)
    }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw UnexpectedJSON()
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw UnexpectedJSON() }
    func superDecoder() throws -> any Decoder { throw UnexpectedJSON() }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let object: JSONObject
        let codingPath: [any CodingKey] = []
        var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

        func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
        func decodeNil(forKey key: Key) -> Bool { object[key.stringValue] == .null }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard let value = object[key.stringValue] else { throw UnexpectedJSON() }
            return try JSONValueDecoder.decode(type, from: value)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw UnexpectedJSON() }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw UnexpectedJSON() }
        func superDecoder() throws -> any Decoder { throw UnexpectedJSON() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw UnexpectedJSON() }
    }
}
