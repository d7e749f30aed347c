/// Signs in a program with its client's own secret (RFC 6749 section 4.4): no person, no ID token, a machine account.
struct ClientCredentialsFlow: SignInFlow {
    let providerRequest: ProviderRequest

    func redeemed(_ finish: @Sendable (RedeemedTokens) async throws -> SignInResult) async throws -> SignInResult {
        let client = providerRequest.client
        guard client.authentication.method != .none else { throw ProviderError.noProof(provider: client.provider.id) }
        // Throws if the issuer depends on the user's tenant: a client's account belongs to one tenant.
        _ = try client.ownIssuer()
        let request = providerRequest.machineGrant
        let response = try await client.tokenResponse(
            to: request, workload: nil, providerRequest.prover, resource: providerRequest.request.resource)
        return try await finish(
            RedeemedTokens(response: response, scopes: request.scopes, source: .clientCredentials, renewal: request))
    }
}
