/// Completes credentials that are pending because of a conflict, without another request to the provider.
package struct PendingCredentials: Sendable {
    let directory: any AccountDirectory
    let clock: Clock

    package init(directory: any AccountDirectory, clock: Clock) {
        self.directory = directory
        self.clock = clock
    }

    package func all() async throws -> [PendingCredential] {
        try await directory.sessionStore.pendingCredentials(now: clock.now())
    }

    /// Returns the credential with this ID, or the only one that fits.
    package func choose(_ id: String?, where fits: (PendingCredential) -> Bool = { _ in true }) async throws
        -> PendingCredential
    {
        let all = try await self.all()
        if let id {
            guard let named = all.first(where: { $0.id == id }) else { throw AccountRefusal.noSuchPending(id) }
            return named
        }
        let fitting = all.filter(fits)
        guard let only = fitting.first else {
            throw all.first.map(AccountRefusal.otherPending) ?? AccountRefusal.noSuchPending(nil)
        }
        guard fitting.count == 1 else { throw AccountRefusal.ambiguousPending(fitting.map(\.id)) }
        return only
    }

    package func link(_ pending: PendingCredential, to account: Account, hasConsent: Bool) async throws -> SignInResult
    {
        // An identity of another account cannot be linked, only used to sign in.
        guard pending.isPending(for: account) else { throw AccountRefusal.otherPending(pending) }
        return try await complete(pending, .link(uid: account.uid, hasConsent: hasConsent))
    }

    /// Signs in with an account of its own, without the address that conflicted: that stays the other account's. Nil if
    /// the directory has one account for each address.
    package func separate(_ id: String) async throws -> SignInResult? {
        guard var local = directory as? LocalDirectory else { return nil }
        local.keepsApart = true
        return try await PendingCredentials(directory: local, clock: clock).complete(try await choose(id), .signIn)
    }

    package func signIn(_ id: String?) async throws -> SignInResult {
        try await complete(try await choose(id) { $0.reason == .alreadyInUse }, .signIn)
    }

    private func complete(_ pending: PendingCredential, _ operation: SignInOperation) async throws -> SignInResult {
        let (_, credential) = try await directory.sessionStore.pendingCredential(pending.id, now: clock.now())
        let result = try await credential.completed(operation, in: directory, now: clock.now())
        // A local directory has removed the account's own in its transaction. An error is ignored: the sign-in has
        // succeeded, and the credential expires within an hour.
        if pending.accountUID != result.account.uid { _ = try? await directory.sessionStore.discardPending(pending.id) }
        return result
    }
}
