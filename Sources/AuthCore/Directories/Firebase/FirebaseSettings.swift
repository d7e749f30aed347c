/// The settings of a Firebase project in `config.yaml`.
package struct FirebaseSettings: Sendable, Equatable {
    package var apiKey: String
    package var projectID: String
    package var authDomain: String?
    package var tenantID: String?
    package var locale: String?
    package var bundleID: String?
    package var referer: String?
    package var androidPackage: String?
    package var androidCertificate: String?
    package static let defaultRedirectURI = "http://localhost:\(Provider.defaultPort)\(Provider.sharedRedirectPath)"
    package var redirectURI: String?
    package var apiHosts: [String] = []
    package var emulatorHost: String?

    func allows(_ url: HTTPURL) -> Bool {
        Provider.origins(apiHosts).contains { (try? HTTPURL($0))?.origin == url.origin }
    }
}

extension FirebaseSettings {
    package init(apiKey: String, projectID: String) { self.init(apiKey: apiKey, projectID: projectID, authDomain: nil) }

    package static let settings: [Setting<FirebaseSettings>] = [
        .required("api_key", \.apiKey), .required("project_id", \.projectID), .text("auth_domain", \.authDomain),
        .text("tenant_id", \.tenantID), .text("locale", \.locale), .text("bundle_id", \.bundleID),
        .text("referer", \.referer), .text("android_package", \.androidPackage),
        .text("android_cert", \.androidCertificate), .text("redirect_uri", \.redirectURI),
        .text("emulator_host", \.emulatorHost), .list("api_hosts", \.apiHosts),
    ]
}
