/// What `config.yaml` says of a Firebase project.
public struct FirebaseSettings: Sendable, Equatable {
    public var apiKey: String
    public var projectID: String
    public var authDomain: String?
    public var tenantID: String?
    public var locale: String?
    public var bundleID: String?
    /// Where providers whose client is the project send people back, unless `redirectURI` says where.
    public static let usualRedirectURI = "http://localhost:8400/callback"
    /// Where providers whose client is the project send people back; nil for the usual one.
    public var redirectURI: String?
    /// A host besides this machine whose emulator may be spoken to, over plain http.
    public var emulatorHost: String?

    public init(
        apiKey: String, projectID: String, authDomain: String? = nil, tenantID: String? = nil, locale: String? = nil,
        bundleID: String? = nil, redirectURI: String? = nil, emulatorHost: String? = nil
    ) {
        self.apiKey = apiKey
        self.projectID = projectID
        self.authDomain = authDomain
        self.tenantID = tenantID
        self.locale = locale
        self.bundleID = bundleID
        self.redirectURI = redirectURI
        self.emulatorHost = emulatorHost
    }
}
