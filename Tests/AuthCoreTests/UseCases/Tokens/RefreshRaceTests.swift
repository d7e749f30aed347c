import AuthCoreTesting
import TestSupport
import Testing

@testable import AuthCore

/// Two processes that change one session at the same time.
@Suite struct `Refreshes and other processes` {
    private let provider: TestProvider
    private let run: SignInRun
    private let uid: String
    private var directory: LocalDirectory { run.directory }

    init() async throws {
        provider = try TestProvider()
        run = try SignInRun.good(provider)
        uid = try await run.run().account.uid
        provider.on("/token") { [unowned provider] _ throws(HTTPError) in
            var tokens = provider.tokenResponse()
            tokens["access_token"] = "refreshed-access-token"
            tokens["refresh_token"] = "rotated-refresh-token"
            return .json(tokens)
        }
    }

    /// The provider, with slow responses at one path. `meanwhile` runs before they arrive.
    private struct SlowProvider: HTTPTransport {
        let provider: TestProvider
        let path: String
        let meanwhile: @Sendable () async throws -> Void

        func send(_ request: TransportRequest) async throws(HTTPError) -> TransportResponse {
            let response = try await provider.send(request)
            guard request.url.path == path else { return response }
            do { try await meanwhile() } catch { throw .cancelled }
            // As in libcurl's transport.
            if Task.isCancelled { throw .cancelled }
            return response
        }
    }

    private func stored() async throws -> Session {
        try #require(try await directory.sessionStore.session(account: uid, provider: "oidc.test"))
    }

    /// A request that forces a refresh.
    private var forced: CurrentToken.Request {
        var request = CurrentToken.Request()
        request.forcesRefresh = true
        return request
    }

