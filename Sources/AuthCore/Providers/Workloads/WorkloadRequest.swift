/// A request for a platform's token. It is stored with the session, so that it can be repeated.
package struct WorkloadRequest: Sendable, Equatable {
    package var audience: String?
    /// The required issuer; nil if the platform decides.
    package var issuer: String?
    package var source: String?
    /// The claims that the token must have, with their values.
    package var required: [ClaimRequirement] = []

    package init() {}
}

extension WorkloadRequest: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        audience = try object.storedIfPresent("audience")
        issuer = try object.storedIfPresent("issuer")
        source = try object.storedIfPresent("source")
        required = try object.stored("required")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> {
        ["audience": audience, "issuer": issuer, "source": source, "required": required]
    }
}

/// `NAME=VALUE` that a job's token must have. The whole value is compared, without wildcards or prefixes, because
/// `repo:org/*` has matched `repo:org-evil/x` in other tools. GitHub's `sub` may also have IDs.
package struct ClaimRequirement: Sendable, Equatable {
    /// The name of a claim, or a JSON Pointer (RFC 6901) to a nested member.
    package let name: String
    package let value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }

    func holds(in claims: JSONObject) -> Bool {
        switch actual(in: claims) {
        case .string(let text)?:
            if text.hasSameBytes(as: value) { return true }
            guard name == "sub", let actual = GitHubSubject(text), let required = GitHubSubject(value) else {
                return false
            }
            return actual.satisfies(required)
        // Some platforms write booleans as strings, others as JSON booleans.
        case .bool(let truth)?: return value == (truth ? "true" : "false")
        case .number(let number)?: return number.integer.map { String($0) } == value
        default: return false
        }
    }

    func actual(in claims: JSONObject) -> JSONValue? {
        guard name.hasPrefix("/") else { return claims[name] }
        var value = JSONValue.object(claims)
        for step in name.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let plain = step.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = value.object?[String(plain)] else { return nil }
            value = next
        }
        return value
    }
}

extension ClaimRequirement: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        name = try object.stored("name")
        value = try object.stored("value")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> { ["name": name, "value": value] }
}
