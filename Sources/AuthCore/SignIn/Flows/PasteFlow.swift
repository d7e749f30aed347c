/// The authorization code flow without a listener: the user pastes the URL that the browser ended at.
struct PasteFlow: SignInFlow {
    let providerRequest: ProviderRequest
    let interface: any SignInInterface

    func redeemed(_ finish: @Sendable (RedeemedTokens) async throws -> SignInResult) async throws -> SignInResult {
        let sent = try await providerRequest.unattendedAuthorization()
        let awaited = CallbackWaiter(
            interface: interface, clock: providerRequest.client.services.clock, request: providerRequest.request)
        let parameters = try await awaited.pasted(
            sent.url.text, urlExpiresIn: sent.urlExpiresIn, redirectURI: sent.redirectURI,
            isAwaited: { $0.carries(sent.state) })
        return try await finish(providerRequest.redeemed(parameters, to: sent, source: .paste))
    }
}
