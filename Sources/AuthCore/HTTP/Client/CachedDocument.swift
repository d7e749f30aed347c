/// A discovery document or key set in the cache.
package struct CachedDocument: Sendable, Equatable {
    package var body: [UInt8]
    /// Seconds since 1970.
    package var fetchedAt: Int64
    package var freshUntil: Int64
    package var forcedAt: Int64?
    package var zone: NetworkZone?
}

extension CachedDocument {
    /// Whether the cached copy is used without a request.
    func serves(at now: Int64, _ refetch: DocumentFetcher.Refetch) -> Bool {
        guard now < freshUntil, now >= fetchedAt else { return false }
        switch refetch {
        case .whenStale: return true
        case .oncePerMinute: return forcedAt.map { now - $0 < DocumentFetcher.forcedInterval && now >= $0 } ?? false
        case .always: return false
        }
    }
}

/// A cache of documents that processes share. If it fails, the document is requested again.
package protocol DocumentCache: Sendable {
    func document(for key: String) async -> CachedDocument?
    func store(_ document: CachedDocument, for key: String) async
}
