/// Fetches a provider's metadata from its well-known URL (OpenID Connect Discovery section 4).
package struct Discovery: Sendable {
    let fetcher: DocumentFetcher
    var narrowestZone = NetworkZone.loopback

    package init(fetcher: DocumentFetcher) { self.fetcher = fetcher }

    /// Which well-known document describes the provider.
    package enum Document: String, Sendable, CaseIterable {
        /// OpenID Connect Discovery section 4: the path is appended to the issuer.
        case openID = "openid"
        /// RFC 8414 section 3: the path is put between host and path of the issuer.
        case oauth
        /// The OpenID document, at a URL that is built in the same way (RFC 8414 section 5). Some servers use it.
        case openIDInserted = "openid-inserted"

        fileprivate var path: String {
            "/.well-known/" + (self == .oauth ? "oauth-authorization-server" : "openid-configuration")
        }

        func url(of issuer: HTTPURL) throws(HTTPURLError) -> HTTPURL {
            let base = issuer.textWithoutSlash
            guard self != .openID else { return try HTTPURL(base + path) }
            let inserted = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
            return try HTTPURL(base.dropLast(inserted.count) + path + inserted)
        }
    }

    /// Returns the provider's metadata. Fields that the OpenID document lacks are read from the OAuth document if there
    /// is one: several servers publish the endpoints for revocation, registration and device authorization only there.
    ///
    /// - needsKeys: whether ID tokens are required. Then a document without keys is invalid; otherwise only this
    ///   document is read.
    package func metadata(
        issuer: HTTPURL, document kind: Document = .openID, needsKeys: Bool = true, allowsPlainHTTP: Bool = false,
        refetch: DocumentFetcher.Refetch = .whenStale
    ) async throws -> ProviderMetadata {
        @Sendable func metadata(
            _ document: CachedDocument, with supplement: [UInt8]? = nil
        ) throws(DiscoveryError) -> ProviderMetadata {
            try ProviderMetadata(
                document.body, supplement: supplement, issuer: issuer, zone: document.zone, needsKeys: needsKeys,
                allowsPlainHTTP: allowsPlainHTTP)
        }
        let (alone, document): (ProviderMetadata, CachedDocument)
        do {
            (alone, document) = try await self.document(
                of: issuer, kind: kind, allowsPlainHTTP: allowsPlainHTTP, refetch: refetch
            ) { (try metadata($0), $0) }
        } catch  where kind == .openID && needsKeys && Discovery.isMissing(error) {
            // The user chooses the document, so the other one is only read to propose it.
            let other = try? await self.metadata(issuer: issuer, document: .oauth, allowsPlainHTTP: allowsPlainHTTP)
            guard other != nil else { throw error }
            throw DiscoveryError.onlyOAuthDocument(url: try kind.url(of: issuer).text, issuer: issuer.text)
        }
        guard kind == .openID, needsKeys, !alone.namesEveryEndpoint else { return alone }
        let request = try request(issuer, for: .oauth, allowsPlainHTTP: allowsPlainHTTP)
        // A document of another issuer, or one with endpoints that must not be used, is ignored.
        let completed = await fetcher.optionalDocument(request, key: key(issuer, request), refetch: refetch) {
            try metadata(document, with: $0.body)
        }
        return completed ?? alone
    }

    /// Returns the metadata of the authorization server of a resource, and its URL. The well-known path is inserted for
    /// OAuth, inserted for OpenID Connect, or appended, in this order (RFC 8414 sections 3.1 and 5).
    package func authorizationServer(
        _ issuer: HTTPURL
    ) async throws -> (metadata: ProviderMetadata, document: Document) {
        let hasPath = !issuer.path.isEmpty && issuer.path != "/"
        var readError: (any Error)?
        for kind in hasPath ? [Document.oauth, .openIDInserted, .openID] : [.oauth, .openID] {
            do {
                return (try await metadata(issuer: issuer, document: kind, needsKeys: false), kind)
            } catch  where Discovery.isMissing(error) {
                switch error {
                case DocumentError.redirect, DiscoveryError.document: readError = readError ?? error
                default: break
                }
            }
        }
        throw try readError ?? DiscoveryError.notFound(url: Document.oauth.url(of: issuer).text)
    }

    /// Whether the server lacks a document. Many servers return a page for every path, or redirect to one.
    private static func isMissing(_ error: any Error) -> Bool {
        switch error {
        case DocumentError.status(400...499, _), DocumentError.redirect, DiscoveryError.notFound,
            DiscoveryError.document:
            true
        default: false
        }
    }

    /// Returns the keys of an issuer's tokens. An authorization server without OpenID Connect has only the document of
    /// RFC 8414.
    package func publishedKeys(issuer: HTTPURL) async throws -> PublishedKeys {
        func keys(_ kind: Document) async throws -> PublishedKeys {
            // Only OpenID Connect lists algorithms. Otherwise each key determines its own.
            let unlisted: [SignatureAlgorithm] = kind == .oauth ? SignatureAlgorithm.allCases : [.rs256]
            return try await document(of: issuer, kind: kind) {
                let document = try IssuerDocument($0.body, issuer: issuer, zone: $0.zone, allowsPlainHTTP: false)
                return try PublishedKeys(document, unlisted: unlisted)
            }
        }
        do { return try await keys(.openID) } catch let missing where Discovery.isMissing(missing) {
            do { return try await keys(.oauth) } catch  where Discovery.isMissing(error) { throw missing }
        }
    }

    private func request(_ issuer: HTTPURL, for kind: Document, allowsPlainHTTP: Bool) throws -> HTTPRequest {
        HTTPRequest(
            .get, try kind.url(of: issuer), headers: HTTPRequest.acceptJSON, narrowestZone: narrowestZone,
            allowsPlainHTTP: allowsPlainHTTP)
    }

    private func key(_ issuer: HTTPURL, _ request: HTTPRequest) -> String {
        "discovery \(issuer.text) \(request.url.text)"
    }

    private func document<Value: Sendable>(
        of issuer: HTTPURL, kind: Document, allowsPlainHTTP: Bool = false,
        refetch: DocumentFetcher.Refetch = .whenStale, parse: @Sendable (CachedDocument) throws -> Value
    ) async throws -> Value {
        let request = try request(issuer, for: kind, allowsPlainHTTP: allowsPlainHTTP)
        do {
            return try await fetcher.document(request, key: key(issuer, request), refetch: refetch, parse: parse)
        } catch DocumentError.status(404, _) {
            throw DiscoveryError.notFound(url: request.url.text)
        }
    }
}

extension String {
    /// The issuer, if this is the URL of its discovery document: the inverse of `Discovery.Document.url`.
    package var withoutDiscoveryPath: String {
        for document in [Discovery.Document.openID, .oauth] {
            guard let range = firstRange(of: document.path) else { continue }
            let rest = self[range.upperBound...]
            if rest.isEmpty || rest.hasPrefix("/") { return String(self[..<range.lowerBound] + rest) }
        }
        return self
    }
}
