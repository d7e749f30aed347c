/// The differences between servers' clocks and this machine's, for servers that rejected the time of a signed request.
final class ServerTimes: Sendable {
    private let offsets = Lock<[String: Int64]>([:])

    /// Seconds that the server's clock is ahead; 0 if it is unknown.
    func ahead(at url: HTTPURL) -> Int64 { offsets.withLock { $0[url.origin] ?? 0 } }

    fileprivate func learn(_ ahead: Int64, at url: HTTPURL) { offsets.withLock { $0[url.origin] = ahead } }
}

/// The permitted repetitions of one request: one with the server's DPoP nonce, and one with the server's time.
struct RequestRetries {
    let url: HTTPURL
    let services: Services
    private(set) var hasNonce = false
    private(set) var isCorrected = false

    ///   - now: seconds since 1970, as stated in the request.
    mutating func isDue(
        after response: HTTPResponse, requiresNonce: Bool, refusing codes: Set<String>, now: Int64
    ) -> Bool {
        if !hasNonce, requiresNonce {
            hasNonce = true
            return true
        }
        guard !isCorrected, let offset = response.clockOffset(refusing: codes, now: now) else { return false }
        isCorrected = true
        let ahead = services.serverTimes.ahead(at: url) + offset
        services.serverTimes.learn(ahead, at: url)
        services.note(.serverTimeUsed(ahead: -ahead, origin: url.origin))
        return true
    }
}
