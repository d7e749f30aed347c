import Glibc

/// The vaults that a store on this machine may have.
struct Vaults: Sendable {
    let directory: ConfigDirectory
    let host: any VaultHost
    var ahead: KeyringAhead?

    /// - Parameters:
    ///   - store: the store's own name, which tells its key from those of other stores.
    ///   - isKey: whether a key that was only cached is this store's.
    func vault(
        _ kind: VaultKind, of store: String, isKey: @escaping @Sendable (DataKey) -> Bool = { _ in true }
    ) -> any Vault {
        switch kind {
        case .file: KeyFileVault(directory: directory)
        case .keyring: KeyringVault(store: store, host: host, ahead: ahead)
        case .passphrase: PassphraseVault(directory: directory, store: store, host: host, isKey: isKey)
        }
    }

    /// The same, where nobody is asked or told anything.
    var silent: Vaults { Vaults(directory: directory, host: SilentHost(other: host)) }

    /// The same, with the keyring spoken to already where no file has the key: for who will want it in a moment.
    var hurried: Vaults {
        guard !Vaults.files.contains(where: { access(directory.path(of: $0), F_OK) == 0 }) else { return self }
        var vaults = self
        vaults.ahead = KeyringAhead(host, expecting: KeyringVault.attributes)
        return vaults
    }

    /// The files that a key of this store may stand in.
    static let files = [KeyFileVault.name, WrappedKey.name]
}
