/// The authorization code flow in a browser (OpenID Connect Core section 3.1). The response arrives at the listener or
/// is pasted. If the device flow runs at the same time, the first response wins.
struct CodeFlow: SignInFlow {
    let asked: ProviderRequest
    let interface: any SignInInterface
    let device: DeviceFlow

    func redeemed(
        _ finish: @Sendable (RedeemedTokens) async throws -> SignInResult
    ) async throws -> SignInResult {
        let begun = await device.isFirst ? device.begun() : nil
        let (listener, redirect): (LoopbackListener, RedirectURI)
        do {
            redirect = try asked.redirect(isPasted: false)
            listener = try LoopbackListener(redirect.listener)
        } catch let error as SignInError {
            // The redirect cannot be received, but the user can still enter the device code.
            switch error {
            case .unreachableRedirectURI, .redirectURINeeded: break
            default: throw error
            }
            guard let begun else { throw error }
            return try await finish(device.redeemed(try await device.shown(begun)))
        }
        return try await listener.showing(interface.landingPages) {
            // Whatever becomes of a pushed request, the port is closed.
            let sent = try await asked.authorization(redirectURI: redirect.uri(boundTo: listener.port))
            let awaited = CallbackWaiter(
                interface: interface, clock: asked.client.services.clock, request: asked.request)
            let answer = try await awaited(
                sent.url.text, urlExpiresIn: sent.urlExpiresIn, redirectURI: sent.redirectURI, at: listener,
                device.beside(begun), isAwaited: { $0.carries(sent.state) })
            switch answer {
            case .parameters(let parameters, let source):
                return try await finish(asked.redeemed(parameters, to: sent, source: source))
            case .device(let answer): return try await finish(device.redeemed(answer))
            }
        }
    }
}
