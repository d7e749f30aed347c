/// The connections to the outside that every use case receives, so that tests can replace them.
package struct Services: Sendable {
    package var transport: any HTTPTransport
    package var cache: any DocumentCache = NoDocumentCache()
    package var clock: Clock
    package var random = RandomSource.openSSL
    package var note: @Sendable (RequestNote) -> Void = { _ in }
    /// The clocks of servers, for everything that this process signs.
    let serverTimes = ServerTimes()

    package var fetcher: DocumentFetcher { DocumentFetcher(transport: transport, cache: cache, clock: clock) }
}
