extension ProviderRequest {
    /// Gets tokens of a program with its client's own secret (RFC 6749 section 4.4): no person, no ID token, a machine
    /// account.
    func redeemedByClientCredentials() async throws -> RedeemedTokens {
        guard client.authentication.method != .none else { throw ProviderError.noProof(provider: provider.id) }
        // Throws if the issuer depends on the user's tenant: a client's account belongs to one tenant.
        _ = try client.ownIssuer()
        let grant = machineGrant
        let response = try await client.tokenResponse(to: grant, workload: nil, prover, resource: request.resource)
        return RedeemedTokens(response: response, scopes: grant.scopes, source: .clientCredentials, renewal: grant)
    }
}
