/// The account directory on this machine. Accounts are in the session store, so that every change to an account is one
/// transaction with its session. If two processes change the same account, one gets a conflict.
package struct LocalDirectory: AccountDirectory {
    package let sessionStore: SessionStore
    var oneAccountPerEmail = true
    /// Whether an identity with the address of another account gets an account of its own.
    var keepsApart = false
    var passwordCost = PasswordHash.Cost.current
    var store: Store { sessionStore.store }

    package func signIn(_ credential: AccountCredential, now: Int64) async throws -> (account: Account, isNew: Bool) {
        let newUID = try store.random.bytes(14).hexadecimal
        let sealer = try await store.sealer(creating: true)
        return try await sessionStore.write { sessionStore -> Outcome<(Account, Bool)> in
            let rows = sessionStore.accounts
            try sessionStore.pending.removeExpired(now: now)
            let identity = credential.identity
            let decision = LinkingRules.signIn(
                identity, owner: try rows.owner(of: identity.key),
                sameEmail: try identity.email.flatMap { try rows.account(email: $0) },
                oneAccountPerEmail: oneAccountPerEmail && !keepsApart)
            let uid: String
            switch decision {
            case .conflict(let email, let other, let providers):
                let id = try sessionStore.pending.store(
                    credential, reason: .accountExists, for: other, by: sealer, random: store.random, now: now)
                return .failure(
                    AccountConflict.existsWithDifferentCredential(email: email, providers: providers, pendingID: id))
            case .machine: return .failure(AccountRefusal.machine)
            case .open(let known):
                uid = known
                try rows.refresh(identity, of: known, now: now)
                try sessionStore.pending.remove(provider: identity.key.providerID, account: known)
            case .create:
                // Another process has removed the password since it was checked.
                guard identity.key.providerID != PasswordProvider.id else { return .failure(PasswordError.wrong) }
                uid = newUID
                var account = Account(uid: newUID, identity, now: now)
                if keepsApart { (account.email, account.isEmailVerified) = (nil, false) }
                try rows.insert(account)
            }
            try sessionStore.put(Session(credential.grant, of: uid), sealer)
            // A sign-in for one resource does not change the account and the session that other commands use.
            let isForAll = credential.grant.resource == nil
            if try isForAll || rows.currentUID() == nil { try rows.makeCurrent(uid) }
            if isForAll, SessionIssuer(credential.grant.providerID) != .password {
                try sessionStore.makeDefault(credential.grant.providerID, of: uid)
            }
            return .success((try rows.existing(uid), decision == .create))
        }.get()
    }

    package func isOneAddress(_ one: String, _ other: String) -> Bool { one == other }

    package func providers(of email: String) async throws -> EmailLookup? {
        let found = try await sessionStore.accounts(named: email).filter { $0.email == email }
        return EmailLookup(isRegistered: !found.isEmpty, providers: found.flatMap(\.providerIDs))
    }

    package func delete(_ uid: String, now: Int64) async throws {
        try await sessionStore.write { sessionStore in
            try sessionStore.requireRecentLogin(uid, now: now)
            try sessionStore.accounts.remove(uid)
        }
    }

    package func forgetIfDeleted(_ uid: String) async throws -> Bool { false }

    package func setEmail(_ email: String, of uid: String, now: Int64) async throws -> Account {
        try await sessionStore.write { sessionStore in
            try sessionStore.requireFree(email, for: uid, if: oneAccountPerEmail, now: now)
            try sessionStore.accounts.setEmail(email, of: uid)
            return try sessionStore.accounts.existing(uid)
        }
    }

    package func set(_ detail: AccountDetail, of uid: String) async throws -> Account {
        try await sessionStore.write { sessionStore in
            let account = detail.put(into: try sessionStore.accounts.existing(uid))
            try sessionStore.db.execute(
                """
                UPDATE account SET display_name = \(account.displayName), photo_url = \(account.photoURL)
                WHERE \(sessionStore.accounts.isAccount(uid))
                """)
            return account
        }
    }

    package func reloaded(_ uid: String) async throws -> Account {
        try await sessionStore.read { try $0.accounts.existing(uid) }
    }

    package func claims(of uid: String) async throws -> JSONObject? { nil }

    package func renewed(_ session: Session, now: Int64) async throws -> Session? { nil }
}

extension SessionStoreRows {
    func requireFree(_ email: String, for uid: String, if oneAccountPerEmail: Bool, now: Int64) throws {
        guard try !accounts.existing(uid).isMachine else { throw AccountRefusal.machine }
        try requireRecentLogin(uid, now: now)
        let other = try oneAccountPerEmail ? accounts.account(email: email) : nil
        let passwordOwner = try accounts.owner(of: PasswordProvider.identity(email: email).key)
        guard other.map({ $0.uid == uid }) ?? true, passwordOwner.map({ $0.uid == uid }) ?? true else {
            throw AccountConflict.emailAlreadyInUse(email)
        }
    }
}

extension AccountRows {
    func setEmail(_ email: String, of uid: String) throws {
        guard try existing(uid).email != email else { return }
        try db.execute("UPDATE account SET email = \(email), email_verified = 0 WHERE \(isAccount(uid))")
        // Password sign-in uses the new address from now on.
        try db.execute(
            """
            UPDATE identity SET federated_id = \(email), email = \(email), email_verified = 0
            WHERE \(isOf(uid)) AND provider_id = \(PasswordProvider.id)
            """)
    }
}
