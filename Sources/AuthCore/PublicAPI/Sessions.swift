public import FoundationEssentials

/// The sessions of a profile on this machine: the ones of `authctl`, in the same encrypted store, with the same locks.
///
/// If many tasks and processes (including `authctl`) need a token, one request is sent to the provider. Changes to the
/// store or the settings take effect with the next call.
public final class Sessions: Sendable {
    /// How to read the sessions. The defaults are those of `authctl`.
    public struct Configuration: Sendable {
        /// The profile's name.
        public var profile: String
        /// The configuration directory; nil for the one that the environment names.
        public var directory: String?
        /// The environment variables to read: `AUTHCTL_CONFIG_DIR`, `HOME`, `SSL_CERT_FILE`, proxies, and those of CI
        /// systems.
        public var environment: [String: String]
        /// The HTTP transport; nil for libcurl.
        public var transport: (any HTTPTransport)?
        /// The program's name in the `User-Agent` header.
        public var userAgent = "AuthCore"
        /// The current time.
        public var now: @Sendable () -> Date = { Date() }
        /// Returns the vault's passphrase. Nil for a vault without a passphrase.
        public var passphrase: (@Sendable () -> String?)?

        /// A profile of this machine, with the environment of this process.
        public init(
            profile: String = "default", directory: String? = nil,
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) {
            self.profile = profile
            self.directory = directory
            self.environment = environment
        }
    }

    /// How the sessions are read.
    public let configuration: Configuration
    private let opened: Lock<(profile: Profile, mark: SettingsDigest?)>
    let inFlight = SingleFlight<SessionTokens.Key, IssuedToken>()

    /// The sessions of a profile. Files are read on first use.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        let path = ConfigDirectory.defaultPath(configuration.directory, Environment(configuration.environment)) ?? ""
        opened = Lock(
            (
                Profile(
                    configuration.profile, in: ConfigDirectory(path: path),
                    host: ProgramHost(configuration: configuration)), nil
            ))
    }

    /// Tokens of one session.
    /// - Parameters:
    ///   - provider: the provider's ID, for example `oidc.work`; nil for the only provider with a session in the
    ///     account.
    ///   - account: a UID, an alias or an email address; nil for the current account.
    ///   - kind: the type of the token.
    ///   - resource: the URL of the resource (RFC 8707) of the session, or a URL below it; nil for a session without a
    ///     resource.
    public func tokens(
        of provider: String? = nil, account: String? = nil, kind: IssuedToken.Kind = .access, resource: String? = nil
    ) -> SessionTokens {
        SessionTokens(sessions: self, provider: provider, account: account, kind: kind, resource: resource)
    }

    /// The signed-in accounts, the current one first.
    ///
    /// - Throws: `AuthError`.
    public func accounts() async throws -> [SignedInAccount] {
        try await AuthError.wrapping {
            guard let sessionStore = try profile().sessionStoreForDisplay() else { return [] }
            return try await AccountStatus.signedIn(in: sessionStore).filter { !$0.sessions.isEmpty }.map {
                SignedInAccount($0.account, isCurrent: $0.isCurrent, providers: $0.sessions.map(\.providerID))
            }
        }
    }

    func profile() throws -> Profile {
        let profile = opened.withLock { $0.profile }
        let mark = try profile.settingsDigest()
        return opened.withLock { opened in
            if let known = opened.mark, known != mark { opened.profile = opened.profile.reopened() }
            opened.mark = mark
            return opened.profile
        }
    }
}

/// An account that is signed in on this machine.
public struct SignedInAccount: Sendable, Equatable, Identifiable {
    /// The account's UID.
    public let id: String
    /// Its email address.
    public let email: String?
    /// The display name.
    public let displayName: String?
    /// Whether it is the current account, which is the default.
    public let isCurrent: Bool
    /// The providers with a session in this account.
    public let providers: [String]

    init(_ account: Account, isCurrent: Bool = true, providers: [String]) {
        id = account.uid
        email = account.email
        displayName = account.displayName
        self.isCurrent = isCurrent
        self.providers = providers
    }
}
