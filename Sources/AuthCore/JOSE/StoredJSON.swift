/// A value that is stored as JSON.
///
/// Unknown members are ignored. A member that is missing or has another type is an error. This is not `Codable`:
/// `token` would spend time in the runtime's search for conformances, and any encoder could reveal a `Secret`.
protocol StoredJSON {
    init(stored: JSONValue) throws(UnexpectedJSON)
    var stored: JSONValue { get }
}

/// A value that is stored as a JSON object. Members that are nil are omitted.
protocol StoredObject: StoredJSON {
    init(stored object: JSONObject) throws(UnexpectedJSON)
    var members: KeyValuePairs<String, (any StoredJSON)?> { get }
}

extension StoredObject {
    init(stored: JSONValue) throws(UnexpectedJSON) { try self.init(stored: stored.object.expected()) }
    var stored: JSONValue { .object(JSONObject(storing: members)) }
}

/// The JSON does not have the form of the type.
struct UnexpectedJSON: Error {}

extension Optional {
    fileprivate func expected() throws(UnexpectedJSON) -> Wrapped {
        guard let self else { throw UnexpectedJSON() }
        return self
    }
}

extension JSONObject {
    func stored<Value: StoredJSON>(_ name: String) throws(UnexpectedJSON) -> Value {
        try Value(stored: self[name].expected())
    }

    /// The value of a member; nil if it is missing or null.
    func storedIfPresent<Value: StoredJSON>(_ name: String) throws(UnexpectedJSON) -> Value? {
        guard let value = self[name], value != .null else { return nil }
        return try Value(stored: value)
    }

    init(storing members: KeyValuePairs<String, (any StoredJSON)?>) {
        self.init()
        for (name, value) in members { self[name] = value?.stored }
    }
}

extension String: StoredJSON {
    init(stored: JSONValue) throws(UnexpectedJSON) { self = try stored.string.expected() }
    var stored: JSONValue { .string(self) }
}

extension Bool: StoredJSON {
    init(stored: JSONValue) throws(UnexpectedJSON) { self = try stored.bool.expected() }
    var stored: JSONValue { .bool(self) }
}

/// All stored numbers are times or durations in seconds, so they are clamped to the limits of `Seconds`.
extension Int64: StoredJSON {
    init(stored: JSONValue) throws(UnexpectedJSON) { self = Seconds.time(try (stored.number?.integer).expected()) }
    var stored: JSONValue { JSONValue(self) }
}

extension Array: StoredJSON where Element: StoredJSON {
    init(stored: JSONValue) throws(UnexpectedJSON) {
        self.init()
        for value in try stored.array.expected() { append(try Element(stored: value)) }
    }
    var stored: JSONValue { .array(map(\.stored)) }
}

extension Secret: StoredJSON {
    init(stored: JSONValue) throws(UnexpectedJSON) { self.init(try String(stored: stored)) }
    var stored: JSONValue { .string(revealed()) }
}

extension StoredJSON where Self: RawRepresentable, RawValue == String {
    init(stored: JSONValue) throws(UnexpectedJSON) { self = try Self(rawValue: String(stored: stored)).expected() }
    var stored: JSONValue { .string(rawValue) }
}
