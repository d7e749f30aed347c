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
        .required("api_key", at: \.apiKey), .required("project_id", at: \.projectID),
        .text("auth_domain", at: \.authDomain), .text("tenant_id", at: \.tenantID), .text("locale", at: \.locale),
        .text("bundle_id", at: \.bundleID), .text("referer", at: \.referer),
        .text("android_package", at: \.androidPackage),
        .text("android_cert", at: \.androidCertificate), .text("redirect_uri", at: \.redirectURI),
        .text("emulator_host", at: \.emulatorHost), .list("api_hosts", at: \.apiHosts),
    ]
}
