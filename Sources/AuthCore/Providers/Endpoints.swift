/// The endpoints of a built-in provider. A base URL replaces scheme, host and port of each, and keeps the paths.
struct Endpoints: Sendable {
    enum Issuer: Sendable {
        /// Spellings of one issuer, the preferred one first. A spelling without a scheme is also moved to the base URL
        /// without one.
        case spellings([String])
        case tenants(String)
        case none(String)
    }

    var issuer: Issuer
    var authorization: String
    var token: String
    var keys: [String] = []
    var userInfo: String?
    var revocation: String?
    var endSession: String?
    var deviceAuthorization: String?
    var api: String
    var movedAPIPath: String?
    var apiHosts: [String]
    var gitHosts: [String] = []
    var registryHosts: [String] = []
    var promisesIssuer = false

    /// The beginning of the issuer's URLs, without a tenant.
    var home: String {
        switch issuer {
        case .spellings(let issuers): issuers[0]
        case .none(let origin): origin
        case .tenants(let template): String(template.prefix { $0 != "{" }.dropLast())
        }
    }

    static let tenantPlaceholder = "{tenant}"
}

/// Moves a built-in provider's URLs to a base URL and a tenant.
struct EndpointResolver {
    let base: HTTPURL?
    let tenant: String?

    /// Whether the base URL is of an enterprise of GitHub with data residency, whose API is `api.corp.ghe.com`.
    static func hasHostsLikeGitHub(_ base: HTTPURL) -> Bool { base.host.hasSuffix(".ghe.com") }

    private static let labels: [Substring: String] = [
        "api.github.com": "api", "uploads.github.com": "uploads", "ghcr.io": "containers",
    ]

    func text(_ home: String) -> String {
        let named = home.replacing(Endpoints.tenantPlaceholder, with: tenant ?? "")
        guard let base else { return named }
        let root = base.textWithoutSlash
        guard let scheme = named.firstRange(of: "://") else {
            // A host without a scheme, as in Google's old issuer.
            return root.firstRange(of: "://").map { String(root[$0.upperBound...]) } ?? root
        }
        let rest = named[scheme.upperBound...]
        let path = rest.drop { $0 != "/" }
        if EndpointResolver.hasHostsLikeGitHub(base), let label = EndpointResolver.labels[rest.prefix { $0 != "/" }] {
            return "https://\(label).\(base.host)" + path
        }
        return root + path
    }

    func url(_ home: String) throws(HTTPURLError) -> HTTPURL { try HTTPURL(text(home)) }
}
