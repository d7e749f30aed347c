/// The data that `whoami`, `status` and `accounts` print.
package struct AccountStatus: Sendable {
    package let account: Account
    package let isCurrent: Bool
    package let sessions: [SessionSummary]

    /// The accounts with a session, the current account, and the accounts with these uids.
    package static func signedIn(in sessionStore: SessionStore, and uids: [String] = []) async throws -> [AccountStatus]
    {
        let current = try await sessionStore.currentUID()
        let byAccount = Dictionary(grouping: try await sessionStore.sessions(), by: \.accountUID)
        let shown = Set(byAccount.keys).union(uids).union(current.map { [$0] } ?? [])
        return try await sessionStore.accounts(uids: shown).map { account in
            AccountStatus(account: account, isCurrent: account.uid == current, sessions: byAccount[account.uid] ?? [])
        }.sorted { $0.place < $1.place }
    }

    /// The accounts that match a name; without a name, those that are signed in and the current one.
    package static func shown(in sessionStore: SessionStore, named name: String?) async throws -> [AccountStatus] {
        guard let name else { return try await signedIn(in: sessionStore) }
        let uids = try await sessionStore.accounts(matching: name).map(\.uid)
        return try await signedIn(in: sessionStore, and: uids).filter { uids.contains($0.account.uid) }
    }

    private var place: AccountEntry.Place {
        AccountEntry(uid: account.uid, name: account.name, known: account.known, isCurrent: isCurrent).place
    }

    /// The session that commands use if they know only the account.
    package var defaultSession: SessionSummary? {
        guard case .session(let session, _) = SessionRule(current: account.uid)(sessions) else { return nil }
        return session
    }

    /// The session that a name means, if it is the name of a session and not of the account.
    package func session(named name: String) -> SessionSummary? {
        guard name != account.name, name != account.uid else { return nil }
        let ids = SessionName(name).providerIDs
        return sessions.first { $0.resource == nil && ids.contains($0.providerID) }
    }

    package func filtered(_ isIncluded: (SessionSummary) -> Bool) -> AccountStatus {
        AccountStatus(account: account, isCurrent: isCurrent, sessions: sessions.filter(isIncluded))
    }

    /// Whether a command for this account gets no token until the user signs in again or unlocks the key.
    package func requiresUser(_ state: (SessionSummary) -> SessionState) -> Bool {
        let own = sessions.filter { $0.issuedBy == .project }
        return sessions.isEmpty || (own.isEmpty ? sessions : own).contains { state($0).requiresUser }
    }

    package static func one(
        _ name: String?, in directory: any AccountDirectory, unproven: Bool = false
    ) async throws -> AccountStatus {
        let uid = try await SessionChoice(directory: directory).uid(name)
        guard let account = try await directory.sessionStore.account(uid: uid) else { throw NotSignedIn.noAccount }
        if !unproven { try await directory.sessionStore.requireOwnSession(uid) }
        return AccountStatus(
            account: account, isCurrent: try await directory.sessionStore.currentUID() == uid,
            sessions: try await directory.sessionStore.sessions(account: uid))
    }

    /// The account to remove from this machine, with its session store: an account of this directory, or the only one with
    /// this name in the profile's other directories.
    package static func toForget(
        _ name: String?, in directory: any AccountDirectory
    ) async throws -> (Account, in: SessionStore) {
        do {
            return (try await one(name, in: directory, unproven: true).account, directory.sessionStore)
        } catch let error as any CodedError
            where name != nil && [.accountNotFound, .signInRequired].contains(error.libraryCode)
        {
            var found: [(Account, in: SessionStore)] = []
            for other in try await directory.sessionStore.others() {
                found += try await other.accountsInOtherDirectories(matching: name ?? "").map { ($0, other) }
            }
            guard let first = found.first else { throw error }
            // If several accounts match, the caller must say which one.
            guard found.count == 1 else {
                throw DirectoryMismatch(
                    kind: .session, provider: SessionIssuer.projectID, origin: first.in.origin,
                    current: directory.origin)
            }
            return first
        }
    }
}
