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
        Sealer.Place(account: "profile \(profile)", provider: provider, field: kind.rawValue)
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

    /// Whether there is a text, without decrypting it.
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
