/// Registers this client at a provider (OpenID Connect Dynamic Client Registration section 3, RFC 7591).
package struct ClientRegistration: Sendable {
    let transport: any HTTPTransport
    let clientName: String

    /// How the client will authenticate.
    package struct Proof: Sendable {
        package var method: ClientAuthentication.Method
        package var key: JWK?
        /// The certificate for the client's tokens and its authentication (RFC 8705).
        package var certificate: ClientCertificate?
    }

    /// Requirements that are registered for the client, so that the server enforces them.
    package struct Requirements: Sendable, Equatable {
        /// RFC 9126 section 6.
        package var pushedRequests = false
        /// RFC 9449 section 5.2.
        package var boundTokens = false
        /// The only algorithm of its ID tokens; nil for the provider's default, which is RS256.
        package var idTokenAlgorithm: SignatureAlgorithm?
    }

    /// The grants that a client of this program may use (RFC 7591 section 2).
    package enum GrantTypes {
        package static let browser = ["authorization_code", "refresh_token"]

        /// The same, with the grants that the provider supports.
        ///
        /// - Parameter isConfidential: the client authenticates, so that it can use client credentials.
        package static func offered(by metadata: ProviderMetadata, isConfidential: Bool, isFAPI2: Bool) -> [String] {
            var types = browser
            func add(_ type: String, where isOffered: Bool) { if isOffered { types.append(type) } }
            let listed = metadata.grantTypes
            add("client_credentials", where: isConfidential && listed?.contains("client_credentials") == true)
            // FAPI 2.0 allows neither the device flow nor token exchange.
            guard !isFAPI2 else { return types }
            add(
                TokenEndpoint.deviceGrant,
                where: metadata[.deviceAuthorization] != nil
                    && listed?.contains(TokenEndpoint.deviceGrant) != false)
            add(TokenEndpoint.exchangeGrant, where: listed?.contains(TokenEndpoint.exchangeGrant) == true)
            return types
        }
    }

    /// The registered client. If it differs from the request, the response counts (RFC 7591 section 3.2.1).
    package struct Client: Sendable {
        package let clientID: String
        package let secret: ClientSecret?
        /// Nil if the response names none: the metadata decides how the client sends its secret.
        package let method: ClientAuthentication.Method?
        /// When the secret expires, in seconds since 1970; nil if it does not.
        package let secretExpiresAt: Int64?
        package let requirements: Requirements
        package let registered: RegisteredClient
    }

    package func register(
        at metadata: ProviderMetadata, redirectURI: String, scopes: [String], proof: Proof,
        grantTypes: [String] = GrantTypes.browser, requirements: Requirements = Requirements(),
        allowsPlainHTTP: Bool = false, now: Int64
    ) async throws -> Client {
        let endpoint = try metadata.required(.registration, or: .missingEndpoint("registration_endpoint"))
        var body = requested(redirectURI, scopes: scopes, proof: proof, requirements: requirements)
        body["grant_types"] = JSONValue(grantTypes)
        let request = HTTPRequest(
            .post, endpoint, headers: [(name: "Content-Type", value: "application/json")] + HTTPRequest.acceptJSON,
            narrowestZone: metadata.zone, allowsPlainHTTP: allowsPlainHTTP)
        let object: JSONObject
        do {
            object = try await response(to: request, body, now: now)
        } catch OAuthError.refused(code: "invalid_client_metadata", _, _) where grantTypes != GrantTypes.browser {
            // Some servers offer a grant, but not to clients that register themselves.
            body["grant_types"] = JSONValue(GrantTypes.browser)
            object = try await response(to: request, body, now: now)
        }
        guard let clientID = object["client_id"]?.string else {
            throw OAuthError.invalidResponse(.missing("client_id"), at: .registration)
        }
        // The client ID is printed, and sent to every endpoint.
        guard !clientID.isEmpty, clientID.utf8.count <= 1024, clientID.isPrintableASCII else {
            throw OAuthError.invalidResponse(.malformed("client_id", isNot: .clientIdentifier), at: .registration)
        }
        let secret = object.optional("client_secret")?.string.map { ClientSecret($0) }
        let secretExpiresAt = object["client_secret_expires_at"]?.number?.integer.flatMap { $0 > 0 ? $0 : nil }
        if secret != nil, let secretExpiresAt, secretExpiresAt <= now {
            throw OAuthError.invalidResponse(.expiredSecret(at: secretExpiresAt), at: .registration)
        }
        return Client(
            clientID: clientID, secret: secret,
            method: try ClientRegistration.method(in: object, secret: secret, requested: proof),
            secretExpiresAt: secretExpiresAt,
            requirements: Requirements(
                pushedRequests: requirements.pushedRequests
                    || object["require_pushed_authorization_requests"]?.bool == true,
                boundTokens: requirements.boundTokens || object["dpop_bound_access_tokens"]?.bool == true,
                idTokenAlgorithm: requirements.idTokenAlgorithm),
            registered: RegisteredClient(
                clientID, in: object, from: endpoint, zone: metadata.zone, allowsPlainHTTP: allowsPlainHTTP))
    }

    private func requested(
        _ redirectURI: String, scopes: [String], proof: Proof, requirements: Requirements
    ) -> JSONObject {
        var body: JSONObject = [
            "client_name": .string(clientName), "application_type": "native", "redirect_uris": [.string(redirectURI)],
            "response_types": ["code"], "token_endpoint_auth_method": .string(proof.method.rawValue),
            // Glewlwyd's parameter for a public client. Other servers ignore unknown parameters (section 2).
            "client_confidential": .bool(proof.method != .none),
        ]
        if requirements.pushedRequests { body["require_pushed_authorization_requests"] = true }
        if requirements.boundTokens { body["dpop_bound_access_tokens"] = true }
        if let algorithm = requirements.idTokenAlgorithm {
            body["id_token_signed_response_alg"] = .string(algorithm.rawValue)
        }
        if !scopes.isEmpty { body["scope"] = .string(scopes.joined(separator: " ")) }
        if let key = proof.key {
            body["jwks"] = .object(JWKSet(keys: [key]).json)
            if let algorithm = key.algorithm { body["token_endpoint_auth_signing_alg"] = .string(algorithm.rawValue) }
        }
        if let certificate = proof.certificate {
            body["tls_client_certificate_bound_access_tokens"] = true
            switch proof.method {
            case .tlsClientAuth: body["tls_client_auth_subject_dn"] = .string(certificate.chain.subject)
            case .selfSignedTLSClientAuth: body["jwks"] = ["keys": [.object(certificate.jwk)]]
            default: break
            }
        }
        return body
    }

    private func response(to request: HTTPRequest, _ body: JSONObject, now: Int64) async throws -> JSONObject {
        var request = request
        request.body = Array(JSONValue.object(body).text.utf8)
        let response = try await transport.response(to: request)
        let object = try TokenResponse.object(response, origin: request.url.origin, at: .registration, now: now)
        return (200...201).contains(response.status) ? object : [:]
    }

    private static func method(
        in response: JSONObject, secret: ClientSecret?, requested: Proof
    ) throws(OAuthError) -> ClientAuthentication.Method? {
        func invalid(_ fault: ResponseFault) -> OAuthError { .invalidResponse(fault, at: .registration) }
        guard let named = response.optional("token_endpoint_auth_method") else {
            let isBySecret = requested.key == nil && requested.certificate == nil
            // The default is client_secret_basic (RFC 7591 section 2). Servers that omit it may take only
            // client_secret_post for an ID or a secret that Basic would encode.
            guard secret == nil else { return isBySecret ? nil : .clientSecretBasic }
            return requested.method.isBySecret ? nil : requested.method
        }
        guard let method = named.string.flatMap(ClientAuthentication.Method.init(rawValue:)) else {
            throw invalid(.unknownMethod(ServerText(named.text)))
        }
        switch method {
        case .none: break
        case .tlsClientAuth, .selfSignedTLSClientAuth:
            guard requested.method.isByCertificate else { throw invalid(.methodWithoutCertificate(method)) }
        case .privateKeyJWT:
            guard requested.key != nil else { throw invalid(.methodWithoutKey(method)) }
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT:
            guard secret != nil else { throw invalid(.methodWithoutSecret(method)) }
        }
        return method
    }
}
