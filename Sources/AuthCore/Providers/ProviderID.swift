/// The ID of a provider that can be configured: of a built-in one, or `oidc.` or `oauth.` and a name of letters, digits,
/// `-`, `_` and `.`.
package struct ProviderID: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package var isBuiltIn: Bool { Dialect.named(description) != nil }
    /// Whether the provider has OAuth 2.0 without OpenID Connect (RFC 6749).
    package var isPlainOAuth: Bool { description.hasPrefix(ProviderID.plainOAuth) }

    static let plainOAuth = "oauth."
    package static let kinds = ["oidc.", plainOAuth]

    /// The name in an ID that is not a built-in provider's.
    package static func name(in id: String) -> String? {
        kinds.first(where: id.hasPrefix).map { String(id.dropFirst($0.utf8.count)) }
    }

    /// The IDs that a name can mean, also of providers that were removed: `oidc.` and `oauth.` may be omitted.
    package static func ids(called name: String) -> [String] {
        (try? ProviderID(name)) == nil ? [name] + kinds.map { $0 + name } : [name]
    }

    /// The ID of a provider to add: a name without a dot gets the kind of the known ID.
    package init(adding name: String, like known: String?) throws(ProviderError) {
        let kind = known.flatMap { known in ProviderID.kinds.first(where: known.hasPrefix) }
        let isName = !name.contains(".") && Dialect.named(name) == nil
        try self.init(isName ? (kind ?? "") + name : name)
    }

    package init(_ text: String) throws(ProviderError) {
        let isOther = ProviderID.name(in: text).map {
            (1...64).contains($0.utf8.count) && $0.hasOnlyLettersAndDigits(or: "-_.")
        }
        guard Dialect.named(text) != nil || isOther == true else { throw .unknownID(ServerText.shown(text)) }
        description = text
    }
}
