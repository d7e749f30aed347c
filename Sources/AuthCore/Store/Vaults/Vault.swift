/// Where a store keeps the data key that encrypts its secrets. The raw values appear on the command line and in the
/// database.
package enum VaultKind: String, Sendable, CaseIterable { case file, keyring, passphrase }

/// Stores the data key of one store.
protocol Vault: Sendable {
    var kind: VaultKind { get }

    /// The key; nil if the vault has none. A vault that is locked or unavailable throws, because the key may exist.
    func dataKey() throws -> DataKey?

    /// Stores this key, and replaces another key of the same store. The caller verifies it with `dataKey()`.
    func store(_ key: DataKey) throws

    func discard() throws

    /// The state of the vault, without user interaction and without changes.
    func status() -> VaultStatus

    /// Unlocks the vault, so that later commands require no user interaction.
    ///
    /// - Parameter seconds: for how long, if the vault supports that; nil for the default.
    func unlock(for seconds: Int64?) throws

    /// Locks the vault; does nothing if it is locked.
    func lock() throws
}

extension Vault {
    func state() -> VaultState { status().state }
}

/// The vault of a store, and its state.
package struct VaultStatus: Sendable, Equatable {
    package let kind: VaultKind
    package let state: VaultState
    package var isPlain = false
    /// Why the kernel does not cache the key after the vault is unlocked.
    package var notCached: KernelKeyring.Refusal?
    static let first = VaultStatus(kind: .file, state: .open(until: nil))
    /// A vault that may have a copy of the key, after an interrupted move.
    package var other: VaultKind?
}

/// The state of a vault.
package enum VaultState: Sendable, Equatable {
    /// - until: when it locks automatically, in seconds since 1970; nil if unknown.
    case open(until: Int64?)
    case locked
    case missing
    case unavailable(VaultError.Reason)
}

extension VaultState {
    /// The state of a vault that threw this error.
    init(_ error: any Error) {
        self =
            switch error {
            case VaultError.locked: .locked
            case VaultError.unavailable(_, let reason): .unavailable(reason)
            default: .unavailable(.damaged)
            }
    }
}
