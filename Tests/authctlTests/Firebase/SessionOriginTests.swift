import AuthCoreTesting
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `A session of a Firebase project belongs to what made it` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private var elsewhere: [(name: String, FirebaseDirectory)] {
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

    /// Its ID token needs a new one before anything.
    private func age() async throws {
        var session = try #require(
            try await bench.sessionStore.session(account: "uid-1", provider: DirectorySession.id))
        session.idTokenExpiresAt = now + 10
        #expect(try await bench.sessionStore.update(session))
    }

    @Test func `nothing is shown to, sent to, or ended by another emulator, tenant or project`() async throws {
        let account = try await signedIn()
        try await age()
        let before = project.requests.count
        for (name, other) in try elsewhere {
            let attempts: [(String, () async throws -> Void)] = [
                (
                    "session",
                    { _ = try await other.sessionStore.session(account: "uid-1", provider: DirectorySession.id) }
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
                ("gone", { _ = try await other.forgetIfGone("uid-1") }),
                ("proof", { try await other.sessionStore.requireRecentLogin("uid-1", now: now) }),
                ("sign-out", { try await other.sessionStore.removeSessions(account: "uid-1", now: 0) }),
                ("status", { _ = try await AccountStatus.one("uid-1", in: other) }),
            ]
            for (what, attempt) in attempts {
                await #expect(throws: DirectoryMismatch.self, "\(what) at another \(name)") { try await attempt() }
            }
        }
        #expect(project.requests.count == before)
        let session = try #require(
            try await bench.sessionStore.session(account: account.uid, provider: DirectorySession.id))
        #expect(session.refreshToken == RefreshToken("refresh-token-0001"))
    }

    @Test func `Finds and opens a session that was stored for an emulator at localhost`() async throws {
        let earlier = bench.sessionStore.keeping(
            .project(id: ProjectDouble.projectID, tenant: nil, emulator: "localhost:9099"))
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        #expect(try EmulatorHost("localhost:9099").name == "127.0.0.1:9099")
        #expect(try EmulatorHost("[::1]:9099").name == "[::1]:9099")
        let account = Account(
            uid: "uid-1", email: nil, isEmailVerified: false, displayName: nil, photoURL: nil, createdAt: now,
            lastSignInAt: now, providerData: [])
        try await earlier.adopt(account, [Session(bench.credential().grant, of: "uid-1")], makesCurrent: true)
        let session = try await emulator.sessionStore.session(account: "uid-1", provider: "google.com")
        #expect(session?.accessToken?.revealed() == "access+token/0001=")
        #expect(
            session?.directory
                == FirebaseProject(
                    FirebaseSettings(apiKey: "k", projectID: ProjectDouble.projectID),
                    emulator: try EmulatorHost("localhost:9099")
                ).origin)
        #expect(try await emulator.sessionStore.currentUID() == "uid-1")
    }

    @Test func `the failure names both, and the command that helps`() throws {
        let task = ErrorContext("no token", again: "authctl signin")
        func failure(_ made: DirectoryOrigin?, _ present: DirectoryOrigin) -> Failure {
            Failure(DirectoryMismatch(.session, provider: "google.com", made: made, present: present), while: task)
        }
        let real = DirectoryOrigin.project(id: "p", tenant: nil, emulator: nil)
        let emulated = DirectoryOrigin.project(id: "p", tenant: nil, emulator: "127.0.0.1:9099")
        let tenant = DirectoryOrigin.project(id: "p", tenant: "t", emulator: nil)
        #expect(failure(real, emulated).hint?.text == "unset FIREBASE_AUTH_EMULATOR_HOST")
        #expect(failure(emulated, real).hint?.text == "export FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099")
        #expect(failure(real, tenant).hint?.text == "authctl signin --provider google.com")
        #expect(failure(real, .local).hint?.text == "authctl signin")
        #expect(failure(nil, emulated).hint?.text == "authctl signin --provider google.com")
        for failure in [failure(real, emulated), failure(emulated, real), failure(nil, real)] {
            #expect(failure.exitCode == 4 && failure.code == "not-signed-in")
            #expect(failure.message.contains("this session is of"))
        }
    }

    @Test func `origins are told apart by all of their parts, and come back from their text`() {
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

    @Test func `one uid in two directories is two accounts, of which each is signed in to, named and forgotten alone`()
        async throws
    {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        let other = bench.directory(emulator: try EmulatorHost("127.0.0.1:9098"))
        let tenant = bench.directory(tenant: "t-1")
        let real = bench.directory()
        let second = FirebaseDirectory(
            project: real.project, sessionStore: SessionStore(bench.sessionStore.store, profile: "second"),
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
            var session = try #require(try await sessionStore.session(account: "uid-1", provider: DirectorySession.id))
            #expect(session.directory == directory.origin)
            session.refreshToken = RefreshToken("refresh-token-of-\(index)")
            #expect(try await sessionStore.update(session))
        }
        try await emulator.sessionStore.forgetOnThisMachine(
            try #require(try await emulator.sessionStore.account(uid: "uid-1")))
        try await other.sessionStore.removeSessions(account: "uid-1", now: now)
        #expect(try await emulator.sessionStore.accounts().isEmpty)
        #expect(try await other.sessionStore.sessions().isEmpty)
        for (index, directory) in all.enumerated().dropFirst(2) {
            let session = try await directory.sessionStore.session(account: "uid-1", provider: DirectorySession.id)
            #expect(session?.refreshToken == RefreshToken("refresh-token-of-\(index)"))
            #expect(try await directory.sessionStore.account(uid: "uid-1")?.name == "work")
        }
    }

    @Test func `a row that is moved to another directory is not opened there`() async throws {
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
            _ = try await tenant.sessionStore.session(account: "uid-1", provider: DirectorySession.id)
        }
    }

    @Test func `who is not here and elsewhere is told so, and who has signed out here is not`() async throws {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        _ = try await signedIn()
        #expect(try await emulator.sessionStore.absence() is DirectoryMismatch)
        #expect(try await emulator.sessionStore.absence(of: "ada@example.com") is DirectoryMismatch)
        #expect(
            try await emulator.sessionStore.absence(of: "bob@example.com") as? NotSignedIn
                == .unknownAccount("bob@example.com"))
        project.signsIn(ProjectDouble.unsignedToken())
        _ = try await emulator.signIn(bench.credential(), now: now)
        try await emulator.sessionStore.removeSessions(account: "uid-1", now: now)
        #expect(try await emulator.sessionStore.absence() as? NotSignedIn == .noAccount)
        let local = LocalDirectory(bench.sessionStore.keeping(.local))
        await #expect(throws: DirectoryMismatch.self) {
            _ = try await AccountStatus.toForget("uid-1", in: local)
        }
        try await bench.sessionStore.forget("uid-1")
        let (account, sessionStore) = try await AccountStatus.toForget("uid-1", in: local)
        #expect(account.uid == "uid-1" && sessionStore.origin == emulator.origin)
    }

    @Test func `the beginning of several uids elsewhere is nobody here, and of several here no other is meant`()
        async throws
    {
        let local = LocalDirectory(bench.sessionStore.keeping(.local))
        for letter in ["b", "c"] { try await adopt("aaaa", letter, in: bench.sessionStore) }
        #expect(try await local.sessionStore.absence(of: "aaaa") as? NotSignedIn == .unknownAccount("aaaa"))
        await #expect(throws: NotSignedIn.unknownAccount("aaaa")) {
            _ = try await AccountStatus.toForget("aaaa", in: local)
        }
        try await adopt("aaaa", "d", in: local.sessionStore)
        do {
            _ = try await AccountStatus.toForget("aaaa", in: bench.directory())
            Issue.record("an account of another directory was taken")
        } catch NotSignedIn.ambiguousPrefix("aaaa", let accounts) {
            #expect(accounts.count == 2)
        }
    }

    private func adopt(_ beginning: String, _ letter: String, in sessionStore: SessionStore) async throws {
        let account = Account(
            uid: beginning + String(repeating: letter, count: 24), email: nil, isEmailVerified: false, displayName: nil,
            photoURL: nil, createdAt: now, lastSignInAt: now, providerData: [])
        try await sessionStore.adopt(account, [], makesCurrent: false)
    }

    @Test func `a credential that waits for one is not shown to another`() async throws {
        project.on("/v1/accounts:signInWithIdp", .json(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]))
        await #expect(throws: AccountConflict.self) {
            _ = try await bench.directory().signIn(bench.credential(), now: now)
        }
        let waiting = try #require(try await bench.directory().sessionStore.pendingCredentials(now: now).first)
        for (_, other) in try elsewhere {
            #expect(try await other.sessionStore.pendingCredentials(now: now).isEmpty)
            await #expect(throws: AccountRefusal.noSuchPending(waiting.id)) {
                _ = try await other.sessionStore.pendingCredential(waiting.id, now: now)
            }
            #expect(try await !other.sessionStore.discardPending(waiting.id))
        }
    }

    // MARK: Rows of 0.1.0

    /// As the row was before its origin was kept.
    private func forgetOrigin() async throws {
        _ = try await SQLiteScript.run(["UPDATE session SET is_unproven = 1"], on: bench.database)
    }

    @Test func `a row that does not say so is the service's by its signed ID token, and no emulator's`() async throws {
        _ = try await signedIn()
        try await forgetOrigin()
        let session = try #require(
            try await bench.directory().sessionStore.session(account: "uid-1", provider: DirectorySession.id))
        #expect(session.directory == bench.directory().origin)
        _ = try await bench.directory().sessionStore.session(account: "uid-1", provider: "google.com")
        try await bench.directory().sessionStore.requireOwnSession("uid-1")
        for (_, other) in try elsewhere {
            for provider in [DirectorySession.id, "google.com"] {
                await #expect(throws: DirectoryMismatch.self) {
                    _ = try await other.sessionStore.session(account: "uid-1", provider: provider)
                }
            }
        }
    }

    @Test func `a row of an emulator that does not say which is nobody's, and a new sign-in mends it`() async throws {
        let emulator = bench.directory(emulator: try EmulatorHost("127.0.0.1:9099"))
        project.signsIn(ProjectDouble.unsignedToken())
        _ = try await emulator.signIn(bench.credential(), now: now)
        try await forgetOrigin()
        for directory in [emulator, bench.directory()] {
            await #expect(throws: DirectoryMismatch.self) {
                _ = try await directory.sessionStore.session(account: "uid-1", provider: DirectorySession.id)
            }
        }
        _ = try await emulator.signIn(bench.credential(), now: now)
        #expect(try await emulator.sessionStore.session(account: "uid-1", provider: DirectorySession.id) != nil)
    }

    // MARK: The emulator's host

    @Test(arguments: ["127.0.0.1:9099", "localhost:9099", "[::1]:9099", "127.8.9.10:1"])
    func `an emulator on this machine is spoken to`(text: String) throws {
        #expect(try !EmulatorHost(text).allowsPlainHTTP)
        // One emulator has one name.
        #expect(try EmulatorHost(text).name == (text == "localhost:9099" ? "127.0.0.1:9099" : text))
    }

    @Test(arguments: ["firebase:9099", "192.168.1.5:9099", "0.0.0.0:9099", "127.0.0.1.example.com:80", "metadata"])
    func `one on another host only where that host is allowed by name`(text: String) throws {
        let host = text.split(separator: ":")[0]
        #expect(throws: EmulatorHost.Refusal.notAllowed(host: String(host))) { try EmulatorHost(text) }
        #expect(throws: EmulatorHost.Refusal.self) { try EmulatorHost(text, allowed: "other:9099") }
        #expect(throws: EmulatorHost.Refusal.self) { try EmulatorHost(text, allowed: "") }
        for allowed in [String(host), text, host.uppercased()] {
            #expect(try EmulatorHost(text, allowed: allowed).allowsPlainHTTP)
        }
        #expect(throws: EmulatorHost.Refusal.self) { try EmulatorHost(text, allowed: "\(host):1") }
    }

    @Test(arguments: [
        "http://127.0.0.1:9099", "127.0.0.1", "[::1]", "127.0.0.1:9099/x", "127.0.0.1:9099?x", "a@127.0.0.1:1", "",
        ":1", "a b",
    ])
    func `what is no host and port is none`(text: String) {
        #expect(throws: EmulatorHost.Refusal.malformed) { try EmulatorHost(text, allowed: text) }
    }

    @Test func `requests leave in plain http for an allowed host alone`() async throws {
        for (host, isAllowed) in [("127.0.0.1:9099", false), ("emulator:9099", true)] {
            let emulator = bench.directory(emulator: try EmulatorHost(host, allowed: "emulator"))
            project.signsIn(ProjectDouble.unsignedToken())
            _ = try await emulator.signIn(bench.credential(), now: now)
            let request = try #require(project.requests.last)
            #expect(request.allowsPlainHTTP == isAllowed && request.url.text.hasPrefix("http://\(host)/"))
        }
        project.signsIn(try project.idToken())
        await #expect(throws: Never.self) { _ = try await signedIn() }
        #expect(project.requests.last.map { $0.url.isSecure && !$0.allowsPlainHTTP } == true)
    }
}

