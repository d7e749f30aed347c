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

    /// Whether the project's own token may be sent to a URL: `api_hosts` lists its origin.
    func allows(_ url: HTTPURL) -> Bool {
        Provider.origins(apiHosts).contains { (try? HTTPURL($0))?.origin == url.origin }
    }
}

extension FirebaseSettings {
    package init(apiKey: String, projectID: String) {
        self.init(apiKey: apiKey, projectID: projectID, authDomain: nil)
    }

    /// Every setting, in the order in which they are written.
    package static let settings: [Setting<FirebaseSettings>] = [
        .required("api_key", \.apiKey), .required("project_id", \.projectID), .text("auth_domain", \.authDomain),
        .text("tenant_id", \.tenantID), .text("locale", \.locale), .text("bundle_id", \.bundleID),
        .text("referer", \.referer), .text("android_package", \.androidPackage),
        .text("android_cert", \.androidCertificate), .text("redirect_uri", \.redirectURI),
        .text("emulator_host", \.emulatorHost), .list("api_hosts", \.apiHosts),
    ]
}
