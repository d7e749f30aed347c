/// To be replaced.
struct PassphraseVault: Vault {
    let directory: ConfigDirectory
    let store: String
    let host: any VaultHost
    var kind: VaultKind { .passphrase }
    func dataKey() throws -> DataKey? { throw VaultError.unavailable(.passphrase, .noLibrary) }
    func keep(_ key: DataKey) throws { throw VaultError.unavailable(.passphrase, .noLibrary) }
    func discard() throws {}
    func state() -> VaultState { .unavailable(.noLibrary) }
    func unlock(for seconds: Int64?) throws { throw VaultError.unavailable(.passphrase, .noLibrary) }
    func lock() throws { throw VaultError.unavailable(.passphrase, .noLibrary) }
}
