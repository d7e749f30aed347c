/// The configuration of one provider: what to request, and which of its claims are used. Differences of the provider
/// are in `dialect`; each setting is a row of `settings`.
package struct Provider: Sendable {
    package internal(set) var id: String
    package let dialect: Dialect
    package var issuer: HTTPURL
    /// Replaces the base URL of a built-in provider: for an Enterprise Server, a sovereign cloud or an emulator.
    package let baseURL: HTTPURL?
    package var clientID: String
    /// The source of the client secret. The variable takes precedence over the file, and both over the store.
    package var clientSecretFile: String?
    package var clientSecretVariable: String?
    package var discovery = Discovery.Document.openID
    package let preset: Dialect.Preset?
    package var authenticationMethod: ClientAuthentication.Method?
    package var scopes: [String]
    package var parameters: [(String, String)] = []
    package var redirectURI: String?
    package var responseMode: ResponseMode?
    /// The default path of the loopback redirect URI. Each configuration has a different one, so that a response of one
    /// provider cannot be used at another (mix-up, RFC 9700 section 4.4): most providers send no `iss`. Configurations of
    /// version 0.1.0 keep `/callback`, which is registered.
    package var redirectPath: String
    package var isPlainOAuth: Bool { id.hasPrefix(ProviderID.plainOAuth) }
    var unboundRedirectURI: String { redirectURI ?? "http://127.0.0.1\(redirectPath)" }
    package var trustsEmail = false
    package var nonceMode: Dialect.NonceMode
    /// Whether an ID token of the code flow must repeat the nonce. It must never have another nonce.
    package var requiresNonce = true
    /// Other clients that ID tokens may name as audiences (OpenID Connect Core section 3.1.3.7).
    package var trustedAudiences: [String] = []
    package var allowsPlainHTTP = false
    package var privateKeyFile: String?
    package var privateKeyPassphraseFile: String?
    /// The client certificate for TLS (RFC 8705), with its chain. Its key is in the same file, unless `privateKeyFile`
    /// is set.
    package var certificateFile: String?
    /// The CA certificates that are trusted for this provider's hosts, in addition to the others.
    package var authorityFile: String?
    package var keyID: String?
    package var keyAlgorithm: SignatureAlgorithm?
    package var assertionAudience = ClientAuthentication.Audience.issuer
    /// The endpoints of a provider without metadata.
    package var authorizationEndpoint: HTTPURL?
    package var tokenEndpoint: HTTPURL?
    package var deviceAuthorizationEndpoint: HTTPURL?
    package var revocationEndpoint: HTTPURL?
    package var pushedRequestEndpoint: HTTPURL?
    /// Use pushed authorization requests (RFC 9126), even if the provider does not require them.
    package var pushesRequests = false
    /// Bind tokens to a local DPoP key (RFC 9449).
    package var bindsTokens = false
    package var isFAPI2 = false
    package var teamID: String?
    /// The ID of the app that the private key belongs to.
    package var appID: String?
    package var isOnlyAnApp: Bool { appID != nil && clientID.isEmpty }
    package var tenant: String?
    package var apiHosts: [String] = []
    /// The provider whose identity assertions are exchanged for tokens (ID-JAG), instead of a sign-in in a browser.
    package var assertionFrom: String?

    package var addedForResource: String?
    /// The entry of the catalog that these settings were copied from, and its version.
    package var service: String?
    package var serviceName: String? { service?.split(separator: " ").first.map(String.init) }

    /// How `oauth.NAME` says who the user is.
    package var userAPI = UserAPI()
    package var scopeSeparator = " "
    /// Sent to the provider's API, in addition to the standard headers; `{client_id}` stands for the client ID.
    package var apiHeaders: [(String, String)] = []

    package static let defaultTenant = "common"
    package static let sharedRedirectPath = "/callback"

    package init(
        _ id: ProviderID, issuer: String?, baseURL: String?, preset: String? = nil, tokenEndpoint: String? = nil,
        clientID: String?
    ) throws(ProviderError) {
        let (isBuiltIn, isPlainOAuth) = (id.isBuiltIn, id.isPlainOAuth)
        let id = id.description
        guard let clientID else { throw .invalid(setting: id, .missing(["client_id"])) }
        guard clientID.isPrintableASCII else { throw .invalid(setting: "\(id): client_id", .notPrintable) }
        if isBuiltIn {
            guard issuer == nil else { throw .invalid(setting: "\(id): issuer", .builtIn) }
            let base: HTTPURL? = if let baseURL { try Provider.url(baseURL, setting: "\(id): base_url") } else { nil }
            do { try self.init(builtIn: id, clientID: clientID, baseURL: base) } catch { throw .unknownID(id) }
            return
        }
        // Without metadata, identities belong to the token endpoint's server.
        let endpoint: HTTPURL? =
            if isPlainOAuth, issuer == nil, let tokenEndpoint {
                try Provider.url(tokenEndpoint, setting: "\(id): token_endpoint")
            } else { nil }
        guard let issuer = issuer ?? endpoint?.root else { throw .invalid(setting: id, .missing(["issuer"])) }
        guard baseURL == nil else { throw .invalid(setting: "\(id): base_url", .onlyForBuiltIn) }
        let known = isPlainOAuth ? .oauth : preset.flatMap { Dialect.Preset(rawValue: $0) }
        if let preset, known == nil { throw .invalid(setting: "\(id): preset", .unknown(ServerText(preset))) }
        self.init(id: id, issuer: try Provider.url(issuer, setting: "\(id): issuer"), clientID: clientID, preset: known)
        if isPlainOAuth { discovery = .oauth }
    }

    /// Reads an issuer or a base URL, without query and fragment (OpenID Connect Discovery section 3). Requests check
    /// later whether plain http is allowed.
    package static func url(_ text: String, setting: String) throws(ProviderError) -> HTTPURL {
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch .userInfo {
            throw .invalid(setting: setting, .userName(ServerText(text)))
        } catch .host {
            throw .invalid(setting: setting, .malformedHost(ServerText(text)))
        } catch {
            throw .invalid(setting: setting, .notHTTPSURL(ServerText(text)))
        }
        guard url.query == nil else { throw .invalid(setting: setting, .query(ServerText(text))) }
        return url
    }

    package init(builtIn id: String, clientID: String, baseURL: HTTPURL? = nil) throws {
        guard let dialect = Dialect.named(id), let endpoints = dialect.endpoints else {
            throw ProviderError.unknownID(ServerText.shown(id))
        }
        let issuer = try EndpointResolver(base: baseURL, tenant: nil).url(endpoints.home)
        self.init(id: id, issuer: issuer, baseURL: baseURL, clientID: clientID, dialect: dialect)
        if case .tenants = endpoints.issuer { tenant = Provider.defaultTenant }
    }

    /// - Parameter dialect: nil for an OpenID Provider with this issuer.
    package init(
        id: String, issuer: HTTPURL, baseURL: HTTPURL? = nil, clientID: String, preset: Dialect.Preset? = nil,
        dialect: Dialect? = nil
    ) {
        let dialect = dialect ?? .openID(preset)
        self.id = id
        self.issuer = issuer
        self.baseURL = baseURL
        self.clientID = clientID
        self.preset = preset
        self.dialect = dialect
        scopes = dialect.defaultScopes
        redirectPath = "\(Provider.sharedRedirectPath)/\(id)"
        nonceMode = dialect.nonceMode
    }

    package static func isBuiltIn(_ id: String) -> Bool { Dialect.named(id) != nil }
    package var isBuiltIn: Bool { Provider.isBuiltIn(id) }

    func invalid(_ setting: String, _ fault: SettingFault) -> ProviderError {
        .invalid(setting: "\(id): \(setting)", fault)
    }

    /// A URL of the built-in provider, at the base URL.
    func moved(_ url: String) -> String { EndpointResolver(base: baseURL, tenant: nil).text(url) }

    /// The environment variable with a setting of a provider.
    package static func variable(_ setting: String, of id: String) -> String {
        "AUTHCTL_\(environmentName(id))_\(setting)"
    }

    package static func environmentName(_ id: String) -> String {
        String(
            decoding: id.utf8.map { byte -> UInt8 in
                switch byte {
                case 0x30...0x39, 0x41...0x5A: byte
                case 0x61...0x7A: byte - 0x20
                default: 0x5F
                }
            }, as: UTF8.self)
    }

    // MARK: Requests

    package static let identityScopes: Set = ["openid", "profile", "email", Scopes.offlineAccess]

    package func scopes(adding more: [String]) -> [String] {
        Scopes.split((dialect.requiredScopes + scopes + more).joined(separator: " "))
    }

    func scopes(of resource: HTTPURL, adding more: [String]) -> [String] {
        guard dialect.namesResourceInScopes else { return scopes(adding: more) }
        let plain = Provider.identityScopes
        let named = more.filter { !plain.contains($0) }
        let qualified = (named.isEmpty ? [".default"] : named).map {
            $0.contains("://") ? $0 : "\(resource.textWithoutSlash)/\($0)"
        }
        // The configured scopes are for other APIs, but a token is for only one.
        return Scopes.split(
            (dialect.requiredScopes + scopes.filter(plain.contains) + more.filter(plain.contains) + qualified)
                .joined(separator: " "))
    }

    func machineScopes(adding more: [String]) -> [String] {
        let personal: Set<String> = ["openid", "profile", "email", "address", "phone", "offline_access"]
        let own = scopes == dialect.defaultScopes ? [] : scopes.filter { !personal.contains($0) }
        return Scopes.split((own + more).joined(separator: " "))
    }

    package func missing(_ requested: [String], granted: [String]) -> [String] {
        requested.filter { !dialect.grants(granted, $0) }
    }

    func parameters(adding more: [(String, String)]) -> [(String, String)] {
        [parameters, more].reduce(dialect.parameters) { before, after in
            before.filter { own in !after.contains { $0.0 == own.0 } } + after
        }
    }

    /// The claims that an ID token must have because of the request parameters.
    func requiredClaims(_ parameters: [(String, String)]) -> [(name: String, value: String?)] {
        parameters.filter { dialect.claimedParameters.contains($0.0) }
            .map { (name: $0.0, value: $0.1 == "*" ? nil : $0.1) }
    }

    package static let defaultPort: UInt16 = 8400

    package var defaultRedirectURI: String? {
        switch dialect.redirect {
        case .anyPort(let host): "http://\(host):PORT\(redirectPath)"
        case .fixedPort(let host): "http://\(host):\(Provider.defaultPort)\(redirectPath)"
        case .publicURL: nil
        }
    }

    var logoutRedirectURI: String? {
        guard dialect.logoutRedirectName != Dialect.openID.logoutRedirectName else { return nil }
        return redirectURI ?? defaultRedirectURI
    }

    // MARK: Claims

    /// Whether the ID token has all claims of the identity, so that userinfo is not requested.
    package func isComplete(_ token: VerifiedIDToken, scopes: [String]) -> Bool {
        let requestsEmail = scopes.contains("email")
        let requestsName = scopes.contains("profile")
        // Some servers send them as null or empty.
        return (!requestsEmail || token.claims.optional("email") != nil)
            && (!requestsName || token.claims.optional("name") != nil)
    }

    package func identity(
        authority: String, claims: JSONObject, userInfo: JSONObject?, user: JSONObject? = nil
    ) throws -> Identity {
        let source = ProfileSource(
            providerID: id, authority: authority, claims: claims, userInfo: userInfo, user: user,
            trustsEmail: trustsEmail, isMoved: baseURL != nil)
        return try userAPI.identifiesUser ? userAPI.identity(source) : dialect.identity(source)
    }

    var identifiesUser: Bool { dialect.identifiesUser || userAPI.identifiesUser }

    /// Reads the user of an access token from the API of a provider without ID tokens.
    var person: (@Sendable (ProviderAPI) async throws -> JSONObject)? {
        guard userAPI.identifiesUser, userAPI.endpoint != nil else { return dialect.person }
        return { [userAPI] in try await userAPI.person($0) }
    }

    // MARK: Hosts and endpoints

    package enum TokenUse: Sendable { case api, git, registry }

    var headersOfAPI: [(name: String, value: String)] {
        apiHeaders.map { (name: $0.0, value: $0.1.replacing("{client_id}", with: clientID)) }
    }

    /// A host without a scheme means https, and on loopback http too.
    static func origins(_ hosts: [String]) -> [String] {
        hosts.map(\.withDefaultScheme)
            + hosts.filter { HTTPURL(scheme: "http", authority: $0)?.isLoopback == true }.map { "http://\($0)" }
    }

    package func allows(_ url: HTTPURL, for use: TokenUse = .api, metadata: ProviderMetadata? = nil) -> Bool {
        guard url.protectsSecrets || allowsPlainHTTP else { return false }
        let userInfo = [false, true].map { try? metadata?.userInfoEndpoint(isBound: $0) } + [userAPI.endpoint]
        if use == .api, userInfo.contains(where: { $0?.origin == url.origin }) { return true }
        let own = ownHosts(for: use)
        return (own + Provider.origins(apiHosts)).contains { host in
            if let scheme = host.firstRange(of: "://."), baseURL == nil {
                return url.isSecure && url.port == 443 && url.host.hasSuffix("." + host[scheme.upperBound...])
            }
            return (try? HTTPURL(host))?.origin == url.origin
        }
    }

    func owns(_ url: HTTPURL) -> Bool {
        let uses: [TokenUse] = [.api, .git, .registry]
        return uses.contains { allows(url, for: $0) } || [issuer.origin, (try? apiRoot())?.origin].contains(url.origin)
    }

    package func ownHosts(for use: TokenUse) -> [String] {
        guard let endpoints = dialect.endpoints else { return [issuer.origin] }
        let hosts =
            switch use {
            case .api: endpoints.apiHosts
            case .git: endpoints.gitHosts
            case .registry: endpoints.registryHosts
            }
        return hosts.map(moved)
    }

    /// The scope that a push over HTTPS requires; nil if the provider has no git repositories.
    package var gitScope: String? {
        if preset == .gitlab { return "write_repository" }
        return dialect.endpoints?.gitHosts.isEmpty == false ? "repo" : nil
    }

    /// The page where users delete their personal access tokens; nil if the provider does not support them.
    package var personalTokenPage: String? { dialect.personalTokens.map { moved($0.page) } }

    /// The page that creates a personal access token with these scopes and those that a sign-in requires.
    package func newTokenPage(_ scopes: [String]) -> String? {
        dialect.personalTokens.map { moved($0.newPage) + ($0.scopes + scopes).joined(separator: ",") }
    }

    func apiRoot() throws -> HTTPURL? {
        guard let endpoints = dialect.endpoints else { return userAPI.endpoint }
        if let baseURL, !EndpointResolver.hasHostsLikeGitHub(baseURL), let path = endpoints.movedAPIPath {
            return try HTTPURL(baseURL.textWithoutSlash + path)
        }
        return try EndpointResolver(base: baseURL, tenant: tenant).url(endpoints.api)
    }

    /// The configured metadata of a provider, or that of a built-in one; nil for one that is discovered.
    package func fixedMetadata() throws -> ProviderMetadata? {
        if let authorizationEndpoint, let tokenEndpoint {
            return ProviderMetadata(
                publishedKeys: PublishedKeys(issuer: issuer.text, urls: []), issuers: .origin(issuer.origin),
                authorizationEndpoint: authorizationEndpoint, tokenEndpoint: tokenEndpoint,
                publicTokenEndpoint: tokenEndpoint, listedMethods: nil, promisesIssuer: false)
        }
        guard let endpoints = dialect.endpoints else { return nil }
        let resolver = EndpointResolver(base: baseURL, tenant: tenant)
        var keys: [HTTPURL] = []
        for text in endpoints.keys {
            let url = try resolver.url(text)
            if !keys.contains(url) { keys.append(url) }
        }
        let methods: [ClientAuthentication.Method] = dialect.secretMethod.map { [$0, .none] } ?? [.none]
        let tokenEndpoint = try resolver.url(endpoints.token)
        let optional: [ProviderEndpoint: String?] = [
            .userInfo: endpoints.userInfo, .revocation: endpoints.revocation, .endSession: endpoints.endSession,
            .deviceAuthorization: endpoints.deviceAuthorization,
        ]
        return ProviderMetadata(
            publishedKeys: PublishedKeys(issuer: issuer.text, urls: keys), issuers: try issuerRule(endpoints, resolver),
            authorizationEndpoint: try resolver.url(endpoints.authorization), tokenEndpoint: tokenEndpoint,
            publicTokenEndpoint: tokenEndpoint,
            endpoints: try optional.compactMapValues { try $0.map { .success(try resolver.url($0)) } },
            listedMethods: methods, promisesIssuer: endpoints.promisesIssuer)
    }

    private func issuerRule(_ endpoints: Endpoints, _ resolver: EndpointResolver) throws -> IssuerRule {
        switch endpoints.issuer {
        case .spellings(let issuers): return .spellings(issuers.map(resolver.text))
        case .none(let origin): return .origin(try resolver.url(origin).origin)
        case .tenants(let template):
            guard let allowed = Microsoft.allowed(tenant ?? "") else {
                throw invalid("tenant", .notAGUID(tenant ?? ""))
            }
            return .tenants(TenantIssuers(template: resolver.text(template), allowed: allowed))
        }
    }
}
