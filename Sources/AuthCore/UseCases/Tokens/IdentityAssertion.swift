/// Token requests with an identity assertion of another provider: token exchange at that provider (RFC 8693), then a
/// JWT bearer grant at the resource's server (ID-JAG, draft-ietf-oauth-identity-assertion-authz-grant-03).
///
/// Each request gets a new assertion, which is not stored. If one of the two is rejected, no other grant is tried.
/// See docs/decisions/051.
extension SessionServices {
    func response(
        to request: SessionRenewal.TokenRequest, of client: ProviderClient, by source: String, account: String,
        resource: HTTPURL?, _ prover: DPoPProver?
    ) async throws -> TokenResponse {
        try client.refuseUnderFAPI2(.exchange)
        let endpoint = try client.tokenEndpoint(prover, for: resource)
        let assertion = try await assertion(
            of: source, for: client, account: account, scopes: request.scopes, resource: resource)
        // The scopes are in the assertion.
        return try await endpoint.exchange(
            RawIDToken(assertion.revealed()), by: .jwtBearer, scopes: [],
            parameters: request.parameters.map { ($0.name, $0.value) })
    }

    private func assertion(
        of source: String, for client: ProviderClient, account: String, scopes: [String], resource: HTTPURL?
    ) async throws -> AccessToken {
        let issuer = try await self.client(source)
        try checkAssertions(of: source, by: issuer.provider.assertionFrom, for: client.provider.id)
        try issuer.refuseUnderFAPI2(.exchange)
        var request = CurrentToken.Request(account: account, provider: source)
        request.kind = .id
        let subject = try await CurrentToken(self).run(request)
        if let session = subject.session { _ = try issuer.renewing(session) }
        let audience = try client.ownIssuer()
        do {
            return try await issuer.tokenEndpoint(nil, for: resource).exchange(
                subject.token.revealed(), as: .idToken, for: .identityAssertion, scopes: scopes,
                parameters: [("audience", audience)], at: .exchange
            ).accessToken
        } catch let error as OAuthError {
            switch error {
            case .refused, .invalidResponse:
                throw IdentityAssertionRefused(provider: source, audience: audience, error: error)
            default: throw error
            }
        }
    }
}

extension Profile {
    /// Checks the source of a provider's assertions before it is stored, and that the provider is not the source of another.
    package func checkAssertionSource(_ source: String, of id: String) throws {
        try checkAssertions(of: source, by: source == id ? id : resolve(source).configured().assertionFrom, for: id)
        for other in try providerIDs() where (try? resolve(other))?.configuration?.assertionFrom == id {
            try checkAssertions(of: id, by: source, for: other)
        }
    }
}

/// Two providers that use each other's assertions would wait for each other.
///
/// - Parameter by: the provider whose assertions the source itself uses.
private func checkAssertions(of source: String, by other: String?, for id: String) throws(ProviderError) {
    guard !Provider.isBuiltIn(source), other == nil else {
        throw .invalid(setting: "\(id): assertion_from", .noAssertions(of: source))
    }
}

/// A provider did not issue an identity assertion for another server.
package struct IdentityAssertionRefused: CodedError, Sendable, Equatable {
    package let provider: String
    package let audience: String
    package let error: OAuthError
    package var code: ErrorCode { error.code }
}
