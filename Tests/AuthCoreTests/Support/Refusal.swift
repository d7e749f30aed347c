import AuthCore

/// The error of a test whose operation was not refused.
struct NotRefused: Error {}

/// Whether an operation was refused for exactly this reason.
func == <Reason: Error & Equatable>(error: (any Error)?, reason: Reason) -> Bool {
    (error as? Reason).map { isSame($0, reason) } ?? false
}

/// `==` of the type: the operator above would call itself.
private func isSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool { left == right }

extension AccountConflict {
    var pendingID: String? {
        switch self {
        case .existsWithDifferentCredential(_, _, let id), .credentialAlreadyInUse(_, _, let id): id
        default: nil
        }
    }
}

extension Error {
    /// The rule that an ID token violates.
    var rejection: IDTokenRejection? {
        // With its type, as `rejection` would be this property otherwise.
        (self as? IDTokenRefused).map { error -> IDTokenRejection in error.rejection }
    }

    /// The code that a command or a program gets.
    var code: ErrorCode? {
        // With its type, as `code` would be this property otherwise.
        (self as? any CodedError).map { error -> ErrorCode in error.code }
    }
}
