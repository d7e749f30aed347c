extension SessionStore {
    package func pendingCredentials(now: Int64) async throws -> [PendingCredential] {
        try await removeExpiredPending(now: now)
        return try await read { try $0.pending.all(now: now) }
    }

    package func pendingCredential(_ id: String, now: Int64) async throws -> (PendingCredential, AccountCredential) {
        try await removeExpiredPending(now: now)
        guard let (pending, sealed) = try await read({ try $0.pending.find(id, now: now) }) else {
            throw AccountRefusal.noSuchPending(id)
        }
        let text = try await store.sealer(creating: false).open(
            sealed, at: CredentialText.place(id, provider: pending.providerID))
        return (pending, try CredentialText.decode(text))
    }

    /// Writes only if there is something to remove, and ignores errors, so that a read-only store can still be read.
    private func removeExpiredPending(now: Int64) async throws {
        guard try await read({ try $0.pending.hasExpired(now: now) }) else { return }
        try? await write { try $0.pending.removeExpired(now: now) }
    }

    package func discardPending(_ id: String) async throws -> Bool { try await write { try $0.pending.remove(id) } }

    func storePending(
        _ credential: AccountCredential, reason: PendingCredential.Reason, now: Int64
    ) async throws -> String {
        let sealer = try await store.sealer(creating: true)
        let random = store.random
        return try await write { rows in
            try rows.pending.removeExpired(now: now)
            return try rows.pending.store(credential, reason: reason, for: nil, by: sealer, random: random, now: now)
        }
    }
}

extension PendingRows {
    func store(
        _ credential: AccountCredential, reason: PendingCredential.Reason, for uid: String?, by sealer: Sealer,
        random: RandomSource, now: Int64
    ) throws -> String {
        let id = try random.bytes(6).hexadecimal
        let identity = credential.identity
        let provider = identity.key.providerID
        let place = CredentialText.place(id, provider: provider)
        let sealed = try sealer.seal(try CredentialText.encode(credential), at: place)
        // There is one for each account and provider: a second sign-in replaces the first.
        try db.execute(
            """
            DELETE FROM pending_credential WHERE home = \(directoryID.id) AND provider_id = \(provider)
            AND account_uid IS \(uid) AND (account_uid IS NOT NULL OR email IS \(identity.email))
            """)
        try db.insert(
            into: "pending_credential",
            values: [
                "id": id, "home": directoryID.id, "provider_id": provider, "email": identity.email,
                "reason": reason.rawValue, "account_uid": uid, "expires_at": now + PendingCredential.lifetime,
                "credential": sealed,
            ])
        return id
    }
}
