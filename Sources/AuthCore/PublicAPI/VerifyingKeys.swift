/// An issuer's keys for verification. A fetched document is parsed once, and OpenSSL's contexts are reused.
actor VerifyingKeys {
    private let issuer: HTTPURL
    private let fixed: JWSVerifier?
    private let fetcher: DocumentFetcher
    private var current: (body: [UInt8], verifier: JWSVerifier)?
    /// When the documents were last checked, in seconds since 1970: a stream of tokens checks once a second.
    private var checkedAt: Int64?

    init(issuer: HTTPURL, fixed: JWKSet?, fetcher: DocumentFetcher) {
        self.issuer = issuer
        self.fixed = fixed.map { JWSVerifier(keys: $0) }
        self.fetcher = fetcher
    }

    func verify(_ token: UnverifiedJWS) async throws -> VerifiedJWS {
        if let fixed { return try fixed.verify(token) }
        do { return try await verifier(.whenStale).verify(token) } catch JOSEError.noKey {
            return try await verifier(.oncePerMinute).verify(token)
        }
    }

    private func verifier(_ refetch: DocumentFetcher.Refetch) async throws -> JWSVerifier {
        let now = fetcher.clock.now()
        if refetch == .whenStale, checkedAt == now, let current { return current.verifier }
        let published = try await Discovery(fetcher: fetcher).publishedKeys(issuer: issuer)
        let (keys, body) = try await KeySource(fetcher: fetcher, published: published).document(refetch: refetch)
        checkedAt = now
        if let current, current.body == body { return current.verifier }
        let verifier = JWSVerifier(keys: keys, algorithms: published.algorithms)
        current = (body, verifier)
        return verifier
    }
}

/// Caches documents in this process.
package final class MemoryDocumentCache: DocumentCache {
    private let documents = Lock<[String: CachedDocument]>([:])

    package init() {}

    package func document(for key: String) -> CachedDocument? { documents.withLock { $0[key] } }
    package func store(_ document: CachedDocument, for key: String) { documents.withLock { $0[key] = document } }
}
