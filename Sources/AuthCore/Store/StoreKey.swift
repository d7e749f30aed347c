import Glibc

/// The data key, cached while the store is open, and whether `requireUnlocked` has seen an open vault.
final class KnownKey: Sendable { let key = Lock<DataKey?>(nil), wasOpen = Lock(false) }

extension Store {
    private static let keyCheck = Sealer.Place(account: "", provider: "", field: "key check")

    var fileVault: KeyFileVault { KeyFileVault(directory: directory) }

    func vaultRow() async throws -> VaultRow? { try await read { try VaultRow.fetch($0) } }

    func vault(_ row: VaultRow) -> any Vault { vaults.vault(row.kind, of: row.store) { isValid($0, row) } }

    func sealer(creating: Bool) async throws -> Sealer {
        if let key = knownKey.key.withLock({ $0 }) { return Sealer(key: key, random: random) }
        guard let row = try await vaultRow() else {
            guard creating else { throw lostKey(.file) }
            return try await firstSealer()
        }
        var seen = row
        while true {
            do {
                let sealer = try sealer(seen)
                _ = await recordedPlace(seen)
                return sealer
            } catch {
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
        knownKey.key.withLock { $0 = key }
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
        return VaultRow(kind: kind, store: try newName(), path: resolvedPath, check: check)
    }

    private var resolvedPath: String? { ConfigDirectory.resolved(directory.path) }

    /// Records where the store is, unless another process moves the key or the store cannot be written. Nothing outside
    /// the directory has the ID of a store whose key is in a file.
    func recordedPlace(_ seen: VaultRow) async -> VaultRow {
        guard seen.kind != .file, seen.path != resolvedPath else { return seen }
        let row = try? await FileLock.holding("vault", in: directory, clock: vaults.host.clock, timeout: 0) { _ in
            try await placed(try await vaultRow() ?? seen)
        }
        return row ?? seen
    }

    /// The row, after it names where the store is. A copy takes an ID of its own, and an item of its own in the keyring:
    /// the one of its ID belongs to the store that it was copied from. The caller holds the lock `vault`.
    func placed(_ row: VaultRow) async throws -> VaultRow {
        guard let here = resolvedPath, row.path != here else { return row }
        var own = row
        own.path = here
        if let path = row.path, isCopy(row, ofStoreIn: path) {
            own.store = try newName()
            if row.kind == .keyring { try storeVerified(sealer(row).key, in: own) }
        }
        try await put(own)
        return own
    }

    /// Whether another file at the path is a store with the same ID. A store that was moved left none.
    private func isCopy(_ row: VaultRow, ofStoreIn path: String) -> Bool {
        let other = ConfigDirectory(path: path)
        guard !row.store.isEmpty, let file = stat(at: other.path(of: Store.name)),
            stat(at: directory.path(of: Store.name)).map({ FileID($0) }) != FileID(file),
            let store = try? Store.existing(in: other, host: vaults.host, timeout: 1)
        else { return false }
        return (try? store.database.blockingTransaction(.reading) { try VaultRow.fetch($0)?.store }) == row.store
    }

    func newName() throws -> String { Base64URL.encode(try random.bytes(16)) }
}
