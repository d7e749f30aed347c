import AuthCoreTesting
import FoundationEssentials
import Testing

@testable import AuthCore

@Suite struct `Migration of earlier stores` {
    private let folder: StoreFolder

    init() throws {
        folder = try StoreFolder()
        try folder.directory.createFile(Store.name, [])
    }

    /// Changes the store as another version would.
    private func run(_ script: String) throws {
        try Database(path: folder.database).execute(script: "PRAGMA synchronous = OFF; \(script)")
    }

    /// The store's bytes on disk.
    private func bytes() throws -> [UInt8] { try #require(try folder.directory.read(Store.name, as: .secret)) }

    private func opened() throws -> Store {
        try #require(try Store.open(in: folder.directory, host: NonInteractiveVaultHost(), creating: false))
    }

    /// Opens a store that was created from an SQL dump in `Stores`.
    private func opened(_ name: String) async throws -> Store {
        try folder.makeFixedKey()
        try run(
            String(
                contentsOf: Vectors.root.appending(path: "Tests/AuthCoreTests/Store/Stores/\(name).sql"),
                encoding: .utf8))
        let store = try opened()
        try await store.examine()
        return store
    }

    private let schema: SQL = "SELECT type || ' ' || name || ' ' || tbl_name FROM sqlite_schema ORDER BY 1"

    private func columns(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            """
            SELECT m.name || ' ' || p.name || ' ' || p.type || p."notnull" || p.pk
            FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table' ORDER BY 1
            """)
    }

