import AuthCore

/// Pending credentials as the user wants to see them.
enum PendingText {
    /// - Parameter current: the uid of the current account.
    static func command(_ pending: PendingCredential, current: String?) -> Hint {
        switch pending.reason {
        case .accountExists:
            // Only the account of the conflict can have it.
            let other = pending.accountUID == current ? nil : pending.accountUID
            return .run(ShellCommand("authctl link --pending \(pending.id)").with(["--account": other]))
        case .alreadyInUse: return .run("authctl signin --pending \(pending.id)")
        }
    }
}
