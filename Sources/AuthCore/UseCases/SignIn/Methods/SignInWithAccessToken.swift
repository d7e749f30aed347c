/// Signs in with an access token that was obtained elsewhere. The provider must report the token's client, because a
/// token of another client must not be accepted. A personal access token does not belong to a client.
package struct SignInWithAccessToken: Sendable {
    let client: ProviderClient
    let directory: any AccountDirectory

    package func run(
        _ token: AccessToken, as operation: SignInOperation = .signIn, isOfGH: Bool = false
    ) async throws -> SignInResult {
        // The token identifies the user, but not the time of authentication.
        if case .reauthenticate = operation {
            throw AccountRefusal.accessTokenWithoutTime(provider: client.provider.id)
        }
        let provider = client.provider
        let isPersonal = try isOfGH || provider.dialect.personalTokens?.contains(token) == true
        let (person, scopes, expiresAt) = try await isPersonal ? owner(of: token) : user(of: token)
        let source: Grant.Source = isPersonal ? .personalToken : .accessToken
        let key = person.identity.key
        let grant = Grant(
            providerID: provider.id, issuer: key.authority, clientID: isPersonal ? "" : provider.clientID,
            tokens: Tokens(
                accessToken: token, expiresAt: expiresAt, scopes: scopes,
                tokenOrigin: client.metadata.tokenEndpoint.origin),
            subject: key.federatedID, lastProvenAt: 0, source: isOfGH ? .gh : source)
        return try await AccountCredential(identity: person.identity, grant: grant, profile: person.profile).completed(
            operation, in: directory, now: client.services.clock.now())
    }

    private typealias Checked = (VerifiedUser, scopes: [String], expiresAt: Int64?)

    private func owner(of token: AccessToken) async throws -> Checked {
        guard let check = client.provider.dialect.personalTokens?.check, let api = try client.api(token, scopes: [])
        else { throw CredentialError.neverAccepted }
        do {
            let checked = try await check(api)
            return (try client.verified(checked.person), checked.scopes, checked.expiresAt)
        } catch CredentialError.invalid {
            throw CredentialError.personalTokenRejected(page: client.provider.personalTokenPage ?? "")
        }
    }

    private func user(of token: AccessToken) async throws -> Checked {
        guard let check = client.provider.dialect.checksAccessToken, let api = try client.api(token, scopes: []) else {
            throw CredentialError.neverAccepted
        }
        // Without a client ID, the provider cannot check whether the token is this client's.
        guard !client.provider.clientID.isEmpty else {
            throw CredentialError.notPersonalToken(page: client.provider.personalTokenPage ?? "")
        }
        let checked = try await check(api)
        let person = try await client.verified(token, scopes: checked.scopes)
        guard person.identity.key.federatedID.hasSameBytes(as: checked.federatedID) else {
            throw CredentialError.invalid(nil)
        }
        return (person, checked.scopes, checked.expiresAt)
    }
}
