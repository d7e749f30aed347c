/// What the store keeps encrypted for a provider: the client secret, and what a registration brought.
struct ProviderSecrets: Sendable {
    let ledger: Ledger
    private var store: Store { ledger.store }
    private var profile: String { ledger.profile }

    enum Kind: String {
        case clientSecret = "client secret"
        case registration

        /// A registration has a row of its own, by a name that no provider can have.
        func row(of provider: String) -> String { self == .clientSecret ? provider : "\(rawValue) \(provider)" }
    }

    private func place(_ kind: Kind, _ provider: String) -> Sealer.Place {
        Sealer.Place(account: "profile \(profile)", provider: provider, field: kind.rawValue)
    }

    /// - Throws: `StoreError`.
    func text(_ kind: Kind, of provider: String) async throws -> String? {
        let (profile, row) = (self.profile, kind.row(of: provider))
        let box = try await store.read {
            try [UInt8].fetchOne(
                $0, sql: "SELECT secret FROM provider_secret WHERE profile = ? AND provider_id = ?",
                arguments: [profile, row])
        }
        guard let box else { return nil }
        return try await store.sealer(creating: false).open(box, at: place(kind, provider))
    }

    /// Stores a text, or removes it with nil.
    /// - Throws: `StoreError`.
    func set(_ text: String?, _ kind: Kind, of provider: String) async throws {
        let (profile, row) = (self.profile, kind.row(of: provider))
        guard let text else {
            return try await store.write {
                try $0.execute(
                    sql: "DELETE FROM provider_secret WHERE profile = ? AND provider_id = ?",
                    arguments: [profile, row])
            }
        }
        let box = try await store.sealer(creating: true).seal(text, at: place(kind, provider))
        try await store.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO provider_secret (profile, provider_id, secret) VALUES (?, ?, ?)",
                arguments: [profile, row, box])
        }
    }
}
