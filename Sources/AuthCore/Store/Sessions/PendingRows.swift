/// Pending credentials, inside a transaction. Expired ones are removed by the next access.
struct PendingRows {
    let db: Database
    let directoryID: DirectoryID

    /// An expiry much later than a new credential's was written while the clock was ahead.
    private func isExpired(_ now: Int64) -> SQL {
        "expires_at NOT BETWEEN \(now + 1) AND \(now + PendingCredential.lifetime + ExpectedIDToken.clockSkew)"
    }

    func hasExpired(now: Int64) throws -> Bool {
        try db.hasRow("SELECT 1 FROM pending_credential WHERE \(isExpired(now))")
    }

    func removeExpired(now: Int64) throws { try db.execute("DELETE FROM pending_credential WHERE \(isExpired(now))") }

    func all(now: Int64) throws -> [PendingCredential] {
        try Row.fetchAll(
            db,
            """
            SELECT * FROM pending_credential WHERE home = \(directoryID.id) AND NOT (\(isExpired(now)))
            ORDER BY expires_at, rowid
            """
        ).compactMap(PendingRows.pending)
    }

    func find(_ id: String, now: Int64) throws -> (PendingCredential, sealed: [UInt8])? {
        let row = try Row.fetchOne(
            db,
            "SELECT * FROM pending_credential WHERE home = \(directoryID.id) AND id = \(id) AND NOT (\(isExpired(now)))"
        )
        guard let row, let pending = try PendingRows.pending(row) else { return nil }
        return (pending, try row["credential"])
    }

    func remove(_ id: String) throws -> Bool {
        try db.execute("DELETE FROM pending_credential WHERE home = \(directoryID.id) AND id = \(id)")
        return db.changesCount > 0
    }

    func remove(provider: String, account uid: String) throws {
        try db.execute(
            """
            DELETE FROM pending_credential
            WHERE home = \(directoryID.id) AND provider_id = \(provider) AND account_uid = \(uid)
            """)
    }

    private static func pending(_ row: Row) throws -> PendingCredential? {
        guard let reason = PendingCredential.Reason(rawValue: try row["reason"]) else { return nil }
        return try PendingCredential(
            id: row["id"], providerID: row["provider_id"], email: row["email"], reason: reason,
            accountUID: row["account_uid"], expiresAt: Seconds.time(row["expires_at"]))
    }
}

/// A credential as text to be encrypted.
enum CredentialText {
    static func place(_ id: String, provider: String) -> Sealer.Place {
        Sealer.Place(account: "pending \(id)", provider: provider, field: "credential")
    }

    static func encode(_ credential: AccountCredential) throws -> String {
        ([
            "identity": .object(IdentityText.encode(credential.identity)), "said": .object(credential.profile),
            "rawNonce": JSONValue(credential.rawNonce?.revealed()),
            "pendingToken": JSONValue(credential.pendingToken?.revealed()),
            // The name since version 0.1.0.
            "session": .object(credential.grant.stored),
        ] as JSONValue).text
    }

    static func decode(_ sealed: String) throws -> AccountCredential {
        guard let object = try? StrictJSON.object(sealed.utf8, maximumLength: .max),
            let identity = object["identity"]?.object.flatMap(IdentityText.decode),
            let grant = object["session"]?.object.flatMap({ try? Grant(stored: $0, of: identity.key.providerID) })
        else { throw StoreError.damagedEntry("pending credential") }
        return AccountCredential(
            identity: identity, grant: grant,
            profile: object["said"]?.object ?? JSONObject(), rawNonce: object["rawNonce"]?.string.map { Nonce($0) },
            pendingToken: object["pendingToken"]?.string.map { PendingToken($0) })
    }
}

/// An identity as JSON, in encrypted credentials and in exports.
enum IdentityText {
    static func encode(_ identity: Identity) -> JSONObject {
        [
            "providerId": .string(identity.key.providerID), "authority": .string(identity.key.authority),
            "federatedId": .string(identity.key.federatedID), "email": JSONValue(identity.email),
            "emailVerified": .bool(identity.isEmailVerified), "displayName": JSONValue(identity.displayName),
            "photoURL": JSONValue(identity.photoURL), "screenName": JSONValue(identity.screenName),
            "isPrivateRelay": .bool(identity.isPrivateRelay), "tenantId": JSONValue(identity.tenantID),
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
