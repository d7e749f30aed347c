extension LocalDirectory {
    /// The outcome of a transaction. Some errors must be thrown after the commit, because they store something.
    typealias Outcome<Value> = Result<Value, any Error>

    package func link(
        _ credential: AccountCredential, to uid: String, hasConsent: Bool, now: Int64
    ) async throws -> Account {
        let sealer = try await store.sealer(creating: true)
        return try await sessionStore.write { sessionStore -> Outcome<Account> in
            let rows = sessionStore.accounts
            try sessionStore.pending.removeExpired(now: now)
            let account = try rows.existing(uid)
            guard try rows.hasSession(uid) else { throw NotSignedIn.signedOut(account) }
            var (identity, grant) = (credential.identity, credential.grant)
            // The new identity may be another person's, so a link does not authenticate the account's user.
            grant.lastProvenAt = min(grant.lastProvenAt, try rows.lastProvenAt(uid, now: now) ?? 0)
            let provider = identity.key.providerID
            let decision = LinkingRules.link(
                identity, to: account, owner: try rows.owner(of: identity.key),
                sameEmail: try identity.email.flatMap { try rows.account(email: $0) },
                oneAccountPerEmail: oneAccountPerEmail, hasConsent: hasConsent)
            switch decision {
            case .machine: return .failure(AccountRefusal.machine)
            case .providerAlreadyLinked: return .failure(AccountConflict.providerAlreadyLinked(provider))
            case .emailAlreadyInUse(let email): return .failure(AccountConflict.emailAlreadyInUse(email))
            case .consentRequired(let provider): return .failure(AccountRefusal.consentRequired(provider: provider))
            case .alreadyInUse(let owner):
                let id = try sessionStore.pending.store(
                    credential, reason: .alreadyInUse, for: owner, by: sealer, random: store.random, now: now)
                return .failure(
                    AccountConflict.credentialAlreadyInUse(provider: provider, email: identity.email, pendingID: id))
            case .attach: break
            }
            if hasConsent, Dialect.providersRequiringConsent.contains(provider) { identity.consentedAt = now }
            try rows.attach(identity, to: uid, now: now)
            if hasConsent { try rows.consent(uid, providers: Dialect.providersRequiringConsent, now: now) }
            try rows.fill(uid, from: identity, adoptsEmail: oneAccountPerEmail)
            try sessionStore.keepDefault(of: uid)
            try sessionStore.put(Session(grant, of: uid), sealer)
            try sessionStore.pending.remove(provider: provider, account: uid)
            return .success(try rows.existing(uid))
        }.get()
    }

    package func reauthenticate(_ credential: AccountCredential, as uid: String, now: Int64) async throws -> Account {
        let sealer = try await store.sealer(creating: true)
        return try await sessionStore.write { sessionStore in
            let rows = sessionStore.accounts
            guard try rows.owner(of: credential.identity.key)?.uid == uid else { throw AccountConflict.userMismatch }
            try rows.refresh(credential.identity, of: uid, now: now)
            var session = Session(credential.grant, of: uid)
            let provider = credential.identity.key.providerID
            let stored = try SealedSession.fetch(
                from: sessionStore.db, in: sessionStore.directoryID, account: uid, provider: provider, resource: nil)
            // A personal access token stays: the user may have no other copy, and the new token fewer scopes.
            if let stored, stored.summary.source.isPersonal, var kept = try? stored.opened(sealer) {
                kept.lastProvenAt = credential.grant.lastProvenAt
                session = kept
            }
            try sessionStore.put(session, sealer)
            return try rows.existing(uid)
        }
    }

    package func unlink(_ provider: String, from uid: String, now: Int64) async throws -> Account {
        try await sessionStore.write { sessionStore in
            let rows = sessionStore.accounts
            try LinkingRules.unlink(provider, from: try rows.existing(uid))
            try sessionStore.requireRecentLogin(uid, now: now)
            try rows.detach(provider, from: uid)
            if provider == PasswordProvider.id { try sessionStore.accounts.removePassword(of: uid) }
            return try rows.existing(uid)
        }
    }
}
