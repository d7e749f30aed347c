/// What a person should know of a request that went well in the end.
package enum RequestNote: Sendable, Equatable {
    /// What was signed here was refused for its time, and sent once more with the server's.
    ///   - ahead: seconds that this machine's clock is ahead of the server's; below 0 where it is behind.
    case serverTimeUsed(ahead: Int64, origin: String)
}

extension HTTPResponse {
    /// Seconds that the server's clock is ahead of this one, where it refused what was signed here and the clocks are far
    /// enough apart to be the reason; nil where they are not, or it does not say its time.
    func clockOffset(refusing codes: Set<String>, now: Int64) -> Int64? {
        guard (400...401).contains(status), let serverTime, abs(serverTime - now) >= 5 else { return nil }
        let named = (try? StrictJSON.object(body))?["error"]?.string
        let isNamed = named.map(codes.contains) ?? false
        return isNamed || challengeErrors.contains(where: codes.contains) ? serverTime - now : nil
    }

    /// What its challenges call the error (RFC 6750 section 3.1).
    var challengeErrors: [String] {
        AuthenticationChallenge.all(in: self).compactMap { $0.parameters["error"] }
    }
}
