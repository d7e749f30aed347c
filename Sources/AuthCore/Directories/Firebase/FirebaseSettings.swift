/// What `config.yaml` says of a Firebase project.
public struct FirebaseSettings: Sendable, Equatable {
    public var apiKey: String
    public var projectID: String
    public var authDomain: String?
    public var tenantID: String?
    public var locale: String?
    public var bundleID: String?
    /// The page that a key is restricted to, as a `Referer`.
    public var referer: String?
    /// The Android app that a key is restricted to: its package, and the SHA-1 of its certificate in hexadecimal.
    public var androidPackage: String?
    public var androidCertificate: String?
    /// Where providers whose client is the project send people back, unless `redirectURI` says where.
    public static let usualRedirectURI = "http://localhost:\(Provider.usualPort)\(Provider.sharedRedirectPath)"
    /// Where providers whose client is the project send people back; nil for the usual one.
    public var redirectURI: String?
    /// The hosts that the project's own token may be sent to: origins, or hosts that are reached over https.
    public var apiHosts: [String] = []
    /// A host besides this machine whose emulator may be spoken to, over plain http.
    public var emulatorHost: String?

    public init(
        apiKey: String, projectID: String, authDomain: String? = nil, tenantID: String? = nil, locale: String? = nil,
        bundleID: String? = nil, referer: String? = nil, androidPackage: String? = nil,
        androidCertificate: String? = nil, redirectURI: String? = nil, emulatorHost: String? = nil
    ) {
        self.apiKey = apiKey
        self.projectID = projectID
        self.authDomain = authDomain
        self.tenantID = tenantID
        self.locale = locale
        self.bundleID = bundleID
        self.referer = referer
        self.androidPackage = androidPackage
        self.androidCertificate = androidCertificate
        self.redirectURI = redirectURI
        self.emulatorHost = emulatorHost
    }
}
