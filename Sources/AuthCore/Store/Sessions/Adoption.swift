extension SessionStore {
    func adopt(_ account: Account, with sessions: [Session], makesCurrent: Bool, forgetting: [String] = []) async throws
    {
        let sealer = try await store.sealer(creating: true)
        let sealed = try sessions.map { try SealedSession($0, by: sealer, in: origin) }
        try await write { sessionStore in
            let rows = sessionStore.accounts
            if try rows.account(uid: account.uid) != nil {
                try rows.replace(account)
            } else {
                try rows.release(account.providerData)
                try rows.insert(account)
            }
            // The directory of unproven sessions is unknown, and the user has now signed in again.
            if !sealed.isEmpty { try rows.removeUnprovenSessions(account.uid) }
            for session in sealed { try session.put(sessionStore.db, sessionStore.directoryID) }
            for provider in forgetting { try rows.endSession(with: provider, of: account.uid) }
            if makesCurrent { try rows.makeCurrent(account.uid) }
        }
    }

    package func forgetOnThisMachine(_ account: Account) async throws {
        guard origin != .local else { throw AccountRefusal.isLocalAccount }
        try await forget(account.uid)
    }

    func forget(_ uid: String) async throws { try await write { try $0.accounts.remove(uid) } }
}
