/// What `config.yaml` says of a Firebase project.
package struct FirebaseSettings: Sendable, Equatable {
    package var apiKey: String
    package var projectID: String
    package var authDomain: String?
    package var tenantID: String?
    package var locale: String?
    package var bundleID: String?
    /// The page that a key is restricted to, as a `Referer`.
    package var referer: String?
    /// The Android app that a key is restricted to: its package, and the SHA-1 of its certificate in hexadecimal.
    package var androidPackage: String?
    package var androidCertificate: String?
    /// Where providers whose client is the project send people back, unless `redirectURI` says where.
    package static let usualRedirectURI = "http://localhost:\(Provider.usualPort)\(Provider.sharedRedirectPath)"
    /// Where providers whose client is the project send people back; nil for the usual one.
    package var redirectURI: String?
    /// The hosts that the project's own token may be sent to: origins, or hosts that are reached over https.
    package var apiHosts: [String] = []
    /// A host besides this machine whose emulator may be spoken to, over plain http.
    package var emulatorHost: String?

    package init(
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

    /// Whether the project's own token may be sent to a URL: `api_hosts` lists its origin.
    func allows(_ url: HTTPURL) -> Bool {
        Provider.origins(apiHosts).contains { (try? HTTPURL($0))?.origin == url.origin }
    }
}
