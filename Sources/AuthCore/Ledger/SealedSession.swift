/// A session as its row holds it: every token sealed.
struct SealedSession: Sendable {
    private var session: Session
    private var accessToken: [UInt8]?
    private var refreshToken: [UInt8]?
    private var idToken: [UInt8]?
    private var nonce: [UInt8]?
    private var bindingKey: [UInt8]?
    /// What made it: a row is moved from one directory to another by nobody.
    private let origin: DirectoryOrigin
    /// It is of a time when what made a session was not kept: where it stands is a guess.
    let isUnproven: Bool

    /// The session with every secret nil.
    var withoutSecrets: Session { session }

    /// Seals the tokens of a session.
    /// - Parameter origin: the directory that makes it, and is asked for it from now on.
    init(_ session: Session, _ sealer: Sealer, in origin: DirectoryOrigin) throws {
        func sealed(_ text: String?, _ field: String) throws -> [UInt8]? {
            try text.map { try sealer.seal($0, at: SealedSession.place(session, field, origin)) }
        }
        accessToken = try sealed(session.accessToken?.revealed(), "access token")
        refreshToken = try sealed(session.refreshToken?.revealed(), "refresh token")
        idToken = try sealed(session.idToken?.revealed(), "ID token")
        nonce = try sealed(session.nonce?.revealed(), "nonce")
        bindingKey = try sealed(session.bindingKey?.revealed(), "binding key")
        self.origin = origin
        isUnproven = false
        self.session = session
        self.session.accessToken = nil
        self.session.refreshToken = nil
        self.session.idToken = nil
        self.session.nonce = nil
        self.session.bindingKey = nil
    }

    /// Opens the seals of a session that is this directory's: there is no other way to its tokens.
    /// - Parameter earlier: what made it, where that was not kept with it.
    /// - Throws: `DirectoryMismatch`; `StoreError.damagedEntry` when a token was not sealed for this session.
    func opened(_ sealer: Sealer, earlier: DirectoryOrigin? = nil) throws -> Session {
        guard !isUnproven || earlier == origin else {
            throw DirectoryMismatch(.session, provider: session.signInProvider, made: earlier, present: origin)
        }
        func opened(_ box: [UInt8]?, _ field: String) throws -> String? {
            try box.map { try self.opened($0, field, sealer) }
        }
        var session = self.session
        session.directory = origin
        session.accessToken = try opened(accessToken, "access token").map { AccessToken($0) }
        session.refreshToken = try opened(refreshToken, "refresh token").map { RefreshToken($0) }
        session.idToken = try opened(idToken, "ID token").map { RawIDToken($0) }
        session.nonce = try opened(nonce, "nonce").map { Nonce($0) }
        session.bindingKey = try opened(bindingKey, "binding key").map { BindingKey($0) }
        return session
    }

    private func opened(_ box: [UInt8], _ field: String, _ sealer: Sealer) throws -> String {
        for origin in [origin, origin.alias].compactMap({ $0 }) {
            if let text = try? sealer.open(box, at: SealedSession.place(session, field, origin)) { return text }
        }
        // Before step 12 of the schema a uid was one account's, wherever that lived.
        return try sealer.open(box, at: SealedSession.place(session, field, .local))
    }

    /// What made a project's session where that was not kept: the ID token of its time says so, where the project signed it.
    /// An emulator signs nothing, and its tokens do not say which one it was.
    func signedOrigin(_ sealer: Sealer) throws -> DirectoryOrigin? {
        guard let idToken, session.providerID == DirectorySession.id else { return nil }
        let text = try opened(idToken, "ID token", sealer)
        guard let token = try? UnverifiedJWS(text), let claims = try? StrictJSON.object(token.payload),
            let project = claims["aud"]?.string, session.clientID == project
        else { return nil }
        return .project(id: project, tenant: claims["firebase"]?.object?["tenant"]?.string, emulator: nil)
    }

    private static func place(_ session: Session, _ field: String, _ origin: DirectoryOrigin) -> Sealer.Place {
        let account = origin == .local ? session.accountUID : "\(session.accountUID) \(origin.text)"
        // What was sealed for one resource opens for no other.
        let provider = [session.providerID, session.resource?.text].compactMap { $0 }.joined(separator: " ")
        return Sealer.Place(account: account, provider: provider, field: field)
    }

    /// The session with a provider for one resource; with nil for the resource the one that is bound to none.
    static func fetch(
        _ db: Database, _ home: Home, account: String, provider: String, resource: HTTPURL?
    ) throws -> SealedSession? {
        try Row.fetchOne(
            db,
            sql: "SELECT * FROM session WHERE home = ? AND account_uid = ? AND provider_id = ? AND resource = ?",
            arguments: [home.id, account, provider, resource?.text ?? ""]
        ).map { try SealedSession(row: $0, home.origin) }
    }

    /// An account's sessions that are not bound to a resource: all that `SessionRule` can choose from where none is named.
    static func fetchGeneral(
        _ db: Database, _ home: Home, account: String, provider: String?
    ) throws -> [SealedSession] {
        let isNamed = provider == nil ? "" : "AND provider_id = ?"
        return try Row.fetchAll(
            db, sql: "SELECT * FROM session WHERE home = ? AND account_uid = ? AND resource = '' \(isNamed)",
            arguments: [home.id, account] + (provider.map { [$0] } ?? [])
        ).map { try SealedSession(row: $0, home.origin) }
    }

