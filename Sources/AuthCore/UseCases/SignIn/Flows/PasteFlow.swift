extension ProviderRequest {
    /// The authorization code flow without a listener: the user pastes the URL that the browser ended at.
    func redeemed(byPasting interface: any SignInInterface) async throws -> RedeemedTokens {
        let sent = try await unattendedAuthorization()
        let parameters = try await CallbackWaiter(interface: interface, clock: client.services.clock, request: request)
            .pasted(
                sent.url.text, urlExpiresIn: sent.urlExpiresIn, redirectURI: sent.redirectURI,
                isAwaited: { $0.carries(sent.state) })
        return try await redeemed(parameters, to: sent, source: .paste)
    }
}
