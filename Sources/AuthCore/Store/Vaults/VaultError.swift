/// Why a vault cannot return or store a key.
package enum VaultError: CodedError, Sendable, Equatable {
    case locked(VaultKind)
    case noPassphrase, weakPassphrase, notConfirmed, dismissed
    /// The user did not answer within this many seconds.
    case timedOut(seconds: Double)
    case wrongPassphrase
    case unavailable(VaultKind, Reason)
    case cannotStore(VaultKind, Reason)
    case lostKey(VaultKind, Reason, database: String)
    /// A key in a plain file cannot be locked.
    case cannotLock
    case noTimeLimit(VaultKind)

    package var code: ErrorCode {
        switch self {
        case .locked: .vaultLocked
        case .noPassphrase: .interactionRequired
        case .weakPassphrase: .weakPassword
        case .notConfirmed, .wrongPassphrase: .wrongPassphrase
        case .dismissed: .cancelled
        case .timedOut: .timedOut
        case .cannotLock, .noTimeLimit: .operationNotAllowed
        case .unavailable, .cannotStore, .lostKey: .vaultUnavailable
        }
    }

    package var libraryCode: ErrorCode {
        switch self {
        case .noPassphrase, .timedOut: .vaultLocked
        default: code.general
        }
    }

    package enum Reason: Sendable, Equatable {
        case noBus, noService, noCollection
        /// The service did not answer within this many seconds. It may still complete the request.
        case timeout(seconds: Double)
        case missing, damaged, tooExpensive, noLibrary
        case refused(ServerText)

        package var isLoss: Bool { [.missing, .damaged, .tooExpensive].contains(self) }
    }
}
