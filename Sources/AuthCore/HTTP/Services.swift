/// What every use case needs of the outside: handed in once, so that tests hand in their own.
package struct Services: Sendable {
    package var transport: any HTTPTransport
    package var cache: any DocumentCache
    package var clock: Clock
    package var random: RandomSource
    package var note: @Sendable (RequestNote) -> Void
    /// What servers said of their time, for whatever is signed in this process.
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
