import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Directories of Firebase sessions` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private var otherDirectories: [(name: String, FirebaseDirectory)] {
        get throws {
            [
                ("emulator", bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))),
                ("tenant", bench.directory(tenant: "t-1")), ("project", bench.directory(project: "other-project")),
            ]
        }
    }

    private func signedIn() async throws -> Account {
        project.signsIn(try project.idToken())
        return try await bench.directory().signIn(bench.credential(), now: now).account
    }

    /// The error of another directory than that of the session.
    private func mismatch(at other: FirebaseDirectory, isSigned: Bool = true) -> DirectoryMismatch {
        let origin = isSigned ? bench.directory().origin : nil
        return DirectoryMismatch(kind: .session, provider: "google.com", origin: origin, current: other.origin)
    }

    /// Makes the ID token expire, so that every call must refresh it first.
    private func expireIDToken() async throws {
        var session = try #require(
            try await bench.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
        session.idTokenExpiresAt = now + 10
        #expect(try await bench.sessionStore.replace(session))
    }

    @Test func `another emulator, tenant or project cannot read, use or end the session`() async throws {
        let account = try await signedIn()
        try await expireIDToken()
        let before = project.requests.count
        for (name, other) in try otherDirectories {
            let attempts: [(String, () async throws -> Void)] = [
                (
                    "session",
                    { _ = try await other.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID) }
                ),
                (
                    "provider's session",
                    { _ = try await other.sessionStore.session(account: "uid-1", provider: "google.com") }
                ),
                (
                    "link",
                    {
                        _ = try await other.link(
                            bench.credential("github.com"), to: "uid-1", hasConsent: true, now: now)
                    }
                ),
                ("unlink", { _ = try await other.unlink("google.com", from: "uid-1", now: now) }),
                ("set-email", { _ = try await other.setEmail("b@example.com", of: "uid-1", now: now) }),
                (
                    "set-password",
                    { _ = try await other.setPassword(Password("a long password"), of: "uid-1", now: now) }
                ),
                ("delete", { try await other.delete("uid-1", now: now) }),
                ("gone", { _ = try await other.forgetIfDeleted("uid-1") }),
                ("proof", { try await other.sessionStore.requireRecentLogin("uid-1", now: now) }),
                ("sign-out", { try await other.sessionStore.removeSessions(account: "uid-1", now: 0) }),
                ("status", { _ = try await AccountStatus.one("uid-1", in: other) }),
            ]
            for (what, attempt) in attempts {
                await #expect(throws: mismatch(at: other), "\(what) at another \(name)") { try await attempt() }
            }
        }
        #expect(project.requests.count == before)
        let session = try #require(
            try await bench.sessionStore.session(account: account.uid, provider: SessionIssuer.projectID))
        #expect(session.refreshToken == RefreshToken("refresh-token-0001"))
    }

    @Test func `a session that was stored for an emulator at localhost is found and decrypted`() async throws {
        let earlier = bench.sessionStore.withOrigin(
            .project(id: ProjectDouble.projectID, tenant: nil, emulator: "localhost:9099"))
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        #expect(try EmulatorHost("localhost:9099").name == "127.0.0.1:9099")
        #expect(try EmulatorHost("[::1]:9099").name == "[::1]:9099")
        let account = Account(
            uid: "uid-1", email: nil, isEmailVerified: false, displayName: nil, photoURL: nil, createdAt: now,
            lastSignInAt: now, providerData: [])
        try await earlier.adopt(account, with: [Session(bench.credential().grant, of: "uid-1")], makesCurrent: true)
        let session = try await emulator.sessionStore.session(account: "uid-1", provider: "google.com")
        #expect(session?.accessToken?.revealed() == "access+token/0001=")
        #expect(
            session?.directory
                == FirebaseProject(
                    settings: FirebaseSettings(apiKey: "k", projectID: ProjectDouble.projectID),
                    emulator: try EmulatorHost("localhost:9099")
                ).origin)
        #expect(try await emulator.sessionStore.currentUID() == "uid-1")
    }

    @Test func `directory origins differ in every part and are parsed back from their text`() {
        let origins: [DirectoryOrigin] = [
            .local, .project(id: "local", tenant: nil, emulator: nil), .project(id: "p", tenant: nil, emulator: nil),
            .project(id: "p", tenant: "t", emulator: nil), .project(id: "p", tenant: nil, emulator: "t"),
            .project(id: "p#t", tenant: nil, emulator: nil), .project(id: "p", tenant: "", emulator: nil),
            .project(id: "p\"", tenant: "t", emulator: "127.0.0.1:9099"),
        ]
        #expect(Set(origins.map(\.text)).count == origins.count)
        for origin in origins { #expect(DirectoryOrigin(text: origin.text) == origin) }
        #expect(DirectoryOrigin(text: "") == nil && DirectoryOrigin(text: "{}") == nil)
    }

    @Test func `accounts with the same UID in different directories or profiles are independent`() async throws {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        let other = bench.directory(emulator: try EmulatorHost("127.0.0.1:9098"))
        let tenant = bench.directory(tenant: "t-1")
        let real = bench.directory()
        let second = FirebaseDirectory(
            project: real.project, sessionStore: SessionStore(store: bench.sessionStore.store, profile: "second"),
            transport: project,
            fetcher: real.fetcher, clock: real.clock, notice: { _ in })
        for directory in [emulator, other] {
            project.signsIn(ProjectDouble.unsignedToken())
            _ = try await directory.signIn(bench.credential(), now: now)
        }
        project.signsIn(try project.idToken { $0["firebase"] = ["tenant": "t-1"] })
        _ = try await tenant.signIn(bench.credential(), now: now)
        for directory in [real, second] {
            project.signsIn(try project.idToken())
            _ = try await directory.signIn(bench.credential(), now: now)
        }
        let all = [emulator, other, tenant, real, second]
        for (index, directory) in all.enumerated() {
            let sessionStore = directory.sessionStore
            let account = try #require(try await sessionStore.account(uid: "uid-1"))
            try await sessionStore.name(account, "work")
            #expect(try await sessionStore.accounts().count == 1)
            #expect(try await sessionStore.currentUID() == "uid-1")
            var session = try #require(
                try await sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
            #expect(session.directory == directory.origin)
            session.refreshToken = RefreshToken("refresh-token-of-\(index)")
            #expect(try await sessionStore.replace(session))
        }
        try await emulator.sessionStore.forgetOnThisMachine(
            try #require(try await emulator.sessionStore.account(uid: "uid-1")))
        try await other.sessionStore.removeSessions(account: "uid-1", now: now)
        #expect(try await emulator.sessionStore.accounts().isEmpty)
        #expect(try await other.sessionStore.sessions().isEmpty)
        for (index, directory) in all.enumerated().dropFirst(2) {
            let session = try await directory.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID)
            #expect(session?.refreshToken == RefreshToken("refresh-token-of-\(index)"))
            #expect(try await directory.sessionStore.account(uid: "uid-1")?.name == "work")
        }
    }

    @Test func `a session row that is moved to another directory cannot be decrypted there`() async throws {
        _ = try await signedIn()
        let tenant = bench.directory(tenant: "t-1")
        project.signsIn(try project.idToken { $0["firebase"] = ["tenant": "t-1"] })
        _ = try await tenant.signIn(bench.credential(), now: now)
        _ = try await SQLiteScript.run(
            [
                "DELETE FROM session WHERE home = (SELECT id FROM home WHERE directory LIKE '%tenant%')",
                "UPDATE session SET home = (SELECT id FROM home WHERE directory LIKE '%tenant%')",
            ], on: bench.database)
        await #expect(throws: StoreError.damagedEntry("refresh token of 'firebase'")) {
            _ = try await tenant.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID)
        }
    }

    @Test func `an account of another directory is a mismatch, and an account without a session is not`() async throws {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        _ = try await signedIn()
        let mismatch = mismatch(at: emulator)
        #expect(try await emulator.sessionStore.absence() as? DirectoryMismatch == mismatch)
        #expect(try await emulator.sessionStore.absence(of: "ada@example.com") as? DirectoryMismatch == mismatch)
        #expect(
            try await emulator.sessionStore.absence(of: "bob@example.com") as? NotSignedIn
                == .unknownAccount("bob@example.com"))
        project.signsIn(ProjectDouble.unsignedToken())
        _ = try await emulator.signIn(bench.credential(), now: now)
        try await emulator.sessionStore.removeSessions(account: "uid-1", now: now)
        #expect(try await emulator.sessionStore.absence() as? NotSignedIn == .noAccount)
        let local = LocalDirectory(sessionStore: bench.sessionStore.withOrigin(.local))
        await #expect(
            throws: DirectoryMismatch(
                kind: .session, provider: "firebase",
                origin: .project(id: "demo-project", tenant: nil, emulator: "127.0.0.1:9099"), current: .local)
        ) {
            _ = try await AccountStatus.toForget("uid-1", in: local)
        }
        try await bench.sessionStore.forget("uid-1")
        let (account, sessionStore) = try await AccountStatus.toForget("uid-1", in: local)
        #expect(account.uid == "uid-1" && sessionStore.origin == emulator.origin)
    }

    @Test func `a UID prefix of several accounts is unknown elsewhere and ambiguous in their own directory`()
        async throws
    {
        let local = LocalDirectory(sessionStore: bench.sessionStore.withOrigin(.local))
        for letter in ["b", "c"] { try await adopt("aaaa", letter, in: bench.sessionStore) }
        #expect(try await local.sessionStore.absence(of: "aaaa") as? NotSignedIn == .unknownAccount("aaaa"))
        await #expect(throws: NotSignedIn.unknownAccount("aaaa")) {
            _ = try await AccountStatus.toForget("aaaa", in: local)
        }
        try await adopt("aaaa", "d", in: local.sessionStore)
        do {
            _ = try await AccountStatus.toForget("aaaa", in: bench.directory())
            Issue.record("an account of another directory was accepted")
        } catch NotSignedIn.ambiguousPrefix("aaaa", let accounts) {
            #expect(accounts.count == 2)
        }
    }

    private func adopt(_ beginning: String, _ letter: String, in sessionStore: SessionStore) async throws {
        let account = Account(
            uid: beginning + String(repeating: letter, count: 24), email: nil, isEmailVerified: false, displayName: nil,
            photoURL: nil, createdAt: now, lastSignInAt: now, providerData: [])
        try await sessionStore.adopt(account, with: [], makesCurrent: false)
    }

    @Test func `a pending credential is not available to another emulator, tenant or project`() async throws {
        project.on("/v1/accounts:signInWithIdp", .json(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]))
        let conflict = await #expect(throws: AccountConflict.self) {
            _ = try await bench.directory().signIn(bench.credential(), now: now)
        }
        let pending = try #require(try await bench.directory().sessionStore.pendingCredentials(now: now).first)
        #expect(
            conflict
                == .credentialAlreadyInUse(provider: "google.com", email: "ada@example.com", pendingID: pending.id))
        for (_, other) in try otherDirectories {
            #expect(try await other.sessionStore.pendingCredentials(now: now).isEmpty)
            await #expect(throws: AccountRefusal.noSuchPending(pending.id)) {
                _ = try await other.sessionStore.pendingCredential(pending.id, now: now)
            }
            #expect(try await !other.sessionStore.discardPending(pending.id))
        }
    }

    // MARK: Rows of 0.1.0

    /// Makes the row like one of 0.1.0, which stored no origin.
    private func forgetOrigin() async throws {
        _ = try await SQLiteScript.run(["UPDATE session SET is_unproven = 1"], on: bench.database)
    }

    @Test func `a row without an origin belongs only to the project that issued its signed ID token`() async throws {
        _ = try await signedIn()
        try await forgetOrigin()
        let session = try #require(
            try await bench.directory().sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
        #expect(session.directory == bench.directory().origin)
        _ = try await bench.directory().sessionStore.session(account: "uid-1", provider: "google.com")
        try await bench.directory().sessionStore.requireOwnSession("uid-1")
        for (_, other) in try otherDirectories {
            for provider in [SessionIssuer.projectID, "google.com"] {
                await #expect(throws: mismatch(at: other)) {
                    _ = try await other.sessionStore.session(account: "uid-1", provider: provider)
                }
            }
        }
    }

    @Test func `an emulator's row without an origin is refused everywhere until the next sign-in`() async throws {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        project.signsIn(ProjectDouble.unsignedToken())
        _ = try await emulator.signIn(bench.credential(), now: now)
        try await forgetOrigin()
        for directory in [emulator, bench.directory()] {
            await #expect(throws: mismatch(at: directory, isSigned: false)) {
                _ = try await directory.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID)
            }
        }
        _ = try await emulator.signIn(bench.credential(), now: now)
        #expect(try await emulator.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID) != nil)
    }

    // MARK: The emulator's host

    @Test(arguments: ["127.0.0.1:9099", "localhost:9099", "[::1]:9099", "127.8.9.10:1"])
    func `a loopback emulator host is accepted and has one normalized name`(text: String) throws {
        #expect(try !EmulatorHost(text).allowsPlainHTTP)
        // localhost and 127.0.0.1 are the same emulator.
        #expect(try EmulatorHost(text).name == (text == "localhost:9099" ? "127.0.0.1:9099" : text))
    }

    @Test(arguments: ["firebase:9099", "192.168.1.5:9099", "0.0.0.0:9099", "127.0.0.1.example.com:80", "metadata"])
    func `a remote emulator host is accepted only if it is allowed by name`(text: String) throws {
        let host = text.split(separator: ":")[0]
        for other in [nil, "other:9099", "", "\(host):1"] {
            #expect(throws: EmulatorHost.Refusal.notAllowed(host: String(host))) {
                try EmulatorHost(text, allowed: other)
            }
        }
        for allowed in [String(host), text, host.uppercased()] {
            #expect(try EmulatorHost(text, allowed: allowed).allowsPlainHTTP)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:9099", "127.0.0.1", "[::1]", "127.0.0.1:9099/x", "127.0.0.1:9099?x", "a@127.0.0.1:1", "",
        ":1", "a b",
    ])
    func `an emulator host that is not a host and port is refused`(text: String) {
        #expect(throws: EmulatorHost.Refusal.malformed) { try EmulatorHost(text, allowed: text) }
    }

    @Test func `the plain http exception applies only to requests to an allowed remote emulator host`() async throws {
        for (host, isAllowed) in [("127.0.0.1:9099", false), ("emulator:9099", true)] {
            let emulator = bench.directory(emulator: try EmulatorHost(host, allowed: "emulator"))
            project.signsIn(ProjectDouble.unsignedToken())
            let before = project.requests.count
            _ = try await emulator.signIn(bench.credential(), now: now)
            #expect(project.requests.count > before)
            for request in project.requests.dropFirst(before) {
                #expect(request.allowsPlainHTTP == isAllowed && request.url.text.hasPrefix("http://\(host)/"))
            }
        }
        let before = project.requests.count
        project.signsIn(try project.idToken())
        await #expect(throws: Never.self) { _ = try await signedIn() }
        let requests = project.requests.dropFirst(before)
        #expect(!requests.isEmpty && requests.allSatisfy { $0.url.isSecure && !$0.allowsPlainHTTP })
    }
}

