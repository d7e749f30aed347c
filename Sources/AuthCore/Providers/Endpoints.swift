/// Where a built-in provider is. A base URL replaces scheme, host and port of each, and keeps the paths.
struct Endpoints: Sendable {
    enum Issuer: Sendable {
        /// Spellings of one issuer; the first counts. One without a scheme is moved without one.
        case spellings([String])
        /// Has `{tenantid}`.
        case tenants(String)
        /// No ID tokens: identities belong to this origin.
        case none(String)
    }

    var issuer: Issuer
    /// `{tenant}` stands for the tenant that the person named.
    var authorization: String
    var token: String
    var keys: [String] = []
    var userInfo: String?
    var revocation: String?
    var endSession: String?
    var deviceAuthorization: String?
    /// The API that says who somebody is.
    var api: String
    /// Where the API stands below a base URL, when that is another place.
    var movedAPIPath: String?
    /// Hosts that an access token may be sent to; one that starts with a dot stands for every host below it.
    var apiHosts: [String]
    /// Where its repositories are fetched from, and where its container images are.
    var gitHosts: [String] = []
    var registryHosts: [String] = []
    var promisesIssuer = false

    static let tenantPlaceholder = "{tenant}"
}

/// Moves a built-in provider's URLs to a base URL and a tenant.
struct EndpointResolver {
    let base: HTTPURL?
    let tenant: String?

    func text(_ home: String) -> String {
        let named = home.replacing(Endpoints.tenantPlaceholder, with: tenant ?? "")
        guard let base else { return named }
        let root = base.textWithoutSlash
        guard let scheme = named.firstRange(of: "://") else {
            // A host without a scheme, as in Google's old issuer.
            return root.firstRange(of: "://").map { String(root[$0.upperBound...]) } ?? root
        }
        let rest = named[scheme.upperBound...]
        return root + rest.drop { $0 != "/" }
    }

    func url(_ home: String) throws(HTTPURLError) -> HTTPURL { try HTTPURL(text(home)) }
}
