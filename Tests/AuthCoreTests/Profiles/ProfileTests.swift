import Testing

@testable import AuthCore

@Suite struct `Profiles` {
    /// A host that has only environment variables.
    private struct VariablesHost: ProfileHost {
        var variables: [String: String] = [:]
        let clock = Clock(now: { 0 }, sleep: { _ in })
        func variable(_ name: String) -> String? { variables[name] }
        var variableNames: [String] { Array(variables.keys) }
        func text(of path: String) -> String? { nil }
        func output(of command: [String]) async throws -> String { "" }
        func transport() throws -> any HTTPTransport { throw HTTPError.clientUnavailable }
        func secret(inFile path: String) throws -> String { throw ProviderError.unknownID(path) }
        func file(_ path: String) throws -> NamedFile { throw ProviderError.unknownID(path) }
        func passphrase(ofKey path: String) -> KeyPassphrase? { nil }
        var promptTimeout: Double? { nil }
        func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
        func note(_ note: VaultNote) {}
        func note(_ note: DirectoryNote) {}
        func note(_ problem: SystemConfigurationError) {}
    }

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

    @Test func `Reading a profile does not create its directory`() throws {
        let nowhere = ConfigDirectory(path: folder.directory.path + "/none")
        let profile = Profile("default", in: nowhere, host: VariablesHost())
        #expect(try profile.store(creating: false) == nil && !nowhere.exists)
        #expect(throws: NotSignedIn.noAccount) { try profile.directory() }
    }

    @Test func `Deeply nested YAML values are compared quickly, and mapping keys are rejected`() throws {
        func nested(_ value: String) -> String {
            "a: " + String(repeating: "{a: ", count: 60) + value + String(repeating: "}", count: 60) + "\n"
        }
        let (one, other) = (try YAMLDocument(Array(nested("1").utf8)), try YAMLDocument(Array(nested("2").utf8)))
        #expect(one.root != other.root)
        #expect(throws: (any Error).self) { try YAMLDocument(Array("? {a: 1}\n: x\n".utf8)) }
    }
}
