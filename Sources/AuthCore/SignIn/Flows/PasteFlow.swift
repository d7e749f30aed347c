/// The authorization code flow without a listener: the user pastes the URL that the browser ended at.
struct PasteFlow: SignInFlow {
    let asked: ProviderRequest
    let interface: any SignInInterface

    func redeemed(
        _ finish: @Sendable (RedeemedTokens) async throws -> SignInResult
    ) async throws -> SignInResult {
        let sent = try await asked.unattendedAuthorization()
        let awaited = CallbackWaiter(interface: interface, clock: asked.client.services.clock, request: asked.request)
        let parameters = try await awaited.pasted(
            sent.url.text, urlExpiresIn: sent.urlExpiresIn, redirectURI: sent.redirectURI,
            isAwaited: { $0.carries(sent.state) })
        return try await finish(asked.redeemed(parameters, to: sent, source: .paste))
    }
}