@Suite struct `Changes that a Firebase project confirmed` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private func signedIn() async throws {
        project.signsIn(try project.idToken())
        _ = try await bench.directory().signIn(bench.credential(), now: now)
    }

    /// Lets this many lookups succeed, and the later ones fail.
    private func lookups(succeeding count: Int) {
        project.on(
            "/v1/accounts:lookup",
            (0..<count).map { _ in HTTPResponse.json(ProjectDouble.users("uid-1")) } + [HTTPResponse(status: 500)])
    }

    private func tokens(_ refreshToken: String) throws -> JSONObject {
        ["localId": "uid-1", "idToken": .string(try project.idToken()), "refreshToken": .string(refreshToken)]
    }

    private var session: Session? {
        get async throws { try await bench.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID) }
    }

    @Test func `a new password's tokens are stored even if the account lookup fails`() async throws {
        var users = ProjectDouble.users("uid-1")
        users["users"] = [
            [
                "localId": "uid-1", "email": "ada@example.com",
                "providerUserInfo": [
                    ["providerId": "password", "rawId": "ada@example.com", "email": "ada@example.com"]
                ],
            ]
        ]
        project.on("/v1/accounts:lookup", .json(users))
        try await signedIn()
        project.on("/v1/accounts:lookup", [.json(users), HTTPResponse(status: 500)])
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        let account = try await bench.directory().setPassword(Password("another long phrase"), of: "uid-1", now: now)
        #expect(account.providerData.map(\.key.providerID) == ["password"])
        #expect(try await session?.refreshToken == RefreshToken("refresh-token-0002"))
        #expect(bench.notes.all.contains(.notSeen))
    }

    @Test func `the new refresh token is stored without the ID token if its keys are unavailable`() async throws {
        try await signedIn()
        lookups(succeeding: 1)
        project.hideKeys()
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        _ = try await bench.directory().setEmail("new@example.com", of: "uid-1", now: now)
        let stored = try #require(try await session)
        #expect(stored.refreshToken == RefreshToken("refresh-token-0002") && stored.idToken == nil)
    }

    @Test func `a new email address and its tokens are stored even if the account lookup fails`() async throws {
        try await signedIn()
        lookups(succeeding: 0)
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        let account = try await bench.directory().setEmail("new@example.com", of: "uid-1", now: now)
        #expect(account.email == "new@example.com" && !account.isEmailVerified)
        #expect(try await session?.refreshToken == RefreshToken("refresh-token-0002"))
        #expect(try await bench.sessionStore.account(uid: "uid-1")?.email == "new@example.com")
    }

    @Test func `a link and an unlink are stored even if the account lookup fails afterwards`() async throws {
        try await signedIn()
        lookups(succeeding: 1)
        project.signsIn(try project.idToken())
        let linked = try await bench.directory().link(
            bench.credential("github.com"), to: "uid-1", hasConsent: false, now: now)
        #expect(linked.providerData.map(\.key.providerID) == ["google.com", "github.com"])
        project.on(
            "/v1/accounts:lookup",
            [
                .json([
                    "users": [
                        [
                            "localId": "uid-1",
                            "providerUserInfo": [
                                ["providerId": "google.com", "rawId": "1"], ["providerId": "github.com", "rawId": "7"],
                            ],
                        ]
                    ]
                ]), HTTPResponse(status: 500),
            ])
        project.on("/v1/accounts:update", .json(["localId": "uid-1"]))
        let left = try await bench.directory().unlink("google.com", from: "uid-1", now: now)
        #expect(left.providerData.map(\.key.providerID) == ["github.com"])
        #expect(try await bench.sessionStore.account(uid: "uid-1")?.providerData.count == 1)
    }

    @Test func `a link that the project made to another account is an error, and nothing is stored`() async throws {
        try await signedIn()
        project.on("/v1/accounts:lookup", .json(ProjectDouble.users("uid-2")))
        project.on(
            "/v1/accounts:signInWithIdp",
            .json([
                "localId": "uid-2", "idToken": .string(try project.idToken { $0["sub"] = "uid-2" }),
                "refreshToken": "refresh-token-0002",
            ]))
        await #expect(throws: FirebaseError.invalidResponse(.otherAccount("localId"))) {
            try await bench.directory().link(
                bench.credential("github.com"), to: "uid-1", hasConsent: false, now: now)
        }
        #expect(try await bench.sessionStore.accounts().map(\.uid) == ["uid-1"])
    }

    @Test func `a new password account is stored even if the account lookup fails`() async throws {
        lookups(succeeding: 0)
        project.on("/v1/accounts:signUp", .json(try tokens("refresh-token-0003")))
        let account = try await bench.directory().signUp(
            email: "ada@example.com", Password("a long password"), now: now)
        #expect(account.email == "ada@example.com" && account.providerData.map(\.key.providerID) == ["password"])
        #expect(try await session?.refreshToken == RefreshToken("refresh-token-0003"))
    }

    @Test func `a lookup that returns another account does not replace the changed account`() async throws {
        try await signedIn()
        project.on("/v1/accounts:lookup", .json(ProjectDouble.users("uid-2")))
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        let account = try await bench.directory().setEmail("new@example.com", of: "uid-1", now: now)
        #expect(account.uid == "uid-1" && account.email == "new@example.com")
        #expect(try await bench.sessionStore.account(uid: "uid-2") == nil)
        // A sign-in with another account is refused.
        await #expect(throws: FirebaseError.invalidResponse(.otherAccount("users"))) {
            _ = try await bench.directory().signIn(bench.credential(), now: now)
        }
    }
}

