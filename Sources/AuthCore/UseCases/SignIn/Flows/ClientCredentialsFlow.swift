extension SignIn {
    /// Gets tokens for a machine account with the client credentials grant (RFC 6749 section 4.4), without a user or an
    /// ID token.
    func redeemedByClientCredentials() async throws -> RedeemedTokens {
        guard client.authentication.method != .none else { throw ProviderError.noProof(provider: provider.id) }
        // Throws if the issuer depends on the user's tenant: a client's account belongs to one tenant.
        _ = try client.ownIssuer()
        let grant = machineGrant
        let response = try await client.tokenResponse(to: grant, workload: nil, prover, resource: request.resource)
        return RedeemedTokens(tokens: response, scopes: grant.scopes, source: .clientCredentials, renewal: grant)
    }
}
