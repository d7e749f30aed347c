/// Links a provider's identity to an account. Everything that can fail is checked before the browser opens.
package struct Link: Sendable {
    /// The consent question for providers that let users hide their identity.
    package struct ConsentQuestion: Sendable, Equatable {
        package let provider: String
        package let others: [String]
    }

    let profile: Profile

    package init(_ profile: Profile) { self.profile = profile }

    package func operation(
        _ provider: String, to account: Account, hasConsent: Bool, requestConsent: (ConsentQuestion) throws -> Bool
    ) throws -> SignInOperation {
        if account.isMachine { throw AccountRefusal.machine }
        try account.requireNone(of: provider)
        return .link(
            uid: account.uid, hasConsent: try consent(to: provider, by: account, or: hasConsent, ask: requestConsent))
    }

    package func pending(
        _ id: String?, to account: Account, hasConsent: Bool, requestConsent: (ConsentQuestion) throws -> Bool
    ) async throws -> SignInResult {
        let credentials = PendingCredentials(directory: try profile.directory(), clock: profile.clock)
        let pending = try await credentials.choose(id) { $0.isPending(for: account) }
        let hasConsent = try consent(to: pending.providerID, by: account, or: hasConsent, ask: requestConsent)
        return try await credentials.link(pending, to: account, hasConsent: hasConsent)
    }

    /// The account that a pending credential is for: without an ID, the current account if one is for it, otherwise that of
    /// the only one. Nil if only its address is known.
    package func owner(ofPending id: String?) async throws -> String? {
        let pending = PendingCredentials(directory: try profile.directory(), clock: profile.clock)
        func isForLink(_ pending: PendingCredential) -> Bool { pending.reason == .accountExists }
        let current = try await pending.directory.sessionStore.currentUID()
        let all = try await pending.all()
        if id == nil, all.contains(where: { isForLink($0) && $0.accountUID == current }) { return current }
        return try await pending.choose(id, where: isForLink).accountUID
    }

    /// The pending credentials that can be linked to the account.
    package func pendingIDs(for account: Account) async throws -> [String] {
        try await PendingCredentials(directory: try profile.directory(), clock: profile.clock).all()
            .filter { $0.isPending(for: account) }.map(\.id)
    }

    package func consent(
        toTokensOf provider: String, hasConsent: Bool, requestConsent: (ConsentQuestion) throws -> Bool
    ) async throws -> Bool {
        let configured = try profile.resolve(provider).configured()
        guard !configured.identifiesUser || configured.assertionFrom != nil,
            let sessionStore = try profile.sessionStoreForDisplay(), let uid = try await sessionStore.currentUID(),
            let account = try await sessionStore.account(uid: uid), !account.has(provider)
        else { return hasConsent }
        return try consent(to: provider, by: account, or: hasConsent, ask: requestConsent)
    }

    private func consent(
        to provider: String, by account: Account, or hasConsent: Bool,
        ask requestConsent: (ConsentQuestion) throws -> Bool
    ) throws -> Bool {
        guard !hasConsent, let question = Link.question(provider, by: account) else { return hasConsent }
        guard try requestConsent(question) else { throw AccountRefusal.consentRequired(provider: question.provider) }
        return true
    }

    /// The question to ask before an identity of this provider is linked to the account; nil if none is required.
    package static func question(_ provider: String, by account: Account) -> ConsentQuestion? {
        LinkingRules.providerRequiringConsent(provider, for: account).map { asking in
            ConsentQuestion(provider: asking, others: (account.providerIDs + [provider]).filter { $0 != asking })
        }
    }
}
