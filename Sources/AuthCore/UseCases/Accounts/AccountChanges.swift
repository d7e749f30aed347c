/// Sensitive operations on an account, which require a recent authentication.
package struct AccountChanges: Sendable {
    let profile: Profile
    private let reauthenticate: (@Sendable (Account) async throws -> Void)?

    package init(_ profile: Profile, reauthenticate: (@Sendable (Account) async throws -> Void)?) {
        self.profile = profile
        self.reauthenticate = reauthenticate
    }

    private var now: Int64 { profile.clock.now() }

    /// Re-authenticates the user if the last authentication is too old.
    package func requireRecentLogin(_ account: Account) async throws {
        do {
            try await profile.directory().sessionStore.requireRecentLogin(account.uid, now: now)
        } catch AccountRefusal.requiresRecentLogin {
            guard !account.isAnonymous else { throw AccountRefusal.anonymous(uid: account.uid) }
            // Re-authentication is only proposed if it is possible.
            let status = try await AccountStatus.one(account.uid, in: profile.directory())
            do { _ = try Reauthenticate(status, by: nil, in: profile) } catch AccountRefusal.onlyPersonalToken(let id) {
                throw AccountRefusal.onlyPersonalToken(provider: id)
            } catch {}
            guard let reauthenticate else { throw AccountRefusal.requiresRecentLogin }
            try await reauthenticate(account)
        }
    }

    package func unlink(_ provider: String, from account: Account) async throws -> Account {
        try LinkingRules.unlink(provider, from: account)
        try await requireRecentLogin(account)
        return try await profile.directory().unlink(provider, from: account.uid, now: now)
    }

    /// - Returns: false if the user cannot re-authenticate, so that nothing was required.
    private func requireRecentLoginToDelete(_ account: Account) async throws -> Bool {
        guard !account.isAnonymous, try await canReauthenticate(account) else { return false }
        try await requireRecentLogin(account)
        return true
    }

    /// Whether the user can re-authenticate. A local account without a session has no one to ask, and one with only a
    /// personal access token needs a provider that is still configured.
    private func canReauthenticate(_ account: Account) async throws -> Bool {
        let directory = try profile.directory()
        guard account.canReauthenticate else { return false }
        guard directory.origin == .local else { return true }
        let sessions = try await directory.sessionStore.sessions(account: account.uid)
        guard !sessions.isEmpty else { return false }
        guard sessions.allSatisfy(\.source.isPersonal) else { return true }
        return try account.providerIDs.contains { id in
            guard id != PasswordProvider.id else { return true }
            return try profile.find(id).map { $0.configuration?.clientID.isEmpty != true } ?? false
        }
    }

    package enum Deletion: Sendable { case deleted, alreadyDeleted }

    package func delete(_ account: Account) async throws -> Deletion {
        let directory = try profile.directory()
        do {
            if try await directory.forgetIfDeleted(account.uid) { return .alreadyDeleted }
        } catch AccountRefusal.signedOut(let uid) {
            guard let reauthenticate, !account.isAnonymous else { throw AccountRefusal.signedOut(uid: uid) }
            try await reauthenticate(account)
        }
        if try await requireRecentLoginToDelete(account) || directory.origin != .local {
            try await directory.delete(account.uid, now: now)
        } else {
            try await directory.sessionStore.forget(account.uid)
        }
        return .deleted
    }

    package func setEmail(_ email: String, of account: Account) async throws -> Account {
        try await requireRecentLogin(account)
        return try await profile.directory().setEmail(email, of: account.uid, now: now)
    }

    package func exported(for account: Account, withSecrets: Bool) async throws -> [[UInt8]] {
        let directory = try profile.localDirectory()
        try await requireRecentLogin(account)
        return try await directory.exported(for: account.uid, withSecrets: withSecrets, now: now)
    }
}
