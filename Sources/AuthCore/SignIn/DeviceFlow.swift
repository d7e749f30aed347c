/// Signs in on another device (RFC 8628): this one shows a code and asks until somebody entered it there.
extension SignIn {
    /// Whether a code can be had beside the other ways.
    func canUseDevice(_ request: SignInRequest) -> Bool {
        request.flow == .auto && client.metadata.deviceAuthorizationEndpoint != nil
    }

    /// Whether a code is what a person is shown first: their browser is elsewhere, or there is none.
    func isDeviceFirst(_ request: SignInRequest) -> Bool {
        canUseDevice(request) && (interface.isRemote || (request.opensBrowser && !interface.hasBrowser))
    }

    func deviceFlow(_ request: SignInRequest) async throws -> SignInResult {
        let device = try await beginDevice(request)
        return try await finish(device, try await poll(device, request), request)
    }

    /// A code beside the other ways; nil where the provider gives this client none, as policies have it.
    func begunDevice(_ request: SignInRequest) async -> DeviceAuthorization? {
        do {
            return try await beginDevice(request)
        } catch {
            await interface.show(deviceRefused: error)
            return nil
        }
    }

    private func beginDevice(_ request: SignInRequest) async throws -> DeviceAuthorization {
        guard let url = client.metadata.deviceAuthorizationEndpoint else {
            throw DiscoveryError.unsupported("the device flow")
        }
        let authorization = try await client.tokenEndpoint().authorizeDevice(
            at: url, scopes: scopes(request), nameOfURL: client.provider.dialect.deviceURLName)
        await interface.show(device: authorization)
        return authorization
    }

    func finish(
        _ device: DeviceAuthorization, _ answer: TokenEndpoint.Answer, _ request: SignInRequest
    ) async throws -> SignInResult {
        // No nonce goes out in this flow, so none may come back.
        try await finish(
            RedeemedTokens(answer: answer, scopes: scopes(request), nonce: nil), request, source: .device)
    }

    /// Asks at the pace that the provider wants, until it answers or the code has expired.
    func poll(_ authorization: DeviceAuthorization, _ request: SignInRequest) async throws -> TokenEndpoint.Answer {
        let clock = client.services.clock
        let endpoint = try client.tokenEndpoint()
        let timeout = Int64(request.timeout)
        let wait = min(authorization.expiresIn ?? timeout, timeout)
        let deadline = clock.now() + wait
        var interval = authorization.interval
        while clock.now() + interval <= deadline {
            await interface.show(secondsLeft: deadline - clock.now())
            try await clock.sleep(Double(interval))
            do {
                switch try await endpoint.poll(authorization.deviceCode) {
                case .tokens(let answer): return answer
                case .pending: continue
                case .slowDown(let wanted):
                    interval = DeviceAuthorization.bounded(wanted ?? interval + DeviceAuthorization.slowDownStep)
                }
            } catch {
                // RFC 8628 section 3.5: back off, and go on for as long as the code is good.
                guard let wanted = SignIn.pauseWanted(after: error) else { throw error }
                interval = max(DeviceAuthorization.bounded(interval * 2), wanted)
            }
        }
        throw SignInError.timedOut(seconds: Int(wait))
    }

    /// Seconds to wait at least after an error that may pass; nil for one that will not.
    private static func pauseWanted(after error: any Error) -> Int64? {
        switch error {
        case HTTPError.timedOut, HTTPError.cannotConnect, HTTPError.connectionLost, OAuthError.unavailable: 0
        case OAuthError.tooManyRequests(_, let seconds): seconds ?? 0
        default: nil
        }
    }
}