@Suite struct `A change that the project made is done` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private func signedIn() async throws {
        project.signsIn(try project.idToken())
        _ = try await bench.directory().signIn(bench.credential(), now: now)
    }

    /// The next look-ups: as many good ones, then none.
    private func lookups(good: Int) {
        project.on(
            "/v1/accounts:lookup",
            (0..<good).map { _ in HTTPResponse.json(ProjectDouble.users("uid-1")) } + [HTTPResponse(status: 500)])
    }

    private func tokens(_ refreshToken: String) throws -> JSONObject {
        ["localId": "uid-1", "idToken": .string(try project.idToken()), "refreshToken": .string(refreshToken)]
    }

    private var session: Session? {
        get async throws { try await bench.sessionStore.session(account: "uid-1", provider: DirectorySession.id) }
    }

    @Test func `a password: the new tokens are kept, though nothing else can be asked`() async throws {
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
        #expect(bench.said.all.contains(.notSeen))
    }

    @Test func `where the keys cannot be had either, the session is kept and its ID token is had anew`() async throws {
        try await signedIn()
        lookups(good: 1)
        project.hideKeys()
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        _ = try await bench.directory().setEmail("new@example.com", of: "uid-1", now: now)
        let kept = try #require(try await session)
        #expect(kept.refreshToken == RefreshToken("refresh-token-0002") && kept.idToken == nil)
    }

    @Test func `an address`() async throws {
        try await signedIn()
        lookups(good: 0)
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        let account = try await bench.directory().setEmail("new@example.com", of: "uid-1", now: now)
        #expect(account.email == "new@example.com" && !account.isEmailVerified)
        #expect(try await session?.refreshToken == RefreshToken("refresh-token-0002"))
        #expect(try await bench.sessionStore.account(uid: "uid-1")?.email == "new@example.com")
    }

    @Test func `a link, and an unlink`() async throws {
        try await signedIn()
        lookups(good: 1)
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

    @Test func `a new account with a password`() async throws {
        lookups(good: 0)
        project.on("/v1/accounts:signUp", .json(try tokens("refresh-token-0003")))
        let account = try await bench.directory().signUp(
            email: "ada@example.com", Password("a long password"), now: now)
        #expect(account.email == "ada@example.com" && account.providerData.map(\.key.providerID) == ["password"])
        #expect(try await session?.refreshToken == RefreshToken("refresh-token-0003"))
    }

    @Test func `another account in the look-up is not taken for it`() async throws {
        try await signedIn()
        project.on("/v1/accounts:lookup", .json(ProjectDouble.users("uid-2")))
        project.on("/v1/accounts:update", .json(try tokens("refresh-token-0002")))
        let account = try await bench.directory().setEmail("new@example.com", of: "uid-1", now: now)
        #expect(account.uid == "uid-1" && account.email == "new@example.com")
        #expect(try await bench.sessionStore.account(uid: "uid-2") == nil)
        // Where nothing was changed, it is refused.
        await #expect(throws: FirebaseError.self) {
            _ = try await bench.directory().signIn(bench.credential(), now: now)
        }
    }
}

