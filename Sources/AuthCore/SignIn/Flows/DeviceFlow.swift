/// The device flow (RFC 8628): shows a code, and polls until the user has entered it on another device.
struct DeviceFlow: SignInFlow {
    let asked: ProviderRequest
    let interface: any SignInInterface

    func redeemed(
        _ finish: @Sendable (RedeemedTokens) async throws -> SignInResult
    ) async throws -> SignInResult {
        try await finish(redeemed(try await shown(try await begin())))
    }

    func shown(_ begun: DeviceAuthorization) async throws -> TokenEndpoint.Response {
        await interface.show(device: begun)
        let company = Task { await interface.attend(secondsLeft: seconds(begun)) }
        defer { company.cancel() }
        return try await poll(begun)
    }

    func redeemed(_ answer: TokenEndpoint.Response) -> RedeemedTokens {
        RedeemedTokens(answer: answer, scopes: asked.scopes, source: .device)
    }

    // MARK: Beside another flow

    private var isOffered: Bool {
        asked.request.flow == .auto && asked.client.metadata.deviceAuthorizationEndpoint != nil
            && !asked.provider.isFAPI2
    }

    var isFirst: Bool {
        isOffered && (interface.isRemote || (asked.request.opensBrowser && !interface.hasBrowser))
    }

    func begun() async -> DeviceAuthorization? {
        do {
            return try await begin()
        } catch {
            await interface.show(deviceRefused: error)
            return nil
        }
    }

    func beside(_ begun: DeviceAuthorization?) -> CallbackWaiter.Device {
        var device = CallbackWaiter.Device(begun: begun, poll: poll)
        if isOffered {
            device.begin = {
                guard let begun = await self.begun() else { return nil }
                await interface.show(device: begun)
                return begun
            }
        }
        return device
    }

    // MARK: The flow itself

    private func begin() async throws -> DeviceAuthorization {
        try asked.client.refuseUnderFAPI2(.device)
        guard let url = asked.client.metadata.deviceAuthorizationEndpoint else {
            throw DiscoveryError.unsupported(.deviceFlow)
        }
        return try await asked.client.tokenEndpoint().authorizeDevice(
            at: url, scopes: asked.scopes, nameOfURL: asked.provider.dialect.deviceURLName)
    }

    private func seconds(_ authorization: DeviceAuthorization) -> Int64 {
        let timeout = Int64(asked.request.timeout)
        return min(authorization.expiresIn ?? timeout, timeout)
    }

    func poll(_ authorization: DeviceAuthorization) async throws -> TokenEndpoint.Response {
        let clock = asked.client.services.clock
        let endpoint = try asked.client.tokenEndpoint(asked.prover, for: asked.request.resource)
        let wait = seconds(authorization)
        let deadline = clock.now() + wait
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
            } catch {
                // RFC 8628 section 3.5: back off, and go on for as long as the code is good.
                guard let wanted = DeviceFlow.pauseWanted(after: error) else { throw error }
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
