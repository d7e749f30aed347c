/// A sign-in for a protected resource. The provider and the client are found from its URL.
package struct SignInToResource: Sendable {
    let profile: Profile
    let clientName: String
    package var provider: String?
    package var clientMetadata: HTTPURL?
    /// The scopes that the user named; nil for those of the resource.
    package var scopes: [String]?
    /// The scopes of the session that needs more of them.
    package var granted: [String]?
    package var needsUser = true

    package init(_ profile: Profile, clientName: String) {
        self.profile = profile
        self.clientName = clientName
    }

    /// The provider and the parameters of the sign-in.
    package struct Target: Sendable {
        package let providerID: String
        package let resource: HTTPURL
        /// The scopes to request if the user names none.
        package let scopes: [String]
        package let issuer: HTTPURL
        package let requestedScopes: [String]
        /// The resource accepts only DPoP-bound tokens (RFC 9449).
        package let requiresBoundTokens: Bool
        package let made: DiscoverResource.Client?
    }

    package func run(
        _ url: HTTPURL, agrees: (ResourceConsent) throws -> Bool
    ) async throws -> Target {
        guard try profile.projectSettings() == nil else { throw LocalDirectoryRequired() }
        let chain = try await DiscoverResource(profile).run(url, provider: provider)
        guard let resource = chain.found.resource else { throw ProtectedResourceError.notFound(url: url.text) }
        guard let server = chain.server else {
            throw ProtectedResourceError.severalAuthorizationServers(
                resource.authorizationServers.map(\.text), resource: resource.resource.text)
        }
        func require(_ consent: ResourceConsent) throws {
            guard try agrees(consent) else { throw ProtectedResourceError.consentRequired(consent) }
        }
        if let wider = chain.found.wider { try require(.wider(wider, than: url)) }
        let known = try await sessions(for: resource.resource)
        let entries = known.map { try? profile.resolve($0.providerID).configured() }
        // A session with the resource's server shows that the user has agreed.
        let agreed = DiscoverResource.entry(of: resource.authorizationServers, among: entries.compactMap(\.self))
        for case (let session, let old?) in zip(known, entries) where provider == nil && agreed == nil {
            try require(
                .moved(
                    resource.resource, provider: old.id, account: session.accountUID, from: old.issuer,
                    to: server.issuer))
        }
        let configured: Provider? =
            if case .configured(let id) = server.client { try profile.resolve(id).configured() } else { nil }
        let asksUser = needsUser && configured?.assertionFrom == nil
        if asksUser, let offered = server.metadata.grantTypes, !offered.contains(where: Self.userGrants.contains) {
            throw ProtectedResourceError.noUserGrant(issuer: server.issuer.text, offered: offered)
        }
        let found = chain.found.scopes ?? []
        let requested = scopes ?? (asksUser ? SignInToResource.scopes(found, of: server.metadata) : found)
        var (id, made) = (configured?.id ?? "", DiscoverResource.Client?.none)
        if configured == nil { (id, made) = try await entry(for: server, scopes: requested, at: resource.resource) }
        let client = try profile.resolve(id).configured()
        let named = granted ?? scopes ?? []
        try client.checkScopes(requested, for: resource.resource, agreed: named)
        let earlier = known.filter { $0.providerID == id }
        let consent = client.consent(
            to: resource.resource, scopes: requested, agreed: named + earlier.flatMap(\.scopes),
            isNamed: provider != nil || !earlier.isEmpty, metadata: server.metadata)
        if let consent { try require(consent) }
        if let configured, try await isForgotten(configured, resource.resource) {
            made = try await entry(for: server, scopes: requested, at: resource.resource, insteadOf: configured).1
        }
        return Target(
            providerID: id, resource: resource.resource, scopes: requested, issuer: server.issuer,
            requestedScopes: asksUser
                ? client.scopes(of: resource.resource, adding: requested) : client.machineScopes(adding: requested),
            requiresBoundTokens: resource.requiresBoundTokens, made: made)
    }

    private static let userGrants: Set = ["authorization_code", TokenEndpoint.deviceGrant]

    private func sessions(for resource: HTTPURL) async throws -> [SessionSummary] {
        guard let sessionStore = try profile.sessionStoreForDisplay() else { return [] }
        return try await sessionStore.sessions().filter { $0.resource == resource }
    }

    /// Whether the server does not know a client any more that authctl registered. A step-up has just used the client.
    private func isForgotten(_ provider: Provider, _ resource: HTTPURL) async throws -> Bool {
        guard provider.addedForResource != nil, granted == nil, needsUser,
            try await profile.registeredClient(of: provider.id)?.clientID == provider.clientID
        else { return false }
        let client = try await profile.client(provider.id)
        if case .refused? = try? await ClientCheck().run(client, for: resource) { return true }
        return false
    }

    private static func scopes(_ scopes: [String], of metadata: ProviderMetadata) -> [String] {
        let isOffered = metadata.scopes?.contains(Scopes.offlineAccess) == true
        return scopes + (isOffered && !scopes.contains(Scopes.offlineAccess) ? [Scopes.offlineAccess] : [])
    }

    /// Adds a provider configuration for an authorization server, with a client that it supports, or replaces the client
    /// of the old one. The settings are not locked during the requests, and if several processes do this, one of them
    /// sends the requests.
    private func entry(
        for server: DiscoverResource.Server, scopes: [String], at resource: HTTPURL, insteadOf old: Provider? = nil
    ) async throws -> (String, DiscoverResource.Client) {
        guard needsUser else {
            throw ProtectedResourceError.noClientWithoutUser(
                issuer: server.issuer.text, provider: try name(of: server.issuer), document: server.document)
        }
        // Opened first, so that no client is registered that could not be stored.
        _ = try profile.store(creating: true)
        let lock = try FileLock.name("client", of: server.issuer.text)
        return try await FileLock.holding(lock, in: profile.configDirectory, clock: profile.clock) { _ in
            // Another process may have added it.
            if let there = try await profile.changingSettings({ try entry(of: server.issuer, insteadOf: old) }) {
                return there
            }
            let (made, registered) = try await client(of: server, scopes: scopes, at: resource, insteadOf: old)
            return try await profile.changingSettings {
                if let there = try entry(of: server.issuer, insteadOf: old) { return there }
                var provider = made
                provider.id = try old?.id ?? name(of: server.issuer)
                try await profile.save(
                    provider, secret: registered?.client.secret, registered: registered?.client.registered)
                return (provider.id, registered == nil ? .metadataDocument : .registration)
            }
        }
    }

    private func entry(of issuer: HTTPURL, insteadOf old: Provider?) throws -> (String, DiscoverResource.Client)? {
        try profile.providers().first {
            old == nil ? $0.isEntry(of: issuer) : $0.id == old?.id && $0.clientID != old?.clientID
        }.map { ($0.id, .configured($0.id)) }
    }

    /// A client at the server, with its registration unless a metadata document describes it.
    private func client(
        of server: DiscoverResource.Server, scopes: [String], at resource: HTTPURL, insteadOf old: Provider?
    ) async throws -> (Provider, RegisterClient.Registered?) {
        let id = try old?.id ?? name(of: server.issuer)
        let namesUser = self.scopes?.contains("openid") == true && server.metadata.issuesIDTokens
        var provider = old ?? Provider(id: id, issuer: server.issuer, clientID: "", preset: namesUser ? nil : .oauth)
        provider.scopes = old?.scopes ?? []
        provider.discovery = server.document
        provider.addedForResource = old?.addedForResource ?? resource.root
        let services = try profile.services()
        if let clientMetadata, server.metadata.supportsMetadataDocuments,
            try server.metadata.promisesIssuer || server.metadata[.registration] == nil
                || !profile.sharesClient(clientMetadata.text, of: id)
        {
            provider.redirectURI = try await ClientMetadata.redirectURI(at: clientMetadata, services)
            provider.clientID = clientMetadata.text
            provider.authenticationMethod = ClientAuthentication.Method.none
            return (provider, nil)
        }
        guard server.metadata[.registration] != nil else {
            throw ProtectedResourceError.noClient(
                issuer: server.issuer.text, provider: id,
                supportsMetadataDocuments: server.metadata.supportsMetadataDocuments)
        }
        // Not every server accepts any port (RFC 8252 section 7.3), so the redirect URI has a fixed random port above
        // the ephemeral range.
        let random = try services.random.bytes(2).reduce(0) { $0 << 8 | Int($1) }
        provider.redirectURI = "http://127.0.0.1:\(61000 + random % 4536)\(provider.redirectPath)"
        // A server can refuse a registration with scopes that it does not list, and a client with fewer scopes than it requests.
        let requested = provider.scopes(of: resource, adding: scopes)
        let isKnown = server.metadata.scopes.map { Set(requested).isSubset(of: $0) } ?? false
        let registered = try await RegisterClient(in: profile, clientName: clientName).run(
            provider, key: nil, scopes: isKnown ? requested : [])
        return (registered.provider, registered)
    }

    private func name(of issuer: HTTPURL) throws -> String {
        SignInToResource.name(of: issuer, excluding: try profile.providerIDs(), variables: profile.host.variableNames)
    }

    static func name(of issuer: HTTPURL, excluding taken: [String], variables: [String] = []) -> String {
        let host = issuer.host.replacing(":", with: "-")
        let port = issuer.explicitPort.map { "-\($0)" } ?? ""
        let name = "oidc." + (host + port).prefix(58)
        let names = Set(taken.map(Provider.environmentName))
        func isFree(_ id: String) -> Bool {
            let variable = Provider.environmentName(id)
            let settings = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET", "TOKEN", "TOKEN_FILE"]
            return !names.contains(variable) && !settings.contains { variables.contains("AUTHCTL_\(variable)_\($0)") }
        }
        guard !isFree(String(name)) else { return String(name) }
        return (2...).lazy.map { "\(name)-\($0)" }.first(where: isFree) ?? String(name)
    }
}

