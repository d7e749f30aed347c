import AuthCoreTesting
import Testing

@testable import AuthCore

/// RFC 7662.
@Suite struct `Token introspection` {
    private func introspect(_ members: JSONObject) async throws -> JSONObject {
        let provider = try TestProvider()
        var metadata = provider.metadata
        metadata["introspection_endpoint"] = "https://id.example.com/introspect"
        let changed = metadata
        provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        provider.on("/introspect") { _ throws(HTTPError) in .json(members) }
        let run = try SignInRun.good(provider)
        let client = try await ProviderClient.resolve(try run.entry, keys: ClientKeys(), services: run.services())
        return try await IntrospectToken(client: client).run("token-0001")
    }

    @Test(arguments: [
        ("exp", -ExpectedIDToken.clockSkew + 1, -ExpectedIDToken.clockSkew, TokenRejected.Reason.expired),
        ("nbf", ExpectedIDToken.clockSkew, ExpectedIDToken.clockSkew + 1, .notYetValid),
    ])
    func `An active token outside its times is rejected, with the tolerance for other clocks`(
        name: String, accepted: Int64, rejected: Int64, reason: TokenRejected.Reason
    ) async throws {
        func members(_ offset: Int64) -> JSONObject {
            ["active": true, name: JSONValue(TestProvider.now + offset)]
        }
        #expect(try await introspect(members(accepted)) == members(accepted))
        await #expect(throws: TokenRejected(members: members(rejected), reason: reason)) {
            try await introspect(members(rejected))
        }
    }
}
