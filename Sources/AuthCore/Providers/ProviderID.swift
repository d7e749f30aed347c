/// The ID of a provider that can be configured: of a built-in one, or `oidc.` and a name of letters, digits, `-`, `_` and `.`.
package struct ProviderID: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package var isBuiltIn: Bool { Dialect.named(description) != nil }

    package init(_ text: String) throws(ProviderError) {
        let name = text.dropFirst(5)
        let isName = (1...64).contains(name.utf8.count) && name.hasOnlyLettersAndDigits(or: "-_.")
        guard Dialect.named(text) != nil || text.hasPrefix("oidc.") && isName else {
            throw .unknownID(ServerText.shown(text))
        }
        description = text
    }
}
