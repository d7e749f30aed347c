@testable import AuthCore

/// A host that has only environment variables.
struct VariablesHost: ProfileHost {
    var variables: [String: String] = [:]
    var clock = Clock(now: { 0 }, sleep: { _ in })
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
