/// Gets a provider's metadata from its well-known document (OpenID Connect Discovery section 4).
public struct Discovery: Sendable {
    let fetcher: DocumentFetcher

    public init(fetcher: DocumentFetcher) { self.fetcher = fetcher }

    /// Which well-known document describes the provider.
    public enum Document: String, Sendable, CaseIterable {
        /// OpenID Connect Discovery section 4: the path is appended to the issuer.
        case openID = "openid"
        /// RFC 8414 section 3: the path is put between host and path of the issuer.
        case oauth

        /// The document's URL, built by removing one trailing slash of the issuer.
        func url(of issuer: HTTPURL) throws(HTTPURLError) -> HTTPURL {
            let base = issuer.textWithoutSlash
            switch self {
            case .openID: return try HTTPURL(base + "/.well-known/openid-configuration")
            case .oauth:
                let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
                return try HTTPURL(base.dropLast(path.count) + "/.well-known/oauth-authorization-server" + path)
            }
        }
    }

    /// Returns the provider's metadata.
    /// - Parameter forced: fetch it even if it is cached; honoured once a minute.
    /// - Throws: `DiscoveryError`, `DocumentError`, `HTTPError`.
    public func metadata(
        issuer: HTTPURL, document kind: Document = .openID, allowsPlainHTTP: Bool = false, forced: Bool = false
    ) async throws -> ProviderMetadata {
        try await read(issuer, kind, allowsPlainHTTP, forced) {
            try ProviderMetadata($0, issuer: issuer, zone: $1, allowsPlainHTTP: allowsPlainHTTP)
        }
    }

    /// Returns where an issuer's keys are, whether or not it signs people in.
    /// - Throws: `DiscoveryError`, `DocumentError`, `HTTPError`.
    public func publishedKeys(issuer: HTTPURL, forced: Bool = false) async throws -> PublishedKeys {
        try await read(issuer, .openID, false, forced) { try PublishedKeys($0, issuer: issuer, zone: $1) }
    }

    private func read<Read>(
        _ issuer: HTTPURL, _ kind: Document, _ allowsPlainHTTP: Bool, _ forced: Bool,
        _ read: @Sendable ([UInt8], NetworkZone?) throws -> Read
    ) async throws -> Read {
        let url = try kind.url(of: issuer)
        let request = HTTPRequest(
            .get, url, headers: [(name: "Accept", value: "application/json")], allowsPlainHTTP: allowsPlainHTTP)
        do {
            let document = try await fetcher.document(
                request, key: "discovery \(issuer.text) \(url.text)", forced: forced
            ) { _ = try read($0, $1) }
            return try read(document.body, document.zone)
        } catch DocumentError.status(404, _) {
            throw DiscoveryError.notFound(url: url.text)
        }
    }
}

/// The keys of one provider, fetched when they are needed and again when a token names an unknown one.
public struct KeySource: Sendable {
    let fetcher: DocumentFetcher
    let published: PublishedKeys
    let allowsPlainHTTP: Bool

    public init(fetcher: DocumentFetcher, published: PublishedKeys, allowsPlainHTTP: Bool = false) {
        self.fetcher = fetcher
        self.published = published
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// Returns the provider's keys.
    /// - Parameter forced: fetch them even if they are cached; honoured once a minute.
    /// - Throws: `KeySetError`, `DocumentError`, `HTTPError`.
    public func keys(forced: Bool = false) async throws -> JWKSet {
        guard let url = published.urls.first else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        return try await keys(at: url, forced: forced)
    }

    private func keys(at url: HTTPURL, forced: Bool) async throws -> JWKSet {
        var request = HTTPRequest(
            .get, url, headers: [(name: "Accept", value: "application/json")],
            maximumResponseLength: JWKSet.maximumLength, allowsPlainHTTP: allowsPlainHTTP)
        request.narrowestZone = published.zone
        let key = "keys \(published.issuer) \(url.text)"
        let document = try await fetcher.document(request, key: key, forced: forced) { body, _ in
            _ = try JWKSet(body)
        }
        return try JWKSet(document.body)
    }

    /// Checks a signature, fetching the keys once more when none of them fits.
    /// - Throws: `JOSEError`, and what `keys` throws.
    public func verify(_ token: UnverifiedJWS, algorithms: Set<SignatureAlgorithm>) async throws -> VerifiedJWS {
        guard !published.urls.isEmpty else { throw DiscoveryError.missingEndpoint("jwks_uri") }
        // What is cached first, wherever it is from; then each set once more.
        for forced in [false, true] {
            for url in published.urls {
                do {
                    return try JWSVerifier(keys: try await keys(at: url, forced: forced), algorithms: algorithms)
                        .verify(token)
                } catch JOSEError.noKey {
                    continue
                }
            }
        }
        throw JOSEError.noKey(kid: token.header.keyID)
    }
}
