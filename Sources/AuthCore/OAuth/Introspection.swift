extension TokenEndpoint {
    /// Introspects a token (RFC 7662 section 2.1). The response has the member `active`, a boolean: an unusable response
    /// is an error, and never means "inactive".
    func introspect(
        _ token: String, hint: TokenTypeHint?, at url: HTTPURL, authentication: ClientAuthentication
    ) async throws -> JSONObject {
        let response = try await send(
            [("token", token)] + (hint.map { [("token_type_hint", $0.rawValue)] } ?? []), to: url,
            authentication: authentication)
        // The server rejected the client's authentication (section 2.3). Not all servers send `invalid_client`.
        if response.status == 401, response.error == nil {
            throw OAuthError.refused(code: "invalid_client", description: nil, at: .introspection)
        }
        let object = try TokenResponse.object(
            response, origin: url.origin, at: .introspection, now: services.clock.now())
        guard response.status == 200 else {
            throw OAuthError.invalidResponse(.status(response.status), at: .introspection)
        }
        guard object["active"]?.bool != nil else {
            throw OAuthError.invalidResponse(.missing("active"), at: .introspection)
        }
        return response.withoutSecrets(.object(object)).object ?? [:]
    }
}
