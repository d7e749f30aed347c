/// Signs in a program with its client's own secret (RFC 6749 section 4.4): no person, no ID token, a machine account.
extension SignIn {
    func clientCredentials(_ request: SignInRequest) async throws -> SignInResult {
        let provider = client.provider
        guard client.authentication.method != .none else {
            throw ProviderError.invalid(
                setting: provider.id, reason: "a program signs in for itself with a client secret or a private key")
        }
        let issuer = try client.ownIssuer()
        let asked = SessionRenewal.TokenRequest(
            kind: nil, scopes: provider.machineScopes(adding: request.scopes), parameters: request.parameters)
        let tokens = try await client.tokens(for: asked, workload: nil)
        let missing = provider.missing(request.scopes, granted: tokens.scopes)
        if !missing.isEmpty { throw OAuthError.missingScopes(missing) }
        let identity = Identity(
            key: IdentityKey(
                providerID: provider.id, authority: issuer, federatedID: provider.clientID),
            email: nil, isEmailVerified: false, displayName: provider.clientID, photoURL: nil, isMachine: true)
        let grant = Grant(
            providerID: provider.id, issuer: issuer, clientID: provider.clientID, tokens: tokens,
            subject: provider.clientID, lastProvenAt: began, source: .clientCredentials,
            renewal: SessionRenewal(workload: nil, grant: asked))
        return try await AccountCredential(identity: identity, grant: grant, said: JSONObject()).settled(
            request.operation, in: directory, now: began)
    }
}
