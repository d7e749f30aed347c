/// Finds out who protects a URL (RFC 9728 section 5). Nothing is stored, and no token is sent.
package struct ResourceDiscovery: Sendable {
    let services: Services

    package struct Found: Sendable {
        package let asked: HTTPURL
        package let resource: ProtectedResource?
        package let metadataURL: HTTPURL?
        package let challengedScopes: [String]?

        package var wider: HTTPURL? {
            resource.flatMap { $0.resource.isSameResource(as: asked) ? nil : $0.resource }
        }

        /// The scopes to request: those of the challenge, otherwise all of the resource's (RFC 6750 section 3).
        package var scopes: [String]? { challengedScopes ?? resource?.scopes }
    }

    /// A page of a resource is not read, only its answer's head.
    private static let maximumResponse = 64 << 10
    private static let longestDocument = 256 << 10

    package func callAsFunction(_ url: HTTPURL) async throws -> Found {
        let answer = try await answer(of: url)
        let zone = url.literalZone ?? answer?.zone
        let challenges = answer.map(ResourceDiscovery.challenges) ?? []
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

    private static func challenges(in response: HTTPResponse) -> [AuthenticationChallenge] {
        response.status == 401 ? AuthenticationChallenge.all(in: response) : []
    }

    /// The JSON-RPC request that a client of a server that answers only POST sends first.
    private static let initialize = """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
        "clientInfo":{"name":"authctl","version":"1"}}}
        """

    /// The response to a GET without a token, or to a POST if the GET brings no challenge; nil if neither ends soon.
    private func answer(of url: HTTPURL) async throws -> HTTPResponse? {
        let limit = ResourceDiscovery.maximumResponse
        let got = try await answer(to: HTTPRequest(.get, url, maximumResponseLength: limit))
        if let got, !ResourceDiscovery.challenges(in: got).isEmpty { return got }
        let post = HTTPRequest(
            .post, url,
            headers: [
                (name: "Content-Type", value: "application/json"),
                (name: "Accept", value: "application/json, text/event-stream"),
            ], body: Array(ResourceDiscovery.initialize.utf8), maximumResponseLength: limit)
        do {
            let posted = try await answer(to: post)
            return posted.flatMap { ResourceDiscovery.challenges(in: $0).isEmpty ? nil : $0 } ?? got
        } catch is HTTPError {
            return got
        }
    }

    private func answer(to request: HTTPRequest) async throws -> HTTPResponse? {
        do {
            return try await services.transport.answer(to: request)
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
        let fetcher = DocumentFetcher(
            transport: services.transport, cache: NoDocumentCache(), clock: services.clock)
        let document = try await fetcher.document(request, key: "resource \(place.text)") { _, _ in }
        return try ProtectedResource(document.body, of: url, zone: zone)
    }
}
