/// The keys of one provider, fetched when they are needed and again when a token names an unknown one.
package struct KeySource: Sendable {
    let fetcher: DocumentFetcher
    let published: PublishedKeys
    let allowsPlainHTTP: Bool
    let accepted: Set<SignatureAlgorithm>?

    package init(
        fetcher: DocumentFetcher, published: PublishedKeys, allowsPlainHTTP: Bool = false,
        accepted: Set<SignatureAlgorithm>? = nil
    ) {
        self.accepted = accepted
        self.fetcher = fetcher
        self.published = published
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    package func keys(forced: Bool = false) async throws -> JWKSet {
        guard let url = published.urls.first else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        return try await keys(at: url, forced: forced)
    }

    func document(forced: Bool) async throws -> [UInt8] {
        guard let url = published.urls.first else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        return try await document(at: url, forced: forced)
    }

    private func keys(at url: HTTPURL, forced: Bool) async throws -> JWKSet {
        try JWKSet(try await document(at: url, forced: forced))
    }

    private func document(at url: HTTPURL, forced: Bool) async throws -> [UInt8] {
        var request = HTTPRequest(
            .get, url, headers: [(name: "Accept", value: "application/json")],
            maximumResponseLength: JWKSet.maximumLength, allowsPlainHTTP: allowsPlainHTTP)
        request.narrowestZone = published.zone
        let key = "keys \(published.issuer) \(url.text)"
        let document = try await fetcher.document(request, key: key, forced: forced) { body, _ in
            _ = try JWKSet(body)
        }
        return document.body
    }

    package func verify(_ token: UnverifiedJWS, algorithms: Set<SignatureAlgorithm>) async throws -> VerifiedJWS {
        guard !published.urls.isEmpty else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        let algorithms = accepted.map(algorithms.intersection) ?? algorithms
        // First the cached keys of every set, then each set fetched again.
        for forced in [false, true] {
            for url in published.urls {
                do {
                    return try JWSVerifier(keys: try await keys(at: url, forced: forced), algorithms: algorithms)
                        .verify(token)
                } catch JOSEError.noKey {
                    continue
                }
            }
        }
        throw JOSEError.noKey(kid: token.header.keyID)
    }
}
