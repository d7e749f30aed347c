/// The `Retry-After` header (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Seconds from `now`, from 0 to one day; nil if the header is missing or invalid. A date is of the server's clock.
    static func seconds(_ response: HTTPResponse, now: Int64) -> Int64? {
        guard let text = response.header("retry-after") else { return nil }
        guard let seconds = Int64(text) ?? HTTPDate.parse(text).map({ $0 - (response.serverTime ?? now) }), seconds >= 0
        else { return nil }
        return min(seconds, 86400)
    }
}
