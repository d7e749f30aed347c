/// Signs in with a provider (OpenID Connect Core section 3.1; RFC 6749; RFC 8628), whole: a flow brings tokens, they are
/// verified, what they say is a credential, and the directory settles what that is for.
public struct SignIn: Sendable {
    public let client: ProviderClient
    public let directory: any AccountDirectory
    let interface: any SignInInterface

    public init(client: ProviderClient, directory: any AccountDirectory, interface: any SignInInterface) {
        self.client = client
        self.directory = directory
        self.interface = interface
    }

    /// - Throws: `SignInError`, `OAuthError`, `IDTokenRefused`, `AccountConflict`, `ListenerError`, `HTTPError`,
    ///   `StoreError`; nothing is stored then.
    public func callAsFunction(_ request: SignInRequest) async throws -> SignInResult {
        try client.requireProof()
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
        return try await credential.settled(
            asked.request.operation, in: directory, now: client.services.clock.now(),
            notes: asked.notes(verified, redeemed))
    }
}
