import AuthCore

/// Pending credentials as the user wants to see them.
enum PendingText {
    static func command(_ pending: PendingCredential) -> Hint {
        switch pending.reason {
        case .accountExists: .run("authctl link --pending \(pending.id)")
        case .alreadyInUse: .run("authctl signin --pending \(pending.id)")
        }
    }
}
