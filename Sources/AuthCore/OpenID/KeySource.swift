/// The keys of one provider. They are fetched when a token must be verified, and again if it names an unknown key.
package struct KeySource: Sendable {
    let fetcher: DocumentFetcher
    let published: PublishedKeys
    var allowsPlainHTTP = false
    var accepted: Set<SignatureAlgorithm>?
    /// How often keys are fetched again for a token that none of them signed.
    var refetch = DocumentFetcher.Refetch.oncePerMinute

    package init(fetcher: DocumentFetcher, published: PublishedKeys) {
        self.fetcher = fetcher
        self.published = published
    }

    package func keys(refetch: DocumentFetcher.Refetch = .whenStale) async throws -> JWKSet {
        try await document(refetch: refetch).keys
    }

    func document(refetch: DocumentFetcher.Refetch) async throws -> (keys: JWKSet, body: [UInt8]) {
        guard let url = published.urls.first else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        return try await document(at: url, refetch: refetch)
    }

    private func document(
        at url: HTTPURL, refetch: DocumentFetcher.Refetch
    ) async throws -> (keys: JWKSet, body: [UInt8]) {
        let request = HTTPRequest(
            .get, url, headers: HTTPRequest.acceptJSON, maximumResponseLength: JWKSet.maximumLength,
            narrowestZone: published.zone, allowsPlainHTTP: allowsPlainHTTP)
        let key = "keys \(published.issuer) \(url.text)"
        return try await fetcher.document(request, key: key, refetch: refetch) { document in
            (try JWKSet(document.body), document.body)
        }
    }

    package func verify(_ token: UnverifiedJWS, algorithms: Set<SignatureAlgorithm>) async throws -> VerifiedJWS {
        guard !published.urls.isEmpty else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        let algorithms = accepted.map(algorithms.intersection) ?? algorithms
        var failure = JOSEError.noKey(kid: token.header.keyID)
        // Tries the cached keys of all sets first, then fetches each set again. A new key may have the ID of the old one,
        // or none.
        for refetch in [DocumentFetcher.Refetch.whenStale, self.refetch] {
            for url in published.urls {
                do {
                    let keys = try await document(at: url, refetch: refetch).keys
                    return try JWSVerifier(keys: keys, algorithms: algorithms).verify(token)
                } catch JOSEError.noKey {
                    continue
                } catch JOSEError.signature {
                    failure = .signature
                }
            }
        }
        throw failure
    }
}
