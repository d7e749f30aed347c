/// Signs in with a provider (OpenID Connect Core section 3.1; RFC 6749; RFC 8628), whole: a flow brings tokens, they are
/// verified, what they say is a credential, and the directory settles what that is for.
package struct SignIn: Sendable {
    package let client: ProviderClient
    package let directory: any AccountDirectory
    let interface: any SignInInterface

    package init(client: ProviderClient, directory: any AccountDirectory, interface: any SignInInterface) {
        self.client = client
        self.directory = directory
        self.interface = interface
    }

    /// - Throws: `SignInError`, `OAuthError`, `IDTokenRefused`, `AccountConflict`, `ListenerError`, `HTTPError`,
    ///   `StoreError`; nothing is stored then.
    package func callAsFunction(_ request: SignInRequest) async throws -> SignInResult {
        try client.requireProof()
        if case .reauthenticate = request.operation, !client.provider.dialect.saysWhoSomebodyIs {
            throw CredentialError.noIDTokens
        }
        let asked = try asked(request)
        return try await flow(asked).redeemed { try await settled($0, asked) }
    }

    /// What is asked of the provider.
    /// - Throws: `DiscoveryError`, `OpenSSLError`.
    func asked(_ request: SignInRequest) throws -> ProviderRequest {
        ProviderRequest(
            client: client, request: request, began: client.services.clock.now(),
            prover: try client.newProver(isAsked: request.bindsTokens))
    }

    private func flow(_ asked: ProviderRequest) -> any SignInFlow {
        let device = DeviceFlow(asked: asked, interface: interface)
        switch asked.request.flow {
        case .clientCredentials: return ClientCredentialsFlow(asked: asked)
        case .device: return device
        case .auto where client.signsInByDeviceAlone: return device
        case .paste: return PasteFlow(asked: asked, interface: interface)
        case .auto, .browser: return CodeFlow(asked: asked, interface: interface, device: device)
        }
    }

    /// What follows for the tokens of any flow.
    func settled(_ redeemed: RedeemedTokens, _ asked: ProviderRequest) async throws -> SignInResult {
        let verified = try await asked.verified(redeemed)
        let credential = try asked.credential(verified, redeemed)
        var operation = asked.request.operation
        if case .unnamed = verified { operation = try await self.operation(operation, credential) }
        return try await credential.settled(
            operation, in: directory, now: client.services.clock.now(),
            notes: asked.notes(verified, redeemed))
    }

    /// Tokens of somebody whom their server does not name are the current account's, unless they were another's before; they
    /// prove nobody.
    /// - Throws: `CredentialError.noIDTokens`.
    private func operation(
        _ operation: SignInOperation, _ credential: AccountCredential
    ) async throws -> SignInOperation {
        if case .reauthenticate = operation { throw CredentialError.noIDTokens }
        let ledger = directory.ledger
        guard case .signIn = operation, try await ledger.owner(of: credential.identity.key) == nil,
            let uid = try await ledger.currentUID(), let account = try await ledger.account(uid: uid),
            !account.isMachine,
            !account.providerData.contains(where: { $0.key.providerID == credential.identity.key.providerID })
        else { return operation }
        return .link(uid: uid, hasConsent: false)
    }
}
