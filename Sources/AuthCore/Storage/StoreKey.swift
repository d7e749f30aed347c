/// The data key, cached while the store is open.
final class KnownKey: Sendable {
    private let key = Lock<DataKey?>(nil)

    var found: DataKey? {
        get { key.withLock { $0 } }
        set { key.withLock { $0 = newValue } }
    }
}

extension Store {
    private static let keyCheck = Sealer.Place(account: "", provider: "", field: "key check")

    var fileVault: KeyFileVault { KeyFileVault(directory: directory) }

    func vaultRow() async throws -> VaultRow? { try await read { try VaultRow.fetch($0) } }

    func vault(_ row: VaultRow) -> any Vault { vaults.vault(row.kind, of: row.store) { isValid($0, row) } }

    func sealer(creating: Bool) async throws -> Sealer {
        if let key = knownKey.found { return Sealer(key: key, random: random) }
        guard let row = try await vaultRow() else {
            guard creating else { throw lostKey(.file) }
            return try await firstSealer()
        }
        var seen = row
        while true {
            do { return try sealer(seen) } catch {
                // Another process may have moved the key to another vault.
                guard let now = try await vaultRow(), now.kind != seen.kind else { throw error }
                seen = now
            }
        }
    }

    func sealer(_ row: VaultRow) throws -> Sealer {
        guard let key = try withVault(row, { try $0.dataKey() }) else { throw lostKey(row.kind) }
        let sealer = Sealer(key: key, random: random)
        guard isValid(key, row) else { throw lostKey(row.kind, .damaged) }
        knownKey.found = key
        return sealer
    }

    func isValid(_ key: DataKey, _ row: VaultRow) -> Bool {
        (try? Sealer(key: key, random: random).open(row.check, at: Store.keyCheck)) != nil
    }

    private func lostKey(_ kind: VaultKind, _ reason: VaultError.Reason = .missing) -> any Error {
        guard kind != .file else { return StoreError.lostKey(path: directory.path(of: KeyFileVault.name)) }
        return VaultError.lostKey(kind, reason, database: directory.path(of: Store.name))
    }

    func withVault<R>(_ row: VaultRow, _ body: (any Vault) throws -> R) throws -> R {
        do { return try body(vault(row)) } catch let error as VaultError {
            guard case .unavailable(let kind, let reason) = error, reason.isLoss else { throw error }
            throw lostKey(kind, reason)
        }
    }

    private func firstSealer() async throws -> Sealer {
        let key = try fileVault.first(random: random)
        let row = try row(.file, of: key)
        // If several processes start first, one inserts the row, which may be of another vault.
        guard try await write({ try row.insert($0) }) else { return try await sealer(creating: false) }
        return Sealer(key: key, random: random)
    }

    func row(_ kind: VaultKind, of key: DataKey) throws -> VaultRow {
        let check = try Sealer(key: key, random: random).seal("authctl", at: Store.keyCheck)
        return VaultRow(kind: kind, store: try newName(), check: check)
    }

    func newName() throws -> String { Base64URL.encode(try random.bytes(16)) }
}
