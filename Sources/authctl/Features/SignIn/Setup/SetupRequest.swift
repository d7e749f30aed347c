import AuthCore

/// The values from the command line. `setup` does not ask for them.
struct SetupRequest {
    var named: String?
    var issuer: String?
    var baseURL: String?
    var redirectURI: String?
    var tenant: String?
    var port: UInt16?
    var opensBrowser = true
    /// Whether the user chose a flow with a redirect, for which some clients require a secret.
    var redirects = false
    var signsIn = true
    /// For `signin`, which asks nothing about a configured provider.
    var isSignIn = false

    enum Target: Equatable {
        case builtIn(String, tenant: String?)
        case openID(id: String?, issuer: String?)
        case service(CatalogEntry, issuer: HTTPURL?)
    }

    /// The names that users type for any OpenID Provider.
    static let anyOpenID: Set = ["oidc", "openid", "oidc."]

    static func target(_ word: String, issuer: String?) throws -> Target {
        if word.contains("://") { return try target(issuer: word, id: nil) }
        if anyOpenID.contains(word) {
            return try issuer.map { try target(issuer: $0, id: nil) } ?? .openID(id: nil, issuer: nil)
        }
        let checked = try ProviderID(adding: Dialect.id(called: word), like: issuer.map { _ in "oidc." })
        let id = checked.description
        if checked.isBuiltIn { return try builtIn(id, at: issuer.map(url)) }
        return try issuer.map { try target(issuer: $0, id: id) } ?? .openID(id: id, issuer: nil)
    }

    static func target(issuer text: String, id: String?) throws -> Target {
        let issuer = try url(text)
        if id == nil, let known = Dialect.provider(at: issuer) { return .builtIn(known.id, tenant: known.tenant) }
        return .openID(id: id, issuer: issuer.text)
    }

    static func target(_ entry: CatalogEntry, issuer text: String?) throws -> Target {
        let issuer = try text.map(url)
        guard Provider.isBuiltIn(entry.id) else { return .service(entry, issuer: issuer) }
        return try builtIn(entry.id, tenant: entry.example().tenant, at: issuer)
    }

    private static func builtIn(_ id: String, tenant: String? = nil, at issuer: HTTPURL?) throws -> Target {
        let known = issuer.flatMap { Dialect.provider(at: $0) }
        guard issuer == nil || known?.id == id else {
            throw ProviderError.invalid(setting: "--issuer", .issuerOfBuiltIn(id))
        }
        return .builtIn(id, tenant: known?.tenant ?? tenant)
    }

    private static func url(_ text: String) throws -> HTTPURL {
        try Provider.url(text.withDefaultScheme.withoutDiscoveryPath, setting: "issuer")
    }

    static func id(for issuer: HTTPURL, taken: [String]) -> String {
        let labels = issuer.host.split(separator: ".").map(String.init)
        let isAddress = issuer.host.contains(":") || labels.allSatisfy { Int($0) != nil }
        var name = "local"
        if !isAddress, labels.count > 1 {
            // The second level of a domain such as example.co.uk is not a useful name.
            let isShort = labels.count > 2 && labels[labels.count - 2].count < 4
            name = labels[labels.count - (isShort ? 3 : 2)]
        }
        return unused("oidc." + name, taken)
    }

    static func unused(_ id: String, _ taken: [String]) -> String {
        guard taken.contains(id) else { return id }
        return (2...).lazy.map { "\(id)-\($0)" }.first { !taken.contains($0) } ?? id
    }

    /// The provider before it has a client.
    func provider(_ id: String, issuer: String?, tenant: String? = nil) throws -> Provider {
        let isBuiltIn = Provider.isBuiltIn(id)
        if let baseURL, !isBuiltIn { throw ProviderError.invalid(setting: "--base-url: \(baseURL)", .onlyForBuiltIn) }
        let preset = try issuer.map { try Provider.url($0, setting: "issuer") }.flatMap(Dialect.Preset.init)
        var provider = try Provider(
            try ProviderID(id), issuer: issuer, baseURL: baseURL, preset: isBuiltIn ? nil : preset?.rawValue,
            clientID: "")
        if let tenant = self.tenant ?? tenant { provider.tenant = tenant }
        // It is unknown whether other providers ignore the port of a loopback redirect URI.
        if case .anyPort = provider.dialect.redirect, !isBuiltIn, preset == nil {
            provider.redirectURI = provider.exactRedirectURI(port: port)
        }
        return redirected(provider)
    }

    func redirected(_ provider: Provider) -> Provider {
        var provider = provider
        if let redirectURI {
            provider.redirectURI = redirectURI
        } else if let port, let uri = provider.redirectURI {
            provider.redirectURI = uri.replacing(":\(Provider.defaultPort)/", with: ":\(port)/")
        } else if let port, case .fixedPort = provider.dialect.redirect {
            provider.redirectURI = provider.exactRedirectURI(port: port)
        }
        return provider
    }
}

struct SetUp {
    let provider: String
    var port: UInt16?
    /// Whether the user pastes the callback URL.
    var pastes = false

    var again: ShellCommand {
        let plain = ShellCommand.signIn(provider)
        guard !pastes else { return "\(plain) --flow paste" }
        return port.map { "\(plain) --port \($0)" } ?? plain
    }

    func apply(to flags: inout FlowFlags) {
        if flags.port == nil { flags.port = port }
        if pastes, flags.flow == .auto { flags.flow = .paste }
    }
}
