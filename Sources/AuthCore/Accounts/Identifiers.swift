// The characters allowed in provider IDs and uids from other systems: they appear in tables, hints and requests.
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
