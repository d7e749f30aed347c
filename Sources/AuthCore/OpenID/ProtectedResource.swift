/// The metadata of a protected resource (RFC 9728 section 2), validated.
package struct ProtectedResource: Sendable {
    /// The resource's identifier, sent unchanged as `resource`.
    package let resource: HTTPURL
    package let authorizationServers: [HTTPURL]
    package let scopes: [String]?
    /// The resource accepts only DPoP-bound tokens (RFC 9449).
    package let requiresBoundTokens: Bool
    package let zone: NetworkZone

    static let maximumServers = 32

    /// - Parameter place: the URL of the metadata.
    package init(
        _ bytes: [UInt8], of requested: HTTPURL, at place: HTTPURL, zone: NetworkZone?
    ) throws(ProtectedResourceError) {
        let object: JSONObject
        do { object = try StrictJSON.object(bytes) } catch { throw .document(error, url: place.text) }
        let named = object["resource"]?.string
        // Prevents a server from getting tokens for another resource (section 7.3).
        guard let resource = named.flatMap({ try? HTTPURL($0) }), resource.covers(requested) else {
            throw .otherResource(
                requested: requested.text, found: object["resource"].map { ServerText($0.string ?? $0.text) })
        }
        self.resource = resource
        self.zone = requested.literalZone ?? zone ?? .global
        let servers = object["authorization_servers"]?.strings ?? []
        guard !servers.isEmpty else { throw .noAuthorizationServer(resource.text) }
        guard servers.count <= ProtectedResource.maximumServers else {
            throw .tooManyAuthorizationServers(servers.count, resource: resource.text)
        }
        var issuers: [HTTPURL] = []
        for text in servers {
            let issuer = try ProtectedResource.url(text, in: "authorization_servers", of: requested, zone: self.zone)
            if !issuers.contains(issuer) { issuers.append(issuer) }
        }
        authorizationServers = issuers
        scopes = object["scopes_supported"]?.strings
        requiresBoundTokens = object["dpop_bound_access_tokens_required"]?.bool ?? false
    }

    static func url(
        _ text: String, in name: String, of requested: HTTPURL, zone: NetworkZone
    ) throws(ProtectedResourceError) -> HTTPURL {
        do { return try HTTPURL(text, namedBy: requested, in: zone) } catch {
            throw .invalidURL(name, ServerText(text), error)
        }
    }
}

/// The reason why the user must consent before a token is requested for a resource. The resource's own metadata chooses
/// the provider and the scopes, and the resource receives the token.
package enum ResourceConsent: Sendable, Equatable {
    /// The resource names another authorization server than that of an earlier session.
    case moved(HTTPURL, provider: String, account: String, from: HTTPURL, to: HTTPURL)
    /// The resource covers more than the URL that the user named (RFC 9728 section 3.3 requires both to be identical).
    case wider(HTTPURL, than: HTTPURL)
    /// The token would be of a provider that the user configured for another purpose, or would have scopes that only
    /// the resource requests.
    case token(provider: String, isNamed: Bool, resource: HTTPURL, all: [String], unnamed: [String])
}

/// The reason why a protected resource's metadata cannot be used.
package enum ProtectedResourceError: CodedError, Sendable, Equatable {
    case notFound(url: String)
    case document(JSONError, url: String)
    /// The metadata is for another resource, or names none (RFC 9728 section 3.3).
    case otherResource(requested: String, found: ServerText?)
    case noAuthorizationServer(String)
    case tooManyAuthorizationServers(Int, resource: String)
    case invalidURL(String, ServerText, DiscoveryError.EndpointFault)
    case severalAuthorizationServers([String], resource: String)
    case otherServer(provider: String, issuer: String, resource: String)
    /// The authorization server requires a registered client.
    case noClient(issuer: String, provider: String, supportsMetadataDocuments: Bool)
    /// No client is configured for a sign-in without a user. Such a client is never registered automatically.
    case noClientWithoutUser(issuer: String, provider: String, document: Discovery.Document)
    case otherScope(ServerText, provider: String, resource: String)
    case consentRequired(ResourceConsent)
    case noUserGrant(issuer: String, offered: [String])

    package var code: ErrorCode {
        switch self {
        case .notFound, .noClient, .noClientWithoutUser: .invalidConfiguration
        case .severalAuthorizationServers, .consentRequired: .interactionRequired
        case .otherServer: .issuerMismatch
        case .noUserGrant: .unsupported
        default: .invalidResponse
        }
    }
}
