/// What `whoami`, `status` and `accounts` show.
public struct AccountStatus: Sendable {
    public let account: Account
    public let isCurrent: Bool
    public let sessions: [SessionSummary]

    /// Every account of a profile with its sessions, the current one marked.
    /// - Throws: `StoreError`.
    public static func all(in ledger: Ledger) async throws -> [AccountStatus] {
        let current = try await ledger.currentUID()
        let byAccount = Dictionary(grouping: try await ledger.sessions(), by: \.accountUID)
        return try await ledger.accounts().map { account in
            AccountStatus(
                account: account, isCurrent: account.uid == current, sessions: byAccount[account.uid] ?? [])
        }
    }

    /// The account that a UID or email names, or the current one.
    /// - Parameter elsewhere: what another directory made will do too, to be looked at.
    /// - Throws: `NotSignedIn`, `MadeElsewhere`.
    public static func one(
        _ name: String?, in directory: any AccountDirectory, elsewhere: Bool = false
    ) async throws -> AccountStatus {
        let uid = try await SessionChoice(directory: directory).uid(name)
        guard let account = try await directory.ledger.account(uid: uid) else { throw NotSignedIn.noAccount }
        if !elsewhere { try await directory.ledger.requireOwnSession(uid) }
        return AccountStatus(
            account: account, isCurrent: try await directory.ledger.currentUID() == uid,
            sessions: try await directory.ledger.sessions(account: uid))
    }
}
