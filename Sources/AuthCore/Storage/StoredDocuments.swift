/// The cache of discovery documents and key sets in the store: protected like the tokens, because keys decide whom we
/// believe.
public struct StoredDocuments: DocumentCache {
    let store: Store

    public init(store: Store) { self.store = store }

    public func document(for key: String) async -> CachedDocument? {
        try? await store.read { db -> CachedDocument? in
            let row = try Row.fetchOne(db, sql: "SELECT * FROM document WHERE key = ?", arguments: [key])
            guard let row else { return nil }
            return CachedDocument(
                body: try row["body"], fetchedAt: Seconds.time(try row["fetched_at"]),
                freshUntil: Seconds.time(try row["fresh_until"]),
                forcedAt: (try row["forced_at"] as Int64?).map(Seconds.time),
                zone: (try row["zone"] as Int?).flatMap(NetworkZone.init(rawValue:)))
        }
    }

    public func store(_ document: CachedDocument, for key: String) async {
        // A cache that cannot be written is only slower.
        try? await store.write {
            try $0.execute(
                sql: """
                    INSERT OR REPLACE INTO document (key, body, fetched_at, fresh_until, forced_at, zone)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key, document.body, document.fetchedAt, document.freshUntil, document.forcedAt,
                    document.zone?.rawValue,
                ])
        }
    }
}

/// Client secrets, sealed.
public struct ProviderSecrets: Sendable {
    let store: Store
    let profile: String

    public init(store: Store, profile: String) {
        self.store = store
        self.profile = profile
    }

    private func place(_ provider: String) -> Sealer.Place {
        Sealer.Place(account: "profile \(profile)", provider: provider, field: "client secret")
    }

    /// - Throws: `StoreError`.
    public func secret(for provider: String) async throws -> ClientSecret? {
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
    public func set(_ secret: ClientSecret?, for provider: String) async throws {
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
