/// Finds the authorization server of a protected resource (RFC 9728 section 5). Nothing is stored, and no token is
/// sent.
package struct ResourceDiscovery: Sendable {
    let services: Services

    package struct Found: Sendable {
        package let requestedURL: HTTPURL
        package let resource: ProtectedResource?
        package let metadataURL: HTTPURL?
        package let challengedScopes: [String]?

        package var wider: HTTPURL? {
            resource.flatMap { $0.resource.isSameResource(as: requestedURL) ? nil : $0.resource }
        }

        /// The scopes to request: those of the challenge, otherwise all of the resource's (RFC 6750 section 3).
        package var scopes: [String]? { challengedScopes ?? resource?.scopes }
    }

    /// Only the head of a resource's response is read.
    private static let maximumResponse = 64 << 10
    private static let longestDocument = 256 << 10

    package func run(_ url: HTTPURL) async throws -> Found {
        let response = try await response(of: url)
        let zone = url.literalZone ?? response?.zone
        let challenges = response.map(ResourceDiscovery.challenges) ?? []
        let challenge = challenges.first(where: \.namesMetadata)
        let scopes = (challenge ?? challenges.first(where: \.requestsToken))?.parameters["scope"].map(Scopes.split)
        func found(_ resource: ProtectedResource?, _ place: HTTPURL?) -> Found {
            Found(requestedURL: url, resource: resource, metadataURL: place, challengedScopes: scopes)
        }
        if let named = challenge?.parameters["resource_metadata"] {
            let place = try ProtectedResource.url(named, in: "resource_metadata", of: url, zone: zone ?? .global)
            return found(try await metadata(at: place, of: url, zone), place)
        }
        var readError: (any Error)?
        for place in url.resourceMetadataURLs {
            do {
                return found(try await metadata(at: place, of: url, zone), place)
            } catch {
                switch error {
                case DocumentError.status(400...499, _): continue
                // Many servers return a page for every path, or redirect unknown paths to a sign-in page.
                case DocumentError.redirect, ProtectedResourceError.document: readError = readError ?? error
                default: throw error
                }
            }
        }
        if let readError { throw readError }
        return found(nil, nil)
    }

    private static func challenges(in response: HTTPResponse) -> [AuthenticationChallenge] {
        response.status == 401 ? AuthenticationChallenge.all(in: response) : []
    }

    /// The first request of an MCP client, for servers that only respond to POST.
    private static let initialize = """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
        "clientInfo":{"name":"authctl","version":"1"}}}
        """
    private static let listTools = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#

    /// The response to a GET without a token; if that has no challenge, the response to a POST. Nil if both time out.
    private func response(of url: HTTPURL) async throws -> HTTPResponse? {
        let limit = ResourceDiscovery.maximumResponse
        let getResponse = try await response(to: HTTPRequest(.get, url, maximumResponseLength: limit))
        if let getResponse, !ResourceDiscovery.challenges(in: getResponse).isEmpty { return getResponse }
        var post = HTTPRequest(
            .post, url,
            headers: [
                (name: "Content-Type", value: "application/json"),
                (name: "Accept", value: "application/json, text/event-stream"),
            ], body: Array(ResourceDiscovery.initialize.utf8), maximumResponseLength: limit)
        do {
            var postResponse = try await response(to: post)
            if let initialized = postResponse, (200...299).contains(initialized.status) {
                // Some servers require a token only for their tools.
                post.body = Array(ResourceDiscovery.listTools.utf8)
                post.headers += initialized.headers.filter { $0.name.lowercased() == "mcp-session-id" }
                postResponse = try await response(to: post)
            }
            return postResponse.flatMap { ResourceDiscovery.challenges(in: $0).isEmpty ? nil : $0 } ?? getResponse
        } catch is HTTPError {
            return getResponse
        }
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse? {
        do {
            return try await services.transport.response(to: request)
        } catch HTTPError.tooLarge, HTTPError.timedOut {
            return nil
        }
    }

    private func metadata(at place: HTTPURL, of url: HTTPURL, _ zone: NetworkZone?) async throws -> ProtectedResource {
        let document = try await services.uncachedDocument(
            at: place, maximumLength: ResourceDiscovery.longestDocument, narrowestZone: zone ?? .loopback)
        return try ProtectedResource(document, of: url, at: place, zone: zone)
    }
}