@Suite struct `An account that is gone at the project` {
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
    func `is forgotten here, by its ID token or by its refresh token`(isOld: Bool) async throws {
        try await signedIn()
        if isOld {
            var session = try #require(
                try await bench.sessionStore.session(account: "uid-1", provider: DirectorySession.id))
            session.idTokenExpiresAt = now
            #expect(try await bench.sessionStore.update(session))
        }
        refuses("/v1/accounts:lookup", "USER_NOT_FOUND")
        refuses("/v1/token", "USER_NOT_FOUND")
        #expect(try await bench.directory().forgetIfGone("uid-1"))
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func `is not taken for gone where its session alone is over, and must sign in again`(code: String) async throws {
        try await signedIn()
        refuses("/v1/accounts:lookup", code)
        await #expect(throws: AccountRefusal.signedOut(uid: "uid-1")) {
            _ = try await bench.directory().forgetIfGone("uid-1")
        }
        #expect(try await bench.sessionStore.accounts().count == 1)
    }

    @Test func `is not taken for gone where it is disabled`() async throws {
        try await signedIn()
        refuses("/v1/accounts:lookup", "USER_DISABLED")
        #expect(try await !bench.directory().forgetIfGone("uid-1"))
        #expect(try await bench.sessionStore.accounts().count == 1)
    }

    @Test func `is not taken for gone where nobody can be reached, or nobody is signed in`() async throws {
        try await signedIn()
        project.on("/v1/accounts:lookup", HTTPResponse(status: 503))
        await #expect(throws: OAuthError.self) { _ = try await bench.directory().forgetIfGone("uid-1") }
        try await bench.directory().sessionStore.removeSessions(account: "uid-1", now: 0)
        await #expect(throws: AccountRefusal.signedOut(uid: "uid-1")) {
            _ = try await bench.directory().forgetIfGone("uid-1")
        }
        // A local account can always be removed from this machine.
        let account = try #require(try await bench.sessionStore.account(uid: "uid-1"))
        try await bench.sessionStore.forgetOnThisMachine(account)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `somebody who deletes at the same moment is no failure`() async throws {
        try await signedIn()
        refuses("/v1/accounts:delete", "USER_NOT_FOUND")
        try await bench.directory().delete("uid-1", now: now)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `an account of this machine is not forgotten without a proof`() async throws {
        let local = LocalDirectory(bench.sessionStore.keeping(.local))
        let (account, _) = try await local.signIn(bench.credential(), now: now)
        await #expect(throws: AccountRefusal.isLocalAccount) {
            try await local.sessionStore.forgetOnThisMachine(account)
        }
    }

    @Test func `of several accounts with one address the one is meant that is signed in`() async throws {
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
