// What may name a provider or an account that came from outside: these names stand in tables, in hints and in requests.
extension IdentityKey {
    static func isProviderID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: "-._")
    }
}

extension Account {
    static func isUID(_ text: String) -> Bool {
        (1...128).contains(text.count) && text.utf8.count <= 512 && !text.unicodeScalars.contains(where: \.isHidden)
    }
}
