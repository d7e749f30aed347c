/// Signs in on another device (RFC 8628): this one shows a code and asks until somebody entered it there.
extension SignIn {
    /// Whether this sign-in goes by the device flow: by name, or because there is no browser here and the provider has it.
    func usesDevice(_ request: SignInRequest) -> Bool {
        switch request.flow {
        case .device: true
        case .auto:
            request.opensBrowser && !request.acceptsPaste && !interface.hasBrowser
                && client.metadata.deviceAuthorizationEndpoint != nil
        case .browser, .paste, .clientCredentials: false
        }
    }

    func deviceFlow(_ request: SignInRequest) async throws -> SignInResult {
        guard let url = client.metadata.deviceAuthorizationEndpoint else {
            throw DiscoveryError.unsupported("the device flow")
        }
        let endpoint = client.tokenEndpoint
        let scopes = scopes(request)
        let authorization = try await endpoint.authorizeDevice(
            at: url, scopes: scopes, nameOfURL: client.provider.dialect.deviceURLName)
        await interface.show(device: authorization)
        let answer = try await poll(endpoint, authorization, timeout: Int64(request.timeout))
        // No nonce goes out in this flow, so none may come back.
        return try await finish(RedeemedTokens(answer: answer, scopes: scopes, nonce: nil), request, source: "device")
    }

    /// Asks at the pace that the provider wants, until it answers or the code has expired.
    private func poll(
        _ endpoint: TokenEndpoint, _ authorization: DeviceAuthorization, timeout: Int64
    ) async throws -> TokenEndpoint.Answer {
        let clock = client.services.clock
        let wait = min(authorization.expiresIn ?? timeout, timeout)
        let deadline = began + wait
        var interval = authorization.interval
        while clock.now() + interval <= deadline {
            try await clock.sleep(Double(interval))
            do {
                switch try await endpoint.poll(authorization.deviceCode) {
                case .tokens(let answer): return answer
                case .pending: continue
                case .slowDown(let wanted):
                    interval = DeviceAuthorization.bounded(wanted ?? interval + DeviceAuthorization.slowDownStep)
                }
            } catch HTTPError.timedOut {
                // RFC 8628 section 3.5: back off.
                interval = DeviceAuthorization.bounded(interval * 2)
            } catch OAuthError.unavailable {
                interval = DeviceAuthorization.bounded(interval * 2)
            }
        }
        throw SignInError.timedOut(seconds: Int(wait))
    }
}
