// What may name a provider or an account that came from outside: these names stand in tables, in hints and in requests.
extension IdentityKey {
    /// Letters, digits, `.`, `-` and `_`, as every directory's provider IDs are written; at most 128 of them.
    static func isProviderID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }
}

extension Account {
    /// Up to 128 characters, as a Firebase project may choose them, and none that is hidden.
    static func isUID(_ text: String) -> Bool {
        (1...128).contains(text.count) && text.utf8.count <= 512 && !text.unicodeScalars.contains(where: \.isHidden)
    }
}
