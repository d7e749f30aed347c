import CCatalog

/// The services of this version.
package enum Catalog {
    /// When its facts were collected.
    static let version = "2026-11-28"

    static var bytes: [UInt8] { Array(String(cString: ccatalog_text()).utf8) }

    package static let entries: [CatalogEntry] = {
        let bytes = Catalog.bytes
        let entries = (try? YAMLDocument(bytes))?.root?.mapping?.entries ?? []
        return entries.compactMap { entry in
            guard let name = entry.key.text, let mapping = entry.value.mapping else { return nil }
            return try? CatalogEntry(name, entry: mapping, in: bytes)
        }
    }()

    /// The entry of a provider's service: the one that it copied, or that of its preset or built-in ID.
    package static func entry(of provider: Provider) -> CatalogEntry? {
        if let name = provider.serviceName ?? provider.preset?.rawValue { return named(name) }
        return entries.first { $0.id == provider.id && provider.dialect.endpoints != nil }
    }

    static func titled(_ title: String) -> CatalogEntry? {
        entries.first { $0.title.lowercased() == title.lowercased() }
    }

    package static func named(_ name: String) -> CatalogEntry? { entries.first { $0.name == name } }

    /// The host of this provider that belongs to a built-in provider, or to a service that has the same host for all users.
    static func takenHost(of provider: Provider) -> String? {
        let services = entries.filter { entry in entry.questions.allSatisfy { $0.standard != nil } }.flatMap(\.hosts)
        let builtIn = Dialect.builtIn.compactMap { try? Provider(builtIn: $0.id, clientID: "") }
        let endpoints = builtIn.compactMap { try? $0.fixedMetadata() }.flatMap { metadata in
            [metadata.authorizationEndpoint, metadata.tokenEndpoint]
                + ProviderEndpoint.allCases.compactMap { metadata[$0] }
        }
        return provider.hosts.first { host in
            services.contains(host) || endpoints.contains { $0.host == host }
                || HTTPURL(authority: host).map { url in builtIn.contains { $0.owns(url) } } ?? false
        }
    }
}