    private func signInAgain() async throws {
        let account = try #require(try await directory.sessionStore.account(uid: uid))
        var grant = try await stored().grant
        grant.accessToken = AccessToken("newer-access-token")
        grant.refreshToken = RefreshToken("newer-refresh-token")
        grant.lastProvenAt += 1
        let credential = AccountCredential(
            identity: try #require(account.providerData.first), grant: grant, profile: JSONObject())
        _ = try await directory.signIn(credential, now: TestProvider.now)
    }

    private func services(
        during path: String = "/token", _ meanwhile: @escaping @Sendable () async throws -> Void
    ) throws -> SessionServices {
        let (entry, clock) = (try run.entry, run.services().clock)
        let services = Services(
            transport: SlowProvider(provider: provider, path: path, meanwhile: meanwhile), clock: clock)
        return SessionServices(
            directory: directory, clock: clock, lockDirectory: ConfigDirectory(path: run.folder.path + "/config"),
            client: { _ in try await ProviderClient.resolve(entry, keys: ClientKeys(), services: services) })
    }

    /// The services of a process. `meanwhile` runs at its n-th step, which is before or after a transaction.
    private func services(
        at step: Int, _ keys: ClientKeys = ClientKeys(), _ meanwhile: @escaping @Sendable () async throws -> Void
    ) throws -> SessionServices {
        let steps = Lock(0)
        var store = directory.sessionStore.store
        store.checkpoint = {
            let number = steps.withLock { steps in
                steps += 1
                return steps
            }
            if number == step { try await meanwhile() }
        }
        let services = try run.sessionServices(keys)
        return SessionServices(
            directory: LocalDirectory(sessionStore: SessionStore(store: store, profile: "default")),
            clock: services.clock,
            lockDirectory: services.lockDirectory, client: services.client)
    }

    @Test(arguments: [true, false])
    func `A refresh that ends after a newer sign-in keeps it, and returns its token`(isAccepted: Bool) async throws {
        if !isAccepted {
            provider.on("/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: 400) }
        }
        let result = try await CurrentToken(try services { try await signInAgain() }).run(forced)
        #expect(result.token == .access(AccessToken("newer-access-token")))
        #expect(try await stored().accessToken == AccessToken("newer-access-token"))
        #expect(try await stored().refreshToken == RefreshToken("newer-refresh-token"))
    }

    @Test func `A sign-out during a refresh is not undone`() async throws {
        let use = CurrentToken(
            try services {
                try await directory.sessionStore.removeSessions(account: uid, now: TestProvider.now)
            })
        await #expect(throws: NotSignedIn.noSession(provider: "oidc.test")) { try await use.run(forced) }
        #expect(try await directory.sessionStore.sessions().isEmpty)
        #expect(try run.sessionLocks().map(\.utf8.count) == [64], "the new refresh token is not in the lock's file")
    }

    @Test func `A sign-out that waits for a revocation keeps a session that a sign-in stores meanwhile`() async throws {
        var request = SignOut.Request()
        request.revokes = true
        let entries = try await SignOut(try services(during: "/revoke") { try await signInAgain() }).run(request).ended
        #expect(entries.map(\.revoked) == [.confirmed])
        #expect(try await stored().refreshToken == RefreshToken("newer-refresh-token"))
        #expect(try await directory.sessionStore.currentUID() == uid)
        _ = try await SignOut(try run.sessionServices()).run(SignOut.Request())
        #expect(try await directory.sessionStore.sessions().isEmpty)
    }

    private func linkSecondProvider() async throws {
        var grant = try await stored().grant
        (grant.providerID, grant.subject) = ("oidc.zulu", "zulu")
        let identity = Identity(
            key: IdentityKey(providerID: "oidc.zulu", authority: grant.issuer, federatedID: "zulu"))
        _ = try await directory.link(
            AccountCredential(identity: identity, grant: grant, profile: JSONObject()), to: uid, hasConsent: false,
            now: TestProvider.now)
    }

    @Test func `A session whose revocation failed is not refreshed while the account's next session is revoked`()
        async throws
    {
        try await linkSecondProvider()
        provider.on("/revoke") { _ throws(HTTPError) in TransportResponse(status: 503) }
        let refresh = CurrentToken(try run.sessionServices())
        let revocations = Lock(0)
        let meanwhile: @Sendable () async throws -> Void = { [forced] in
            let number = revocations.withLock { count in
                count += 1
                return count
            }
            var request = forced
            request.provider = "oidc.test"
            if number == 2 { _ = try? await refresh.run(request) }
        }
        var request = SignOut.Request()
        request.revokes = true
        let before = provider.requests(to: "/token").count
        let entries = try await SignOut(try services(during: "/revoke", meanwhile)).run(request).ended
        #expect(entries.map(\.revoked) == [.failed, .failed])
        #expect(provider.requests(to: "/token").count == before, "the stored tokens are the latest")
        #expect(try await directory.sessionStore.sessions().isEmpty)
        #expect(try await directory.sessionStore.unrevokedSessions(now: TestProvider.now).count == 2)
    }

    @Test(arguments: 1...8)
    func `A sign-out ends a machine's session that another process renews meanwhile`(step: Int) async throws {
        let keys = ClientKeys(secret: ClientSecret("the-client-secret"))
        let machine = try await run.run({ $0.flow = .clientCredentials }, keys: keys).account.uid
        let now = try run.sessionServices(keys)
        let later = SessionServices(
            directory: directory, clock: Clock(now: { TestProvider.now + 10 }), lockDirectory: now.lockDirectory,
            client: now.client)
        let renewal = CurrentToken(later)
        let signOut = SignOut(
            try services(at: step, keys) { [forced] in _ = try? await renewal.run(forced) })
        _ = try await signOut.run(SignOut.Request())
        #expect(try await directory.sessionStore.sessions(account: machine).isEmpty)
    }

    @Test func `A session that this version cannot read can be removed, and does not affect others`() async throws {
        try await linkSecondProvider()
        try await directory.store.write {
            try $0.execute(
                "UPDATE session SET details = json_set(details, '$.source', 'later') WHERE provider_id = 'oidc.zulu'")
        }
        let services = try run.sessionServices()
        _ = try await CurrentToken(services).run(CurrentToken.Request(provider: "oidc.test"))
        await #expect(throws: StoreError.damagedEntry("session")) {
            try await CurrentToken(services).run(CurrentToken.Request(provider: "oidc.zulu"))
        }
        let summaries = try await directory.sessionStore.sessions(account: uid)
        #expect(
            summaries.map { $0.state(in: .local, isLocked: false, now: TestProvider.now) } == [.fresh, .unreadable])
        var request = SignOut.Request()
        request.provider = "oidc.zulu"
        _ = try await SignOut(services).run(request)
        #expect(try await directory.sessionStore.sessions(account: uid).map(\.providerID) == ["oidc.test"])
    }

