/// Client secrets, sealed.
struct ProviderSecrets: Sendable {
    let ledger: Ledger
    private var store: Store { ledger.store }
    private var profile: String { ledger.profile }

    private func place(_ provider: String) -> Sealer.Place {
        Sealer.Place(account: "profile \(profile)", provider: provider, field: "client secret")
    }

    /// - Throws: `StoreError`.
    func secret(for provider: String) async throws -> ClientSecret? {
        let profile = self.profile
        let box = try await store.read {
            try [UInt8].fetchOne(
                $0, sql: "SELECT secret FROM provider_secret WHERE profile = ? AND provider_id = ?",
                arguments: [profile, provider])
        }
        guard let box else { return nil }
        return ClientSecret(try await store.sealer(creating: false).open(box, at: place(provider)))
    }

    /// Keeps a secret, or removes it with nil.
    /// - Throws: `StoreError`.
    func set(_ secret: ClientSecret?, for provider: String) async throws {
        let profile = self.profile
        guard let secret else {
            return try await store.write {
                try $0.execute(
                    sql: "DELETE FROM provider_secret WHERE profile = ? AND provider_id = ?",
                    arguments: [profile, provider])
            }
        }
        let box = try await store.sealer(creating: true).seal(secret.revealed(), at: place(provider))
        try await store.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO provider_secret (profile, provider_id, secret) VALUES (?, ?, ?)",
                arguments: [profile, provider, box])
        }
    }
}
