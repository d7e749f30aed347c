/// The vaults that a store on this machine may have.
struct Vaults: Sendable {
    let directory: ConfigDirectory
    let host: any VaultHost

    /// - Parameters:
    ///   - store: the store's own name, which tells its key from those of other stores.
    ///   - isKey: whether a key that was only cached is this store's.
    func vault(
        _ kind: VaultKind, of store: String, isKey: @escaping @Sendable (DataKey) -> Bool = { _ in true }
    ) -> any Vault {
        switch kind {
        case .file: KeyFileVault(directory: directory)
        case .keyring: KeyringVault(store: store, host: host, isKey: isKey)
        case .passphrase: PassphraseVault(directory: directory, store: store, host: host, isKey: isKey)
        }
    }

    /// The same, where nobody is asked or told anything.
    var silent: Vaults { Vaults(directory: directory, host: SilentHost(other: host)) }

    /// The files that a key of this store may stand in.
    static let files = [KeyFileVault.name, WrappedKey.name]
}
