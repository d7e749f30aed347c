extension Dialect {
    /// Where people register a client, what they fill in there, and what they get for it.
    package struct Registration: Sendable, Equatable {
        /// Where it begins; nil where each server has a page of its own.
        let url: String?
        /// A server at a base URL has the same page.
        let movesWithBase: Bool
        /// The kind of client to choose there, where that is easy to miss.
        package let kind: Kind?
        /// What to fill in there.
        package let fields: [Field]
        /// What an entry needs of it, in the order in which it is asked for.
        package let details: [Detail]

        init(
            _ url: String?, movesWithBase: Bool = false, _ kind: Kind? = nil, fields: [Field], details: [Detail]
        ) {
            self.url = url
            self.movesWithBase = movesWithBase
            self.kind = kind
            self.fields = fields
            self.details = details
        }

        package enum Kind: Sendable, Equatable {
            /// At Microsoft.
            case mobileAndDesktop
            /// At Google.
            case desktopApp
            /// At Apple: an identifier for the web, and a key beside it.
            case servicesIDAndKey
            /// At Facebook: the product that an app must have.
            case facebookLogin
            /// At X.
            case nativeApp
            /// At any OpenID Provider: no secret, but PKCE.
            case publicClient
        }

        /// One thing to fill in, with the page's own name of it.
        package enum Field: Sendable, Equatable {
            case name(String)
            case homepage(String)
            case redirectURI(String)
            /// A box to tick.
            case ticked(String)
            /// At Microsoft: without it there are no codes for other devices.
            case publicClientFlows
        }

        /// One thing that an entry needs, with the page's own name of it.
        package enum Detail: Sendable, Equatable {
            case clientID(String, IDForm = .any)
            case clientSecret(String)
            /// A public client has none.
            case secretIfAny(String)
            case tenant
            /// A public https URL.
            case redirectURI(String)
            /// Ten letters and digits.
            case teamID(String)
            case keyID(String)
            /// The file with the key that client secrets are made of.
            case privateKey
        }

        /// What all client IDs of a provider look like.
        package enum IDForm: Sendable, Equatable {
            case any
            case ending(String)
            case guid
            case digits

            package func fits(_ id: String) -> Bool {
                switch self {
                case .any: true
                case .ending(let end): id.hasSuffix(end) && id.utf8.count > end.utf8.count
                case .guid: TenantIssuers.isGUID(id.lowercased())
                case .digits: !id.isEmpty && id.utf8.allSatisfy(\.isDigit)
                }
            }
        }
    }

    /// The built-in provider that an issuer is, and the tenant that is named there.
    package static func provider(at issuer: HTTPURL) -> (id: String, tenant: String?)? {
        for (id, dialect) in builtIn {
            guard let home = dialect.endpoints?.issuer else { continue }
            switch home {
            case .spellings(let issuers) where isHome(issuers[0], of: issuer): return (id, nil)
            case .none(let origin) where isHome(origin, of: issuer): return (id, nil)
            case .tenants(let template) where isHome(String(template.prefix { $0 != "{" }), of: issuer):
                return (id, issuer.path.split(separator: "/").first.map(String.init))
            case .spellings, .none, .tenants: continue
            }
        }
        return nil
    }

    private static func isHome(_ text: String, of issuer: HTTPURL) -> Bool {
        (try? HTTPURL(text))?.origin == issuer.origin
    }
}

extension Dialect.Preset {
    /// The service that an issuer is known to be of: by its host, or its path; nil for any other.
    package init?(issuer: HTTPURL) {
        let host = "." + issuer.host
        func isBelow(_ domains: String...) -> Bool { domains.contains { host.hasSuffix("." + $0) } }
        if isBelow("okta.com", "oktapreview.com", "okta-emea.com", "okta-gov.com") {
            self = .okta
        } else if isBelow("auth0.com") {
            self = .auth0
        } else if host.hasPrefix(".cognito-idp."), isBelow("amazonaws.com") {
            self = .cognito
        } else if host.hasPrefix(".gitlab.") {
            self = .gitlab
        } else if issuer.path.contains("/realms/") {
            self = .keycloak
        } else {
            return nil
        }
    }

    /// Where people register a client.
    func registrationPage(_ issuer: HTTPURL) -> String? {
        switch self {
        case .okta:
            // The console is beside the issuer's host, with a suffix to its first label.
            let labels = issuer.host.split(separator: ".", maxSplits: 1)
            return "https://\(labels[0])-admin.\(labels.last ?? "")/admin/apps/active"
        case .auth0: return "https://manage.auth0.com/"
        case .cognito: return "https://console.aws.amazon.com/cognito/"
        case .gitlab: return issuer.textWithoutSlash + "/-/user_settings/applications"
        case .keycloak: return issuer.text.replacing("/realms/", with: "/admin/", maxReplacements: 1) + "/console/"
        case .oauth: return nil
        }
    }
}

extension Provider {
    /// Where people register a client; nil where nobody but who runs the provider knows.
    package var registrationPage: String? {
        if let preset { return preset.registrationPage(issuer) }
        guard let registration = dialect.registration, let url = registration.url else { return nil }
        return registration.movesWithBase ? EndpointResolver(base: baseURL, tenant: nil).text(url) : url
    }

    /// The redirect URI to register: without a port where any is right; nil where it is a public one of one's own.
    package var redirectURIToRegister: String? {
        redirectURI ?? defaultRedirectURI?.replacing(":PORT", with: "")
    }

    /// The loopback redirect URI with its port, for providers of which nobody knows whether they compare ports.
    /// - Parameter port: the one to listen on; nil for the usual one.
    package func exactRedirectURI(port: UInt16? = nil) -> String {
        let port = port ?? Provider.usualPort
        if case .fixedPort(let host) = dialect.redirect { return "http://\(host):\(port)\(redirectPath)" }
        return "http://127.0.0.1:\(port)\(redirectPath)"
    }

    /// Without a client secret only a code for another device signs in here.
    var signsInByDeviceWithoutSecret: Bool { dialect.deviceNeedsNoSecret && dialect.secretReason != nil }
}
