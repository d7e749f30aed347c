/// Signs in with an access token that was obtained elsewhere, where its provider says for which client it was made:
/// anybody else's token would sign in otherwise.
package struct SignInWithAccessToken: Sendable {
    let client: ProviderClient
    let directory: any AccountDirectory

    package init(client: ProviderClient, directory: any AccountDirectory) {
        self.client = client
        self.directory = directory
    }

    /// - Throws: `CredentialError`, `OAuthError`, `AccountConflict`, `HTTPError`, `StoreError`.
    package func callAsFunction(
        _ token: AccessToken, _ operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        // It says whose it is, and not when the person was last there.
        if case .reauthenticate = operation { throw AccountRefusal.staleProof }
        let provider = client.provider
        guard let check = provider.dialect.checksAccessToken, let api = try client.api(token, scopes: []) else {
            throw CredentialError.neverAccepted
        }
        let checked = try await check(api)
        let person = try await client.verified(token, scopes: checked.scopes)
        let profile = person.profile
        guard profile.federatedID.hasSameBytes(as: checked.federatedID) else { throw CredentialError.invalid(nil) }
        let grant = Grant(
            providerID: provider.id, issuer: profile.authority, clientID: provider.clientID,
            tokens: Tokens(
                accessToken: token, expiresAt: checked.expiresAt, scopes: checked.scopes,
                tokenOrigin: client.metadata.tokenEndpoint.origin),
            subject: profile.federatedID, lastProvenAt: 0, source: .accessToken)
        return try await AccountCredential(
            identity: Identity(providerID: provider.id, profile: profile), grant: grant, said: person.said
        ).settled(operation, in: directory, now: client.services.clock.now())
    }
}
