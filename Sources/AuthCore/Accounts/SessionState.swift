/// The state of a session. The raw values are part of the JSON output.
package enum SessionState: String, Sendable, CaseIterable {
    case fresh
    /// The token has expired, and the next use gets a new one without user interaction.
    case renews
    /// The user must sign in again.
    case needsSignIn = "needs-sign-in"
    case locked
    case unreadable

    /// Whether the user must act before a command can get a token.
    package var requiresUser: Bool { self == .needsSignIn || self == .locked }
}

extension SessionSummary {
    package func state(
        in present: DirectoryOrigin, isLocked: Bool, isKeyLost: Bool = false, now: Int64
    ) -> SessionState {
        guard directory == present else { return .needsSignIn }
        guard issuedBy != .password else { return .fresh }
        if isKeyLost || isDamaged { return .unreadable }
        let isExpired = !validity.isValid(at: now)
        if isExpired && !isRenewable(at: now) { return .needsSignIn }
        if isLocked { return .locked }
        return isExpired ? .renews : .fresh
    }
}
