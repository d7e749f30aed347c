/// Fetches public documents. It caches them for their HTTP freshness lifetime, repeats requests, and follows redirects
/// within one origin only.
package struct DocumentFetcher: Sendable {
    let transport: any HTTPTransport
    /// Nil to cache nothing.
    let cache: (any DocumentCache)?
    let clock: Clock

    static let freshness: ClosedRange<Int64> = 300...86400
    static let defaultFreshness: Int64 = 3600
    static let staleLimit: Int64 = 86400
    /// Whether a fresh cached copy is fetched again.
    package enum Refetch: Sendable {
        case whenStale
        /// At most once a minute, because attackers can send many tokens with unknown keys.
        case oncePerMinute
        /// For commands that show the current document, or store a client that depends on it.
        case always
    }

    /// Seconds.
    static let forcedInterval: Int64 = 60

    /// Returns what `parse` makes of the document that `request` asks for. A document that it does not accept is not
    /// cached.
    ///   - key: the name in the cache. It contains the issuer, so that documents of different issuers are never
    ///     confused.
    package func document<Value: Sendable>(
        _ request: HTTPRequest, key: String, refetch: Refetch = .whenStale,
        parse: @Sendable (CachedDocument) throws -> Value
    ) async throws -> Value {
        let known = await cache?.document(for: key)
        let now = clock.now()
        if let known, known.serves(at: now, refetch) { return try parse(known) }
        do {
            let document = CachedDocument(try await fetch(request), refetch: refetch, known: known, at: now)
            let value = try parse(document)
            await cache?.store(document, for: key)
            return value
        } catch {
            guard var known, !Task.isCancelled else { throw error }
            switch refetch {
            case .whenStale where now - known.fetchedAt < DocumentFetcher.staleLimit && now >= known.fetchedAt:
                return try parse(known)
            case .oncePerMinute:
                known.forcedAt = now
                await cache?.store(known, for: key)
            default: break
            }
            throw error
        }
    }

    /// Cached for a document that the server does not have. No parser accepts it.
    private static let absent = Array("{}".utf8)

    /// The same for a document that may be missing or invalid; nil in these cases.
    func optionalDocument<Value: Sendable>(
        _ request: HTTPRequest, key: String, refetch: Refetch, parse: @Sendable (CachedDocument) throws -> Value
    ) async -> Value? {
        let known = await cache?.document(for: key)
        let now = clock.now()
        if let known, known.serves(at: now, refetch) { return try? parse(known) }
        let response = try? await following(request)
        if let response, response.status == 200 {
            let document = CachedDocument(response, refetch: refetch, known: known, at: now)
            if let value = try? parse(document) {
                await cache?.store(document, for: key)
                return value
            }
        }
        // After a cancellation, nothing is known about the document.
        if Task.isCancelled { return nil }
        let isMissing = response.map { (400...499).contains($0.status) } ?? false
        if !isMissing, let known, now - known.fetchedAt < DocumentFetcher.staleLimit, let value = try? parse(known) {
            return value
        }
        let lifetime = isMissing ? DocumentFetcher.defaultFreshness : DocumentFetcher.freshness.lowerBound
        await cache?.store(
            CachedDocument(
                body: DocumentFetcher.absent, fetchedAt: now, freshUntil: now + lifetime,
                forcedAt: refetch == .whenStale ? nil : now), for: key)
        return nil
    }

    private func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        request.repeats = clock
        let response = try await following(request)
        switch response.status {
        case 200: return response
        case 429:
            throw DocumentError.tooManyRequests(
                origin: request.url.origin, retryAfter: RetryAfter.seconds(response, now: clock.now()))
        default: throw DocumentError.status(response.status, url: request.url.text)
        }
    }

    private func following(_ request: HTTPRequest) async throws -> HTTPResponse {
        var (request, hops) = (request, 0)
        while true {
            let response = try await transport.response(to: request)
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("location")
            else { return response }
            let next = try? request.url.resolving(location)
            guard hops < 3, let next, next.origin == request.url.origin else {
                throw DocumentError.redirect(url: request.url.text, to: ServerText(next?.text ?? location))
            }
            request.url = next
            hops += 1
        }
    }

    static func lifetime(_ response: HTTPResponse) -> Int64 {
        let directives = (response.header("cache-control") ?? "").lowercased().split(separator: ",")
        for directive in directives {
            let text = String(directive).trimmingSpaces()
            if text == "no-store" || text == "no-cache" { return DocumentFetcher.freshness.lowerBound }
            if text.hasPrefix("max-age="), let seconds = Int64(text.dropFirst(8)) {
                return min(max(seconds, DocumentFetcher.freshness.lowerBound), DocumentFetcher.freshness.upperBound)
            }
        }
        return DocumentFetcher.defaultFreshness
    }
}

extension CachedDocument {
    fileprivate init(
        _ response: HTTPResponse, refetch: DocumentFetcher.Refetch, known: CachedDocument?, at now: Int64
    ) {
        self.init(
            body: response.body, fetchedAt: now, freshUntil: now + DocumentFetcher.lifetime(response),
            forcedAt: refetch == .whenStale ? known?.forcedAt : now, zone: response.zone)
    }
}
