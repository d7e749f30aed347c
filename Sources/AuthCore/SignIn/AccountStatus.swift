/// What `whoami`, `status` and `accounts` show.
public struct AccountStatus: Sendable {
    public let account: Account
    public let isCurrent: Bool
    public let sessions: [SessionSummary]

    /// Every account of a directory with its sessions, the current one marked.
    /// - Throws: the directory's errors.
    public static func all(in directory: any AccountDirectory) async throws -> [AccountStatus] {
        let current = try await directory.currentUID()
        let sessions = try await directory.sessions()
        let byAccount = Dictionary(grouping: sessions, by: \.accountUID)
        return try await directory.accounts().map { account in
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
        guard let account = try await directory.account(uid: uid) else { throw NotSignedIn.noAccount }
        if !elsewhere { try await directory.requireOwnSession(uid) }
        return AccountStatus(
            account: account, isCurrent: try await directory.currentUID() == uid,
            sessions: try await directory.sessions(account: uid))
    }
}
