/// A warning about a request that succeeded.
package enum RequestNote: Sendable, Equatable {
    /// The server rejected a signed request because of its time, and accepted it with the server's time.
    ///
    /// - ahead: seconds that this machine's clock is ahead of the server's; negative if it is behind.
    case serverTimeUsed(ahead: Int64, origin: String)
}

extension HTTPResponse {
    /// Seconds that the server's clock is ahead of this machine's, if that explains why a signed request was rejected;
    /// otherwise nil.
    func clockOffset(refusing codes: Set<String>, now: Int64) -> Int64? {
        guard (400...401).contains(status), let serverTime, abs(serverTime - now) >= 5 else { return nil }
        let isNamed = error?.string.map(codes.contains) ?? false
        return isNamed || challengeErrors.contains(where: codes.contains) ? serverTime - now : nil
    }

    /// The JSON object of the body; nil if it is something else.
    var object: JSONObject? { try? StrictJSON.object(body: body) }

    /// The member `error` of a JSON object (RFC 6749 section 5.2).
    var error: JSONValue? { object?.optional("error") }

    /// The error codes of its challenges (RFC 6750 section 3.1).
    var challengeErrors: [String] { AuthenticationChallenge.all(in: self).compactMap { $0.parameters["error"] } }
}
