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

extension IdentityKey {
    private static let client = "client:"

    init(providerID: String, authority: String, unnamedAs clientID: String) {
        self.init(providerID: providerID, authority: authority, federatedID: IdentityKey.client + clientID)
    }

    /// Whether the key identifies the client, because the server does not identify the user.
    var isUnnamed: Bool { federatedID.hasPrefix(IdentityKey.client) }
}
