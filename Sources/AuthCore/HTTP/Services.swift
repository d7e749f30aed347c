/// The connections to the outside that every use case receives, so that tests can replace them.
package struct Services: Sendable {
    package var transport: any HTTPTransport
    package var cache: any DocumentCache
    package var clock: Clock
    package var random: RandomSource
    package var note: @Sendable (RequestNote) -> Void
    /// The clocks of servers, for everything that this process signs.
    let serverTimes = ServerTimes()

    package init(
        transport: any HTTPTransport, cache: any DocumentCache = NoDocumentCache(), clock: Clock,
        random: RandomSource = .openSSL, note: @escaping @Sendable (RequestNote) -> Void = { _ in }
    ) {
        self.note = note
        self.transport = transport
        self.cache = cache
        self.clock = clock
        self.random = random
    }

    package var fetcher: DocumentFetcher { DocumentFetcher(transport: transport, cache: cache, clock: clock) }
}
