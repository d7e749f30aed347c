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

        func url(of issuer: HTTPURL) throws(HTTPURLError) -> HTTPURL {
            let base = issuer.textWithoutSlash
            switch self {
            case .openID: return try HTTPURL(base + "/.well-known/openid-configuration")
            case .oauth, .openIDInserted:
                let name = self == .oauth ? "oauth-authorization-server" : "openid-configuration"
                let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
                return try HTTPURL(base.dropLast(path.count) + "/.well-known/" + name + path)
            }
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
        let document = try await document(issuer, kind, allowsPlainHTTP: allowsPlainHTTP, refetch: refetch) {
            _ = try ProviderMetadata(
                $0, issuer: issuer, zone: $1, needsKeys: needsKeys, allowsPlainHTTP: allowsPlainHTTP)
        }
        @Sendable func metadata(with supplement: [UInt8]?) throws(DiscoveryError) -> ProviderMetadata {
            try ProviderMetadata(
                document.body, supplement: supplement, issuer: issuer, zone: document.zone, needsKeys: needsKeys,
                allowsPlainHTTP: allowsPlainHTTP)
        }
        let alone = try metadata(with: nil)
        guard kind == .openID, needsKeys, !alone.namesEveryEndpoint else { return alone }
        let request = try request(issuer, .oauth, allowsPlainHTTP: allowsPlainHTTP)
        // A document of another issuer, or one with endpoints that must not be used, is ignored.
        let supplement = await fetcher.optionalDocument(
            request, key: key(issuer, request), refetch: refetch
        ) { body, _ in _ = try metadata(with: body) }
        return supplement.flatMap { try? metadata(with: $0.body) } ?? alone
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
            } catch DocumentError.status(400...499, _) {
                continue
            } catch let error as DocumentError {
                // Some servers redirect unknown paths to a sign-in page.
                guard case .redirect = error else { throw error }
                readError = readError ?? error
            } catch let error as DiscoveryError {
                switch error {
                case .notFound: continue
                // Many servers return a page for every path.
                case .document: readError = readError ?? error
                default: throw error
                }
            }
        }
        throw try readError ?? DiscoveryError.notFound(url: Document.oauth.url(of: issuer).text)
    }

    /// Returns the keys of an issuer's tokens. An authorization server without OpenID Connect has only the document of
    /// RFC 8414.
    package func publishedKeys(issuer: HTTPURL) async throws -> PublishedKeys {
        func keys(_ kind: Document) async throws -> PublishedKeys {
            // Only OpenID Connect lists algorithms. Otherwise each key determines its own.
            let unlisted: [SignatureAlgorithm] = kind == .oauth ? SignatureAlgorithm.allCases : [.rs256]
            let document = try await document(issuer, kind) {
                _ = try PublishedKeys($0, issuer: issuer, zone: $1, unlisted: unlisted)
            }
            return try PublishedKeys(document.body, issuer: issuer, zone: document.zone, unlisted: unlisted)
        }
        do { return try await keys(.openID) } catch let error as DiscoveryError {
            guard case .notFound = error else { throw error }
            do { return try await keys(.oauth) } catch DiscoveryError.notFound { throw error }
        }
    }

    private func request(_ issuer: HTTPURL, _ kind: Document, allowsPlainHTTP: Bool) throws -> HTTPRequest {
        HTTPRequest(
            .get, try kind.url(of: issuer), headers: HTTPRequest.acceptJSON, narrowestZone: narrowestZone,
            allowsPlainHTTP: allowsPlainHTTP)
    }

    private func key(_ issuer: HTTPURL, _ request: HTTPRequest) -> String {
        "discovery \(issuer.text) \(request.url.text)"
    }

    private func document(
        _ issuer: HTTPURL, _ kind: Document, allowsPlainHTTP: Bool = false,
        refetch: DocumentFetcher.Refetch = .whenStale, accept: @Sendable ([UInt8], NetworkZone?) throws -> Void
    ) async throws -> DocumentFetcher.Document {
        let request = try request(issuer, kind, allowsPlainHTTP: allowsPlainHTTP)
        do {
            return try await fetcher.document(request, key: key(issuer, request), refetch: refetch, accept: accept)
        } catch DocumentError.status(404, _) {
            throw DiscoveryError.notFound(url: request.url.text)
        }
    }
}
