/// The requests for one provider with CAs of its own, which count for its own hosts only.
struct ProviderTransport: HTTPTransport {
    let others: CurlTransport
    let trusting: CurlTransport
    var origins: Set<String>

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try await client(for: request.url).send(request)
    }

    func client(for url: HTTPURL) -> CurlTransport { origins.contains(url.origin) ? trusting : others }
}

/// Documents that were fetched with these CAs. Other configurations of the same issuer do not use them.
private struct AuthorityCache: DocumentCache {
    let cache: any DocumentCache
    let authorities: String

    func document(for key: String) async -> CachedDocument? { await cache.document(for: "\(key) \(authorities)") }

    func store(_ document: CachedDocument, for key: String) async {
        await cache.store(document, for: "\(key) \(authorities)")
    }
}

extension Services {
    /// These services with more CAs, in PEM, for these origins. A transport that is not the library's decides itself
    /// which servers it trusts.
    func trusting(_ authorities: [UInt8], at origins: Set<String>) throws -> Services {
        guard let others = transport as? CurlTransport else { return self }
        var services = self
        services.transport = ProviderTransport(others: others, trusting: others.trusting(authorities), origins: origins)
        let digest = try HashFunction.sha256.digest(authorities).hexadecimal
        services.cache = cache.map { AuthorityCache(cache: $0, authorities: digest) }
        return services
    }

    /// The same with more origins, if there are such CAs.
    func adding(origins: [String]) -> Services {
        guard var transport = transport as? ProviderTransport else { return self }
        transport.origins.formUnion(origins)
        var services = self
        services.transport = transport
        return services
    }
}
