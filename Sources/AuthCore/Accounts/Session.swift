/// This machine's sign-in of one account with one provider: what was granted, and whose it is.
@dynamicMemberLookup
public struct Session: Sendable, Equatable {
    public let accountUID: String
    public var grant: Grant
    /// The account directory that keeps it, as the store has it; nil before it is stored.
    public internal(set) var directory: DirectoryOrigin?

    public init(_ grant: Grant, of accountUID: String) {
        self.grant = grant
        self.accountUID = accountUID
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Grant, Value>) -> Value {
        get { grant[keyPath: member] }
        set { grant[keyPath: member] = newValue }
    }

    /// True where the tokens can be had anew without a person.
    public var isRenewable: Bool { grant.isRenewable }

    /// The provider that a person signs in with to have this session anew.
    public var signInProvider: String { grant.signInProvider }

    /// True while the access token has more than `seconds` to live; a token of unknown life counts as alive.
    public func hasAccess(for seconds: Int64, at now: Int64) -> Bool {
        grant.tokens.hasAccess(for: seconds, at: now)
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
    public let source: Grant.Source
    /// The account directory that keeps it; nil where that was not kept with it.
    public let directory: DirectoryOrigin?
    /// What it takes to use its access token.
    public let binding: Grant.Binding
    /// The protected resource that its access token is for; nil for one that is not bound to one.
    public let resource: HTTPURL?

    /// True where the tokens can be had anew without a person.
    public var isRenewable: Bool { hasRefreshToken || isMachine }

    /// The provider that a person signs in with to have this session anew.
    public var signInProvider: String { source.provider ?? providerID }

    public init(
        accountUID: String, providerID: String, scopes: [String], expiresAt: Int64?, hasRefreshToken: Bool,
        isMachine: Bool = false, lastProvenAt: Int64, source: Grant.Source, directory: DirectoryOrigin? = .local,
        binding: Grant.Binding = .bearer, resource: HTTPURL? = nil
    ) {
        self.binding = binding
        self.accountUID = accountUID
        self.providerID = providerID
        self.isMachine = isMachine
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.hasRefreshToken = hasRefreshToken
        self.lastProvenAt = lastProvenAt
        self.source = source
        self.directory = directory
        self.resource = resource
    }
}

/// The session that is the directory's own: the tokens of a Firebase project.
public enum DirectorySession {
    public static let id = "firebase"

    /// Of an account's sessions those that a command can mean which names none.
    static func chosen(_ providers: [String]) -> [String] { providers.contains(id) ? [id] : providers }
}