/// A client ID metadata document, whose URL is the client ID (draft-ietf-oauth-client-id-metadata-document).
enum ClientMetadata {
    private static let longest = 64 << 10

    static func redirectURI(at url: HTTPURL, _ services: Services) async throws -> String {
        guard url.isSecure, url.path.utf8.count > 1, !url.hasAmbiguousPath else {
            throw ClientMetadataError.url(url.text)
        }
        return try redirectURI(in: try await services.uncachedDocument(at: url, maximumLength: longest), of: url)
    }

    static func redirectURI(in bytes: [UInt8], of url: HTTPURL) throws(ClientMetadataError) -> String {
        guard let object = try? StrictJSON.object(bytes) else { throw .noDocument(url.text) }
        guard let named = object["client_id"]?.string, named.hasSameBytes(as: url.text) else {
            throw .otherClient(url.text, found: object["client_id"].map { ServerText($0.string ?? $0.text) })
        }
        let method = object["token_endpoint_auth_method"]?.string ?? "none"
        guard method == "none" else { throw .method(url.text, ServerText(method)) }
        let loopback = (object["redirect_uris"]?.strings ?? []).first { (try? HTTPURL($0))?.isLoopback == true }
        guard let loopback else { throw .noRedirectURI(url.text) }
        return loopback
    }
}

/// Why a client metadata document cannot be used.
package enum ClientMetadataError: CodedError, Sendable, Equatable {
    case url(String)
    case noDocument(String)
    case otherClient(String, found: ServerText?)
    case noRedirectURI(String)
    case method(String, ServerText)

    package var code: ErrorCode { .invalidConfiguration }
}
