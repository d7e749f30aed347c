/// The vault that stores the key in the file `key` next to the database. Only the file's mode protects it.
struct KeyFileVault: Vault {
    let directory: ConfigDirectory

    var kind: VaultKind { .file }
    static let name = ConfigDirectory.keyName

    func dataKey() throws -> DataKey? {
        guard var text = try directory.read(KeyFileVault.name, as: .secret, maximumLength: 1024) else { return nil }
        defer { text.wipe() }
        if text.last == 10 { text.removeLast() }
        guard var raw = Base64URL.decode(text), let key = DataKey(moving: &raw) else {
            throw StoreError.lostKey(path: directory.path(of: KeyFileVault.name))
        }
        return key
    }

    /// Returns the stored key, or stores a new one. If several first processes start together, one of them stores it.
    func first(random: RandomSource) throws -> DataKey {
        if let key = try dataKey() { return key }
        let key = try DataKey.new(random: random)
        if try directory.createFile(KeyFileVault.name, text(of: key)) { return key }
        guard let other = try dataKey() else { throw StoreError.lostKey(path: directory.path(of: KeyFileVault.name)) }
        return other
    }

    func store(_ key: DataKey) throws { try directory.replaceFile(KeyFileVault.name, text(of: key)) }

    func discard() throws { try directory.removeSecret(KeyFileVault.name) }

    private func text(of key: DataKey) -> [UInt8] {
        key.bytes.withUnsafeBytes { Array((Base64URL.encode(Array($0)) + "\n").utf8) }
    }

    func status() -> VaultStatus {
        let state: VaultState
        do { state = try dataKey() == nil ? .missing : .open(until: nil) } catch { state = .unavailable(.damaged) }
        return VaultStatus(kind: kind, state: state)
    }

    func unlock(for seconds: Int64?) throws { guard seconds == nil else { throw VaultError.noTimeLimit(.file) } }

    func lock() throws { throw VaultError.cannotLock }
}
