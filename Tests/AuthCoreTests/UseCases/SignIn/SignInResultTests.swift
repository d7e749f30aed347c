import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Results of sign-ins` {
    private let run: SignInRun

    init() throws { run = try SignInRun.good(try TestProvider()) }

    /// The notes of a sign-in of a user, whose account has sessions at several providers.
    private func notes(
        of user: String, at provider: String, by source: Grant.Source, for resource: String? = nil
    ) async throws -> [SignInNote] {
        let issuer = TestProvider.issuer
        let identity = Identity(
            key: IdentityKey(providerID: "oidc.test", authority: issuer, federatedID: user), email: nil,
            isEmailVerified: false, displayName: nil, photoURL: nil)
        let grant = Grant(
            providerID: provider, issuer: issuer, clientID: "c",
            tokens: Tokens(accessToken: AccessToken("t"), tokenOrigin: issuer), subject: user,
            lastProvenAt: TestProvider.now, source: source, resource: try resource.map { try HTTPURL($0) })
        return try await AccountCredential(identity: identity, grant: grant, profile: JSONObject()).completed(
            .signIn, in: run.directory, now: TestProvider.now
        ).notes
    }

    @Test func `A note says that a personal access token is replaced, or replaces the account's session`() async throws
    {
        #expect(try await notes(of: "ada", at: "oidc.a", by: .personalToken) == [])
        #expect(try await notes(of: "ada", at: "oidc.b", by: .browser) == [], "at another provider")
        #expect(try await notes(of: "bob", at: "oidc.a", by: .browser) == [], "of another account")
        let resource = "https://api.example.com/a"
        #expect(try await notes(of: "ada", at: "oidc.a", by: .browser, for: resource) == [])
        #expect(try await notes(of: "ada", at: "oidc.a", by: .browser) == [.personalTokenReplaced])
        #expect(try await notes(of: "ada", at: "oidc.a", by: .device) == [])
        #expect(try await notes(of: "ada", at: "oidc.a", by: .gh) == [.replacedByPersonalToken])
        #expect(try await notes(of: "ada", at: "oidc.a", by: .personalToken) == [])
    }
}
