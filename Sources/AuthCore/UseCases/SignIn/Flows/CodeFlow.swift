/// The authorization code flow in a browser (OpenID Connect Core section 3.1). The response arrives at the listener or
/// is pasted. If the device flow runs at the same time, the first response wins.
struct CodeFlow {
    let providerRequest: ProviderRequest
    let interface: any SignInInterface
    private var device: DeviceFlow { DeviceFlow(providerRequest: providerRequest, interface: interface) }

    func redeemed(_ finish: @Sendable (RedeemedTokens) async throws -> SignInResult) async throws -> SignInResult {
        let authorization = await device.startsFirst ? device.beginOrShowError() : nil
        let (listener, redirect): (LoopbackListener, RedirectURI)
        do {
            redirect = try providerRequest.redirect(isPasted: false)
            listener = try LoopbackListener(redirect.listener)
        } catch let error as SignInError {
            // The redirect cannot be received, but the user can still enter the device code.
            switch error {
            case .unreachableRedirectURI, .redirectURINeeded: break
            default: throw error
            }
            guard let authorization else { throw error }
            return try await finish(device.redeemed(authorization))
        }
        return try await listener.showingResult(interface) {
            // Pushed here, so that the listener is closed even if the request fails.
            let sent = try await providerRequest.authorization(redirectURI: redirect.uri(boundTo: listener.port))
            let waiter = CallbackWaiter(
                interface: interface, clock: providerRequest.client.services.clock, request: providerRequest.request,
                device: device, deviceAuthorization: authorization)
            switch try await waiter.wait(for: sent, at: listener) {
            case .parameters(let parameters, let source):
                return try await finish(providerRequest.redeemed(parameters, to: sent, source: source))
            case .device(let response): return try await finish(device.redeemed(response))
            }
        }
    }
}
