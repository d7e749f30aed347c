extension SignIn {
    /// Gets tokens without a browser, with an identity assertion of the provider that `assertion_from` names (ID-JAG).
    func redeemed(byAssertionOf source: String, _ services: SessionServices) async throws -> RedeemedTokens {
        // Only the provider of the assertion could meet these requirements.
        if request.maximumAge != nil { throw ProviderError.noSuchOption(.maximumAge, provider: provider.id) }
        guard request.authenticationContexts.isEmpty else {
            throw ProviderError.noSuchOption(.authenticationContexts, provider: provider.id)
        }
        var account = request.account
        if account == nil, case .link(let uid, _) = request.operation { account = uid }
        if account == nil { account = try await services.directory.sessionStore.currentUID() }
        // The tokens are the account's, so the assertion must not be another account's.
        guard let account else { throw NotSignedIn.noSession(provider: source) }
        let grant = machineGrant
        let response = try await services.response(
            to: grant, of: client, by: source, account: account, resource: request.resource, prover)
        return RedeemedTokens(
            tokens: response, scopes: grant.scopes, source: .assertion(of: source), renewal: grant)
    }

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
