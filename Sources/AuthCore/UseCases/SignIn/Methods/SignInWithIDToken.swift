/// Signs in with an ID token that was obtained elsewhere. Each nonce can be used only once.
package struct SignInWithIDToken: Sendable {
    let client: ProviderClient
    let directory: any AccountDirectory

    package func run(
        _ token: RawIDToken, nonce: Nonce?, as operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        let provider = client.provider
        guard !client.metadata.keySetURLs.isEmpty else { throw CredentialError.noIDTokens }
        guard nonce != nil || !provider.dialect.requiresNonceWithGivenIDTokens else {
            throw CredentialError.nonceRequired
        }
        var expected = client.expected(nonce: client.rule(for: nonce), parameters: provider.parameters, maximumAge: nil)
        expected.otherParties = provider.dialect.givenIDTokensMayBeOfOtherClients ? nil : provider.trustedAudiences
        let idToken = try await client.verify(token, expecting: expected, from: nil)
        let person = try client.verified(idToken)
        var isOfSameSecond = false
        if case .reauthenticate(let uid) = operation {
            // The token must not be older than the last authentication. If both are of the same second, its nonce must
            // be new.
            let proofs = try await directory.sessionStore.sessions(account: uid).map(\.lastProvenAt)
            let last = RecentLogin.last(of: proofs, now: expected.now) ?? 0
            guard idToken.issuedAt >= last else { throw AccountRefusal.staleAuthentication }
            isOfSameSecond = idToken.issuedAt == last
        }
        let isNew =
            if let nonce {
                try await directory.sessionStore.useNonce(nonce, until: idToken.expiresAt, now: expected.now)
            } else { !isOfSameSecond }
        guard isNew else { throw isOfSameSecond ? AccountRefusal.staleAuthentication : SignInError.nonceUsedBefore }
        var tokens = Tokens(tokenOrigin: client.metadata.tokenEndpoint.origin)
        tokens.take(idToken)
        let grant = Grant(
            providerID: provider.id, issuer: idToken.issuer, clientID: provider.clientID, tokens: tokens,
            subject: idToken.subject, nonce: try nonce.map(client.sent), authenticatedAt: idToken.authenticatedAt,
            // The token may be old: the user authenticated when it was issued.
            lastProvenAt: min(idToken.authenticatedAt ?? idToken.issuedAt, expected.now), source: .idToken)
        return try await AccountCredential(
            identity: person.identity, grant: grant, profile: person.profile, rawNonce: nonce
        ).completed(operation, in: directory, now: client.services.clock.now())
    }
}
