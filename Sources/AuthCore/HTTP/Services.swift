/// What every use case needs of the outside: handed in once, so that tests hand in their own.
public struct Services: Sendable {
    public var transport: any HTTPTransport
    public var cache: any DocumentCache
    public var clock: Clock
    public var random: RandomSource
    /// Told what a person should know.
    public var note: @Sendable (RequestNote) -> Void

    public init(
        transport: any HTTPTransport, cache: any DocumentCache = NoDocumentCache(), clock: Clock,
        random: RandomSource = .openSSL, note: @escaping @Sendable (RequestNote) -> Void = { _ in }
    ) {
        self.note = note
        self.transport = transport
        self.cache = cache
        self.clock = clock
        self.random = random
    }

    public var fetcher: DocumentFetcher { DocumentFetcher(transport: transport, cache: cache, clock: clock) }
}
