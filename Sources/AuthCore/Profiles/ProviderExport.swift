/// A provider's entry as a file of an organization's, for others: nothing secret, and nothing that is this machine's alone.
package struct ProviderExport: Sendable {
    private let id: String
    private let entry: YAMLMapping
    /// The settings that were left out, by their names in the file.
    package let left: [String]

    /// What says where this machine keeps a secret.
    private static let own = [
        "client_secret_file", "client_secret_env", "private_key", "private_key_passphrase_file", "certificate",
    ]

    /// - Throws: `ProviderError`, `OrganizationProblem`, `StoreError`.
    package init(_ id: String, of profile: Profile) throws {
        let (provider, secret) = try profile.described(id)
        var entry = ProviderEntry(provider, secret: secret).mapping
        left = Self.own.filter { entry[$0] != nil }
        for name in left { entry[name] = nil }
        self.id = id
        self.entry = entry
    }

    /// - Throws: `ConfigFileError`.
    package func text() throws -> String { try ConfigFile.text(ofOrganizations: entry, of: id) }

    /// The same as JSON, which is YAML too.
    package var json: JSONValue {
        var providers = JSONObject()
        providers[id] = entry.json
        return ["providers": .object(providers)]
    }
}

extension YAMLMapping {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        for entry in entries { if let name = entry.key.text { object[name] = entry.value.json } }
        return .object(object)
    }
}

extension YAMLNode {
    fileprivate var json: JSONValue {
        switch content {
        case .mapping(let mapping): mapping.json
        case .sequence(let nodes): .array(nodes.map(\.json))
        case .scalar(let scalar): scalar.bool.map { .bool($0) } ?? .string(scalar.text)
        }
    }
}
