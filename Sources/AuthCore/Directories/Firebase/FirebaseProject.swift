/// A Firebase Auth or Identity Platform project, as a client sees it. Its API key names it and is no secret.
public struct FirebaseProject: Sendable, Equatable {
    let settings: FirebaseSettings
    /// `host:port` of the official emulator, without a scheme; nil for the service itself.
    let emulator: String?
    /// For projects that enforce App Check.
    let appCheckToken: String?

    var projectID: String { settings.projectID }
    /// One of the project's tenants: a pool of accounts of its own.
    var tenantID: String? { settings.tenantID }

    public init(_ settings: FirebaseSettings, emulator: String? = nil, appCheckToken: String? = nil) {
        self.settings = settings
        self.emulator = emulator
        self.appCheckToken = appCheckToken
    }

    public var isEmulated: Bool { emulator != nil }

    /// The issuer of its ID tokens, and where its identities belong.
    var issuer: String { "https://securetoken.google.com/\(projectID)" }

    /// Where the accounts of this project and tenant belong.
    var authority: String { issuer + (tenantID.map { "#\($0)" } ?? "") }

    enum Service: String {
        case identityToolkit = "identitytoolkit.googleapis.com"
        case secureToken = "securetoken.googleapis.com"
    }

    /// The emulator has each service below a path that is the service's host, and takes the key in the query alone.
    func url(_ service: Service, _ path: String) throws(HTTPURLError) -> HTTPURL {
        guard let emulator else { return try HTTPURL("https://\(service.rawValue)\(path)") }
        return try HTTPURL(
            try HTTPURL("http://\(emulator)/\(service.rawValue)\(path)").appending([("key", settings.apiKey)]))
    }

    var headers: [(name: String, value: String)] {
        // In a header and not in the URL, which ends up in logs.
        var headers = emulator == nil ? [(name: "X-Goog-Api-Key", value: settings.apiKey)] : []
        if let locale = settings.locale { headers.append((name: "X-Firebase-Locale", value: locale)) }
        if let appCheckToken { headers.append((name: "X-Firebase-AppCheck", value: appCheckToken)) }
        if let bundleID = settings.bundleID { headers.append((name: "X-Ios-Bundle-Identifier", value: bundleID)) }
        return headers
    }

    /// The keys of its ID tokens (Firebase, "Verify ID tokens using a third-party JWT library").
    static let keys = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
}
