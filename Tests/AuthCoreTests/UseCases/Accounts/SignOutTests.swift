import AuthCoreTesting
import Testing

@testable import AuthCore

/// Which sessions end, and which tokens are revoked (RFC 7009).
@Suite struct `Sign-outs` {
    private let run: SignInRun
    private let uid: String
    private var sessionStore: SessionStore { run.directory.sessionStore }

    init() async throws {
        run = try SignInRun.good(try TestProvider())
        uid = try await run.run().account.uid
    }

    private func signOut(_ services: SessionServices) async throws -> [SignOut.Revocation] {
        var request = SignOut.Request()
        request.revokes = true
        return try await SignOut(services).run(request).ended.map(\.revoked)
    }

    @Test func `A sign-out from one account does not end the sessions of others`() async throws {
        run.provider.claims {
            $0["sub"] = "another-user"
            ($0["email"], $0["nonce"]) = (nil, nil)
        }
        let other = try await run.run().account.uid
        var request = SignOut.Request()
        request.account = uid
        #expect(try await SignOut(run.sessionServices()).run(request).ended.map(\.uid) == [uid])
        #expect(try await sessionStore.sessions().map(\.accountUID) == [other])
    }

    @Test func `A revocation that fails again stays stored, with the time of the last try`() async throws {
        run.provider.on("/revoke") { _ throws(HTTPError) in TransportResponse(status: 503) }
        let services = try run.sessionServices()
        #expect(try await signOut(services) == [.failed])
        let now = TestProvider.now + 10
        let later = SessionServices(
            directory: run.directory, clock: Clock(now: { now }), lockDirectory: services.lockDirectory,
            client: services.client)
        #expect(try await SignOut(later).retry().map(\.revoked) == [.failed])
        #expect(try await sessionStore.unrevokedSessions(now: now).map(\.failedAt) == [now])
    }

    @Test(
        arguments: [
            (nil, nil, .confirmed), ("refresh", nil, .otherClient), (nil, "access", .otherClient),
        ] as [(String?, String?, SignOut.Revocation)])
    func `Another client is not asked to revoke tokens, but a session without any needs no revocation`(
        refreshToken: String?, accessToken: String?, revoked: SignOut.Revocation
    ) async throws {
        var session = try #require(try await sessionStore.session(account: uid, provider: "oidc.test"))
        session.refreshToken = refreshToken.map { RefreshToken($0) }
        session.accessToken = accessToken.map { AccessToken($0) }
        #expect(try await sessionStore.replace(session))
        let other = Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: "client-2")
        #expect(try await signOut(run.sessionServices(entry: other)) == [revoked])
        #expect(run.provider.requests(to: "/revoke").isEmpty)
    }
}
