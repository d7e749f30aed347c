import Testing

@testable import AuthCore

@Suite struct `Profiles` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func `Settings are read once per profile, and again when it is reopened`() async throws {
        let directory = folder.directory
        let profile = Profile("default", in: directory, host: VariablesHost())
        #expect(try profile.providerIDs().isEmpty)
        var file = try ConfigFile(in: directory)
        try file.set(
            Provider(id: "oidc.a", issuer: try HTTPURL("https://a.example"), clientID: "c"),
            profile: "default")
        try file.save(in: directory)
        #expect(try profile.providerIDs().isEmpty)
        #expect(try profile.reopened().providerIDs() == ["oidc.a"])
        #expect(try await profile.changingSettings { try profile.providerIDs() } == ["oidc.a"])
        #expect(try profile.providerIDs() == ["oidc.a"])
    }

    @Test func `Environment variables configure a provider without a config file`() throws {
        let host = VariablesHost(variables: [
            "AUTHCTL_GITHUB_COM_CLIENT_ID": "from-environment", "AUTHCTL_GITHUB_COM_CLIENT_SECRET": "s",
        ])
        let profile = Profile("default", in: folder.directory, host: host)
        let found = try #require(try profile.find("github.com"))
        #expect(found.configuration?.clientID == "from-environment" && !found.isThroughProject)
        #expect(try profile.place(of: "github.com") == .environment)
        #expect(found.configuration?.clientSecretVariable == "AUTHCTL_GITHUB_COM_CLIENT_SECRET")
        #expect(throws: ProviderError.notConfigured("google.com")) { try profile.resolve("google.com") }
    }

    @Test func `Environment variables override the client ID and the client secret in the config file`() throws {
        var file = try ConfigFile(in: folder.directory)
        var written = try Provider(ProviderID("github.com"), issuer: nil, baseURL: nil, clientID: "from-file")
        written.clientSecretFile = "/secret"
        written.scopes = ["repo"]
        try file.set(written, profile: "default")
        try file.save(in: folder.directory)
        func found(_ variables: [String: String]) throws -> Provider? {
            let profile = Profile("default", in: folder.directory, host: VariablesHost(variables: variables))
            #expect(
                try profile.place(of: "github.com")
                    == .own(path: folder.directory.path(of: ConfigDirectory.settingsName), insteadOf: nil))
            return try profile.find("github.com")?.configuration
        }
        let plain = try #require(try found([:]))
        #expect(plain.clientID == "from-file" && plain.clientSecretFile == "/secret")
        #expect(plain.clientSecretVariable == nil && plain.scopes == ["repo"])
        let other = try #require(
            try found([
                "AUTHCTL_GITHUB_COM_CLIENT_ID": "from-environment", "AUTHCTL_GITHUB_COM_CLIENT_SECRET": "s",
            ]))
        #expect(other.clientID == "from-environment" && other.clientSecretFile == nil)
        #expect(other.clientSecretVariable == "AUTHCTL_GITHUB_COM_CLIENT_SECRET" && other.scopes == ["repo"])
    }

    @Test func `Reading a profile does not create its directory`() throws {
        let nowhere = ConfigDirectory(path: folder.directory.path + "/none")
        let profile = Profile("default", in: nowhere, host: VariablesHost())
        #expect(try profile.store(creating: false) == nil && nowhere.exists == false)
        #expect(throws: NotSignedIn.noAccount) { try profile.directory() }
    }
}
