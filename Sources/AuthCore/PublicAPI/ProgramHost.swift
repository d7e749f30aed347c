import FoundationEssentials

/// The machine of a program without a user: the settings of `Sessions`, and files.
struct ProgramHost: ProfileHost {
    let configuration: Sessions.Configuration

    var clock: Clock {
        let now = configuration.now
        return Clock(now: { Int64(now().timeIntervalSince1970) })
    }

    var promptTimeout: Double? { nil }

    func variable(_ name: String) -> String? { Environment(configuration.environment)[name] }
    var variableNames: [String] { Array(configuration.environment.keys) }

    func transport() throws -> any HTTPTransport {
        try configuration.transport ?? ProgramHost.curl(Environment(configuration.environment), configuration.userAgent)
    }

    static func curl(_ environment: Environment, _ userAgent: String) throws(CertificateFileError) -> CurlTransport {
        var settings = CurlTransport.Configuration()
        settings.userAgent = userAgent
        settings.authorities = try CertificateFile.bytes(in: environment)
        settings.proxies = ProxyRules(environment)
        return CurlTransport(settings)
    }

    func text(of path: String) -> String? { (try? file(path).bytes).map(text) }

    func secret(inFile path: String) throws -> String { text(try file(path).secret()) }

    private func text(_ bytes: [UInt8]) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    func file(_ path: String) throws -> NamedFile { try BoundedRead.file(path, limit: 1 << 20) }

    /// A library must not run a CI system's programs in the caller's process.
    func output(of command: [String]) throws -> String { throw AuthError(.unsupported) }

    func passphrase(ofKey path: String) -> KeyPassphrase? { nil }

    func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? {
        guard purpose == .opening, let given = configuration.passphrase?() else { return nil }
        return GivenPassphrase(VaultPassphrase(given), isTyped: false)
    }

    func note(_ note: VaultNote) {}
    func note(_ note: DirectoryNote) {}
    func note(_ problem: SystemConfigurationError) {}
}
