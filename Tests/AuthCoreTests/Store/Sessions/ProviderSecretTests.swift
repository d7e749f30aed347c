import Testing

@testable import AuthCore

@Suite struct `Client secrets and config.yaml` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func file(clientID: String) throws -> ConfigFile {
        var file = try ConfigFile(in: folder.directory)
        try file.set(
            Provider(id: "oidc.a", issuer: try HTTPURL("https://a.example"), clientID: clientID),
            profile: "default")
        return file
    }

    private func clientID() throws -> String? {
        try ConfigFile(in: folder.directory).provider("oidc.a", profile: "default")?.clientID
    }

    /// With a reader (`BEGIN`) only the commit fails, after `config.yaml` was written.
    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN"])
    func `If the store is locked, neither the client secret nor config.yaml changes`(begin: String) async throws {
        let secrets = ProviderSecrets(
            sessionStore: SessionStore(store: try folder.store(timeout: 0.05), profile: "default"))
        try await secrets.set([.clientSecret: "first"], of: "oidc.a", saving: try file(clientID: "first"))
        let other = try Database(path: folder.database)
        try other.execute(SQL(text: begin))
        _ = try Int.fetchOne(other, "SELECT count(*) FROM provider_secret")
        for secret in ["second", nil] {
            let second = try file(clientID: "second")
            await #expect(throws: StoreError.busy(name: Store.name, holder: nil)) {
                try await secrets.set([.clientSecret: secret], of: "oidc.a", saving: second)
            }
            #expect(try clientID() == "first")
        }
        try other.execute("COMMIT")
        #expect(try await secrets.text(.clientSecret, of: "oidc.a") == "first")
        try await secrets.set([.clientSecret: nil], of: "oidc.a", saving: try file(clientID: "second"))
        #expect(try await !secrets.has(.clientSecret, of: "oidc.a"))
        #expect(try clientID() == "second")
    }
}
