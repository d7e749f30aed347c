/// A discovery document or key set as it was fetched.
public struct CachedDocument: Sendable, Equatable {
    public var body: [UInt8]
    /// Seconds since 1970.
    public var fetchedAt: Int64
    public var freshUntil: Int64
    /// When a fetch was last forced although this was fresh.
    public var forcedAt: Int64?
    /// Where the document came from, as far as the transport could tell.
    public var zone: NetworkZone?

    public init(body: [UInt8], fetchedAt: Int64, freshUntil: Int64, forcedAt: Int64? = nil, zone: NetworkZone? = nil) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
        self.forcedAt = forcedAt
        self.zone = zone
    }
}

extension CachedDocument {
    /// Whether it is good enough without asking again.
    func serves(at now: Int64, forced: Bool) -> Bool {
        let isFresh = now < freshUntil && now >= fetchedAt
        let wasJustForced = forcedAt.map { now - $0 < DocumentFetcher.forcedInterval && now >= $0 } ?? false
        return isFresh && (!forced || wasJustForced)
    }
}

/// Keeps documents between processes; failing to is no error, only slower.
public protocol DocumentCache: Sendable {
    func document(for key: String) async -> CachedDocument?
    func store(_ document: CachedDocument, for key: String) async
}

/// Keeps nothing.
public struct NoDocumentCache: DocumentCache {
    public init() {}
    public func document(for key: String) async -> CachedDocument? { nil }
    public func store(_ document: CachedDocument, for key: String) async {}
}
