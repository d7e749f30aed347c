/// The result of moving the key.
package struct VaultMove: Sendable, Equatable {
    package let from: VaultKind?
    package let to: VaultKind
    package internal(set) var left: Leftover?

    fileprivate static func mayBeStored(_ error: any Error) -> Bool {
        switch error as? VaultError {
        case .cannotStore(_, .timeout), .cannotStore(_, .damaged): true
        default: false
        }
    }

    package struct Leftover: Sendable, Equatable {
        package let kind: VaultKind
        package let reason: VaultError
    }
}

/// Moves the key to another vault.
///
/// The row names the vault of the key. The row is changed after the new vault has returned the stored key, and before
/// the old vault removes it. So the vault in the row always has the key. The row also names a vault that may have a
/// copy, so that the next move completes or undoes an interrupted one.
extension Store {
    package func moveKey(to kind: VaultKind) async throws -> VaultMove {
        try await FileLock.holding("vault", in: directory, clock: vaults.host.clock) { _ in
            guard let row = try await vaultRow() else { return try await firstKey(in: kind) }
            return try await moved(placed(row), to: kind)
        }
    }

    /// A first key is created in its vault, so that it is never in an unprotected file.
    private func firstKey(in kind: VaultKind) async throws -> VaultMove {
        guard kind != .file else {
            _ = try await sealer(creating: true)
            return VaultMove(from: nil, to: kind)
        }
        let key = try DataKey.new(random: random)
        let first = try row(kind, of: key)
        try storeVerified(key, in: first)
        if try await write({ try first.insert($0) }) { return VaultMove(from: nil, to: kind) }
        // Meanwhile another process has encrypted a value with a key in a file.
        try vault(first).discard()
        guard let row = try await vaultRow() else { throw StoreError.damagedEntry("vault") }
        return try await moved(row, to: kind)
    }

    private func moved(_ current: VaultRow, to kind: VaultKind) async throws -> VaultMove {
        let key = try sealer(current).key
        var row = current
        // Nothing outside the directory has the ID of a key in a file, which copies of the directory may share.
        if row.store.isEmpty || row.kind == .file && row.other == nil { row.store = try newName() }
        guard kind != row.kind else {
            // Only the passphrase changes, not the vault.
            if kind == .passphrase { try storeVerified(key, in: row) }
            return VaultMove(from: kind, to: kind, left: try await cleared(row))
        }
        // The copy of an earlier move in a third vault is removed first: the row can name only one copy.
        if let other = row.other, other != kind, let left = try await cleared(row) { throw left.reason }
        row.other = kind
        try await put(row)
        var target = row
        target.kind = kind
        do { try storeVerified(key, in: target) } catch {
            // Unless this or an earlier attempt may have stored a copy, the row does not name the vault any more.
            if !VaultMove.mayBeStored(error), current.other != kind {
                row.other = nil
                try await put(row)
            }
            throw error
        }
        target.other = current.kind
        try await put(target)
        return VaultMove(from: current.kind, to: kind, left: try await cleared(target))
    }

    func storeVerified(_ key: DataKey, in row: VaultRow) throws {
        let vault = vault(row)
        do {
            try vault.store(key)
            guard try vault.dataKey() == key else { throw VaultError.cannotStore(row.kind, .damaged) }
        } catch VaultError.unavailable(let kind, let reason) {
            throw VaultError.cannotStore(kind, reason)
        }
    }

    /// Removes the key from its previous vault.
    private func cleared(_ row: VaultRow) async throws -> VaultMove.Leftover? {
        guard let other = row.other else { return nil }
        do { try vaults.vault(other, of: row.store).discard() } catch let error as VaultError {
            return VaultMove.Leftover(kind: other, reason: error)
        }
        var row = row
        row.other = nil
        try await put(row)
        return nil
    }

    func put(_ row: VaultRow) async throws { try await write { try row.update($0) } }

    // MARK: State

    package func vaultStatus() async throws -> VaultStatus {
        guard let row = try await vaultRow() else { return .first }
        var status = vault(row).status()
        // If a move was interrupted before it stored the key, the other vault has no copy.
        status.other = row.other.flatMap { vaults.vault($0, of: row.store).state() == .missing ? nil : $0 }
        return status
    }

    /// Throws if the vault was open at an earlier call, and is locked now. A passphrase that is read at each use never
    /// opens it. A program that runs for long calls this, because it has the key and tokens in memory.
    package func requireUnlocked() async throws {
        let status = try await vaultStatus()
        if case .open = status.state { knownKey.wasOpen.withLock { $0 = true } }
        if status.state == .locked, knownKey.wasOpen.withLock({ $0 }) { throw VaultError.locked(status.kind) }
    }

    package func unlockVault(for seconds: Int64?) async throws -> VaultStatus {
        if let row = try await vaultRow() { try withVault(await recordedPlace(row)) { try $0.unlock(for: seconds) } }
        return try await vaultStatus()
    }

    package func lockVault() async throws -> VaultStatus {
        guard let row = try await vaultRow() else { throw VaultError.cannotLock }
        // The keyring is locked as a whole.
        try vault(row.kind == .keyring ? row : await recordedPlace(row)).lock()
        knownKey.key.withLock { $0 = nil }
        return try await vaultStatus()
    }
}
