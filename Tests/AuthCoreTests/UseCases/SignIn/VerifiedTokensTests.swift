import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Verified tokens of a sign-in` {
    /// The name of the account after a sign-in with Apple whose callback has this `user` parameter.
    private func name(_ user: String) async throws -> String? {
        let provider = try TestProvider(algorithm: .rs256)
        let keys = provider.keySet
        provider.on("/auth/keys") { _ throws(HTTPError) in .json(keys) }
        provider.on("/auth/token") { [unowned provider] _ throws(HTTPError) in .json(provider.tokenResponse()) }
        provider.claims { $0["iss"] = "https://appleid.apple.com" }
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(
            Provider(builtIn: "apple.com", clientID: TestProvider.clientID),
            keys: ClientKeys(secret: ClientSecret("secret")), services: run.services())
        let signIn = try SignIn(SignInRequest(), client: client, directory: run.directory, interface: run)
        let pending = try await signIn.begin(redirectURI: "https://app.example/callback")
        try provider.begin(pending.sent.url.text)
        let state = provider.parameters(of: pending.sent.url.text).first { $0.name == "state" }?.value ?? ""
        let callback = FormURLEncoded.encode([("code", TestProvider.code), ("state", state), ("user", user)])
        let response = CallbackParameters(encoded: Array(callback.utf8))
        return try await signIn.finish(pending, with: response, source: .browser).account.displayName
    }

    @Test func `The name that Apple sends with the code is used if its JSON is valid and has at most 4096 bytes`()
        async throws
    {
        let user = #"{"name":{"firstName":"Ada","lastName":"Lovelace"}}"#
        let longest = user + String(repeating: " ", count: 4096 - user.utf8.count)
        for (text, name) in [
            (user, "Ada Lovelace"), (longest, "Ada Lovelace"), (longest + " ", nil), (user + "}", nil),
        ] {
            #expect(try await self.name(text) == name)
        }
    }
}
