/// An introspection response (RFC 7662 section 2.2).
package struct Introspection: Sendable {
    package let members: JSONObject
    package let isActive: Bool

    init(_ response: HTTPResponse, origin: String, now: Int64) throws(OAuthError) {
        let object = try TokenResponse.object(response, origin: origin, at: .introspection, now: now)
        guard response.status == 200 else { throw .invalidResponse(.status(response.status), at: .introspection) }
        guard let isActive = object["active"]?.bool else {
            throw .invalidResponse(.missing("active"), at: .introspection)
        }
        self.isActive = isActive
        members = response.withoutSecrets(.object(object)).object ?? [:]
    }
}

extension TokenEndpoint {
    /// Introspects a token (RFC 7662 section 2.1). An unusable response is an error; it never means "inactive".
    func introspect(
        _ token: String, hint: TokenTypeHint?, at url: HTTPURL, authentication: ClientAuthentication
    ) async throws -> Introspection {
        let response = try await send(
            [("token", token)] + (hint.map { [("token_type_hint", $0.rawValue)] } ?? []), to: url,
            authentication: authentication)
        // The server rejected the client's authentication (section 2.3). Not all servers send `invalid_client`.
        if response.status == 401, response.error == nil {
            throw OAuthError.refused(code: "invalid_client", description: nil, at: .introspection)
        }
        return try Introspection(response, origin: url.origin, now: services.clock.now())
    }
}
