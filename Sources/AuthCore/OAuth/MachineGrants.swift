/// The grants by which a program gets a token for itself.
extension TokenEndpoint {
    /// How the token of a CI system becomes an access token.
    package enum WorkloadGrant: String, Sendable, CaseIterable {
        /// RFC 8693 section 2.1: the token is exchanged.
        case tokenExchange = "token-exchange"
        /// RFC 7523 section 2.1: the token is the grant.
        case jwtBearer = "jwt-bearer"
        /// RFC 7523 section 2.2: the token proves who the client is.
        case clientAssertion = "client-assertion"
    }

    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

    /// Asks for a token of the client's own (RFC 6749 section 4.4).
    /// - Throws: `OAuthError`, `HTTPError`.
    package func clientCredentials(scopes: [String], parameters: [(String, String)]) async throws -> Answer {
        try await tokens(
            TokenEndpoint.own("client_credentials", scopes) + parameters, at: .token)
    }

    /// Turns a token of another issuer into one of this.
    /// - Throws: `OAuthError`, `HTTPError`.
    package func exchange(
        _ token: RawIDToken, by grant: WorkloadGrant, scopes: [String], parameters: [(String, String)]
    ) async throws -> Answer {
        let text = token.revealed()
        switch grant {
        case .tokenExchange:
            let answer = try await tokens(
                TokenEndpoint.own("urn:ietf:params:oauth:grant-type:token-exchange", scopes) + [
                    ("subject_token", text),
                    ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"),
                    ("requested_token_type", TokenEndpoint.accessTokenType),
                ] + parameters, at: .token)
            // RFC 8693 section 2.2.1: what came must be what can be sent to an API.
            let types = [TokenEndpoint.accessTokenType, "urn:ietf:params:oauth:token-type:jwt"]
            guard let type = answer.tokens.issuedTokenType, types.contains(type) else {
                throw OAuthError.invalidResponse(.malformed("issued_token_type", isNo: .accessToken), at: .token)
            }
            return answer
        case .jwtBearer:
            return try await tokens(
                TokenEndpoint.own("urn:ietf:params:oauth:grant-type:jwt-bearer", scopes) + [("assertion", text)]
                    + parameters, at: .token)
        case .clientAssertion:
            var endpoint = self
            endpoint.authentication = .assertion(ClientAssertion(text))
            return try await endpoint.clientCredentials(scopes: scopes, parameters: parameters)
        }
    }

    private static func own(_ grantType: String, _ scopes: [String]) -> [(String, String)] {
        [("grant_type", grantType)] + (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))])
    }
}
