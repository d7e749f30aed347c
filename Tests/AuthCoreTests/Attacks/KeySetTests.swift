import AuthCoreTesting
import Synchronization
import Testing

@testable import AuthCore

/// JSON Web Key Sets (RFC 7517).
@Suite struct `Key sets` {
    private func failure(_ change: (TestProvider) throws -> Void) async throws -> any Error {
        let provider = try TestProvider()
        try change(provider)
        return try await SignInRun.good(provider).failure()
    }

    private func failure(keys: HTTPResponse) async throws -> any Error {
        try await failure { $0.on("/jwks") { _ throws(HTTPError) in keys } }
    }

    @Test(
        arguments: [
            ("", .json(.malformed(offset: 0))), ("<html>", .json(.malformed(offset: 0))), ("{}", .noKeys),
            (#"{"keys":{}}"#, .noKeys), (#"{"keys":[]}"#, .noKeys),
            (#"{"keys":[1],"keys":[]}"#, .json(.duplicateName("keys"))),
        ] as [(String, KeySetError)])
    func `E1: a response that is not a JWK Set with keys is refused`(body: String, error: KeySetError) async throws {
        #expect(try await failure(keys: .text(body)) == error)
    }

    /// An issuer's keys, in a cache whose clock the test can change.
    private final class CachedKeys: Sendable {
        let clock = Mutex(TestProvider.now)
        let cache = MemoryCache()
        private let provider: TestProvider

        init(provider: TestProvider) { self.provider = provider }

        func source(_ issuer: String = TestProvider.issuer) async throws -> KeySource {
            let fetcher = DocumentFetcher(
                transport: provider, cache: cache, clock: Clock(now: { self.clock.withLock { $0 } }, sleep: { _ in }))
            let metadata = try await Discovery(fetcher: fetcher).metadata(issuer: try HTTPURL(issuer))
            return KeySource(fetcher: fetcher, published: metadata.publishedKeys)
        }
    }

    @Test(
        arguments: [
            .success(.text("<html>")), .success(HTTPResponse(status: 500)), .success(HTTPResponse(status: 503)),
            .success(HTTPResponse(status: 404)), .success(HTTPResponse(status: 429)),
            .failure(.cannotConnect(origin: "o", reason: "r")), .failure(.connectionLost(origin: "o", reason: "r")),
            .failure(.timedOut(origin: "o")), .failure(.untrusted(origin: "o", reason: .unknownAuthority)),
        ] as [Result<HTTPResponse, HTTPError>])
    func `E1: cached keys verify tokens for up to one day if the key set cannot be fetched or parsed`(
        response: Result<HTTPResponse, HTTPError>
    ) async throws {
        let provider = try TestProvider()
        let cached = CachedKeys(provider: provider)
        let source = try await cached.source()
        let token = try UnverifiedJWS(provider.sign("{}"))
        _ = try await source.verify(token, algorithms: [.es256])
        provider.on("/jwks") { _ throws(HTTPError) in try response.get() }
        cached.clock.withLock { $0 += 86_000 }
        let count = provider.requests(to: "/jwks").count
        _ = try await source.verify(token, algorithms: [.es256])
        #expect(provider.requests(to: "/jwks").count > count, "the key set is no longer fresh, and is requested")
        cached.clock.withLock { $0 += 1_000 }
        let url = "https://id.example.com/jwks"
        let error = await #expect(throws: (any Error).self) { try await source.verify(token, algorithms: [.es256]) }
        switch response {
        case .success(let response) where response.status == 200:
            #expect(error == KeySetError.json(.malformed(offset: 0)))
        case .success(let response) where response.status == 429:
            #expect(error == DocumentError.tooManyRequests(origin: "https://id.example.com:443", retryAfter: nil))
        case .success(let response): #expect(error == DocumentError.status(response.status, url: url))
        case .failure(let failure): #expect(error == failure)
        }
    }

    @Test func `E2: a key set with more than 100 keys or more than 512 KiB is refused`() async throws {
        let many = (0..<101).map { _ in #"{"kty":"oct","k":"AA"}"# }.joined(separator: ",")
        #expect(try await failure(keys: .text(#"{"keys":[\#(many)]}"#)) == KeySetError.tooManyKeys)
        let long = #"{"keys":[{"kty":"RSA","x":""# + String(repeating: "a", count: 600_000) + #""}]}"#
        #expect(try await failure(keys: .text(long)) == KeySetError.json(.tooLong(limit: 524288)))
    }

    @Test func `E3: invalid and unknown keys in a key set are skipped`() async throws {
        let provider = try TestProvider()
        var keys = provider.keySet["keys"]?.array ?? []
        keys.insert(["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "broken"], at: 0)
        keys.insert(["kty": "AKP", "alg": "ML-DSA-44", "pub": "AA", "kid": "new"], at: 0)
        keys.append("no object")
        let body = JSONValue.object(["keys": .array(keys)]).text
        provider.on("/jwks") { _ throws(HTTPError) in .text(body) }
        _ = try await SignInRun.good(provider).run()
    }

    @Test func `E4: symmetric keys in a key set are ignored, and a key set with a private key is refused`() async throws
    {
        let provider = try TestProvider()
        let good = (provider.keySet["keys"]?.array ?? []) + [["kty": "oct", "k": "AAAA", "kid": "k1"]]
        let body = JSONValue.object(["keys": .array(good)]).text
        provider.on("/jwks") { _ throws(HTTPError) in .text(body) }
        _ = try await SignInRun.good(provider).run()
        var leaked = provider.keySet["keys"]?.array?.first?.object ?? [:]
        leaked["d"] = "AAAA"
        #expect(
            try await failure(keys: .text(JSONValue.object(["keys": [.object(leaked)]]).text))
                == KeySetError.privateMembers)
    }

    @Test(arguments: [
        "https://evil.example/jwks", "http://id.example.com/jwks", "file:///etc/passwd", "//evil.example/jwks",
        "https://id.example.com/jwks",
    ])
    func `E5: a redirect of the key set to another host, to http or to itself is refused`(target: String) async throws {
        let redirect = HTTPResponse(status: 302, headers: [(name: "location", value: target)])
        let shown = target.hasPrefix("//") ? "https:" + target : target
        #expect(
            try await failure(keys: redirect)
                == DocumentError.redirect(url: "https://id.example.com/jwks", to: ServerText(shown)))
    }

    @Test(arguments: [
        "http://id.example.com/jwks", "https://user@id.example.com/jwks", "https://127.0.0.1/jwks",
        "https://169.254.169.254/jwks",
        "https://localhost/jwks", "https://[::1]/jwks",
    ])
    func `E6: a jwks_uri with plain http, a user name or a non-public address is refused`(uri: String) async throws {
        let failure = try await failure { provider in
            var metadata = provider.metadata
            metadata["jwks_uri"] = .string(uri)
            let changed = metadata
            provider.on("/.well-known/openid-configuration") { _ throws(HTTPError) in .json(changed) }
        }
        let fault: DiscoveryError.EndpointFault =
            uri.hasPrefix("http://") ? .plainHTTP : uri.contains("@") ? .notAURL : .privateNetwork
        #expect(failure == DiscoveryError.invalidEndpoint("jwks_uri", fault))
    }

    @Test func `E7: tokens with unknown key IDs cause one refetch of the key set per minute`() async throws {
        let provider = try TestProvider()
        let cached = CachedKeys(provider: provider)
        let source = try await cached.source()
        func verifyUnknown(_ count: Int) async throws {
            for number in 0..<count {
                let token = try UnverifiedJWS(
                    provider.sign("{}", header: #"{"alg":"ES256","kid":"unknown-\#(number)"}"#))
                await #expect(throws: JOSEError.noKey(kid: "unknown-\(number)")) {
                    try await source.verify(token, algorithms: [.es256])
                }
            }
        }
        try await verifyUnknown(20)
        #expect(provider.requests(to: "/jwks").count == 2, "the first request, and one refetch")
        cached.clock.withLock { $0 += 59 }
        try await verifyUnknown(20)
        #expect(provider.requests(to: "/jwks").count == 2)
        cached.clock.withLock { $0 += 1 }
        try await verifyUnknown(20)
        #expect(provider.requests(to: "/jwks").count == 3)
    }

    @Test func `E7: a refetch that fails is not repeated within a minute`() async throws {
        let provider = try TestProvider()
        let keys = provider.keySet
        let isAvailable = Mutex(true)
        provider.on("/jwks") { _ throws(HTTPError) in
            isAvailable.withLock { $0 } ? .json(keys) : HTTPResponse(status: 404)
        }
        let cached = CachedKeys(provider: provider)
        let source = try await cached.source()
        let known = try UnverifiedJWS(provider.sign("{}"))
        _ = try await source.verify(known, algorithms: [.es256])
        isAvailable.withLock { $0 = false }
        func verifyUnknown() async throws {
            let token = try UnverifiedJWS(provider.sign("{}", header: #"{"alg":"ES256","kid":"unknown"}"#))
            var errors: [any Error] = []
            for _ in 0..<20 {
                do { _ = try await source.verify(token, algorithms: [.es256]) } catch { errors.append(error) }
            }
            let refetch = DocumentError.status(404, url: "https://id.example.com/jwks")
            #expect(errors.count == 20)
            #expect(errors.allSatisfy { $0 == JOSEError.noKey(kid: "unknown") || $0 == refetch })
        }
        try await verifyUnknown()
        #expect(provider.requests(to: "/jwks").count == 2, "the first request, and one refetch")
        cached.clock.withLock { $0 += 59 }
        try await verifyUnknown()
        #expect(provider.requests(to: "/jwks").count == 2)
        cached.clock.withLock { $0 += 1 }
        try await verifyUnknown()
        #expect(provider.requests(to: "/jwks").count == 3)
        _ = try await source.verify(known, algorithms: [.es256])
    }

    @Test func `E8, A14: a key that was rotated just before signing is found with one refetch`() async throws {
        let provider = try TestProvider()
        let old = JWKSet(keys: [JWK(key: try PrivateKey.generate(.ellipticCurve(.p256)).publicKey, keyID: "old")]).json
        let new = provider.keySet
        let requestCount = Mutex(0)
        provider.on("/jwks") { _ throws(HTTPError) in
            .json(
                requestCount.withLock { count in
                    count += 1
                    return count == 1 ? old : new
                })
        }
        _ = try await SignInRun.good(provider).run()
        #expect(provider.requests(to: "/jwks").count == 2)
    }

    @Test func `E8: each sign-in fetches the keys again for an unknown key, also within one minute`() async throws {
        let provider = try TestProvider()
        let new = provider.keySet
        let old = try TestProvider().keySet
        provider.on("/jwks") { _ throws(HTTPError) in .json(old) }
        let cache = MemoryCache()
        #expect(try await SignInRun.good(provider, cache: cache).failure().rejection == .jose(.signature))
        #expect(provider.requests(to: "/jwks").count == 2)
        provider.on("/jwks") { _ throws(HTTPError) in .json(new) }
        provider.claims { $0["nonce"] = nil }
        _ = try await SignInRun.good(provider, cache: cache).run()
        #expect(provider.requests(to: "/jwks").count == 3)
    }

    @Test func `E8: keys that are replaced under the same ID twice within one minute sign each user in`() async throws {
        let cache = MemoryCache()
        for _ in 0..<3 { _ = try await SignInRun.good(TestProvider(), cache: cache).run() }
    }

    @Test(arguments: [true, false])
    func `A14: a key that was replaced under the same ID, or without one, is found with one refetch`(
        hasID: Bool
    ) async throws {
        let provider = try TestProvider()
        let cached = CachedKeys(provider: provider)
        let source = try await cached.source()
        func keys(_ key: PrivateKey) -> JSONObject {
            JWKSet(keys: [JWK(key: key.publicKey, keyID: hasID ? "k1" : nil)]).json
        }
        let old = keys(try PrivateKey.generate(.ellipticCurve(.p256)))
        provider.on("/jwks") { _ throws(HTTPError) in .json(old) }
        let token = try UnverifiedJWS(
            provider.sign("{}", header: hasID ? nil : #"{"alg":"ES256"}"#))
        for _ in 0..<2 {
            await #expect(throws: JOSEError.signature) { try await source.verify(token, algorithms: [.es256]) }
        }
        #expect(provider.requests(to: "/jwks").count == 2, "the first request, and one refetch")
        let new = keys(provider.key)
        provider.on("/jwks") { _ throws(HTTPError) in .json(new) }
        cached.clock.withLock { $0 += 60 }
        _ = try await source.verify(token, algorithms: [.es256])
        #expect(provider.requests(to: "/jwks").count == 3)
    }

    @Test func `E9: two issuers with the same jwks_uri do not share cached keys`() async throws {
        let provider = try TestProvider()
        let metadata = provider.metadata
        provider.on("/.well-known/openid-configuration") { request throws(HTTPError) in
            var metadata = metadata
            metadata["issuer"] = .string("https://" + request.url.host)
            return .json(metadata)
        }
        let cached = CachedKeys(provider: provider)
        let other = try await cached.source("https://other.example.com")
        let old = try await other.keys().keys.map(\.key.material)
        // The next request to the same URL returns other keys.
        let changed = try TestProvider()
        let keys = changed.keySet
        provider.on("/jwks") { _ throws(HTTPError) in .json(keys) }
        let own = try await cached.source()
        #expect(try await own.keys().keys.map(\.key.material) == [changed.key.publicKey.material])
        #expect(try await other.keys().keys.map(\.key.material) == old && old == [provider.key.publicKey.material])
        #expect(provider.requests(to: "/jwks").count == 2)
        let names = await cached.cache.keys
        #expect(
            names.filter { $0.hasPrefix("keys ") } == [
                "keys https://id.example.com https://id.example.com/jwks",
                "keys https://other.example.com https://id.example.com/jwks",
            ])
        #expect(names.filter { $0.hasPrefix("discovery ") }.count >= 2)
    }

    @Test(
        arguments: [
            ("max-age=0", 300), ("max-age=99999999", 86400), ("no-store", 300), ("max-age=1000", 1000), ("", 3600),
        ] as [(String, Int64)])
    func `E10: the cache lifetime of a key set is at least 5 minutes and at most one day`(
        header: String, seconds: Int64
    ) async throws {
        let provider = try TestProvider()
        let keys = provider.keySet
        provider.on("/jwks") { _ throws(HTTPError) in .json(keys, headers: [(name: "cache-control", value: header)]) }
        let cache = MemoryCache()
        let fetcher = DocumentFetcher(
            transport: provider, cache: cache, clock: Clock(now: { TestProvider.now }, sleep: { _ in }))
        let metadata = try await Discovery(fetcher: fetcher).metadata(issuer: try HTTPURL(TestProvider.issuer))
        _ = try await KeySource(fetcher: fetcher, published: metadata.publishedKeys).keys()
        let document = await cache.document(for: "keys https://id.example.com https://id.example.com/jwks")
        #expect(document?.freshUntil == TestProvider.now + seconds)
    }

    @Test func `E10: the key set is requested five times if the server fails`() async throws {
        let provider = try TestProvider()
        provider.on("/jwks") { _ throws(HTTPError) in HTTPResponse(status: 500) }
        let failure = try await SignInRun.good(provider).failure()
        #expect(failure == DocumentError.status(500, url: "https://id.example.com/jwks"))
        #expect(failure.code == .providerUnavailable)
        #expect(provider.requests(to: "/jwks").count == 5)
    }
}

actor MemoryCache: DocumentCache {
    private var documents: [String: CachedDocument] = [:]

    var keys: [String] { documents.keys.sorted() }

    func document(for key: String) async -> CachedDocument? { documents[key] }
    func store(_ document: CachedDocument, for key: String) async { documents[key] = document }
}
