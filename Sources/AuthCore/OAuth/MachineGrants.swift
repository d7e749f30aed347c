/// Grants without user interaction: client credentials, JWT bearer and token exchange.
extension TokenEndpoint {
    /// RFC 8693 section 2.1.
    static let exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

    /// The grant that a CI system's token is used in to get an access token.
    package enum WorkloadGrant: String, Sendable, CaseIterable, StoredJSON {
        /// RFC 8693 section 2.1: the token is exchanged.
        case tokenExchange = "token-exchange"
        /// RFC 7523 section 2.1: the token is the grant.
        case jwtBearer = "jwt-bearer"
        /// RFC 7523 section 2.2: the token authenticates the client.
        case clientAssertion = "client-assertion"
    }

    /// A token's type (RFC 8693 section 3).
    package enum TokenType: String, Sendable {
        case accessToken = "urn:ietf:params:oauth:token-type:access_token"
        case idToken = "urn:ietf:params:oauth:token-type:id_token"
        case jwt = "urn:ietf:params:oauth:token-type:jwt"
        /// An identity assertion for another server (draft-ietf-oauth-identity-assertion-authz-grant-03).
        case identityAssertion = "urn:ietf:params:oauth:token-type:id-jag"
    }

    /// Requests an access token for the client itself (RFC 6749 section 4.4).
    package func clientCredentials(scopes: [String], parameters: [(String, String)]) async throws -> TokenResponse {
        try await tokens(own("client_credentials", scopes) + parameters, at: .token)
    }

    package func exchange(
        _ token: RawIDToken, by grant: WorkloadGrant, scopes: [String], parameters: [(String, String)]
    ) async throws -> TokenResponse {
        let text = token.revealed()
        switch grant {
        case .tokenExchange:
            return try await exchange(text, as: .idToken, scopes: scopes, parameters: parameters, at: .token)
        case .jwtBearer:
            return try await tokens(
                own("urn:ietf:params:oauth:grant-type:jwt-bearer", scopes) + [("assertion", text)]
                    + parameters, at: .token)
        case .clientAssertion:
            var endpoint = self
            endpoint.authentication = .assertion(ClientAssertion(text))
            return try await endpoint.clientCredentials(scopes: scopes, parameters: parameters)
        }
    }

    /// The parameters that authctl sets in a token exchange: those of RFC 8693 section 2.1, and client authentication.
    package static let exchangeParameters: Set<String> = [
        "grant_type", "subject_token", "subject_token_type", "requested_token_type", "audience", "resource", "scope",
        "client_id", "client_secret", "client_assertion", "client_assertion_type",
    ]

    /// Exchanges a token for a token of the requested type (RFC 8693 section 2.1).
    func exchange(
        _ token: String, as type: TokenType, for requested: TokenType = .accessToken, scopes: [String],
        parameters: [(String, String)], at endpoint: OAuthError.Endpoint
    ) async throws -> TokenResponse {
        let response = try await tokens(
            own(TokenEndpoint.exchangeGrant, scopes) + [
                ("subject_token", token), ("subject_token_type", type.rawValue),
                ("requested_token_type", requested.rawValue),
            ] + parameters, at: endpoint)
        // Section 2.2.1: the issued token must be of the requested type. A JWT may be an access token.
        let isAccess = requested == .accessToken
        let types: [TokenType] = isAccess ? [.accessToken, .jwt] : [requested]
        guard let issued = response.issuedTokenType.flatMap(TokenType.init), types.contains(issued) else {
            let form = isAccess ? ResponseFault.Form.accessToken : .identityAssertion
            throw OAuthError.invalidResponse(.malformed("issued_token_type", isNot: form), at: endpoint)
        }
        return response
    }

    private func own(_ grantType: String, _ scopes: [String]) -> [(String, String)] {
        [("grant_type", grantType)] + (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: scopeSeparator))])
    }
}
