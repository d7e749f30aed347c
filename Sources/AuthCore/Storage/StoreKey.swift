/// A data key that was found, for as long as the store is open.
final class KnownKey: Sendable {
    private let key = Lock<DataKey?>(nil)

    var found: DataKey? {
        get { key.withLock { $0 } }
        set { key.withLock { $0 = newValue } }
    }
}

/// The key that a store's secrets are sealed with.
extension Store {
    private static let keyCheck = Sealer.Place(account: "", provider: "", field: "key check")

    var fileVault: KeyFileVault { KeyFileVault(directory: directory) }

    func vaultRow() async throws -> VaultRow? { try await read { try VaultRow.fetch($0) } }

    /// The vault that a row names.
    func vault(_ row: VaultRow) -> any Vault { vaults.vault(row.kind, of: row.store) { isRight($0, row) } }

    /// The sealer for this store's secrets.
    /// - Parameter creating: a first key may be made.
    /// - Throws: `StoreError.lostKey` and `VaultError`; nothing is overwritten.
    func sealer(creating: Bool) async throws -> Sealer {
        if let key = knownKey.found { return Sealer(key: key, random: random) }
        guard let row = try await vaultRow() else {
            guard creating else { throw lostKey(.file) }
            return try await firstSealer()
        }
        var seen = row
        while true {
            do { return try sealer(seen) } catch {
                // Another process may have moved it meanwhile.
                guard let now = try await vaultRow(), now.kind != seen.kind else { throw error }
                seen = now
            }
        }
    }

    /// The sealer with the key of the vault that a row names.
    func sealer(_ row: VaultRow) throws -> Sealer {
        guard let key = try asking(row, { try $0.dataKey() }) else { throw lostKey(row.kind) }
        let sealer = Sealer(key: key, random: random)
        guard isRight(key, row) else { throw lostKey(row.kind, .damaged) }
        knownKey.found = key
        return sealer
    }

    /// Whether this is the key that the store was sealed with.
    func isRight(_ key: DataKey, _ row: VaultRow) -> Bool {
        (try? Sealer(key: key, random: random).open(row.check, at: Store.keyCheck)) != nil
    }

    private func lostKey(_ kind: VaultKind, _ reason: VaultError.Reason = .missing) -> any Error {
        guard kind != .file else { return StoreError.lostKey(path: directory.path(of: KeyFileVault.name)) }
        return VaultError.lostKey(kind, reason, database: directory.path(of: Store.name))
    }

    /// Asks the vault that a row names; what is sealed here needs it.
    func asking<R>(_ row: VaultRow, _ question: (any Vault) throws -> R) throws -> R {
        do { return try question(vault(row)) } catch let error as VaultError {
            guard case .unavailable(let kind, let reason) = error, reason.isLoss else { throw error }
            throw lostKey(kind, reason)
        }
    }

    private func firstSealer() async throws -> Sealer {
        let key = try fileVault.first(random: random)
        let row = try row(.file, of: key)
        // Of several first processes one is first; all have its key.
        _ = try await write { try row.insert($0) }
        return Sealer(key: key, random: random)
    }

    /// A row that says that a vault has this key.
    func row(_ kind: VaultKind, of key: DataKey) throws -> VaultRow {
        let check = try Sealer(key: key, random: random).seal("authctl", at: Store.keyCheck)
        return VaultRow(kind: kind, store: try newName(), check: check)
    }

    /// A name that no other store has: 128 random bits.
    func newName() throws -> String { Base64URL.encode(try random.bytes(16)) }
}