    @Test func `A 0.1.0 store keeps its accounts, sessions and secrets`() async throws {
        let store = try await opened("0.1.0")
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        let session = try #require(try await directory.sessionStore.session(account: "ada", provider: "google.com"))
        #expect(session.accessToken == AccessToken("ada-access"))
        #expect(session.refreshToken == RefreshToken("ada-refresh"))
        #expect(session.idToken == RawIDToken("ada-id"))
        #expect(session.nonce == Nonce("a-nonce"))
        #expect(session.scopes == ["openid", "email"])
        #expect(session.directory == .local)
        #expect(try await directory.sessionStore.accounts().map(\.uid) == ["ada", "job"])
        #expect(try await directory.sessionStore.account(uid: "job")?.isMachine == true)
        #expect(try await directory.sessionStore.account(uid: "ada")?.providerData.count == 2)
        #expect(try await directory.sessionStore.currentUID() == "ada")
        #expect(try await directory.sessionStore.pendingCredentials(now: 1_795_251_601).map(\.id) == ["wait"])
        #expect(
            try await ProviderSecrets(sessionStore: SessionStore(store: store, profile: "default")).text(
                .clientSecret, of: "oidc.work")
                == "a-client-secret")
        // After the settings are recorded, the fast path returns the session's token too.
        let mark = try SettingsDigest(folder.directory.settings(), namesEmulator: false)
        #expect(
            try directory.sessionStore.storedSession(account: nil, provider: nil, settings: mark) { _ in true }
                == nil)
        await directory.sessionStore.remember(mark)
        let stored = try directory.sessionStore.storedSession(account: nil, provider: nil, settings: mark) { _ in
            true
        }
        #expect(stored?.accessToken == AccessToken("ada-access"))
        // The project is read from the session's token.
        let project = SessionStore(
            store: store, profile: "project", origin: .project(id: "p", tenant: nil, emulator: nil))
        #expect(try await project.accounts().map(\.uid) == ["pat"])
        #expect(try await project.currentUID() == "pat")
        #expect(try await project.sessions().map(\.directory) == [nil, nil])
        await #expect(
            throws: DirectoryMismatch(
                kind: .session, provider: "google.com", origin: nil,
                current: .project(id: "p", tenant: nil, emulator: nil))
        ) {
            _ = try await project.session(account: "pat", provider: SessionIssuer.projectID)
        }
        #expect(try await SessionStore(store: store, profile: "project").accounts().isEmpty)
    }

    @Test func `A 0.2.0 store keeps its session, and its token lifetimes are unknown`() async throws {
        let store = try await opened("0.2.0")
        let sessionStore = SessionStore(store: store, profile: "default")
        let uid = try #require(try await sessionStore.currentUID())
        var session = try #require(try await sessionStore.session(account: uid, provider: "oidc.work"))
        #expect(session.accessToken == AccessToken("08-JaaKH95yJD_3ThPmbqAUgK6kFd8o1"))
        #expect(session.idToken != nil && session.refreshToken != nil)
        #expect(session.grant.tokens.accessTokenValidity == TokenValidity(expiresAt: 1_795_401_965, lifetime: nil))
        #expect(session.idTokenLifetime == nil)
        session.lifetime = 3600
        session.idTokenLifetime = 7200
        #expect(try await sessionStore.replace(session))
        let updated = try #require(try await sessionStore.session(account: uid, provider: "oidc.work"))
        #expect(updated == session)
        #expect(try await sessionStore.sessions().map(\.validity.lifetime) == [3600])
    }

    @Test func `A store with 16 migrations keeps its sessions, refresh tokens and pending credentials`() async throws {
        let store = try await opened("16-steps")
        let origin = "http://127.0.0.1:44875"
        func session(
            _ profile: String, _ provider: String, of uid: String, _ resource: HTTPURL? = nil,
            in directory: DirectoryOrigin = .local
        ) async throws -> Session {
            let sessionStore = SessionStore(store: store, profile: profile, origin: directory)
            let session = try #require(
                try await sessionStore.session(account: uid, provider: provider, resource: resource))
            // The session is unchanged after it was written in the current format.
            #expect(try await sessionStore.replace(session))
            #expect(try await sessionStore.session(account: uid, provider: provider, resource: resource) == session)
            return session
        }
        let ada = "e34cbfe9a7d3d8a8439555a6e385"
        let work = try await session("default", "oidc.work", of: ada)
        #expect(work.accessToken == AccessToken("nXTHQc-5cHIotPQ7Qs2zUejidnl_QrfB"))
        #expect(work.refreshToken != nil && work.idToken != nil && work.nonce != nil && work.renewal == nil)
        #expect(work.issuer == origin && work.tokenOrigin == origin && work.clientID == "emulator-client")
        #expect(work.subject == "ada@example.com" && work.source == .browser && work.binding == .bearer)
        #expect(work.scopes == ["openid", "profile", "email", "offline_access"])
        #expect(work.authenticatedAt == 1_795_442_768 && work.lastProvenAt == 1_795_442_768)
        let validity = TokenValidity(expiresAt: 1_795_446_368, lifetime: 3600)
        #expect(work.grant.tokens.accessTokenValidity == validity && work.grant.tokens.idTokenValidity == validity)
        let bound = try await session("default", "oidc.bound", of: ada)
        #expect(bound.accessToken == AccessToken("O8MR-318XIRk4zVwO1xkuAn8HahTfOFK") && bound.binding == .dpop)
        _ = try DPoPKey(try #require(try bound.grant.neededKey()))
        let resource = try await session("default", "oidc.work", of: ada, try HTTPURL("\(origin)/api"))
        #expect(resource.accessToken == AccessToken("PcYKtgFtOVm_QNbrjtdlbYwxoNowZzac"))
        #expect(try resource.resource == HTTPURL("\(origin)/api"))

        let job = try await session("jobs", "ci.github", of: "c157fbf5a0f604cefd3d7ccad60a")
        var request = WorkloadRequest()
        request.audience = "https://api.example.com"
        request.issuer = "http://127.0.0.1:46153/_services/token"
        request.required = [ClaimRequirement(name: "repository", value: "octo-org/octo-repo")]
        #expect(job.renewal == SessionRenewal(workload: .init(platform: "github", request: request), grant: nil))
        #expect(job.idToken != nil && job.source == .job("ci.github") && job.scopes.isEmpty)
        let client = try await session("jobs", "oidc.sts", of: "19e8d4ecf0aa3f83feef4e6655c3")
        #expect(client.accessToken == AccessToken("_1OXeqvWfkFbsQdoDR9fXdbaGf6qpfCK"))
        #expect(
            client.renewal
                == SessionRenewal(
                    workload: nil, grant: .init(kind: nil, scopes: ["deploy"], parameters: [("audience", "a")])))
        try await SessionStore(store: store, profile: "jobs").forgetExpiredMachineTokens(now: validity.expiresAt ?? 0)
        #expect(try await session("jobs", "oidc.sts", of: client.accountUID) == client)
        try await SessionStore(store: store, profile: "jobs").forgetExpiredMachineTokens(now: 1_795_446_369)
        #expect(try await session("jobs", "oidc.sts", of: client.accountUID).accessToken == nil)
        #expect(try await session("default", "oidc.work", of: ada) == work)

        let emulator = DirectoryOrigin.project(id: "demo-project", tenant: nil, emulator: "127.0.0.1:41121")
        let uid = "UP7hJPHXQiygbtqRCNcjeVg82wIb"
        let own = try await session("project", SessionIssuer.projectID, of: uid, in: emulator)
        #expect(own.source == .directory(by: "google.com") && own.signInProvider == "google.com")
        #expect(own.idToken != nil && own.refreshToken != nil && own.accessToken == nil)
        _ = try await session("project", "google.com", of: uid, in: emulator)

        let (sessionStore, now) = (SessionStore(store: store, profile: "default"), Int64(1_795_442_800))
        let (_, pending) = try await sessionStore.pendingCredential("c116cf474ebb", now: now)
        #expect(pending.identity.key.providerID == "google.com" && pending.grant.accessToken != nil)
        #expect(pending.grant.source == .browser && !pending.grant.scopes.isEmpty && !pending.profile.members.isEmpty)
        let unrevoked = try await sessionStore.unrevokedSessions(now: now)
        #expect(unrevoked.map(\.providerID) == ["oidc.gone"])
        let ended = try await sessionStore.session(of: try #require(unrevoked.first))
        #expect(ended?.accessToken != nil && ended?.refreshToken != nil && ended?.idToken == nil)
        let steps = SignInInTwoSteps(sessionStore, clock: Clock(now: { now }))
        let first = try await steps.find("73cb804481f6")
        #expect(first.providerID == "oidc.work" && first.operation.kind == .signIn && !first.isThroughProject)
        #expect(first.redirectURI.hasPrefix("http://127.0.0.1"))
        guard case .reauthenticate(uid: ada) = try await steps.find("8d601809539e").operation else {
            Issue.record("the second pending authorization belongs to Ada")
            return
        }
    }

    @Test func `A store with 11 migrations gets each account and its data assigned to its directory`()
        async throws
    {
        try folder.makeFixedKey()
        let script = Vectors.root.appending(path: "Tests/AuthCoreTests/Store/Stores/0.1.0.sql")
        try run(String(contentsOf: script, encoding: .utf8))
        for step in Migrations.latest[5..<11] {
            try run("\(step.sql); INSERT INTO grdb_migrations VALUES ('\(step.name)')")
        }
        let issuer = "https://securetoken.google.com/p"
        func account(_ uid: String, _ email: String) -> String {
            "INSERT INTO account VALUES ('\(uid)', 'project', '\(email)', 0, NULL, NULL, 1, 1, 0)"
        }
        func identity(_ uid: String, _ authority: String) -> String {
            "INSERT INTO identity VALUES ('project', 'google.com', '\(authority)', '\(uid)', '\(uid)', NULL, 0, NULL, NULL, 1, 0, NULL, NULL)"
        }
        try run(
            [
                "UPDATE session SET directory = '{\"project\":\"p\"}' WHERE account_uid = 'pat'",
                // Accounts without a session: the authorities of their identities name the directory.
                account("tenant", "t@example.com"), identity("tenant", issuer + "#t-1"),
                account("emulated", "e@example.com"), identity("emulated", issuer + "@127.0.0.1:9099#t-1"),
                account("plain", "p@example.com"), identity("plain", issuer),
                account("here", "h@example.com"), identity("here", "https://accounts.google.com"),
                // An account without a session or an identity.
                account("custom", "c@example.com"),
                "INSERT INTO profile_directory VALUES ('project', x'00', '{\"project\":\"p\"}')",
                "INSERT INTO account_name VALUES ('tenant', 'project', 'work'), ('ada', 'default', 'work')",
                "INSERT INTO password VALUES ('ada', x'01', 7)",
                "INSERT INTO pending_credential VALUES ('new', 'project', 'x', NULL, 'credential-already-in-use', NULL, 1795255200, x'00', '{\"project\":\"p\"}')",
                "INSERT INTO pending_credential VALUES ('old', 'project', 'x', NULL, 'credential-already-in-use', NULL, 1795255200, x'00', NULL)",
                "PRAGMA user_version = 11",
            ].joined(separator: ";"))
        let store = try opened()
        try await store.examine()
        func uids(_ origin: DirectoryOrigin) async throws -> [String] {
            try await SessionStore(store: store, profile: "project", origin: origin).accounts().map(\.uid).sorted()
        }
        #expect(try await uids(.project(id: "p", tenant: nil, emulator: nil)) == ["custom", "pat", "plain"])
        #expect(try await uids(.project(id: "p", tenant: "t-1", emulator: nil)) == ["tenant"])
        #expect(try await uids(.project(id: "p", tenant: "t-1", emulator: "127.0.0.1:9099")) == ["emulated"])
        #expect(try await uids(.local) == ["here"])
        let tenant = SessionStore(
            store: store, profile: "project", origin: .project(id: "p", tenant: "t-1", emulator: nil))
        #expect(try await tenant.accounts(matching: "work").map(\.uid) == ["tenant"])
        let local = SessionStore(store: store, profile: "default")
        #expect(try await local.accounts(matching: "work").map(\.uid) == ["ada"])
        #expect(try await local.read { try $0.accounts.password(of: "ada") } == [1])
        // Earlier ciphertexts still decrypt. The next write encrypts them for their directory.
        let project = SessionStore(
            store: store, profile: "project", origin: .project(id: "p", tenant: nil, emulator: nil))
        for _ in 0..<2 {
            let session = try #require(try await project.session(account: "pat", provider: SessionIssuer.projectID))
            #expect(session.refreshToken != nil && session.idToken != nil)
            #expect(try await project.replace(session))
        }
        #expect(try await project.pendingCredentials(now: 1_795_251_601).map(\.id) == ["new"])
        #expect(try await project.currentUID() == "pat")
    }

    @Test(arguments: 0..<Migrations.latest.count)
    func `A store with any number of migrations gets the schema of a new store`(steps: Int) async throws {
        try run("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        for step in Migrations.latest.prefix(steps) {
            try run("\(step.sql); INSERT INTO grdb_migrations VALUES ('\(step.name)')")
        }
        try run("PRAGMA user_version = \(steps)")
        let store = try opened()
        let new = try StoreFolder().store()
        for query: SQL in [schema, "SELECT identifier FROM grdb_migrations ORDER BY 1"] {
            let (old, expected) = (
                try await store.read { try String.fetchAll($0, query) },
                try await new.read { try String.fetchAll($0, query) }
            )
            #expect(old == expected)
        }
        let (old, expected) = (try await store.read { try columns($0) }, try await new.read { try columns($0) })
        #expect(old == expected)
    }

    @Test func `A store whose user_version is behind its recorded migrations is brought up to date`() async throws {
        _ = try folder.store()
        for version in [0, Migrations.latest.count - 1] {
            try run("PRAGMA user_version = \(version)")
            let store = try opened()
            #expect(try await store.read { try $0.schemaVersion() } == Migrations.latest.count)
        }
    }

    @Test func `A migration that breaks a foreign key or fails leaves the store unchanged, and it opens once repaired`()
        throws
    {
        for step in Migrations.latest.prefix(7) { try run(step.sql) }
        try run("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); PRAGMA user_version = 7")
        for step in Migrations.latest.prefix(7) { try run("INSERT INTO grdb_migrations VALUES ('\(step.name)')") }
        try run("PRAGMA foreign_keys = OFF; INSERT INTO current_account VALUES ('default', 'nobody')")
        let broken = try bytes()
        #expect(throws: StoreError.database(reason: "FOREIGN KEY constraint failed: current_account to account")) {
            _ = try opened()
        }
        #expect(try bytes() == broken)
        try run("PRAGMA foreign_keys = OFF; DELETE FROM current_account; ALTER TABLE session ADD COLUMN directory TEXT")
        let repeated = try bytes()
        #expect(throws: StoreError.database(reason: "duplicate column name: directory")) { _ = try opened() }
        #expect(try bytes() == repeated)
        try run("ALTER TABLE session DROP COLUMN directory")
        _ = try opened()
    }

    @Test func `A store that a newer version migrated is rejected, even while it is open`() async throws {
        let store = try folder.store()
        let newer = StoreError.newer(path: folder.database)
        try run("INSERT INTO grdb_migrations VALUES ('9 of a later version'); PRAGMA user_version = 7")
        #expect(throws: newer, "by the migration's name") { _ = try opened() }
        try run("PRAGMA user_version = 99")
        #expect(throws: newer) { _ = try opened() }
        await #expect(throws: newer) { try await store.read { _ in } }
        await #expect(throws: newer) { try await store.write { _ in } }
        #expect(throws: newer) { try store.blockingRead { _ in } }
    }
}
