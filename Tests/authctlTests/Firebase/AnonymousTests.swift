import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `An anonymous account` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private func nobody(_ uid: String) -> HTTPResponse { .json(["users": [["localId": .string(uid)]]]) }

    private func letsIn(_ uid: String) throws {
        project.on("/v1/accounts:lookup", nobody(uid))
        project.on(
            "/v1/accounts:signUp",
            .json([
                "localId": .string(uid), "idToken": .string(try project.idToken { $0["sub"] = .string(uid) }),
                "refreshToken": "refresh-token-0001",
            ]))
    }

    @Test func `is known as one until something is linked to it, and there is one at a time`() async throws {
        try letsIn("uid-1")
        let (account, isNew) = try await bench.directory().signInAnonymously()
        #expect(isNew && account.isAnonymous)
        let again = try await bench.directory().signInAnonymously()
        #expect(!again.isNew && again.account.uid == "uid-1")
        #expect(try await bench.sessionStore.accounts().map(\.isAnonymous) == [true])
        project.signsIn(try project.idToken())
        project.on("/v1/accounts:lookup", [nobody("uid-1"), .json(ProjectDouble.users("uid-1"))])
        let linked = try await bench.directory().link(bench.credential(), to: "uid-1", hasConsent: false, now: now)
        #expect(!linked.isAnonymous && linked.uid == "uid-1")
        #expect(try await bench.sessionStore.accounts().map(\.isAnonymous) == [false])
    }

    @Test func `whose session is over is followed by another one`() async throws {
        try letsIn("uid-1")
        _ = try await bench.directory().signInAnonymously()
        var session = try #require(
            try await bench.sessionStore.session(account: "uid-1", provider: DirectorySession.id))
        session.idTokenExpiresAt = now
        #expect(try await bench.sessionStore.update(session))
        project.on("/v1/token", .json(["error": ["code": 400, "message": "USER_NOT_FOUND"]], status: 400))
        try letsIn("uid-2")
        let (account, isNew) = try await bench.directory().signInAnonymously()
        #expect(isNew && account.uid == "uid-2")
        #expect(try await bench.sessionStore.currentUID() == "uid-2")
        #expect(try await bench.sessionStore.accounts().map(\.uid) == ["uid-2"])
    }

    @Test func `outlives the end of a provider's session, and is forgotten with its own alone`() async throws {
        try letsIn("uid-1")
        let (account, _) = try await bench.directory().signInAnonymously()
        let session = Session(bench.credential("oidc.test").grant, of: "uid-1")
        try await bench.sessionStore.adopt(account, [session], makesCurrent: false)
        let signOut = SignOut(
            SessionServices(
                directory: bench.directory(), clock: Clock(now: { ProjectDouble.now }),
                lockDirectory: ConfigDirectory(path: bench.database + ".locks"),
                client: { _ in throw NotSignedIn.noAccount }))
        var request = SignOut.Request()
        request.provider = "oidc.test"
        #expect(try await signOut.lost(by: request).isEmpty)
        #expect(try await signOut(request).map(\.providerID) == ["oidc.test"])
        #expect(try await bench.sessionStore.accounts().map(\.uid) == ["uid-1"])
        #expect(try await bench.sessionStore.sessions().map(\.providerID) == [DirectorySession.id])
        request.provider = nil
        #expect(try await signOut.lost(by: request).map(\.uid) == ["uid-1"])
        _ = try await signOut(request)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `whose proof is too old for the project is told what to do, not to prove itself`() async throws {
        try letsIn("uid-1")
        _ = try await bench.directory().signInAnonymously()
        project.on(
            "/v1/accounts:delete",
            .json(["error": ["code": 400, "message": "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"]], status: 400))
        await #expect(throws: AccountRefusal.anonymous(uid: "uid-1")) {
            try await bench.directory().delete("uid-1", now: now)
        }
        project.on("/v1/accounts:delete", .json([:]))
        try await bench.directory().delete("uid-1", now: now + 86400)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `is not one that a custom token made, though that says no more of itself`() async throws {
        project.on("/v1/accounts:lookup", nobody("uid-1"))
        project.on(
            "/v1/accounts:signInWithCustomToken",
            .json(["idToken": .string(try project.idToken()), "refreshToken": "refresh-token-0001"]))
        let (account, _) = try await bench.directory().signIn(customToken: CustomToken("token"))
        #expect(!account.isAnonymous)
        #expect(try await bench.sessionStore.accounts().map(\.isAnonymous) == [false])
    }
}
