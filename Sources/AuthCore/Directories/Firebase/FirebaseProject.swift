/// A Firebase Auth or Identity Platform project, as configured for a client. The API key identifies the project and is
/// not a secret.
package struct FirebaseProject: Sendable, Equatable {
    let settings: FirebaseSettings
    var emulator: EmulatorHost?
    var appCheckToken: String?

    package var projectID: String { settings.projectID }
    var tenantID: String? { settings.tenantID }

    package var isEmulated: Bool { emulator != nil }

    package var origin: DirectoryOrigin { .project(id: projectID, tenant: tenantID, emulator: emulator?.name) }

    package var issuer: String { DirectoryOrigin.projectIssuers + projectID }

    var authority: String { issuer + (emulator.map { "@\($0.name)" } ?? "") + (tenantID.map { "#\($0)" } ?? "") }

    enum Service: String {
        case identityToolkit = "identitytoolkit.googleapis.com"
        case secureToken = "securetoken.googleapis.com"
    }

    func url(_ service: Service, _ path: String) throws(HTTPURLError) -> HTTPURL {
        guard let emulator else { return try HTTPURL("https://\(service.rawValue)\(path)") }
        return try HTTPURL(
            try HTTPURL("\(emulator.url.textWithoutSlash)/\(service.rawValue)\(path)").appending([
                ("key", settings.apiKey)
            ]))
    }

    var headers: [(name: String, value: String)] {
        // The API key is sent in a header, because URLs are logged.
        let headers = [
            ("X-Goog-Api-Key", emulator == nil ? settings.apiKey : nil), ("X-Firebase-Locale", settings.locale),
            // The token was issued for the project, and an emulator does not require it.
            ("X-Firebase-AppCheck", emulator == nil ? appCheckToken : nil),
            ("X-Ios-Bundle-Identifier", settings.bundleID), ("Referer", settings.referer),
            ("X-Android-Package", settings.androidPackage), ("X-Android-Cert", settings.androidCertificate),
        ]
        return headers.compactMap { name, value in value.map { (name, $0) } }
    }

    package func publishedKeys() throws -> PublishedKeys {
        PublishedKeys(issuer: issuer, urls: [try HTTPURL(FirebaseProject.keys)])
    }

    /// Checks what Firebase requires of a project's ID tokens beyond OpenID Connect, and that the account belongs to this
    /// tenant, or to none if no tenant is configured.
    /// - Parameter now: seconds since 1970.
    package func checkClaims(_ claims: JSONObject, now: Int64) throws(IDTokenRejection) {
        guard let subject = claims["sub"]?.string, Account.isUID(subject) else { throw .claim("sub") }
        guard let time = try claims.time("auth_time"), time <= now + ExpectedIDToken.clockSkew else {
            throw .claim("auth_time")
        }
        try checkTenant(of: claims)
    }

    func checkTenant(of claims: JSONObject) throws(IDTokenRejection) {
        guard claims["firebase"]?.object?["tenant"] == tenantID.map(JSONValue.string) else {
            throw .claim("firebase.tenant")
        }
    }

    static let keys = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
}

extension ExpectedIDToken {
    /// Accepts each UID that a project can have as `sub`, which `FirebaseProject.checkClaims` checks.
    package mutating func acceptUIDs() { (longestSubject, acceptsAnySubject) = (512, true) }
}
