/// A session as stored in its row: search keys in columns, the rest as JSON in which each secret is encrypted. So
/// sessions can be listed and migrated while the vault is locked.
package struct SealedSession: Sendable, Equatable {
    private let sealed: Session
    private let origin: DirectoryOrigin
    let isUnproven: Bool
    let isDefault: Bool
    /// Whether this version cannot read the row, which may be of a later version. The session can still be removed.
    private var isDamaged = false

    func withoutSecrets() throws -> Session {
        var session = sealed
        try session.grant.mapSecrets { _, _ in nil }
        return session
    }

    var summary: SessionSummary { SessionSummary(sealed, isDamaged: isDamaged, isDefault: isDefault) }

    init(_ session: Session, by sealer: Sealer, in origin: DirectoryOrigin) throws {
        var sealed = session
        try sealed.grant.mapSecrets { secret, field in
            try sealer.seal(secret, at: SealedSession.place(of: session, field: field, in: origin)).hexadecimal
        }
        self.sealed = sealed
        self.origin = origin
        (isUnproven, isDefault) = (false, false)
    }

    func opened(_ sealer: Sealer, earlier: DirectoryOrigin? = nil) throws -> Session {
        guard !isDamaged else { throw StoreError.damagedEntry("session") }
        guard !isUnproven || earlier == origin else {
            throw DirectoryMismatch(kind: .session, provider: sealed.signInProvider, origin: earlier, current: origin)
        }
        var session = sealed
        session.directory = origin
        try session.grant.mapSecrets { try opened($0, of: $1, by: sealer) }
        return session
    }

    private func opened(_ text: String, of field: String, by sealer: Sealer) throws -> String {
        let box = [UInt8](hexadecimal: text) ?? []
        for origin in [origin, origin.alias].compactMap({ $0 }) {
            if let text = try? sealer.open(box, at: SealedSession.place(of: sealed, field: field, in: origin)) {
                return text
            }
        }
        // Before step 12 of the schema, uids were unique across directories.
        return try sealer.open(box, at: SealedSession.place(of: sealed, field: field, in: .local))
    }

    func signedOrigin(_ sealer: Sealer) throws -> DirectoryOrigin? {
        guard let idToken = sealed.idToken, sealed.issuedBy == .project else { return nil }
        let text = try opened(idToken.revealed(), of: "ID token", by: sealer)
        guard let token = try? UnverifiedJWS(text), let claims = try? StrictJSON.object(token.payload),
            let project = claims["aud"]?.string, sealed.clientID == project
        else { return nil }
        return .project(id: project, tenant: claims["firebase"]?.object?["tenant"]?.string, emulator: nil)
    }

    static func place(of session: Session, field: String, in origin: DirectoryOrigin) -> Sealer.Place {
        let account = origin == .local ? session.accountUID : "\(session.accountUID) \(origin.text)"
        // A token for one resource cannot be decrypted as one for another.
        let provider = session.resource.map { "\(session.providerID) \($0.text)" } ?? session.providerID
        return Sealer.Place(account: account, provider: provider, field: field)
    }

    static func fetch(
        from db: Database, in directoryID: DirectoryID, account: String, provider: String, resource: HTTPURL?
    ) throws -> SealedSession? {
        let resource = resource?.text ?? ""
        return try fetchAll(
            from: db, in: directoryID,
            where: "account_uid = \(account) AND provider_id = \(provider) AND resource = \(resource)"
        ).first
    }

    static func fetchAll(from db: Database, in directoryID: DirectoryID, where condition: SQL) throws -> [SealedSession]
    {
        try Row.fetchAll(
            db,
            """
            SELECT * FROM session WHERE home = \(directoryID.id) AND (\(condition))
            ORDER BY account_uid, provider_id, resource
            """
        ).map { try SealedSession(row: $0, directoryID.origin) }
    }

    private init(row: Row, _ origin: DirectoryOrigin) throws {
        let (provider, text): (String, String) = (try row["provider_id"], try row["details"])
        // A session for an invalid resource must not become a session for all resources.
        let resource: String = try row["resource"]
        let url = resource.isEmpty ? nil : try? HTTPURL(resource)
        guard resource.isEmpty || url != nil else { throw StoreError.damagedEntry("session") }
        let details = try? StrictJSON.object(text.utf8, maximumLength: .max)
        let grant = details.flatMap { try? Grant(stored: $0, of: provider) }
        isDamaged = grant == nil
        var session = Session(grant ?? .unreadable(of: provider), of: try row["account_uid"])
        session.resource = url
        (isUnproven, isDefault) = (try row["is_unproven"], try row["is_default"])
        session.directory = isUnproven ? nil : origin
        self.origin = origin
        sealed = session
    }

    func put(_ db: Database, _ directoryID: DirectoryID) throws {
        if let resource = sealed.resource?.text {
            // The last sign-in for a resource replaces sessions with other providers: the resource may use another
            // authorization server now.
            try db.execute(
                """
                DELETE FROM session WHERE home = \(directoryID.id) AND account_uid = \(accountUID)
                AND resource = \(resource) AND provider_id <> \(providerID)
                """)
        }
        try db.execute(
            """
            INSERT INTO session (home, account_uid, provider_id, resource, details)
            VALUES (\(directoryID.id), \(accountUID), \(providerID), \(sealed.resource?.text ?? ""),
                \(JSONValue.object(sealed.grant.stored).text))
            ON CONFLICT DO UPDATE SET is_unproven = 0, details = excluded.details
            """)
    }
}

extension SealedSession: SessionCandidate {
    var accountUID: String { sealed.accountUID }
    var providerID: String { sealed.providerID }
    var resource: HTTPURL? { sealed.resource }
}
