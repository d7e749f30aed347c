/// Finds the stored session that `SessionRule` chooses. Throws if no session matches.
struct SessionChoice {
    let directory: any AccountDirectory
    private var sessionStore: SessionStore { directory.sessionStore }

    struct Request: Sendable {
        var account: String?
        var providers: [String]?
        /// The URL that the token is for, if the session must be for its resource.
        var resource: HTTPURL?
        var acceptsResourceSession = false
    }

    struct Choice: Sendable {
        let session: Session
        let otherAccount: String?
    }

    func choose(_ request: Request) async throws -> Choice {
        var rule = SessionRule(providers: request.providers, resource: request.resource)
        rule.acceptsResourceSession = request.acceptsResourceSession
        if let account = request.account { rule.named = try await self.account(named: account).uid }
        let isMeant = rule.named == nil && rule.resource == nil
        rule.current = try await current(or: isMeant ? rule.providers : nil)
        // Without an account and a provider, no session can be chosen.
        if rule.named == nil, rule.current == nil, rule.providers == nil, rule.resource == nil {
            throw try await noSession()
        }
        // The directory of an account's own session is checked when it is decrypted, with a more specific error.
        var candidates: [SessionSummary] = []
        if let own = rule.named ?? rule.current { candidates = try await sessionStore.sessions(account: own) }
        if rule.providers == nil, let name = request.account {
            rule.providers = try await providers(of: name, among: candidates)
        }
        var outcome = rule(candidates)
        if !outcome.isSession, rule.searchesAccounts {
            candidates += try await others(than: rule.named ?? rule.current).filter {
                rule.providers?.contains($0.providerID) == true
            }
            outcome = rule(candidates)
        }
        switch outcome {
        case .session(let chosen, let isOfOther):
            let session = try await sessionStore.session(
                account: chosen.accountUID, provider: chosen.providerID, resource: chosen.resource)
            guard let session else { throw NotSignedIn.noSession(provider: chosen.providerID) }
            return Choice(session: session, otherAccount: isOfOther ? try await name(of: chosen.accountUID) : nil)
        case .severalProviders(let ids): throw NotSignedIn.ambiguous(ids)
        case .severalAccounts(let provider, let uids):
            throw NotSignedIn.otherAccounts(provider: provider, account: nil, accounts: try await names(of: uids))
        case .onlyForResources(let sessions):
            throw NotSignedIn.onlyForResources(sessions.compactMap(\.resource?.text), provider: sessions[0].providerID)
        case .passwordOnly: throw NotSignedIn.passwordSessionOnly
        case .none:
            guard let url = request.resource else { throw try await missing(rule) }
            let others = try await others(than: rule.named ?? rule.current).filter {
                request.providers?.contains($0.providerID) ?? true && $0.resource?.covers(url) == true
            }
            throw NotSignedIn.noSessionForResource(
                url.text, others: try await names(of: Set(others.map(\.accountUID)).sorted()))
        }
    }

    /// The provider of a session that an account's name means, as in `--account github.com/ada`.
    private func providers(of name: String, among sessions: [SessionSummary]) async throws -> [String]? {
        guard name != (try await account(named: name)).name else { return nil }
        let ids = SessionName(name).providerIDs.filter { id in sessions.contains { $0.providerID == id } }
        return ids.isEmpty ? nil : ids
    }

    func sessions() async throws -> [SessionSummary] {
        try await sessionStore.sessions().filter { $0.directory == directory.origin }
    }

    private func others(than uid: String?) async throws -> [SessionSummary] {
        try await sessions().filter { $0.accountUID != uid }
    }

    private func accounts(of sessions: [SessionSummary]) async throws -> [Account] {
        try await sessionStore.accounts(uids: sessions.map(\.accountUID))
    }

    func found(_ request: Request) async throws -> Choice? {
        do { return try await choose(request) } catch NotSignedIn.noSessionForResource { return nil }
    }

    private func missing(_ rule: SessionRule) async throws -> any Error {
        if let own = rule.named ?? rule.current {
            try await sessionStore.requireInThisDirectory(own)
            if rule.providers == nil, let account = try await sessionStore.account(uid: own) {
                return NotSignedIn.signedOut(account)
            }
        } else if let mismatch = try await sessionStore.absence() as? DirectoryMismatch {
            return mismatch
        } else if case let none as NotSignedIn = try await noSession(), case .noCurrent = none {
            return none
        }
        return try await noSession(with: rule.providers, of: rule.named ?? rule.current, isNamed: rule.named != nil)
    }

