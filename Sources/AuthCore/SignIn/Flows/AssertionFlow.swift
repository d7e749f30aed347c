/// Signs in without a browser, with an identity assertion of the provider that `assertion_from` names (ID-JAG).
struct AssertionFlow: SignInFlow {
    let providerRequest: ProviderRequest
    let source: String
    let services: SessionServices

    func redeemed(_ finish: @Sendable (RedeemedTokens) async throws -> SignInResult) async throws -> SignInResult {
        let (client, request) = (providerRequest.client, providerRequest.request)
        // Only the other provider could fulfil them.
        if request.maximumAge != nil { throw ProviderError.noSuchOption(.maximumAge, provider: client.provider.id) }
        guard request.authenticationContexts.isEmpty else {
            throw ProviderError.noSuchOption(.authenticationContexts, provider: client.provider.id)
        }
        var account = request.account
        if account == nil, case .link(let uid, _) = request.operation { account = uid }
        if account == nil { account = try await services.directory.sessionStore.currentUID() }
        // The tokens are the account's, so the assertion must not be another account's.
        guard let account else { throw NotSignedIn.noSession(provider: source) }
        let grant = providerRequest.machineGrant
        let response = try await services.response(
            to: grant, of: client, by: source, account: account, resource: request.resource, providerRequest.prover)
        return try await finish(
            RedeemedTokens(response: response, scopes: grant.scopes, source: .assertion(of: source), renewal: grant))
    }
}
