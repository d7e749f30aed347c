/// A session as its row holds it: every token sealed.
struct SealedSession: Sendable {
    private var session: Session
    private var accessToken: [UInt8]?
    private var refreshToken: [UInt8]?
    private var idToken: [UInt8]?
    private var nonce: [UInt8]?
    /// The directory that made it, as its row has it; nil in rows of a time when that was not kept.
    private let directory: String?

    /// The session with every secret nil.
    var withoutSecrets: Session { session }

    /// Seals the tokens of a session.
    init(_ session: Session, _ sealer: Sealer) throws {
        func sealed(_ text: String?, _ field: String) throws -> [UInt8]? {
            try text.map { try sealer.seal($0, at: SealedSession.place(session, field)) }
        }
        accessToken = try sealed(session.accessToken?.revealed(), "access token")
        refreshToken = try sealed(session.refreshToken?.revealed(), "refresh token")
        idToken = try sealed(session.idToken?.revealed(), "ID token")
        nonce = try sealed(session.nonce?.revealed(), "nonce")
        directory = nil
        self.session = session
        self.session.accessToken = nil
        self.session.refreshToken = nil
        self.session.idToken = nil
        self.session.nonce = nil
    }

    /// Opens the seals, where this directory made the session: there is no other way to its tokens.
    /// - Parameter earlier: what made it, where its row does not say.
    /// - Throws: `MadeElsewhere`; `StoreError.damagedEntry` when a token was not sealed for this session.
    func opened(_ sealer: Sealer, in origin: DirectoryOrigin, earlier: DirectoryOrigin? = nil) throws -> Session {
        guard isMade(by: origin) || (directory == nil && earlier == origin) else {
            throw MadeElsewhere(
                .session, provider: session.signInProvider, made: session.directory ?? earlier, present: origin)
        }
        func opened(_ box: [UInt8]?, _ field: String) throws -> String? {
            try box.map { try sealer.open($0, at: SealedSession.place(session, field)) }
        }
        var session = self.session
        session.directory = origin
        session.accessToken = try opened(accessToken, "access token").map { AccessToken($0) }
        session.refreshToken = try opened(refreshToken, "refresh token").map { RefreshToken($0) }
        session.idToken = try opened(idToken, "ID token").map { RawIDToken($0) }
        session.nonce = try opened(nonce, "nonce").map { Nonce($0) }
        return session
    }

    /// Whether its row says that this directory made it.
    func isMade(by origin: DirectoryOrigin) -> Bool { directory == origin.text }

    /// The row does not say what made it.
    var isOfUnknownOrigin: Bool { directory == nil }

    /// What made a project's session whose row does not say: the ID token of its time does, where the project signed it.
    /// An emulator signs nothing, and its tokens do not say which one it was.
    func signedOrigin(_ sealer: Sealer) throws -> DirectoryOrigin? {
        guard let idToken, session.providerID == DirectorySession.id else { return nil }
        let text = try sealer.open(idToken, at: SealedSession.place(session, "ID token"))
        guard let token = try? UnverifiedJWS(text), let claims = try? StrictJSON.object(token.payload),
            let project = claims["aud"]?.string, session.clientID == project
        else { return nil }
        return .project(id: project, tenant: claims["firebase"]?.object?["tenant"]?.string, emulator: nil)
    }

    private static func place(_ session: Session, _ field: String) -> Sealer.Place {
        Sealer.Place(account: session.accountUID, provider: session.providerID, field: field)
    }

