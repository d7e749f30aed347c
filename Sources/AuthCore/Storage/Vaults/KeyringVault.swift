/// To be replaced.
struct KeyringVault: Vault {
    let store: String
    let host: any VaultHost
    var kind: VaultKind { .keyring }
    func dataKey() throws -> DataKey? { throw VaultError.unavailable(.keyring, .noLibrary) }
    func keep(_ key: DataKey) throws { throw VaultError.unavailable(.keyring, .noLibrary) }
    func discard() throws {}
    func state() -> VaultState { .unavailable(.noLibrary) }
    func unlock(for seconds: Int64?) throws { throw VaultError.unavailable(.keyring, .noLibrary) }
    func lock() throws { throw VaultError.unavailable(.keyring, .noLibrary) }
}
