/// The latest nonce of each server for the next proof (RFC 9449 sections 8 and 9), by its kind and origin. A nonce is
/// only sent to the server that issued it.
final class DPoPNonces: Sendable {
    enum Server: String, Sendable { case authorization, resource }

    private let cache: (any DocumentCache)?
    private let clock: Clock
    private let known = Lock<[String: String]>([:])

    /// Seconds for which a nonce is stored for later processes. A server rejects an expired nonce and sends a new one.
    private static let lifetime: Int64 = 86400

    init(_ services: Services) {
        cache = services.cache
        clock = services.clock
    }

    private static func key(_ server: Server, _ url: HTTPURL) -> String {
        "dpop-nonce \(server.rawValue) \(url.origin)"
    }

    func nonce(for url: HTTPURL, of server: Server) async -> String? {
        let key = DPoPNonces.key(server, url)
        if let nonce = known.withLock({ $0[key] }) { return nonce }
        guard let cached = await cache?.document(for: key), cached.serves(at: clock.now(), .whenStale),
            let nonce = String(validating: cached.body, as: UTF8.self), DPoPNonces.isNonce(nonce)
        else { return nil }
        known.withLock { $0[key] = nonce }
        return nonce
    }

    @discardableResult
    func learn(_ response: HTTPResponse, from url: HTTPURL, of server: Server) async -> String? {
        let given = response.headers.filter { $0.name.lowercased() == "dpop-nonce" }.map(\.value)
        guard let nonce = given.first, given.count == 1, DPoPNonces.isNonce(nonce) else { return nil }
        let key = DPoPNonces.key(server, url)
        // Writes only a nonce that has changed.
        guard known.withLock({ $0.updateValue(nonce, forKey: key) }) != nonce else { return nonce }
        let now = clock.now()
        await cache?.store(
            CachedDocument(body: Array(nonce.utf8), fetchedAt: now, freshUntil: now + DPoPNonces.lifetime), for: key)
        return nonce
    }

    /// Whether the text has only NQCHAR characters (RFC 9449 section 8.1), at most 1024.
    private static func isNonce(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}
