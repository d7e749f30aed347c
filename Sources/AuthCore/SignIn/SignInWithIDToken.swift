/// Signs in with an ID token that was obtained elsewhere; its nonce is good once.
public struct SignInWithIDToken: Sendable {
    let client: ProviderClient
    let directory: any AccountDirectory

    public init(client: ProviderClient, directory: any AccountDirectory) {
        self.client = client
        self.directory = directory
    }

    /// - Parameter nonce: the raw nonce; nil when the token has none either.
    /// - Throws: `IDTokenRefused`, `SignInError.nonceUsedBefore`, `AccountConflict`, `HTTPError`, `StoreError`.
    public func callAsFunction(_ token: RawIDToken, nonce: Nonce?) async throws -> SignInResult {
        let rule: ExpectedIDToken.NonceRule =
            switch (nonce, client.provider.nonceMode) {
            case (nil, _): .none
            case (let nonce?, .raw): .raw(nonce)
            case (let nonce?, .sha256): .sha256(nonce)
            }
        let expected = client.expected(nonce: rule, maximumAge: nil)
        let idToken = try await client.verify(token, expecting: expected, serverTime: nil)
        if let nonce, try await !directory.useNonce(nonce, now: expected.now) { throw SignInError.nonceUsedBefore }
        let session = Session(
            accountUID: "", providerID: client.provider.id, issuer: client.metadata.issuer,
            clientID: client.provider.clientID, tokenOrigin: client.metadata.tokenEndpoint.origin, accessToken: nil,
            expiresAt: nil, refreshToken: nil, idToken: token,
            idTokenExpiresAt: idToken.expiresAt, subject: idToken.subject, nonce: nonce,
            authenticatedAt: idToken.authenticatedAt, scopes: [], lastProvenAt: expected.now, source: "id-token")
        return try await SignInCompletion(client: client, directory: directory)(
            idToken, userInfo: nil, session: session
        )
        .value
    }
}
