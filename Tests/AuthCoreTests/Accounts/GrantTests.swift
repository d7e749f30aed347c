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
}
