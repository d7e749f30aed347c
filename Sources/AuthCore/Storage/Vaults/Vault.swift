/// Where a store keeps the data key that seals its secrets; the words are those of the command line and of the database.
package enum VaultKind: String, Sendable, CaseIterable {
    case file
    case keyring
    case passphrase
}

/// Keeps the data key of one store.
protocol Vault: Sendable {
    var kind: VaultKind { get }

    /// The key; nil where none is kept. What is locked, or cannot be asked, throws: it is not missing.
    func dataKey() throws -> DataKey?

    /// Keeps this key, instead of another of the same store. Whoever calls reads it back.
    func keep(_ key: DataKey) throws

    func discard() throws

    /// How it stands, without asking anybody and without changing anything.
    func state() -> VaultState

    func status() -> VaultStatus

    /// Opens it, so that the commands that follow need nobody.
    /// - Parameter seconds: for how long, where the vault can say; nil for what is usual.
    func unlock(for seconds: Int64?) throws

    /// Closes it, so that a person is needed; nothing where it is closed.
    func lock() throws
}

extension Vault {
    func status() -> VaultStatus { VaultStatus(kind: kind, state: state()) }
}

/// The vault of a store, and how it stands.
package struct VaultStatus: Sendable, Equatable {
    package let kind: VaultKind
    package let state: VaultState
    package var isPlain = false
    static let first = VaultStatus(kind: .file, state: .open(until: nil))
    /// A vault where a copy of the key may stand since a move that was interrupted.
    package var other: VaultKind?
}

/// How a vault stands.
package enum VaultState: Sendable, Equatable {
    /// - until: seconds since 1970 at which it closes by itself; nil where that is not known.
    case open(until: Int64?)
    case locked
    case missing
    case unavailable(VaultError.Reason)
}
