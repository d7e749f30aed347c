/// Linking, unlinking, new proofs, and the credentials that wait.
extension LocalDirectory {
    /// What a transaction decided: a refusal that keeps something must be committed before it is thrown.
    enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        case refused(any Error)

        func get() throws -> Value {
            switch self {
            case .done(let value): value
            case .refused(let error): throw error
            }
        }
    }

    /// Keeps a credential that met a conflict, sealed.
    /// - Returns: its ID.
    static func keep(
        _ credential: AccountCredential, _ reason: PendingCredential.Reason, for uid: String?, _ rows: PendingRows,
        _ sealer: Sealer, random: RandomSource, now: Int64
    ) throws -> String {
        let id = try random.bytes(6).hexadecimal
        let identity = credential.identity
        let provider = identity.key.providerID
        try rows.put(
            PendingCredential(
                id: id, providerID: provider, email: identity.email, reason: reason, accountUID: uid,
                expiresAt: now + PendingCredential.lifetime),
            try sealer.seal(CredentialText.encode(credential), at: CredentialText.place(id, provider: provider)))
        return id
    }

    public func link(
        _ credential: AccountCredential, to uid: String, hasConsent: Bool, now: Int64
    ) async throws -> Account {
        let sealer = try await store.sealer(creating: true)
        let (profile, oneAccountPerEmail, random) = (self.profile, self.oneAccountPerEmail, store.random)
        let origin = self.origin
        return try await store.write { db -> Outcome<Account> in
            let rows = AccountRows(db: db, profile: profile)
            let pending = PendingRows(db: db, profile: profile, origin: origin)
            try pending.removeExpired(now: now)
            let account = try rows.existing(uid)
            var identity = credential.identity
            let provider = identity.key.providerID
            let decision = LinkingRules.link(
                identity, to: account, owner: try rows.owner(of: identity.key),
                sameEmail: try identity.email.flatMap { try rows.account(email: $0) },
                oneAccountPerEmail: oneAccountPerEmail, hasConsent: hasConsent,
                wantingConsent: Dialect.wantingConsent)
            switch decision {
            case .machine: return .refused(AccountRefusal.machine)
            case .providerAlreadyLinked: return .refused(AccountConflict.providerAlreadyLinked(provider))
            case .emailAlreadyInUse(let email): return .refused(AccountConflict.emailAlreadyInUse(email))
            case .consentRequired(let asking): return .refused(AccountRefusal.consentRequired(provider: asking))
            case .alreadyInUse(let owner):
                let id = try LocalDirectory.keep(
                    credential, .alreadyInUse, for: owner, pending, sealer, random: random, now: now)
                return .refused(
                    AccountConflict.credentialAlreadyInUse(provider: provider, email: identity.email, pendingID: id))
            case .attach: break
            }
            if hasConsent, Dialect.wantingConsent.contains(provider) { identity.consentedAt = now }
            try rows.attach(identity, to: uid, now: now)
            if hasConsent { try rows.consent(uid, providers: Dialect.wantingConsent, now: now) }
            try rows.fill(uid, from: identity, takesEmail: oneAccountPerEmail)
            try SealedSession(Session(credential.grant, of: uid), sealer).put(db, by: origin)
            try pending.remove(provider: provider, account: uid)
            return .done(try rows.existing(uid))
        }.get()
    }

    public func reauthenticate(
        _ credential: AccountCredential, as uid: String, now: Int64
    ) async throws -> Account {
        let sealer = try await store.sealer(creating: true)
        let (profile, origin) = (self.profile, self.origin)
        return try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            guard try rows.owner(of: credential.identity.key)?.uid == uid else { throw AccountConflict.userMismatch }
            try rows.refresh(credential.identity, of: uid, now: now)
            try SealedSession(Session(credential.grant, of: uid), sealer).put(db, by: origin)
            return try rows.existing(uid)
        }
    }

    public func unlink(_ provider: String, from uid: String, now: Int64) async throws -> Account {
        let (profile, origin) = (self.profile, self.origin)
        return try await store.write { db in
            let rows = AccountRows(db: db, profile: profile)
            let account = try rows.existing(uid)
            guard account.providerData.contains(where: { $0.key.providerID == provider }) else {
                throw AccountConflict.noSuchProvider(provider)
            }
            guard account.providerData.count > 1 else { throw AccountRefusal.lastProvider(provider) }
            try rows.requireRecentLogin(uid, in: origin, now: now)
            try rows.detach(provider, from: uid)
            if provider == PasswordProvider.id {
                try db.execute(sql: "DELETE FROM password WHERE account_uid = ?", arguments: [uid])
            }
            return try rows.existing(uid)
        }
    }

    // MARK: Pending credentials

    public func pendingCredentials(now: Int64) async throws -> [PendingCredential] {
        let (profile, origin) = (self.profile, self.origin)
        try await removeExpiredPending(now: now)
        return try await store.read { try PendingRows(db: $0, profile: profile, origin: origin).all(now: now) }
    }

    public func pendingCredential(_ id: String, now: Int64) async throws -> (PendingCredential, AccountCredential) {
        let (profile, origin) = (self.profile, self.origin)
        try await removeExpiredPending(now: now)
        let found = try await store.read {
            try PendingRows(db: $0, profile: profile, origin: origin).find(id, now: now)
        }
        guard let (pending, sealed) = found else { throw AccountRefusal.noSuchPending(id) }
        let text = try await store.sealer(creating: false).open(
            sealed, at: CredentialText.place(id, provider: pending.providerID))
        return (pending, try CredentialText.decode(text))
    }

    /// Writes only where there is something to remove, and goes on where that cannot be: a store that can only be read
    /// can still be looked at.
    private func removeExpiredPending(now: Int64) async throws {
        let (profile, origin) = (self.profile, self.origin)
        let hasExpired = try await store.read {
            try PendingRows(db: $0, profile: profile, origin: origin).hasExpired(now: now)
        }
        guard hasExpired else { return }
        try? await store.write { try PendingRows(db: $0, profile: profile, origin: origin).removeExpired(now: now) }
    }

    public func discardPending(_ id: String) async throws -> Bool {
        let (profile, origin) = (self.profile, self.origin)
        return try await store.write { try PendingRows(db: $0, profile: profile, origin: origin).remove(id) }
    }
}

extension AccountRows {
    /// - Throws: `AccountRefusal.requiresRecentLogin`.
    func requireRecentLogin(_ uid: String, in origin: DirectoryOrigin, now: Int64) throws {
        guard let provenAt = try lastProvenAt(uid, in: origin, now: now), RecentLogin.isRecent(provenAt, now: now)
        else {
            throw AccountRefusal.requiresRecentLogin
        }
    }
}
