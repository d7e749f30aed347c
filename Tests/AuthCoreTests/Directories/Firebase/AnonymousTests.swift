import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Anonymous accounts` {
    private let bench: FirebaseBench
    private let now = ProjectDouble.now
    private var project: ProjectDouble { bench.project }

    init() throws { bench = try FirebaseBench() }

    private func anonymousUser(_ uid: String) -> HTTPResponse { .json(["users": [["localId": .string(uid)]]]) }

    private func signsUp(_ uid: String) throws {
        project.on("/v1/accounts:lookup", anonymousUser(uid))
        project.on(
            "/v1/accounts:signUp",
            .json([
                "localId": .string(uid), "idToken": .string(try project.idToken { $0["sub"] = .string(uid) }),
                "refreshToken": "refresh-token-0001",
            ]))
    }

    @Test func `an anonymous account is reused, and is no longer anonymous after a provider is linked`() async throws {
        try signsUp("uid-1")
        let (account, isNew) = try await bench.directory().signInAnonymously()
        #expect(isNew && account.isAnonymous)
        let again = try await bench.directory().signInAnonymously()
        #expect(!again.isNew && again.account.uid == "uid-1")
        #expect(try await bench.sessionStore.accounts().map(\.isAnonymous) == [true])
        project.signsIn(try project.idToken())
        project.on("/v1/accounts:lookup", [anonymousUser("uid-1"), .json(ProjectDouble.users("uid-1"))])
        let linked = try await bench.directory().link(bench.credential(), to: "uid-1", hasConsent: false, now: now)
        #expect(!linked.isAnonymous && linked.uid == "uid-1")
        #expect(try await bench.sessionStore.accounts().map(\.isAnonymous) == [false])
    }

    @Test func `an anonymous account whose session has ended is replaced by a new one`() async throws {
        try signsUp("uid-1")
        _ = try await bench.directory().signInAnonymously()
        var session = try #require(
            try await bench.sessionStore.session(account: "uid-1", provider: SessionIssuer.projectID))
        session.idTokenExpiresAt = now
        #expect(try await bench.sessionStore.replace(session))
        project.on("/v1/token", .json(["error": ["code": 400, "message": "USER_NOT_FOUND"]], status: 400))
        try signsUp("uid-2")
        let (account, isNew) = try await bench.directory().signInAnonymously()
        #expect(isNew && account.uid == "uid-2")
        #expect(try await bench.sessionStore.currentUID() == "uid-2")
        #expect(try await bench.sessionStore.accounts().map(\.uid) == ["uid-2"])
    }

    @Test func `an anonymous account is removed with its own session, not with a provider's session`() async throws {
        try signsUp("uid-1")
        let (account, _) = try await bench.directory().signInAnonymously()
        let session = Session(bench.credential("oidc.test").grant, of: "uid-1")
        try await bench.sessionStore.adopt(account, with: [session], makesCurrent: false)
        let signOut = SignOut(
            SessionServices(
                directory: bench.directory(), clock: Clock(now: { ProjectDouble.now }),
                lockDirectory: ConfigDirectory(path: bench.database + ".locks"),
                client: { _ in throw NotSignedIn.noAccount }))
        var request = SignOut.Request()
        request.provider = "oidc.test"
        #expect(try await signOut.ending(by: request).lost.isEmpty)
        #expect(try await signOut.run(request).ended.map(\.providerID) == ["oidc.test"])
        #expect(try await bench.sessionStore.accounts().map(\.uid) == ["uid-1"])
        #expect(try await bench.sessionStore.sessions().map(\.providerID) == [SessionIssuer.projectID])
        request.provider = nil
        #expect(try await signOut.ending(by: request).lost.map(\.uid) == ["uid-1"])
        _ = try await signOut.run(request)
        #expect(try await bench.sessionStore.accounts().isEmpty)
    }

    @Test func `only the project can require a recent sign-in to delete an anonymous account`() async throws {
        try signsUp("uid-1")
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

    @Test func `an account from a custom token is not anonymous, even without an email or provider`() async throws {
        project.on("/v1/accounts:lookup", anonymousUser("uid-1"))
        project.on(
            "/v1/accounts:signInWithCustomToken",
            .json(["idToken": .string(try project.idToken()), "refreshToken": "refresh-token-0001"]))
        let directory = bench.directory()
        let tokens = try await directory.toolkit.signIn(customToken: CustomToken("token")).tokens
        let account = try await directory.adopt(tokens, of: nil, by: ProjectSignInProvider.customToken)
        #expect(!account.isAnonymous)
        #expect(try await bench.sessionStore.accounts().map(\.isAnonymous) == [false])
    }
}
