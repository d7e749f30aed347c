/// A local alias for an account. It cannot look like a uid or an email address.
/// It has a table of its own, because a Firebase project can describe the account again at any time.
package enum AccountName {
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && (text.utf8.first?.isLetterOrDigit ?? false)
            && text.hasOnlyLettersAndDigits(or: "-._")
    }

    static let shortest = 4
    private static let made = 28

    /// Whether a word can abbreviate a uid. Only generated uids can be abbreviated, because a uid that a user chose may
    /// be the prefix of another. A script that names a deleted account must not get another account's token.
    static func isUIDPrefix(_ text: String) -> Bool {
        (shortest..<made).contains(text.utf8.count) && text.hasOnlyLettersAndDigits()
    }

    static func isMade(uid: String) -> Bool { uid.utf8.count == made && uid.hasOnlyLettersAndDigits() }
}

/// How users name a session: `github.com/ada`, or `github.com` if there is only one.
package struct SessionName: Sendable {
    package let provider: String
    /// The account's alias, or its user name or address at the provider.
    package let user: String?
    /// The IDs of providers that are called so: `oidc.` and `oauth.` may be omitted.
    package var providerIDs: [String] { [provider] + ProviderID.kinds.map { $0 + provider } }

    /// A URL is a provider's or a resource's, without a user.
    package init(_ text: String) {
        let end = text.contains(":") ? nil : text.firstIndex(of: "/")
        provider = Dialect.id(called: String(text[..<(end ?? text.endIndex)]))
        user = end.map { String(text[text.index(after: $0)...]) }
    }
}

extension Account {
    /// The user in the name of this account's session with a provider: the alias, or else the user name or the address
    /// there; nil if none of them can be typed.
    package func user(at providerID: String) -> String? {
        ([name] + (identity(of: providerID)?.users ?? []) + [email]).typable
    }
}

extension Identity {
    fileprivate var users: [String?] { [screenName, email] }
    /// As in the name of a session.
    package var user: String? { users.typable }
}

extension [String?] {
    fileprivate var typable: String? {
        lazy.compactMap(\.self).first { !$0.isEmpty && $0.hasOnlyLettersAndDigits(or: "._@+-") }
    }
}

/// Why an alias is rejected.
package enum AccountNameError: CodedError, Sendable, Equatable {
    case noName(String)
    case taken(String, owner: String)
    case uid(String)
    case unnamed(account: String)

    package var code: ErrorCode { .usage }
}
