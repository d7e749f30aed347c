/// Where a store keeps the data key that seals its secrets; the words are those of the command line and of the database.
package enum VaultKind: String, Sendable, CaseIterable {
    /// A file beside the database.
    case file
    /// The desktop's keyring: the default collection of the Secret Service.
    case keyring
    /// A file beside the database that opens with a passphrase.
    case passphrase
}

/// Keeps the data key of one store.
protocol Vault: Sendable {
    var kind: VaultKind { get }

    /// The key; nil where none is kept. What is locked, or cannot be asked, throws: it is not missing.
    /// - Throws: `VaultError`, `StoreError`.
    func dataKey() throws -> DataKey?

    /// Keeps this key, instead of another of the same store. Whoever calls reads it back.
    /// - Throws: `VaultError`, `StoreError`.
    func keep(_ key: DataKey) throws

    /// Forgets the key; nothing where there is none.
    /// - Throws: `VaultError`, `StoreError`.
    func discard() throws

    /// How it stands, without asking anybody and without changing anything.
    func state() -> VaultState

    /// The same, with what else is worth knowing.
    func status() -> VaultStatus

    /// Opens it, so that the commands that follow need nobody.
    /// - Parameter seconds: for how long, where the vault can say; nil for what is usual.
    /// - Throws: `VaultError`.
    func unlock(for seconds: Int64?) throws

    /// Closes it, so that a person is needed; nothing where it is closed.
    /// - Throws: `VaultError`.
    func lock() throws
}

extension Vault {
    func status() -> VaultStatus { VaultStatus(kind: kind, state: state()) }
}

/// The vault of a store, and how it stands.
package struct VaultStatus: Sendable, Equatable {
    package let kind: VaultKind
    package let state: VaultState
    /// The key crosses the bus in clear: the keyring offers nothing better.
    package var isPlain = false
    /// Of a store with nothing sealed yet: its key will be in a file.
    static let first = VaultStatus(kind: .file, state: .open(until: nil))
    /// A vault where a copy of the key may stand since a move that was interrupted.
    package var other: VaultKind?
}

/// How a vault stands.
package enum VaultState: Sendable, Equatable {
    /// - until: seconds since 1970 at which it closes by itself; nil where that is not known.
    case open(until: Int64?)
    case locked
    /// Nothing is kept there for this store.
    case missing
    case unavailable(VaultError.Reason)
}