    /// The error of an account that is not signed in to a provider.
    func noSession(with providers: [String]?, of uid: String?, isNamed: Bool) async throws -> NotSignedIn {
        let others = try await others(than: uid).filter {
            $0.resource == nil && providers?.contains($0.providerID) == true
        }
        guard let uid, let other = others.first else { return .noSession(provider: providers?.first) }
        if isNamed, let account = try await sessionStore.account(uid: uid), account.has(other.providerID),
            !account.isMachine, let user = account.user(at: other.providerID)
        {
            return .noSession(provider: other.providerID, user: user)
        }
        return .otherAccounts(
            provider: other.providerID, account: try await name(of: uid),
            accounts: try await names(of: Set(others.map(\.accountUID)).sorted()))
    }

    private func names(of uids: [String]) async throws -> [String] {
        var names: [String] = []
        for uid in uids { names.append(try await name(of: uid)) }
        return names
    }

    func name(of uid: String) async throws -> String {
        guard let account = try await sessionStore.account(uid: uid) else { return uid }
        guard try await sessionStore.accounts(matching: account.label).count > 1 else { return account.label }
        return account.sessionName ?? uid
    }

    func uid(_ account: String?, with providers: [String]? = nil) async throws -> String {
        if let account { return try await self.account(named: account).uid }
        guard let uid = try await current(or: providers) else { throw try await noSession() }
        return uid
    }

    /// The current account. Without one, the only account that has one of these providers, signed in or not: so a
    /// sign-out never leads to another account's token.
    private func current(or providers: [String]?) async throws -> String? {
        if let uid = try await sessionStore.currentUID() { return uid }
        guard let providers else { return nil }
        let all = try await sessionStore.accounts().filter { providers.contains(where: $0.has) }
        return all.count == 1 ? all[0].uid : nil
    }

    private func noSession() async throws -> any Error {
        let users = try await accounts(of: try await sessions()).filter { !$0.isMachine }
        guard users.isEmpty else {
            return NotSignedIn.noCurrent(others: try await names(of: users.map(\.uid)).sorted())
        }
        return try await sessionStore.absence()
    }

    func account(named name: String) async throws -> Account {
        let matches = try await sessionStore.accounts(matching: name)
        guard let account = matches.first else { throw try await sessionStore.absence(of: name) }
        guard matches.count > 1 else { return account }
        // If several accounts have the address, the one with a session is used. The others may have been deleted in
        // their directory.
        let own = Set(try await sessions().map(\.accountUID))
        let signedIn = matches.filter { own.contains($0.uid) }
        guard let only = signedIn.first, signedIn.count == 1 else {
            throw NotSignedIn.ambiguousAccount(name, uids: matches.map(\.uid))
        }
        return only
    }

    func account(userName: String, with providers: [String]) async throws -> String? {
        let accounts = try await accounts(
            of: try await sessions().filter { providers.contains($0.providerID) && $0.resource == nil })
        let called = accounts.filter { $0.name.hasSameBytes(as: userName) || $0.uid.hasSameBytes(as: userName) }
        if !called.isEmpty { return called.count == 1 ? called[0].uid : nil }
        let name = userName.lowercased()
        let addressed = accounts.filter { account in
            let identities = account.providerData.filter { providers.contains($0.key.providerID) }
            return ([account.email] + identities.flatMap { [$0.email, $0.screenName] })
                .contains { ($0?.lowercased()).hasSameBytes(as: name) }
        }
        return addressed.count == 1 ? addressed[0].uid : nil
    }
}

extension SessionStore {
    package func currentProvider() async throws -> String? {
        guard let uid = try await currentUID() else { return nil }
        guard case .session(let session, _) = SessionRule(current: uid)(try await sessions(account: uid)) else {
            return nil
        }
        return session.providerID
    }
}

extension SessionServices {
    /// Whether the session of a request has a valid token, or can get one without user interaction.
    func hasSession(_ request: CurrentToken.Request) async throws -> Bool {
        let session = try await SessionChoice(directory: directory).choose(request.choice).session
        return session.isRenewable || session.validity(of: request.kind(of: session)).isValid(for: 0, at: clock.now())
    }
}
