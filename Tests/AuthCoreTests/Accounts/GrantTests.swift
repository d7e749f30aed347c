import Testing

@testable import AuthCore

@Suite("Grants")
struct GrantTests {
    @Test(arguments: [
        ("browser", Grant.Source.browser), ("paste", .paste), ("device", .device),
        ("id-token", .idToken), ("access-token", .accessToken), ("personal-access-token", .personalToken),
        ("password", .password), ("client-credentials", .clientCredentials), ("ci.github", .job("ci.github")),
        ("project", .project), ("directory:google.com", .directory(by: "google.com")),
        ("directory:password", .directory(by: "password")),
    ])
    func `Each source of a grant is stored and read back unchanged`(text: String, source: Grant.Source) throws {
        #expect(source.stored == .string(text))
        #expect(try Grant.Source(stored: .string(text)) == source)
    }

    @Test(arguments: ["", "Browser", "google.com"])
    func `An unknown source of a grant is rejected`(text: String) {
        #expect(throws: UnexpectedJSON.self) { try Grant.Source(stored: .string(text)) }
    }

    @Test func `A directory session names the provider that the user signed in with`() {
        let own = Grant(
            providerID: SessionIssuer.projectID, issuer: "i", clientID: "c", tokens: Tokens(tokenOrigin: ""),
            subject: "1",
            lastProvenAt: 0, source: .directory(by: "github.com"))
        #expect(own.signInProvider == "github.com")
    }

    @Test func `Tokens and scopes that a refresh response omits are kept`() throws {
        let before = Tokens(
            accessToken: AccessToken("a1"), expiresAt: 10, refreshToken: RefreshToken("r1"), idToken: RawIDToken("i1"),
            idTokenExpiresAt: 10, scopes: ["openid", "email"], tokenOrigin: "https://a.example")
        let body = #"{"access_token":"a2","token_type":"Bearer","expires_in":60}"#
        let response = try TokenResponse(
            HTTPResponse(status: 200, headers: [("content-type", "application/json")], body: Array(body.utf8)),
            origin: "https://b.example", at: .refresh, now: 100)
        let after = before.refreshed(by: response, from: "https://b.example", now: 100)
        #expect(after.accessToken == AccessToken("a2") && after.expiresAt == 160)
        #expect(after.refreshToken == before.refreshToken && after.scopes == before.scopes)
        #expect(after.idToken == before.idToken && after.tokenOrigin == "https://b.example")
    }

    /// The tokens of a sign-in at the time 0 whose refresh token expires at `end`.
    private func signedIn(until end: Int64?) throws -> Tokens {
        Tokens(try response(end), requested: [], from: "https://a.example", now: 0)
    }

    private func response(_ lifetime: Int64?, refreshToken: String? = "r1") throws -> TokenResponse {
        var object: JSONObject = ["access_token": "a", "token_type": "Bearer"]
        object["refresh_token"] = refreshToken.map { .string($0) }
        object["refresh_expires_in"] = lifetime.map { JSONValue($0) }
        return try TokenResponse(
            HTTPResponse(
                status: 200, headers: [("content-type", "application/json")], body: Array(JSONValue.object(object).text.utf8)),
            origin: "https://a.example", at: .refresh, now: 0)
    }

    private static let day: Int64 = 86400

    @Test(arguments: [(nil, nil), (3 * day, nil), (3 * day + 1, 1), (10 * day, 7 * day)] as [(Int64?, Int64?)])
    func `A session of more than three days has a reminder in its last three days`(
        end: Int64?, reminder: Int64?
    ) throws {
        let tokens = try signedIn(until: end)
        #expect(tokens.refreshTokenExpiresAt == end && tokens.remindsAt == reminder)
        #expect(!tokens.isReminderDue(at: 0))
        guard let end, let reminder else { return }
        #expect(!tokens.isReminderDue(at: reminder - 1) && tokens.isReminderDue(at: reminder))
        #expect(tokens.isReminderDue(at: end - 1) && !tokens.isReminderDue(at: end))
    }

