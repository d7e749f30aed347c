// What may name a provider or an account that came from outside: these names stand in tables, in hints and in requests.
extension IdentityKey {
    /// Letters, digits, `.`, `-` and `_`, as every directory's provider IDs are written; at most 128 of them.
    static func isProviderID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: "-._")
    }
}

extension Account {
    /// Up to 128 characters, as a Firebase project may choose them, and none that is hidden.
    static func isUID(_ text: String) -> Bool {
        (1...128).contains(text.count) && text.utf8.count <= 512 && !text.unicodeScalars.contains(where: \.isHidden)
    }
}
