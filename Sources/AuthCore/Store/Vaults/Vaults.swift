/// The vaults that a store on this machine may have.
/// See docs/decisions/028.
struct Vaults: Sendable {
    let directory: ConfigDirectory
    let host: any VaultHost
    private let timeout = KeyringTimeout()

    func vault(
        _ kind: VaultKind, of store: String, isKey: @escaping @Sendable (DataKey) -> Bool = { _ in true }
    ) -> any Vault {
        switch kind {
        case .file: KeyFileVault(directory: directory)
        case .keyring: KeyringVault(store: store, host: host, isKey: isKey, timeout: timeout)
        case .passphrase: PassphraseVault(directory: directory, store: store, host: host, isKey: isKey)
        }
    }

    var silent: Vaults { Vaults(directory: directory, host: SilentHost(other: host)) }

    static let files = [KeyFileVault.name, WrappedKey.name]
}
