/// Finds the authorization server of a protected resource, and the client for a sign-in. Stores nothing.
package struct DiscoverResource: Sendable {
    let profile: Profile

    package init(_ profile: Profile) { self.profile = profile }

    /// A resource and its authorization server, found from a URL.
    package struct Chain: Sendable {
        package let found: ResourceDiscovery.Found
        package let server: Server?

        package var binding: Binding {
            if found.resource?.requiresBoundTokens == true { return .required }
            return server?.metadata.proofAlgorithms?.isEmpty == false ? .supported : .no
        }
    }

    package struct Server: Sendable {
        package let issuer: HTTPURL
        @Shared package var metadata: ProviderMetadata
        package let document: Discovery.Document
        package let client: Client
    }

    package enum Binding: String, Sendable { case required, supported, no }

    /// How this program becomes a client of the server.
    package enum Client: Sendable, Equatable {
        case configured(String)
        case metadataDocument
        case registration
        /// The client must be registered manually.
        case none

        package var text: String {
            switch self {
            case .configured: "configured"
            case .metadataDocument: "metadata-document"
            case .registration: "registration"
            case .none: "none"
            }
        }
    }

    package func run(_ url: HTTPURL, provider: String? = nil) async throws -> Chain {
        let services = try profile.services(cached: false)
        let entries = try provider.map { [try profile.resolve($0).configured()] } ?? profile.providers()
        let host = entries.first { $0.authorityFile != nil && $0.issuer.origin == url.origin }
        let found = try await ResourceDiscovery(services: try services.trusting(host)).run(url)
        guard let resource = found.resource else { return Chain(found: found, server: nil) }
        let servers = resource.authorizationServers
        let entry = DiscoverResource.entry(of: servers, among: entries)
        if let named = entries.first, provider != nil, entry == nil {
            throw ProtectedResourceError.otherServer(
                provider: named.id, issuer: named.issuer.text, resource: resource.resource.text)
        }
        guard let issuer = entry?.issuer ?? (servers.count == 1 ? servers[0] : nil) else {
            return Chain(found: found, server: nil)
        }
        return Chain(found: found, server: try await server(issuer, of: entry, in: resource.zone, with: services))
    }

    static func entry(of servers: [HTTPURL], among entries: [Provider]) -> Provider? {
        servers.lazy.compactMap { server in entries.first { $0.isEntry(of: server) } }.first
    }

    private func server(
        _ issuer: HTTPURL, of entry: Provider?, in zone: NetworkZone, with services: Services
    ) async throws -> Server {
        let services = try services.trusting(entry)
        var discovery = Discovery(fetcher: services.fetcher)
        if let entry {
            let known = try await TenantLookup(fetcher: services.fetcher).resolved(entry).fixedMetadata()
            let metadata =
                if let known { known } else {
                    try await discovery.metadata(
                        issuer: entry.issuer, document: entry.discovery, needsKeys: entry.dialect.hasIDTokens,
                        allowsPlainHTTP: entry.allowsPlainHTTP)
                }
            return Server(issuer: issuer, metadata: metadata, document: entry.discovery, client: .configured(entry.id))
        }
        // The user named the resource, but not its authorization server.
        discovery.narrowestZone = zone
        let (metadata, document) = try await discovery.authorizationServer(issuer)
        let client: Client =
            metadata.supportsMetadataDocuments
            ? .metadataDocument : metadata[.registration] == nil ? .none : .registration
        return Server(issuer: try HTTPURL(metadata.issuer), metadata: metadata, document: document, client: client)
    }
}

extension Provider {
    func isEntry(of server: HTTPURL) -> Bool {
        guard dialect.endpoints != nil else { return issuer.isSameIssuer(as: server) }
        guard let rule = try? fixedMetadata()?.issuers else { return false }
        if case .tenants(let tenants) = rule, tenants.issuer(of: tenant ?? Provider.defaultTenant) == server.text {
            return true
        }
        return rule.matches(server.text)
    }
}