@Suite struct `Accounts deleted at the Firebase project` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private func refuses(_ path: String, _ code: String) {
        project.on(path, .json(["error": ["code": 400, "message": .string(code)]], status: 400))
    }

    private func signedIn() async throws {
        project.signsIn(try project.idToken())
        _ = try await bench.directory().signIn(bench.credential(), now: now)
    }

    @Test(arguments: [false, true])
    func `a deleted account is removed locally after a lookup or a refresh reports it`(isOld: Bool) async throws {
        try await signedIn()
        if isOld {
            var session = try #require(
                try await bench.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
            session.idTokenExpiresAt = now
            #expect(try await bench.sessionStore.replace(session))
        }
        refuses("/v1/accounts:lookup", "USER_NOT_FOUND")
        refuses("/v1/token", "USER_NOT_FOUND")
        #expect(try await bench.directory().forgetIfDeleted("uid-1"))
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func `an account is kept and must sign in again if only its session has ended`(code: String) async throws {
        try await signedIn()
        refuses("/v1/accounts:lookup", code)
        await #expect(throws: AccountRefusal.signedOut(uid: "uid-1")) {
            _ = try await bench.directory().forgetIfDeleted("uid-1")
        }
        #expect(try await bench.sessionStore.accounts().count == 1)
    }

    @Test func `a disabled account is not treated as deleted`() async throws {
        try await signedIn()
        refuses("/v1/accounts:lookup", "USER_DISABLED")
        #expect(try await !bench.directory().forgetIfDeleted("uid-1"))
        #expect(try await bench.sessionStore.accounts().count == 1)
    }

    @Test func `an account is not treated as deleted without a session or a reachable project`() async throws {
        try await signedIn()
        project.on("/v1/accounts:lookup", HTTPResponse(status: 503))
        await #expect(throws: OAuthError.unavailable(status: 503, origin: "https://identitytoolkit.googleapis.com:443"))
        { _ = try await bench.directory().forgetIfDeleted("uid-1") }
        try await bench.directory().sessionStore.removeSessions(account: "uid-1", now: 0)
        await #expect(throws: AccountRefusal.signedOut(uid: "uid-1")) {
            _ = try await bench.directory().forgetIfDeleted("uid-1")
        }
        // The account can still be removed from this machine.
        let account = try #require(try await bench.sessionStore.account(uid: "uid-1"))
        try await bench.sessionStore.forgetOnThisMachine(account)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `deleting an account that was deleted concurrently succeeds`() async throws {
        try await signedIn()
        refuses("/v1/accounts:delete", "USER_NOT_FOUND")
        try await bench.directory().delete("uid-1", now: now)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `an account of the local directory cannot be removed from this machine only`() async throws {
        let local = LocalDirectory(sessionStore: bench.sessionStore.withOrigin(.local))
        let (account, _) = try await local.signIn(bench.credential(), now: now)
        await #expect(throws: AccountRefusal.isLocalAccount) {
            try await local.sessionStore.forgetOnThisMachine(account)
        }
    }

    @Test func `an email address of several accounts selects the only one that is signed in`() async throws {
        let choice = SessionChoice(directory: bench.directory())
        try await signedIn()
        var users = ProjectDouble.users("uid-2")
        project.on("/v1/accounts:lookup", .json(users))
        project.on(
            "/v1/accounts:signInWithIdp",
            .json([
                "localId": "uid-2", "idToken": .string(try project.idToken { $0["sub"] = "uid-2" }),
                "refreshToken": "refresh-token-0002",
            ]))
        _ = try await bench.directory().signIn(bench.credential(), now: now)
        await #expect(throws: NotSignedIn.ambiguousAccount("ada@example.com", uids: ["uid-1", "uid-2"])) {
            _ = try await choice.account(named: "ada@example.com")
        }
        try await bench.directory().sessionStore.removeSessions(account: "uid-1", now: 0)
        #expect(try await choice.account(named: "ada@example.com").uid == "uid-2")
        #expect(try await choice.account(named: "uid-1").uid == "uid-1")
        users = [:]
        await #expect(throws: NotSignedIn.unknownAccount("x")) { _ = try await choice.account(named: "x") }
    }
}
