extension Dialect {
    /// The page where users register a client, with its fields and results.
    package struct Registration: Sendable, Equatable {
        let url: String?
        var movesWithBase = false
        package private(set) var kind: Kind?
        package let fields: [Field]
        package let details: [Detail]
        /// The name of the page's owner.
        package var owner: String?
        /// What users register.
        package var client = "a client"

        package enum Kind: Sendable, Equatable {
            case mobileAndDesktop, desktopApp, servicesIDAndKey
            /// The product that an app must have at Facebook.
            case facebookLogin
            case nativeApp
            /// For any OpenID Provider: no secret, but PKCE.
            case publicClient
        }

        /// A field of the page, with its label.
        package enum Field: Sendable, Equatable {
            case name(String)
            case homepage(String)
            case redirectURI(String)
            case checkbox(String)
            /// Any value works.
            case either(String)
            /// Required for the device flow at Microsoft.
            case publicClientFlows
        }

        /// A value that the configuration requires, with its label on the page.
        package enum Detail: Sendable, Equatable {
            case clientID(String, IDForm = .any)
            case clientSecret(String)
            case secretIfAny(String)
            case tenant
            case redirectURI(String)
            case teamID(String)
            case keyID(String)
            case privateKey
        }

        /// The form of a provider's client IDs.
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
                case .digits: id.hasOnlyDigits
                }
            }
        }
    }

    package static func provider(at issuer: HTTPURL) -> (id: String, tenant: String?)? {
        for (id, dialect) in builtIn {
            guard let endpoints = dialect.endpoints, (try? HTTPURL(endpoints.home))?.origin == issuer.origin else {
                continue
            }
            guard case .tenants = endpoints.issuer else { return (id, nil) }
            return (id, issuer.path.split(separator: "/").first.map(String.init))
        }
        return nil
    }
}

extension Dialect.Preset {
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

    func registrationPage(_ issuer: HTTPURL) -> String? {
        switch self {
        case .okta:
            // The console's host is the Okta host with a suffix to its first label.
            guard Dialect.Preset(issuer: issuer) == .okta else { return nil }
            let labels = issuer.host.split(separator: ".", maxSplits: 1)
            return "https://\(labels[0])-admin.\(labels.last ?? "")/admin/apps/active"
        case .auth0: return "https://manage.auth0.com/"
        case .cognito: return "https://console.aws.amazon.com/cognito/"
        case .gitlab: return issuer.textWithoutSlash + "/-/user_settings/applications"
        case .keycloak:
            return issuer.textWithoutSlash.replacing("/realms/", with: "/admin/", maxReplacements: 1) + "/console/"
        case .oauth: return nil
        }
    }
}

extension Provider {
    package var registrationPage: String? {
        if let preset { return preset.registrationPage(issuer) }
        guard let registration = dialect.registration, let url = registration.url else { return nil }
        return registration.movesWithBase ? moved(url) : url
    }

    /// The redirect URI to register, without a port if any port is accepted; nil if the client uses a public redirect
    /// URI.
    package var redirectURIToRegister: String? { redirectURI ?? defaultRedirectURI?.replacing(":PORT", with: "") }

    /// Whether users enter the redirect URI where they register a client.
    package var registersRedirectURI: Bool {
        dialect.registration?.fields.contains { if case .redirectURI = $0 { true } else { false } } ?? true
    }

    package func exactRedirectURI(port: UInt16? = nil) -> String {
        let port = port ?? Provider.defaultPort
        if case .fixedPort(let host) = dialect.redirect { return "http://\(host):\(port)\(redirectPath)" }
        return "http://127.0.0.1:\(port)\(redirectPath)"
    }

    /// Whether only the device flow works without a client secret.
    package var signsInByDeviceWithoutSecret: Bool { dialect.deviceNeedsNoSecret && dialect.secretReason != nil }
    package var requiresSecret: Bool { dialect.secretReason != nil && !dialect.deviceNeedsNoSecret }
}