    @Test(arguments: [
        // The provider extends the session, does not, or says nothing.
        (1800, 1800, "r2", 2100, nil), (1800, 1500, "r2", 1800, 1800 - 3 * day), (1800, 1510, "r2", 1810, 1810 - 3 * day),
        (1800, 1511, "r2", 1811, nil), (1800, nil, "r2", nil, nil), (1800, nil, "r1", 1800, 1800 - 3 * day),
        (1800, nil, nil, 1800, 1800 - 3 * day), (1800, 1500, nil, 1800, 1800 - 3 * day),
        (10 * day, 10 * day, "r2", 10 * day + 300, 7 * day + 300), (10 * day, 10 * day - 300, "r2", 10 * day, 7 * day),
        (nil, 1800, "r2", 2100, nil), (nil, nil, "r2", nil, nil),
    ] as [(Int64?, Int64?, String?, Int64?, Int64?)])
    func `A refresh after 300 seconds changes the end of the session as the provider says`(
        before: Int64?, lifetime: Int64?, refreshToken: String?, end: Int64?, reminder: Int64?
    ) throws {
        let refreshed = try signedIn(until: before)
            .refreshed(by: response(lifetime, refreshToken: refreshToken), from: "https://a.example", now: 300)
        #expect(refreshed.refreshTokenExpiresAt == end && refreshed.remindsAt == reminder)
    }

    @Test func `A refresh that does not extend the session keeps the time of the next reminder`() throws {
        var tokens = try signedIn(until: 10 * Self.day)
        tokens.remindsAt = 8 * Self.day
        let refreshed = tokens.refreshed(by: try response(10 * Self.day - 300), from: "https://a.example", now: 300)
        #expect(refreshed.remindsAt == 8 * Self.day)
        #expect(try Tokens(stored: JSONObject(storing: refreshed.members)) == refreshed)
        tokens.removeRefreshToken()
        #expect(tokens.refreshTokenExpiresAt == nil && !tokens.isReminderDue(at: 9 * Self.day))
    }

    private func session(resource: String? = nil) throws -> Session {
        let tokens = Tokens(
            accessToken: AccessToken("a1"), refreshToken: RefreshToken("r1"), idToken: RawIDToken("i1"),
            tokenOrigin: "")
        return Session(
            Grant(
                providerID: "oidc.a", issuer: "i", clientID: "c", tokens: tokens, subject: "1", lastProvenAt: 1,
                source: .browser, resource: try resource.map { try HTTPURL($0) }),
            of: "uid")
    }

    @Test func `A session has other tokens after a sign-in or a refresh, but not after an expired one is removed`()
        throws
    {
        let seen = try session()
        func hasTokens(_ change: (inout Session) -> Void) -> Bool {
            var stored = seen
            change(&stored)
            return stored.hasTokens(of: seen)
        }
        #expect(!hasTokens { $0.refreshToken = RefreshToken("r2") } && !hasTokens { $0.refreshToken = nil })
        #expect(!hasTokens { $0.lastProvenAt = 2 })
        #expect(!hasTokens { $0.accessToken = AccessToken("a2") } && !hasTokens { $0.idToken = RawIDToken("i2") })
        #expect(hasTokens { $0.scopes = ["other"] } && hasTokens { ($0.accessToken, $0.idToken) = (nil, nil) })
    }

    @Test func `An error about a session for a resource names the resource, unless it is of another provider`()
        throws
    {
        let (own, other) = (NotSignedIn.expired(provider: "oidc.a"), NotSignedIn.expired(provider: "oidc.b"))
        let api = try HTTPURL("https://api.example.com")
        let session = try session(resource: api.text)
        for error in [own, .noAccount] {
            #expect(error.of(session) == .ofResource(error, api, provider: "oidc.a", source: .browser))
        }
        #expect(other.of(session) == other)
        #expect(try own.of(self.session()) == own)
    }
}
