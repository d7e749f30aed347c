import AuthCore
import FoundationEssentials

/// Prints a token that lives, of the sessions that authctl keeps on this machine: PrintToken oidc.work
@main
struct PrintToken {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let directory = ConfigDirectory(path: (environment["HOME"] ?? "") + "/.config/authctl")
        let profile = Profile(Profile.usualName, in: directory, host: Machine(environment: environment))
        var request = CurrentToken.Request()
        request.provider = CommandLine.arguments.dropFirst().first
        request.minimumLifetime = 300
        // One request goes out, however many processes ask, authctl itself among them.
        let result = try await CurrentToken(profile)(request)
        print(result.token.revealed())
    }
}

/// What AuthCore may know and use of this machine: it reads no variable, no clock and no file by itself.
struct Machine: ProfileHost {
    let environment: [String: String]
    let clock = Clock(now: { Int64(Date().timeIntervalSince1970) })
    /// Nobody can be asked.
    let patience: Double? = nil

    func variable(_ name: String) -> String? { environment[name] }
    var variableNames: [String] { Array(environment.keys) }
    func text(of path: String) -> String? { try? secret(inFile: path) }
    func output(of command: [String]) async throws -> String { throw CocoaError(.featureUnsupported) }
    func transport() throws -> any HTTPTransport {
        var configuration = CurlTransport.Configuration()
        configuration.authorities = environment["SSL_CERT_FILE"]
        configuration.proxies = ProxyRules(environment)
        return CurlTransport(configuration)
    }
    func secret(inFile path: String) throws -> String { String(decoding: try bytes(inFile: path), as: UTF8.self) }
    func bytes(inFile path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
    func passphrase(ofKey path: String) -> KeyPassphrase? { nil }
    func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
    func note(_ note: VaultNote) {}
    func note(_ note: DirectoryNote) {}
    func note(_ problem: OrganizationProblem) {}
}
