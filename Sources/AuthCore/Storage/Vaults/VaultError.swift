/// Why a vault does not give its key, or does not take one.
package enum VaultError: CodedError, Sendable, Equatable {
    /// It opens by a person's hand, and nobody may be asked.
    case locked(VaultKind)
    /// A passphrase is to be chosen, and nothing gives one.
    case noPassphrase
    /// A new passphrase is shorter than `VaultPassphrase.minimumLength`.
    case weakPassphrase
    /// A new passphrase was typed again differently, as often as the user may try.
    case notConfirmed
    /// A person refused to open it.
    case dismissed
    /// Nobody answered within this many seconds.
    case unanswered(seconds: Double)
    case wrongPassphrase
    case unavailable(VaultKind, Reason)
    /// A key that is elsewhere was to be kept there.
    case cannotTake(VaultKind, Reason)
    /// The store is sealed, and its key is gone or is another: `missing` or what else is wrong with it.
    case lostKey(VaultKind, Reason, database: String)
    /// Whoever can read the file has the key: there is nothing to lock.
    case cannotLock
    /// How long it stays open is not this program's to say.
    case noTimeLimit(VaultKind)

    package var code: ErrorCode {
        switch self {
        case .locked: .vaultLocked
        case .noPassphrase: .interactionRequired
        case .weakPassphrase: .weakPassword
        case .notConfirmed, .wrongPassphrase: .wrongPassphrase
        case .dismissed: .cancelled
        case .unanswered: .timedOut
        case .cannotLock, .noTimeLimit: .operationNotAllowed
        case .unavailable, .cannotTake, .lostKey: .vaultUnavailable
        }
    }

    package var libraryCode: ErrorCode {
        switch self {
        case .noPassphrase, .unanswered: .vaultLocked
        default: code.general
        }
    }

    package enum Reason: Sendable, Equatable {
        /// No session bus is named, or nothing listens there.
        case noBus
        /// Nobody on the bus is the Secret Service, and nobody was started.
        case noService
        /// The Secret Service has no default collection.
        case noCollection
        /// It did not answer within this many seconds; what it may still do is not ours.
        case timeout(seconds: Double)
        /// The store is sealed, and its key is not there.
        case missing
        /// What is kept there is not this store's key, or can no longer be read.
        case damaged
        /// Whoever wrote the file made the passphrase cost more memory or time than opening it may.
        case tooExpensive
        /// libsystemd, which speaks to the bus, is not on this machine.
        case noLibrary
        case refused(ServerText)

        /// What was sealed cannot be opened any more, however often it is tried.
        package var isLoss: Bool { [.missing, .damaged, .tooExpensive].contains(self) }
    }
}
