/// Picks the session that a command means: the named or current account's, of the named or only provider.
struct SessionChoice {
    let directory: any AccountDirectory

    /// - Parameter searching: takes the only account that has a session with the provider, where the current one has none.
    func callAsFunction(account: String?, provider: String?, searching: Bool = false) async throws -> Session {
        if searching, account == nil, let provider { return try await found(provider) }
        let uid = try await uid(account)
        if let provider {
            guard let session = try await directory.ledger.session(account: uid, provider: provider) else {
                throw try await missing(provider, of: uid)
            }
            return session
        }
        // A password's session has no tokens, and the directory's own is what is meant where there is one.
        let all = try await directory.ledger.sessions(account: uid).map(\.providerID)
        let providers = DirectorySession.chosen(
            all.filter { $0 != PasswordProvider.id }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        guard let only = providers.first else {
            throw all.isEmpty ? NotSignedIn.noSession(provider: nil) : NotSignedIn.passwordAlone
        }
        guard providers.count == 1 else { throw NotSignedIn.ambiguous(providers) }
        guard let session = try await directory.ledger.session(account: uid, provider: only) else {
            throw try await missing(only, of: uid)
        }
        return session
    }

    /// Why an account has no session with a provider that can be meant.
    private func missing(_ provider: String, of uid: String) async throws -> NotSignedIn {
        let resources = try await directory.ledger.sessions(account: uid)
            .filter { $0.providerID == provider }.compactMap(\.resource?.text)
        return resources.isEmpty ? .noSession(provider: provider) : .ambiguousResources(resources)
    }

    /// The session for the narrowest resource that a URL is of: of the account that is named, else of the current one, and of
    /// nobody else.
    /// - Throws: `NotSignedIn.noSessionForResource`, `.ambiguous`.
    func callAsFunction(account: String?, provider: String?, covering url: HTTPURL) async throws -> Session {
        if let session = try await found(account: account, provider: provider, covering: url) { return session }
        let others = Set(try await sessions(provider, covering: url).map(\.accountUID)).sorted()
        var names: [String] = []
        for uid in others { names.append(try await name(of: uid)) }
        throw NotSignedIn.noSessionForResource(url.text, others: names)
    }

    /// - Returns: nil where there is none.
    func found(account: String?, provider: String?, covering url: HTTPURL) async throws -> Session? {
        let ledger = directory.ledger
        let named: String? = if let account { try await uid(account) } else { try await ledger.currentUID() }
        let fitting = try await sessions(provider, covering: url).filter { $0.accountUID == named }
        let longest = fitting.compactMap(\.resource?.path.utf8.count).max()
        let narrowest = fitting.filter { $0.resource?.path.utf8.count == longest }
        guard let only = narrowest.first else { return nil }
        guard narrowest.count == 1 else { throw NotSignedIn.ambiguous(narrowest.map(\.providerID)) }
        return try await ledger.session(
            account: only.accountUID, provider: only.providerID, resource: only.resource)
    }

    /// Anybody's, for a resource that a URL is of.
    private func sessions(_ provider: String?, covering url: HTTPURL) async throws -> [SessionSummary] {
        try await directory.ledger.sessions().filter { session in
            session.directory == directory.origin && (provider ?? session.providerID) == session.providerID
                && session.resource?.covers(url) == true
        }
    }

    /// What names an account and no other.
    func name(of uid: String) async throws -> String {
        guard let account = try await directory.ledger.account(uid: uid) else { return uid }
        if let name = account.name { return name }
        guard let email = account.email else { return uid }
        return try await directory.ledger.accounts(named: email).count == 1 ? email : uid
    }

    private func found(_ provider: String) async throws -> Session {
        if let uid = try await directory.ledger.currentUID(),
            let session = try await directory.ledger.session(account: uid, provider: provider)
        {
            return session
        }
        let others = try await directory.ledger.sessions().filter {
            $0.providerID == provider && $0.directory == directory.origin
        }
        guard let only = others.first, others.count == 1,
            let session = try await directory.ledger.session(account: only.accountUID, provider: provider)
        else {
            if let elsewhere = try await directory.ledger.absence() as? MadeElsewhere { throw elsewhere }
            throw NotSignedIn.noSession(provider: provider)
        }
        return session
    }

    func uid(_ account: String?) async throws -> String {
        guard let account else {
            guard let uid = try await directory.ledger.currentUID() else { throw try await nobody() }
            return uid
        }
        return try await self.account(named: account).uid
    }

    /// Nobody is current: who could be, of those that are signed in here.
    private func nobody() async throws -> any Error {
        let sessions = try await directory.ledger.sessions().filter { $0.directory == directory.origin }
        var names: [String] = []
        for uid in Set(sessions.map(\.accountUID)) {
            guard let account = try await directory.ledger.account(uid: uid), !account.isMachine else { continue }
            names.append(account.name ?? account.email ?? uid)
        }
        guard names.isEmpty else { return NotSignedIn.noCurrent(others: names.sorted()) }
        return try await directory.ledger.absence()
    }

    /// The account that a UID, a name, an email address or the beginning of a UID names.
    func account(named name: String) async throws -> Account {
        let matches = try await directory.ledger.accounts(meantBy: name)
        guard let account = matches.first else { throw try await directory.ledger.absence(of: name) }
        guard matches.count > 1 else { return account }
        // Of several with one address the one is meant that is signed in: others may be gone where they lived.
        let own = Set(
            try await directory.ledger.sessions().filter { $0.directory == directory.origin }.map(\.accountUID))
        let signedIn = matches.filter { own.contains($0.uid) }
        guard let only = signedIn.first, signedIn.count == 1 else {
            throw NotSignedIn.ambiguousAccount(name, uids: matches.map(\.uid))
        }
        return only
    }
}