    @Test func `A cancelled refresh still stores the new refresh token`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (release, finish) = AsyncStream.makeStream(of: Void.self)
        let use = CurrentToken(
            try services {
                start.yield()
                for await _ in release { break }
            })
        let task = Task { [forced] in try await use.run(forced) }
        for await _ in started { break }
        task.cancel()
        finish.yield()
        _ = try? await task.value
        #expect(try await stored().refreshToken == RefreshToken("rotated-refresh-token"))
    }

    @Test(arguments: 4...8)
    func `A rejected token is refreshed, but a used refresh token is never stored again`(step: Int) async throws {
        let token = try #require(try await stored().accessToken)
        let refresh = CurrentToken(try run.sessionServices())
        let use = CurrentToken(try services(at: step) { [forced] in _ = try await refresh.run(forced) })
        try await use.distrust(token, for: CurrentToken.Request())
        let session = try await stored()
        if provider.requests(to: "/token").count > 1 {
            #expect(session.refreshToken == RefreshToken("rotated-refresh-token"))
        } else {
            #expect(session.expiresAt == TestProvider.now)
        }
    }

    @Test func `A rejected token that another process has replaced does not expire the new one`() async throws {
        let before = try await stored()
        let use = CurrentToken(try run.sessionServices())
        try await use.distrust(AccessToken("an-older-token"), for: CurrentToken.Request())
        #expect(try await stored().expiresAt == before.expiresAt)
    }

    @Test func `A rejected token that had expired before does not expire later`() async throws {
        var session = try await stored()
        session.expiresAt = TestProvider.now - 100
        #expect(try await directory.sessionStore.replace(session))
        let use = CurrentToken(try run.sessionServices())
        try await use.distrust(try #require(session.accessToken), for: CurrentToken.Request())
        #expect(try await stored().expiresAt == TestProvider.now - 100)
    }

    @Test(arguments: [59, 60] as [Int64])
    func `A rejected token is refreshed only if it was issued at least a minute ago`(age: Int64) async throws {
        let seen = try await stored()
        let now = TestProvider.now + age
        let use = CurrentToken(
            SessionServices(
                directory: directory, clock: Clock(now: { now }),
                lockDirectory: ConfigDirectory(path: run.folder.path + "/config"),
                client: { _ in throw CancellationError() }))
        let token = try #require(seen.accessToken)
        try await use.distrust(token, for: CurrentToken.Request(), olderThan: CurrentToken.youth)
        #expect(try await stored().expiresAt == (age < 60 ? seen.expiresAt : now))
    }

    @Test(arguments: ["no keys", "other keys", "expired"])
    func `A new refresh token whose ID token cannot be verified is sent next, and does not replace the old one`(
        reason: String
    ) async throws {
        switch reason {
        case "no keys": provider.on("/jwks") { _ throws(HTTPError) in TransportResponse(status: 404) }
        case "other keys":
            let keys = try TestProvider().keySet
            provider.on("/jwks") { _ throws(HTTPError) in .json(keys) }
        default: provider.claims { $0["exp"] = JSONValue(TestProvider.now - 100) }
        }
        let use = CurrentToken(try run.sessionServices())
        func isRefused() async throws {
            let error = await #expect(throws: (any Error).self) { try await use.run(forced) }
            switch reason {
            case "no keys": #expect(error == DocumentError.status(404, url: "https://id.example.com/jwks"))
            case "other keys": #expect(error?.rejection == .jose(.signature))
            default:
                #expect(error?.rejection == .expired(at: TestProvider.now - 100, now: TestProvider.now))
            }
        }
        try await isRefused()
        let session = try await stored()
        #expect(session.refreshToken == RefreshToken(TestProvider.refreshToken))
        #expect(session.accessToken == AccessToken(TestProvider.accessToken))
        try await isRefused()
        let body = try #require(provider.requests(to: "/token").last?.body)
        #expect(FormURLEncoded.decode(body)?.contains { $0.value == "rotated-refresh-token" } == true)
        #expect(provider.requests(to: "/revoke").isEmpty, "a provider may revoke the refresh token too")
    }

    @Test func `An account that another process has deleted is neither selected nor linked to`() async throws {
        let account = try #require(try await directory.sessionStore.account(uid: uid))
        let grant = try await stored().grant
        let config = ConfigDirectory(path: run.folder.path + "/config")
        let other = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: false))
        let otherDirectory = LocalDirectory(sessionStore: SessionStore(store: other, profile: "default"))
        try await otherDirectory.delete(uid, now: TestProvider.now)
        let gone = NotSignedIn.unknownAccount(uid)
        await #expect(throws: gone) { try await directory.sessionStore.makeCurrent(uid) }
        let identity = Identity(
            key: IdentityKey(providerID: "oidc.other", authority: "https://other.example", federatedID: "1"),
            email: account.email, isEmailVerified: true, displayName: nil, photoURL: nil)
        let credential = AccountCredential(identity: identity, grant: grant, profile: JSONObject())
        await #expect(throws: gone) {
            try await directory.link(credential, to: uid, hasConsent: false, now: TestProvider.now)
        }
        #expect(try await directory.sessionStore.currentUID() == nil)
        #expect(try await directory.sessionStore.accounts().isEmpty)
    }

    /// Stores when the session ends and when the user is reminded of it.
    private func setEnd(_ end: Int64, remindingAt reminder: Int64?) async throws {
        let seen = try await stored()
        var session = seen
        (session.grant.tokens.refreshTokenExpiresAt, session.grant.tokens.remindsAt) = (end, reminder)
        guard case .stored = try await directory.sessionStore.update(session, since: seen) else {
            Issue.record("not stored")
            return
        }
    }

    @Test func `Only one of two processes reminds the user that the session ends, and only if it may`() async throws {
        let (now, end) = (TestProvider.now, TestProvider.now + 100_000)
        try await setEnd(end, remindingAt: now)
        let use = CurrentToken(try run.sessionServices())
        #expect(try await use.run(CurrentToken.Request()).notes.isEmpty)
        var request = CurrentToken.Request()
        request.remindsOfEnd = true
        async let first = use.run(request)
        async let second = use.run(request)
        #expect(
            try await first.notes + second.notes
                == [.endsSoon(provider: "oidc.test", resource: nil, at: end, now)])
        #expect(try await stored().grant.tokens.remindsAt == now + 86400)
        try await setEnd(now, remindingAt: now - 1)
        #expect(try await use.run(request).notes.isEmpty)
    }

    @Test func `A rejected refresh token is an ended session only if its time is over`() async throws {
        provider.on("/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: 400) }
        let use = CurrentToken(try run.sessionServices())
        let now = TestProvider.now
        let refreshToken = try await stored().refreshToken
        for (end, error) in [
            (now + 1, NotSignedIn.refused(provider: "oidc.test")), (now, .ended(provider: "oidc.test", at: now)),
        ] {
            let seen = try await stored()
            var session = seen
            session.refreshToken = refreshToken
            _ = try await directory.sessionStore.update(session, since: seen)
            try await setEnd(end, remindingAt: nil)
            await #expect(throws: error) { try await use.run(forced) }
        }
        await #expect(throws: NotSignedIn.ended(provider: "oidc.test", at: now)) { try await use.run(forced) }
    }

    @Test(arguments: 3...8)
    func `A forced refresh never returns the token that it read before it waited`(step: Int) async throws {
        let old = try #require(try await stored().accessToken)
        provider.on("/token") { _ throws(HTTPError) in .json(["error": "invalid_grant"], status: 400) }
        let refresh = CurrentToken(try run.sessionServices())
        let use = CurrentToken(try services(at: step) { [forced] in _ = try? await refresh.run(forced) })
        // Whoever sends the refresh token learns that it is refused. The other process finds none.
        let error = step < 7 ? NotSignedIn.expired(provider: "oidc.test") : .refused(provider: "oidc.test")
        await #expect(throws: error) { try await use.run(forced) }
        #expect(try await stored().accessToken == old, "it can still be used without --force-refresh")
    }
}
