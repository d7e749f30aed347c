/// The network, clock and random numbers of all operations, which tests replace.
package struct Services: Sendable {
    package var transport: any HTTPTransport
    package var cache: (any DocumentCache)?
    package var clock: Clock
    package var random = RandomSource.openSSL
    package var note: @Sendable (RequestNote) -> Void = { _ in }
    /// The servers' clocks, for the times in signed requests.
    let serverTimes = ServerTimes()

    package var fetcher: DocumentFetcher { DocumentFetcher(transport: transport, cache: cache, clock: clock) }

    /// A JSON document that is not cached.
    func uncachedDocument(
        at url: HTTPURL, maximumLength: Int, narrowestZone: NetworkZone = .loopback
    ) async throws -> [UInt8] {
        let request = HTTPRequest(
            .get, url, headers: HTTPRequest.acceptJSON, maximumResponseLength: maximumLength,
            narrowestZone: narrowestZone)
        let fetcher = DocumentFetcher(transport: transport, cache: nil, clock: clock)
        return try await fetcher.document(request, key: url.text) { $0.body }
    }
}
