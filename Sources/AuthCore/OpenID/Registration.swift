/// Registers this client at a provider (OpenID Connect Dynamic Client Registration section 3).
public struct ClientRegistration: Sendable {
    let transport: any HTTPTransport

    public init(transport: any HTTPTransport) { self.transport = transport }

    /// What the provider gave.
    public struct Client: Sendable {
        public let clientID: String
        public let secret: ClientSecret?
        public let method: ClientAuthentication.Method?
    }

    /// - Parameter redirectURI: with its port where the provider compares ports.
    /// - Throws: `OAuthError`, `HTTPError`, `DiscoveryError.missingEndpoint`.
    public func register(
        at metadata: ProviderMetadata, redirectURI: String, scopes: [String],
        method: ClientAuthentication.Method = .none, now: Int64
    ) async throws -> Client {
        guard let endpoint = metadata.registrationEndpoint else {
            throw DiscoveryError.missingEndpoint("registration_endpoint")
        }
        let body: JSONValue = [
            "client_name": "authctl", "application_type": "native", "redirect_uris": [.string(redirectURI)],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": .string(method.rawValue), "scope": .string(scopes.joined(separator: " ")),
            // Glewlwyd's word for a public client; others ignore what they do not know (section 2).
            "client_confidential": .bool(method != .none),
        ]
        var request = HTTPRequest(
            .post, endpoint,
            headers: [
                (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
            ], body: Array(body.text.utf8))
        request.narrowestZone = metadata.zone
        let response = try await transport.answer(to: request)
        let object = try TokenResponse.object(
            response, origin: endpoint.origin, at: .registration, now: now)
        guard (200...201).contains(response.status), let clientID = object["client_id"]?.string else {
            throw OAuthError.invalidResponse("no 'client_id'", at: .registration)
        }
        // It is shown, and sent to wherever the client goes.
        guard !clientID.isEmpty, clientID.utf8.count <= 1024, clientID.isPrintableASCII else {
            throw OAuthError.invalidResponse("'client_id' is no client identifier (RFC 6749 A.1)", at: .registration)
        }
        return Client(
            clientID: clientID, secret: object["client_secret"]?.string.map { ClientSecret($0) },
            method: object["token_endpoint_auth_method"]?.string.flatMap(ClientAuthentication.Method.init(rawValue:)))
    }
}
