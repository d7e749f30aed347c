/// Credentials that wait, inside a transaction. What has expired is gone at the next look.
struct PendingRows {
    let db: Database
    let home: Home

    /// What ends later than a new one would was made while the clock was ahead: nobody knows when.
    private static let isExpired = "expires_at NOT BETWEEN ? + 1 AND ? + \(PendingCredential.lifetime)"

    func hasExpired(now: Int64) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT 1 FROM pending_credential WHERE \(PendingRows.isExpired)", arguments: [now, now]) ?? false
    }

    func removeExpired(now: Int64) throws {
        try db.execute(sql: "DELETE FROM pending_credential WHERE \(PendingRows.isExpired)", arguments: [now, now])
    }

    func put(_ pending: PendingCredential, _ sealed: [UInt8]) throws {
        // One for each account and provider: a second try replaces the first.
        try db.execute(
            sql: """
                DELETE FROM pending_credential
                WHERE home = ? AND provider_id = ? AND account_uid IS ? AND (account_uid IS NOT NULL OR email IS ?)
                """, arguments: [home.id, pending.providerID, pending.accountUID, pending.email])
        try db.execute(
            sql: """
                INSERT INTO pending_credential
                (id, home, provider_id, email, reason, account_uid, expires_at, credential)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                pending.id, home.id, pending.providerID, pending.email, pending.reason.rawValue, pending.accountUID,
                pending.expiresAt, sealed,
            ])
    }

    func all(now: Int64) throws -> [PendingCredential] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM pending_credential WHERE home = ? AND NOT (\(PendingRows.isExpired))
                ORDER BY expires_at, id
                """, arguments: [home.id, now, now]
        ).compactMap(PendingRows.pending)
    }

    func find(_ id: String, now: Int64) throws -> (PendingCredential, sealed: [UInt8])? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT * FROM pending_credential WHERE home = ? AND id = ? AND NOT (\(PendingRows.isExpired))",
            arguments: [home.id, id, now, now])
        guard let row, let pending = try PendingRows.pending(row) else { return nil }
        return (pending, try row["credential"])
    }

    func remove(_ id: String) throws -> Bool {
        try db.execute(sql: "DELETE FROM pending_credential WHERE home = ? AND id = ?", arguments: [home.id, id])
        return db.changesCount > 0
    }

    /// An identity that found its account waits no longer.
    func remove(provider: String, account uid: String) throws {
        try db.execute(
            sql: "DELETE FROM pending_credential WHERE home = ? AND provider_id = ? AND account_uid = ?",
            arguments: [home.id, provider, uid])
    }

    private static func pending(_ row: Row) throws -> PendingCredential? {
        guard let reason = PendingCredential.Reason(rawValue: try row["reason"]) else { return nil }
        return try PendingCredential(
            id: row["id"], providerID: row["provider_id"], email: row["email"], reason: reason,
            accountUID: row["account_uid"], expiresAt: Seconds.time(row["expires_at"]))
    }
}

/// A credential as text to be sealed.
enum CredentialText {
    static func place(_ id: String, provider: String) -> Sealer.Place {
        Sealer.Place(account: "pending \(id)", provider: provider, field: "credential")
    }

    static func encode(_ credential: AccountCredential) -> String {
        let (identity, grant) = (credential.identity, credential.grant)
        return
            ([
                "identity": .object(IdentityText.encode(identity)), "said": .object(credential.said),
                "rawNonce": JSONValue(credential.rawNonce?.revealed()),
                "pendingToken": JSONValue(credential.pendingToken?.revealed()),
                // The name that version 0.1.0 gave it.
                "session": .object(GrantText.encode(grant)),
            ] as JSONValue).text
    }

    /// - Throws: `StoreError.damagedEntry`.
    static func decode(_ sealed: String) throws -> AccountCredential {
        guard let object = try? StrictJSON.object(Array(sealed.utf8)),
            let identity = object["identity"]?.object.flatMap(IdentityText.decode),
            let grant = object["session"]?.object.flatMap({ GrantText.decode($0, of: identity.key.providerID) })
        else { throw StoreError.damagedEntry("pending credential") }
        return AccountCredential(
            identity: identity, grant: grant,
            said: object["said"]?.object ?? JSONObject(), rawNonce: object["rawNonce"]?.string.map { Nonce($0) },
            pendingToken: object["pendingToken"]?.string.map { PendingToken($0) })
    }
}

/// An identity as JSON, in sealed credentials and in exports.
enum IdentityText {
    static func encode(_ identity: Identity) -> JSONObject {
        [
            "providerId": .string(identity.key.providerID), "authority": .string(identity.key.authority),
            "federatedId": .string(identity.key.federatedID), "email": JSONValue(identity.email),
            "emailVerified": .bool(identity.isEmailVerified), "displayName": JSONValue(identity.displayName),
            "photoURL": JSONValue(identity.photoURL), "screenName": JSONValue(identity.screenName),
            "isPrivateRelay": .bool(identity.isPrivateRelay),
            "tenantId": JSONValue(identity.tenantID),
            "consentedAt": identity.consentedAt.map { .string(HTTPDate.rfc3339($0)) } ?? .null,
        ]
    }

    static func decode(_ object: JSONObject) -> Identity? {
        guard let provider = object["providerId"]?.string, let authority = object["authority"]?.string,
            let federatedID = object["federatedId"]?.string, !federatedID.isEmpty
        else { return nil }
        return Identity(
            key: IdentityKey(providerID: provider, authority: authority, federatedID: federatedID),
            email: object["email"]?.string, isEmailVerified: object["emailVerified"]?.bool ?? false,
            displayName: object["displayName"]?.string, photoURL: object["photoURL"]?.string,
            screenName: object["screenName"]?.string, isPrivateRelay: object["isPrivateRelay"]?.bool ?? false,
            tenantID: object["tenantId"]?.string,
            consentedAt: object["consentedAt"]?.string.flatMap(HTTPDate.parseRFC3339))
    }
}
