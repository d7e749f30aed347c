/// The encrypted secrets of a provider configuration: the client secret, and the result of a registration.
struct ProviderSecrets: Sendable {
    let sessionStore: SessionStore
    private var store: Store { sessionStore.store }
    private var profile: String { sessionStore.profile }

    enum Kind: String {
        case clientSecret = "client secret"
        case registration

        func row(of provider: String) -> String { self == .clientSecret ? provider : "\(rawValue) \(provider)" }
    }

    private func place(_ kind: Kind, _ provider: String) -> Sealer.Place {
        ProviderSecrets.place(kind, for: provider, of: profile)
    }

    private static func place(_ kind: Kind, for provider: String, of profile: String) -> Sealer.Place {
        Sealer.Place(account: "profile \(profile)", provider: provider, field: kind.rawValue)
    }

    /// Moves the secrets of a profile, and encrypts them for its new name.
    static func move(_ profile: String, to other: String, sealer: Sealer, in db: Database) throws {
        let registration = Kind.registration.row(of: "")
        let rows = try Row.fetchAll(db, "SELECT provider_id, secret FROM provider_secret WHERE profile = \(profile)")
        for row in rows {
            let (id, box): (String, [UInt8]) = (try row["provider_id"], try row["secret"])
            let kind: Kind = id.hasPrefix(registration) ? .registration : .clientSecret
            let provider = kind == .registration ? String(id.dropFirst(registration.count)) : id
            let text = try sealer.open(box, at: place(kind, for: provider, of: profile))
            let moved = try sealer.seal(text, at: place(kind, for: provider, of: other))
            try db.execute(
                """
                UPDATE provider_secret SET profile = \(other), secret = \(moved)
                WHERE profile = \(profile) AND provider_id = \(id)
                """)
        }
    }

    private func box(_ kind: Kind, of provider: String) async throws -> [UInt8]? {
        let row = kind.row(of: provider)
        return try await store.read {
            try [UInt8].fetchOne(
                $0, "SELECT secret FROM provider_secret WHERE profile = \(profile) AND provider_id = \(row)")
        }
    }

    func text(_ kind: Kind, of provider: String) async throws -> String? {
        guard let box = try await box(kind, of: provider) else { return nil }
        return try await store.sealer(creating: false).open(box, at: place(kind, provider))
    }

    /// Whether the secret exists. It is not decrypted.
    func has(_ kind: Kind, of provider: String) async throws -> Bool { try await box(kind, of: provider) != nil }

    func set(
        _ texts: [Kind: String?], of provider: String, saving save: @Sendable () throws -> Void = {}
    ) async throws {
        var boxes: [(row: String, box: [UInt8]?)] = []
        for (kind, text) in texts {
            var box: [UInt8]?
            if let text { box = try await store.sealer(creating: true).seal(text, at: place(kind, provider)) }
            boxes.append((kind.row(of: provider), box))
        }
        let rows = boxes
        try await store.write { db in
            for (row, box) in rows {
                if let box {
                    try db.replace(
                        into: "provider_secret", values: ["profile": profile, "provider_id": row, "secret": box])
                } else {
                    try db.execute("DELETE FROM provider_secret WHERE profile = \(profile) AND provider_id = \(row)")
                }
            }
            try save()
        }
    }
}
