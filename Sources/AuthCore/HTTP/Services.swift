/// The network, clock and random numbers of all operations, which tests replace.
package struct Services: Sendable {
    package var transport: any HTTPTransport
    package var cache: any DocumentCache = NoDocumentCache()
    package var clock: Clock
    package var random = RandomSource.openSSL
    package var note: @Sendable (RequestNote) -> Void = { _ in }
    /// The servers' clocks, for the times in signed requests.
    let serverTimes = ServerTimes()

    package var fetcher: DocumentFetcher { DocumentFetcher(transport: transport, cache: cache, clock: clock) }
}