    static func fetch(_ db: Database, account: String, provider: String) throws -> SealedSession? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM session WHERE account_uid = ? AND provider_id = ?", arguments: [account, provider]
        ).map { try SealedSession(row: $0) }
    }

    /// The session with a provider, or the only one that has tokens.
    static func fetchOnly(_ db: Database, account: String, provider: String?) throws -> SealedSession? {
        if let provider { return try fetch(db, account: account, provider: provider) }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM session WHERE account_uid = ? AND provider_id <> ?
                ORDER BY provider_id = ? DESC LIMIT 2
                """, arguments: [account, PasswordProvider.id, DirectorySession.id])
        guard let first = try rows.first.map({ try SealedSession(row: $0) }),
            rows.count == 1 || first.session.providerID == DirectorySession.id
        else { return nil }
        return first
    }

    static func fetchAll(_ db: Database, account: String) throws -> [SealedSession] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM session WHERE account_uid = ? ORDER BY provider_id", arguments: [account]
        ).map { try SealedSession(row: $0) }
    }

    private init(row: Row) throws {
        func time(_ column: String) throws -> Int64? { (try row[column] as Int64?).map(Seconds.time) }
        let providerID: String = try row["provider_id"]
        guard let source = Grant.Source(text: try row["source"], of: providerID) else {
            throw StoreError.damagedEntry("session")
        }
        let tokens = try Tokens(
            expiresAt: time("expires_at"), idTokenExpiresAt: time("id_token_expires_at"),
            scopes: Scopes.split(row["scopes"]), tokenOrigin: row["token_origin"])
        let grant = try Grant(
            providerID: providerID, issuer: row["issuer"], clientID: row["client_id"], tokens: tokens,
            subject: row["subject"], authenticatedAt: time("authenticated_at"),
            lastProvenAt: Seconds.time(row["last_proven_at"]), source: source,
            renewal: (row["renewal"] as String?).flatMap { SessionRenewal(text: $0) })
        session = Session(grant, of: try row["account_uid"])
        directory = try row["directory"]
        session.directory = directory.flatMap { DirectoryOrigin(text: $0) }
        accessToken = try row["access_token"]
        refreshToken = try row["refresh_token"]
        idToken = try row["id_token"]
        nonce = try row["nonce"]
    }

    /// - Parameter origin: the directory that makes the session, and is asked for it from now on.
    func put(_ db: Database, by origin: DirectoryOrigin) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO session
                (account_uid, provider_id, issuer, client_id, token_origin, subject, access_token, expires_at, refresh_token, id_token,
                 id_token_expires_at, nonce, authenticated_at, scopes, last_proven_at, source, renewal, directory)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                session.accountUID, session.providerID, session.issuer, session.clientID, session.tokenOrigin,
                session.subject, accessToken, session.expiresAt, refreshToken, idToken, session.idTokenExpiresAt, nonce,
                session.authenticatedAt, session.scopes.joined(separator: " "), session.lastProvenAt,
                session.source.text, session.renewal?.text, origin.text,
            ])
    }

    /// - Parameter account: of this one alone; nil for every one.
    static func summaries(_ db: Database, profile: String, account: String? = nil) throws -> [SessionSummary] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT session.*, refresh_token IS NOT NULL AS has_refresh_token, renewal IS NOT NULL AS has_renewal,
                    CASE WHEN access_token IS NULL THEN id_token_expires_at ELSE expires_at END AS ends_at
                FROM session JOIN account ON account.uid = account_uid
                WHERE account.profile = ? \(account == nil ? "" : "AND account_uid = ?") ORDER BY account_uid, provider_id
                """, arguments: [profile] + (account.map { [$0] } ?? []))
        return try rows.map { row in
            let providerID: String = try row["provider_id"]
            guard let source = Grant.Source(text: try row["source"], of: providerID) else {
                throw StoreError.damagedEntry("session")
            }
            return try SessionSummary(
                accountUID: row["account_uid"], providerID: providerID, scopes: Scopes.split(row["scopes"]),
                expiresAt: (row["ends_at"] as Int64?).map(Seconds.time), hasRefreshToken: row["has_refresh_token"],
                isMachine: row["has_renewal"],
                lastProvenAt: Seconds.time(row["last_proven_at"]), source: source,
                directory: (row["directory"] as String?).flatMap { DirectoryOrigin(text: $0) })
        }
    }
}
