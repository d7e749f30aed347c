import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Sign-ins with a provider` {
    private let test: TestProfile

    init() throws {
        test = try TestProfile()
        var metadata = test.provider.metadata
        metadata["dpop_signing_alg_values_supported"] = ["ES256"]
        test.provider.on("/.well-known/openid-configuration") { [metadata] _ throws(HTTPError) in .json(metadata) }
        test.provider.on("/token") { [unowned provider = test.provider] request throws(HTTPError) in
            var response = provider.tokenResponse()
            if request.headers.contains(where: { $0.name == "DPoP" }) { response["token_type"] = "DPoP" }
            return .json(response)
        }
    }

    private func signIn(
        _ user: String, _ change: (inout SignInRequest) -> Void = { _ in }
    ) async throws -> SignInResult {
        test.provider.claims {
            ($0["sub"], $0["email"], $0["nonce"]) = (.string(user), .string(user + "@example.com"), nil)
        }
        var request = SignInRequest()
        change(&request)
        let profile = try test.sessions.profile()
        _ = try profile.store(creating: true)
        let signIn = SignInWithProvider(profile) { [test] _, _ in
            PresenterAdapter(presenter: TestPerson(provider: test.provider))
        }
        return try await signIn.run("oidc.test", with: request, isUserInitiated: true) { _ in }
    }

    @Test func `A sender-constrained session of the account remains so at its next sign-in`() async throws {
        let ada = try await signIn("ada")
        let bob = try await signIn("bob") { $0.bindsTokens = true }
        #expect(ada.binding == .bearer && bob.binding == .dpop)
        #expect(try await signIn("bob").binding == .dpop, "the current account")
        let sessionStore = try #require(try test.sessions.profile().sessionStoreForDisplay())
        try await sessionStore.makeCurrent(ada.account.uid)
        #expect(try await signIn("ada").binding == .bearer)
        #expect(try await signIn("bob") { $0.account = bob.account.uid }.binding == .dpop, "the account of the request")
    }

    @Test func `If the account has no session, those of all accounts decide`() async throws {
        for (bindsTokens, binding) in [(false, Grant.Binding.bearer), (true, .dpop)] {
            _ = try await signIn("ada") { $0.bindsTokens = bindsTokens }
            let bob = try await signIn("bob")
            let sessionStore = try #require(try test.sessions.profile().sessionStoreForDisplay())
            try await sessionStore.removeSessions(account: bob.account.uid, now: TestProvider.now)
            #expect(try await signIn("bob").binding == binding)
        }
    }
}
