extension FirebaseDirectory {
    func current(_ token: RawIDToken) async throws -> Account {
        try FirebaseAccount.read(try await toolkit.lookup(token), project)
    }

    func changed(
        _ uid: String, token: RawIDToken, changes: JSONObject = [:], to expected: Account?,
        password: Password? = nil, forgetting: [String] = []
    ) async throws -> Account {
        if let tokens = try await toolkit.update(token, with: changes, password: password) {
            // The project has revoked the old tokens.
            let provider = try await sessionStore.session(account: uid, provider: SessionIssuer.projectID)?
                .signInProvider
            return try await adopt(
                tokens, of: nil, by: provider ?? PasswordProvider.id, isCurrent: false, forgetting: forgetting,
                otherwise: expected)
        }
        let before = try await sessionStore.account(uid: uid)
        let account = withLocalFields(try await current(token, otherwise: expected), from: before)
        try await sessionStore.adopt(account, with: [], makesCurrent: false, forgetting: forgetting)
        return account
    }

    /// The account after a change in the project. The change was made, even if the account cannot be read again.
    private func current(_ token: RawIDToken, otherwise expected: Account?) async throws -> Account {
        guard let expected else { return try await current(token) }
        do {
            let account = try await current(token)
            try requireSame(account.uid, as: expected.uid, in: "users")
            return account
        } catch let error where !(error is CancellationError) {
            notice(.notSeen)
            return expected
        }
    }

    func requireSame(_ uid: String, as expected: String, in member: String) throws(FirebaseError) {
        guard uid.hasSameBytes(as: expected) else { throw .invalidResponse(.otherAccount(member)) }
    }

    func inProject(_ identity: Identity) -> Identity {
        var identity = identity
        identity.key.authority = project.authority
        return identity
    }

    func signedIn(
        _ presented: ProjectCredential, linkingTo token: RawIDToken? = nil, now: Int64
    ) async throws -> (tokens: IdentityToolkit.Tokens, isNew: Bool, AccountCredential) {
        switch try await toolkit.signInWithIdP(presented.idpCredential, linkingTo: token) {
        case .needsConfirmation(let email, let providers, let response):
            throw try await conflict(presented.credential(response), email: email, providers: providers, now: now)
        case .refused(let error, let response):
            throw try await translated(error, for: presented.credential(response), now: now)
        case .signedIn(let tokens, let isNew, let response): return (tokens, isNew, presented.credential(response))
        }
    }

    /// Stores the tokens of a response, and the account as the project describes it.
    /// - Parameter expected: the account after a change that the project has made. It is stored first, because the old
    ///   tokens are not valid any more. A change does not authenticate the account's user: a linked identity may be
    ///   another person's.
    func adopt(
        _ tokens: IdentityToolkit.Tokens, of credential: AccountCredential?, by provider: String,
        isCurrent: Bool = true,
        consentedAt: Int64? = nil, forgetting: [String] = [], otherwise expected: Account? = nil
    ) async throws -> Account {
        let now = clock.now()
        let before = try await sessionStore.account(uid: tokens.uid)
        let session = try await session(tokens, by: provider, mustVerify: expected == nil, now: now)
        // Sessions without tokens are not stored.
        var sessions = [session]
        if let grant = credential?.grant, grant.accessToken != nil || grant.idToken != nil {
            sessions.append(Session(grant, of: tokens.uid))
        }
        if expected != nil, before != nil {
            let last = try await sessionStore.read { try $0.accounts.lastProvenAt(tokens.uid, now: now) } ?? 0
            for index in sessions.indices { sessions[index].lastProvenAt = min(sessions[index].lastProvenAt, last) }
        }
        func complete(_ account: Account) -> Account {
            var account = withLocalFields(account, from: before, new: credential?.identity)
            account.isAnonymous = provider == ProjectSignInProvider.anonymous && account.providerData.isEmpty
            if let consentedAt { account.recordConsent(at: consentedAt) }
            return account
        }
        if let expected {
            try await sessionStore.adopt(
                complete(expected), with: sessions, makesCurrent: isCurrent, forgetting: forgetting)
        }
        let account = complete(try await current(tokens.idToken, otherwise: expected))
        try requireSame(account.uid, as: tokens.uid, in: "users")
        reportUnlinkedProviders(before, now: account, expected: forgetting)
        try await sessionStore.adopt(
            account, with: expected == nil ? sessions : [], makesCurrent: isCurrent, forgetting: forgetting)
        return account
    }

    /// The project's account, with the fields that only this machine stores.
    func withLocalFields(_ account: Account, from before: Account?, new: Identity? = nil) -> Account {
        var account = account
        account.name = before?.name
        account.isAnonymous = before?.isAnonymous == true && account.providerData.isEmpty
        for index in account.providerData.indices {
            let key = account.providerData[index].key
            let known = before?.providerData.first { $0.key == key }
            account.providerData[index].consentedAt = known?.consentedAt
            let isNew = new?.key.providerID == key.providerID
            account.providerData[index].tenantID = isNew ? new?.tenantID : known?.tenantID
        }
        return account
    }

    /// A trusted provider's sign-in may remove other providers from the account. The user is notified of that.
    private func reportUnlinkedProviders(_ before: Account?, now: Account, expected: [String]) {
        guard let before else { return }
        let left = Set(now.providerIDs + expected)
        let removed = before.providerIDs.filter { !left.contains($0) }
        guard !removed.isEmpty else { return }
        notice(.merged(removed))
    }

    // MARK: Conflicts

    private func conflict(
        _ credential: AccountCredential, email: String?, providers: [String], now: Int64
    ) async throws -> AccountConflict {
        var pending = credential
        if let email { pending.identity.email = email }
        let id = try await sessionStore.storePending(pending, reason: .accountExists, now: now)
        let address = email ?? credential.identity.email ?? ""
        return .existsWithDifferentCredential(
            email: address, providers: providers.isEmpty ? await signInProviders(of: address) : providers, pendingID: id
        )
    }

    private func signInProviders(of email: String) async -> [String] {
        let reported = (try? await toolkit.providers(of: email))?.providers ?? []
        return reported.isEmpty ? [PasswordProvider.id] : reported
    }

    private func translated(
        _ error: FirebaseError, for credential: AccountCredential, now: Int64
    ) async throws -> any Error {
        switch error.projectCode {
        case "FEDERATED_USER_ID_ALREADY_LINKED":
            let id = try await sessionStore.storePending(credential, reason: .alreadyInUse, now: now)
            return AccountConflict.credentialAlreadyInUse(
                provider: credential.identity.key.providerID, email: credential.identity.email, pendingID: id)
        case "EMAIL_EXISTS": return AccountConflict.emailAlreadyInUse(credential.identity.email ?? "")
        default: return error
        }
    }
}

extension Account {
    fileprivate mutating func recordConsent(at time: Int64) {
        for index in providerData.indices
        where Dialect.providersRequiringConsent.contains(providerData[index].key.providerID) {
            providerData[index].consentedAt = time
        }
    }
}
