/// Finds out who protects a URL (RFC 9728 section 5). Nothing is kept, and no token is sent anywhere.
package struct ResourceDiscovery: Sendable {
    let transport: any HTTPTransport
    let clock: Clock

    package init(services: Services) {
        transport = services.transport
        clock = services.clock
    }

    /// What was found about a URL.
    package struct Found: Sendable {
        package let asked: HTTPURL
        /// Nil where nothing says who protects it.
        package let resource: ProtectedResource?
        /// Where that stood.
        package let metadataURL: HTTPURL?
        /// What its challenge asked for by name; nil where that did not say.
        package let challengedScopes: [String]?

        /// The resource that its metadata names, where that is more than what was asked about.
        package var wider: HTTPURL? {
            resource.flatMap { $0.resource.text.hasSameBytes(as: asked.text) ? nil : $0.resource }
        }

        /// What to ask for: what the challenge names, else all that the resource knows (RFC 6750 section 3).
        package var scopes: [String]? { challengedScopes ?? resource?.scopes }
    }

    /// A page of a resource is not read, only its answer's head.
    private static let longestAnswer = 64 << 10
    private static let longestDocument = 256 << 10

    /// Asks the resource itself, and the well-known places where its answer names none.
    /// - Throws: `ProtectedResourceError`, `DocumentError`, `HTTPError`.
    package func callAsFunction(_ url: HTTPURL) async throws -> Found {
        let answer = try await answer(of: url)
        let zone = url.literalZone ?? answer?.zone
        let challenges = answer.map { $0.status == 401 ? AuthenticationChallenge.all(in: $0) : [] } ?? []
        let challenge = challenges.first { $0.parameters["resource_metadata"] != nil }
        let scopes = (challenge ?? challenges.first { $0.scheme == "bearer" || $0.scheme == "dpop" })?
            .parameters["scope"].map(Scopes.split)
        func found(_ resource: ProtectedResource?, _ place: HTTPURL?) -> Found {
            Found(asked: url, resource: resource, metadataURL: place, challengedScopes: scopes)
        }
        if let named = challenge?.parameters["resource_metadata"] {
            let place = try ProtectedResource.url(named, "resource_metadata", of: url, zone: zone ?? .global)
            return found(try await metadata(at: place, of: url, zone), place)
        }
        var unread: ProtectedResourceError?
        for place in url.resourceMetadataURLs {
            do {
                return found(try await metadata(at: place, of: url, zone), place)
            } catch DocumentError.status(400...499, _) {
                continue
            } catch let error as ProtectedResourceError {
                // Many a server has a page at every path.
                guard case .document = error else { throw error }
                unread = unread ?? error
            }
        }
        if let unread { throw unread }
        return found(nil, nil)
    }

    /// The answer to a request without a token; nil where it is none that ends soon.
    private func answer(of url: HTTPURL) async throws -> HTTPResponse? {
        do {
            return try await transport.answer(
                to: HTTPRequest(.get, url, maximumResponseLength: ResourceDiscovery.longestAnswer))
        } catch HTTPError.tooLarge {
            return nil
        } catch HTTPError.timedOut {
            return nil
        }
    }

    private func metadata(
        at place: HTTPURL, of url: HTTPURL, _ zone: NetworkZone?
    ) async throws -> ProtectedResource {
        let request = HTTPRequest(
            .get, place, headers: [(name: "Accept", value: "application/json")],
            maximumResponseLength: ResourceDiscovery.longestDocument, narrowestZone: zone ?? .loopback)
        let fetcher = DocumentFetcher(transport: transport, cache: NoDocumentCache(), clock: clock)
        let document = try await fetcher.document(request, key: "resource \(place.text)") { _, _ in }
        return try ProtectedResource(document.body, of: url, zone: zone)
    }
}
