/// This machine's sign-in of one account with one provider: its tokens, and when the person was last proven.
public struct Session: Sendable {
    public var accountUID: String
    public var providerID: String
    public var issuer: String
    public var clientID: String
    /// The origin of the token endpoint that the tokens came from.
    public var tokenOrigin: String
    /// Nil where the person signed in with an ID token obtained elsewhere.
    public var accessToken: AccessToken?
    /// Seconds since 1970; nil when the provider did not say how long the token lives.
    public var expiresAt: Int64?
    public var refreshToken: RefreshToken?
    public var idToken: RawIDToken?
    /// Seconds since 1970.
    public var idTokenExpiresAt: Int64?
    /// The subject and nonce of the sign-in, which a refreshed ID token must repeat.
    public var subject: String
    public var nonce: Nonce?
    public var authenticatedAt: Int64?
    public var scopes: [String]
    public var lastProvenAt: Int64
    /// Where the tokens came from: `browser`, `paste`, `device`, `id-token`, `client-credentials`, `project`, `ci.NAME`.
    public var source: String
    /// How a machine gets new tokens; nil for a person's.
    public var renewal: SessionRenewal?
    /// The account directory that keeps it, as the store has it; nil before it is stored.
    public internal(set) var directory: DirectoryOrigin?

    /// True where the tokens can be had anew without a person.
    public var isRenewable: Bool { refreshToken != nil || renewal != nil }

    /// The provider that a person signs in with to have this session anew.
    var signInProvider: String { providerID == DirectorySession.id ? source : providerID }

    /// True where a Firebase project got the tokens, as the provider's client.
    var isOfProject: Bool { source == DirectorySession.flow }

    public init(
        accountUID: String, providerID: String, issuer: String, clientID: String, tokenOrigin: String,
        accessToken: AccessToken?,
        expiresAt: Int64?, refreshToken: RefreshToken?, idToken: RawIDToken?, idTokenExpiresAt: Int64?, subject: String,
        nonce: Nonce?, authenticatedAt: Int64?, scopes: [String], lastProvenAt: Int64, source: String,
        renewal: SessionRenewal? = nil
    ) {
        self.accountUID = accountUID
        self.providerID = providerID
        self.issuer = issuer
        self.clientID = clientID
        self.tokenOrigin = tokenOrigin
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.idTokenExpiresAt = idTokenExpiresAt
        self.subject = subject
        self.nonce = nonce
        self.authenticatedAt = authenticatedAt
        self.scopes = scopes
        self.lastProvenAt = lastProvenAt
        self.source = source
        self.renewal = renewal
    }

    /// True while the access token has more than `seconds` to live; a token of unknown life counts as alive.
    public func hasAccess(for seconds: Int64, at now: Int64) -> Bool {
        accessToken != nil && (expiresAt.map { $0 - now > seconds } ?? true)
    }
}

/// What the directory lists of a session without opening its seals.
public struct SessionSummary: Sendable, Equatable {
    public let accountUID: String
    public let providerID: String
    public let scopes: [String]
    public let expiresAt: Int64?
    public let hasRefreshToken: Bool
    /// It is a machine's, which asks for new tokens by itself.
    public let isMachine: Bool
    public let lastProvenAt: Int64
    public let source: String
    /// The account directory that keeps it; nil where that was not kept with it.
    public let directory: DirectoryOrigin?

    /// True where the tokens can be had anew without a person.
    public var isRenewable: Bool { hasRefreshToken || isMachine }

    /// The provider that a person signs in with to have this session anew.
    public var signInProvider: String { providerID == DirectorySession.id ? source : providerID }

    public init(
        accountUID: String, providerID: String, scopes: [String], expiresAt: Int64?, hasRefreshToken: Bool,
        isMachine: Bool = false, lastProvenAt: Int64, source: String, directory: DirectoryOrigin? = .local
    ) {
        self.accountUID = accountUID
        self.providerID = providerID
        self.isMachine = isMachine
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.hasRefreshToken = hasRefreshToken
        self.lastProvenAt = lastProvenAt
        self.source = source
        self.directory = directory
    }
}

/// The session that is the directory's own: the tokens of a Firebase project.
public enum DirectorySession {
    public static let id = "firebase"
    /// The source of a provider's session that the directory got: nobody here is that provider's client.
    static let flow = "project"

    /// Of an account's sessions those that a command can mean which names none.
    static func chosen(_ providers: [String]) -> [String] { providers.contains(id) ? [id] : providers }
}
