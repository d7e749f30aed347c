import AuthCore

/// A service that users can set up by its name.
struct SetupService: Sendable, Equatable {
    let name: String
    let title: String
    let source: Source
    /// The console's menu path to register clients.
    let console: String

    enum Source: Sendable, Equatable {
        /// An OpenID Provider. The answer to the question replaces the parts of the issuer that are in capitals.
        case issuer(String, question: String, Answer, standard: String? = nil)
        /// A built-in provider that asks for a tenant.
        case builtIn(String, tenant: String)
    }

    enum Answer: Sendable { case domain, realm, userPool }

    static let all: [SetupService] = [
        SetupService(
            name: "okta", title: "Okta",
            source: .issuer("https://DOMAIN", question: "Okta domain, for example dev-123.okta.com", .domain),
            console: "Applications > Applications > Create App Integration > OIDC - OpenID Connect > Native Application"
        ),
        SetupService(
            name: "auth0", title: "Auth0",
            source: .issuer("https://DOMAIN/", question: "Auth0 domain, for example my.eu.auth0.com", .domain),
            console: "Applications > Applications > Create Application > Native"),
        SetupService(
            name: "keycloak", title: "Keycloak",
            source: .issuer(
                "https://ADDRESS/realms/REALM",
                question: "Keycloak URL, for example https://id.example.com/realms/main", .realm),
            console: "Clients > Create client > OpenID Connect, without Client authentication"),
        SetupService(
            name: "cognito", title: "Amazon Cognito",
            source: .issuer(
                "https://cognito-idp.REGION.amazonaws.com/POOL",
                question: "Cognito user pool ID, for example eu-west-1_AbCdEf", .userPool),
            console: "User pools > your pool > App clients > Create app client, without a client secret"),
        SetupService(
            name: "gitlab", title: "GitLab",
            source: .issuer("https://DOMAIN", question: "GitLab host", .domain, standard: "gitlab.com"),
            console: "Applications > Add new application, without Confidential, with openid, profile and email"),
        SetupService(
            name: "entra", title: "Microsoft Entra ID", source: .builtIn("microsoft", tenant: "organizations"),
            console: "App registrations > New registration"),
    ]

    static let names = all.map(\.name)

    static func named(_ name: String) -> SetupService? { all.first { $0.name == name } }

    static func of(_ provider: Provider) -> SetupService? {
        all.first { service in
            guard case .issuer = service.source else { return service.providerID == provider.id }
            return service.preset != nil && service.preset == provider.preset
        }
    }

    var providerID: String {
        if case .builtIn(let name, _) = source { Dialect.id(called: name) } else { "oidc." + name }
    }

    var listedName: String { title.lowercased() == name ? name : "\(name) (\(title))" }

    var preset: Dialect.Preset? { Dialect.Preset(rawValue: name) }

    var issuerForm: String? { if case .issuer(let form, _, _, _) = source { form } else { nil } }

    /// The issuer that an answer gives; nil if the realm is also required.
    func issuer(_ answer: String, realm: String? = nil) throws(InvalidInput) -> String? {
        guard case .issuer(let form, _, let kind, _) = source else { return nil }
        // The last part is replaced first, so that a replaced value is not replaced again.
        let parts: [(name: String, value: String)]
        switch kind {
        case .domain: parts = [("https://DOMAIN", try SetupService.url(answer).root)]
        case .realm:
            let url = try SetupService.url(answer)
            let path = url.path.split(separator: "/").map(String.init)
            let end = path.firstIndex { $0 == "realms" || $0 == "admin" } ?? path.endIndex
            let named = path.dropFirst(end).first == "realms" ? path.dropFirst(end + 1).first : nil
            guard let realm = realm ?? named else { return nil }
            parts = [("REALM", realm), ("https://ADDRESS", url.root + path[..<end].map { "/" + $0 }.joined())]
        case .userPool:
            let pool = String(answer.split(separator: "/").last ?? "")
            let halves = pool.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, halves[0].contains("-"), halves[0].hasOnlyLettersAndDigits(or: "-"),
                !halves[1].isEmpty, halves[1].hasOnlyLettersAndDigits()
            else { throw InvalidInput("'\(shown: answer)' is not a user pool ID, such as eu-west-1_AbCdEf") }
            parts = [("POOL", pool), ("REGION", halves[0])]
        }
        return parts.reduce(form) { $0.replacing($1.name, with: $1.value, maxReplacements: 1) }
    }

    static func realm(_ text: String) throws(InvalidInput) -> String {
        guard text.hasOnlyLettersAndDigits(or: "-._~") else {
            throw InvalidInput("'\(shown: text)' is not the name of a realm, such as main")
        }
        return text
    }

    /// Ignores query and fragment, because users also paste URLs of pages.
    private static func url(_ text: String) throws(InvalidInput) -> HTTPURL {
        let address = String(text.prefix { $0 != "?" && $0 != "#" })
        guard let url = try? HTTPURL(address.withDefaultScheme),
            url.host.contains(".") || url.isLoopback || address.contains("://")
        else { throw InvalidInput("'\(shown: text)' is not a domain, such as id.example.com") }
        return url
    }
}