    static func fetchAll(_ db: Database, _ home: Home, account: String) throws -> [SealedSession] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM session WHERE home = ? AND account_uid = ? ORDER BY provider_id",
            arguments: [home.id, account]
        ).map { try SealedSession(row: $0, home.origin) }
    }

    private init(row: Row, _ origin: DirectoryOrigin) throws {
        func time(_ column: String) throws -> Int64? { (try row[column] as Int64?).map(Seconds.time) }
        let providerID: String = try row["provider_id"]
        guard let source = Grant.Source(text: try row["source"], of: providerID) else {
            throw StoreError.damagedEntry("session")
        }
        let tokens = try Tokens(
            expiresAt: time("expires_at"), lifetime: SealedSession.lifetime(row, "expires_in"),
            idTokenExpiresAt: time("id_token_expires_at"),
            idTokenLifetime: SealedSession.lifetime(row, "id_token_expires_in"),
            scopes: Scopes.split(row["scopes"]), tokenOrigin: row["token_origin"])
        let grant = try Grant(
            providerID: providerID, issuer: row["issuer"], clientID: row["client_id"], tokens: tokens,
            subject: row["subject"], authenticatedAt: time("authenticated_at"),
            lastProvenAt: Seconds.time(row["last_proven_at"]), source: source,
            renewal: (row["renewal"] as String?).flatMap { SessionRenewal(text: $0) },
            resource: SealedSession.resource(row))
        let binding = try SealedSession.binding(row)
        session = Session(grant, of: try row["account_uid"])
        self.origin = origin
        isUnproven = try row["is_unproven"]
        session.directory = isUnproven ? nil : origin
        accessToken = try row["access_token"]
        refreshToken = try row["refresh_token"]
        idToken = try row["id_token"]
        nonce = try row["nonce"]
        session.binding = binding
        bindingKey = try row["binding_key"]
    }

    private static func lifetime(_ row: Row, _ column: String) throws -> Int64? {
        (try row[column] as Int64?).flatMap { Seconds.span(Double($0)) }
    }

    /// A word that this version does not know is no bearer token's.
    private static func binding(_ row: Row) throws -> Grant.Binding {
        guard let name = try row["binding"] as String? else { return .bearer }
        guard let binding = Grant.Binding(rawValue: name) else { throw StoreError.damagedEntry("session") }
        return binding
    }

    /// - Throws: `StoreError.damagedEntry`: a session for an unknown resource must not become one for any.
    private static func resource(_ row: Row) throws -> HTTPURL? {
        let text: String = try row["resource"]
        guard !text.isEmpty else { return nil }
        guard let url = try? HTTPURL(text) else { throw StoreError.damagedEntry("session") }
        return url
    }

    func put(_ db: Database, _ home: Home) throws {
        if let resource = session.resource {
            // Whoever signs in last for a resource is whose token it gets: it may have moved to another server.
            try db.execute(
                sql: "DELETE FROM session WHERE home = ? AND account_uid = ? AND resource = ? AND provider_id <> ?",
                arguments: [home.id, session.accountUID, resource.text, session.providerID])
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO session
                (home, account_uid, provider_id, issuer, client_id, token_origin, subject, access_token, expires_at, refresh_token, id_token,
                 id_token_expires_at, nonce, authenticated_at, scopes, last_proven_at, source, renewal, binding,
                 binding_key, resource, expires_in, id_token_expires_in)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                home.id, session.accountUID, session.providerID, session.issuer, session.clientID, session.tokenOrigin,
                session.subject, accessToken, session.expiresAt, refreshToken, idToken, session.idTokenExpiresAt, nonce,
                session.authenticatedAt, session.scopes.joined(separator: " "), session.lastProvenAt,
                session.source.text, session.renewal?.text,
                session.binding == .bearer ? nil : session.binding.rawValue, bindingKey,
                session.resource?.text ?? "", session.lifetime, session.idTokenLifetime,
            ])
    }

    /// - Parameter account: of this one alone; nil for every one.
    static func summaries(_ db: Database, _ home: Home, account: String? = nil) throws -> [SessionSummary] {
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT session.*, refresh_token IS NOT NULL AS has_refresh_token, renewal IS NOT NULL AS has_renewal,
                    CASE WHEN access_token IS NULL THEN id_token_expires_at ELSE expires_at END AS ends_at,
                    CASE WHEN access_token IS NULL THEN id_token_expires_in ELSE expires_in END AS lifetime
                FROM session WHERE home = ? \(account == nil ? "" : "AND account_uid = ?")
                ORDER BY account_uid, provider_id, resource
                """, arguments: [home.id] + (account.map { [$0] } ?? []))
        return try found.map { row in
            let providerID: String = try row["provider_id"]
            guard let source = Grant.Source(text: try row["source"], of: providerID) else {
                throw StoreError.damagedEntry("session")
            }
            return try SessionSummary(
                accountUID: row["account_uid"], providerID: providerID, scopes: Scopes.split(row["scopes"]),
                validity: TokenValidity(
                    expiresAt: (row["ends_at"] as Int64?).map(Seconds.time), lifetime: lifetime(row, "lifetime")),
                hasRefreshToken: row["has_refresh_token"], isMachine: row["has_renewal"],
                lastProvenAt: Seconds.time(row["last_proven_at"]), source: source,
                directory: row["is_unproven"] as Bool ? nil : home.origin, binding: try binding(row),
                resource: SealedSession.resource(row))
        }
    }
}

extension SealedSession: SessionCandidate {
    var accountUID: String { session.accountUID }
    var providerID: String { session.providerID }
    var resource: HTTPURL? { session.resource }
}
