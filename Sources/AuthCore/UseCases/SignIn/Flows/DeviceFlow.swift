/// The device flow (RFC 8628): shows a code, and polls until the user has entered it on another device.
struct DeviceFlow: Sendable {
    let client: ProviderClient
    let request: SignInRequest
    let scopes: [String]
    let prover: DPoPProver?
    let interface: any SignInInterface
    /// Completes the sign-in with the tokens.
    let finish: @Sendable (TokenResponse) async throws -> SignInResult

    func run() async throws -> SignInResult { try await run(begin()) }

    func run(_ authorization: DeviceAuthorization) async throws -> SignInResult {
        try await finish(polled(authorization))
    }

    /// Shows the code, and polls for the tokens.
    private func polled(_ authorization: DeviceAuthorization) async throws -> TokenResponse {
        await interface.show(device: authorization)
        let countdown = Task { await interface.showCountdown(secondsLeft: seconds(authorization)) }
        defer { countdown.cancel() }
        return try await poll(authorization)
    }

    // MARK: In addition to another flow

    var isOffered: Bool {
        request.flow == .auto && client.metadata[.deviceAuthorization] != nil && !client.provider.isFAPI2
    }

    /// Whether the code is requested before the browser opens.
    var startsFirst: Bool {
        isOffered && request.listenAddress == nil
            && (interface.isRemote || (request.opensBrowser && !interface.hasBrowser))
    }

    /// Begins the flow. Shows an error, because the other flow can still succeed.
    func beginOrShowError() async -> DeviceAuthorization? {
        do { return try await begin() } catch {
            await interface.show(deviceRefused: error)
            return nil
        }
    }

    // MARK: The flow itself

    private func begin() async throws -> DeviceAuthorization {
        try client.refuseUnderFAPI2(.device)
        let url = try client.metadata.required(.deviceAuthorization, or: .unsupported(.deviceFlow))
        return try await client.tokenEndpoint().authorizeDevice(
            at: url, scopes: scopes, nameOfURL: client.provider.dialect.deviceURLName)
    }

    private func seconds(_ authorization: DeviceAuthorization) -> Int64 {
        let timeout = Int64(request.timeout)
        return min(authorization.expiresIn ?? timeout, timeout)
    }

    func poll(_ authorization: DeviceAuthorization) async throws -> TokenResponse {
        let clock = client.services.clock
        let endpoint = try client.tokenEndpoint(prover, for: request.resource)
        let timeout = seconds(authorization)
        // The pauses are counted, because the clock may be set meanwhile.
        let deadline = Deadline(after: Double(timeout))
        var (paused, interval) = (Int64(0), authorization.interval)
        while paused + interval <= timeout, deadline.left != nil {
            try await clock.sleep(Double(interval))
            paused += interval
            do {
                switch try await endpoint.poll(authorization.deviceCode) {
                case .tokens(let response): return response
                case .pending: continue
                case .slowDown(let requested):
                    interval = max(requested ?? 0, interval + DeviceAuthorization.slowDownStep)
                }
            } catch {
                // RFC 8628 section 3.5: back off, and continue until the code expires.
                guard let pause = DeviceFlow.requiredPause(after: error) else { throw error }
                interval = max(interval, min(interval * 2, DeviceFlow.longestBackoff), pause)
            }
        }
        throw SignInError.timedOut(seconds: Int(timeout))
    }

    private static let longestBackoff: Int64 = 60

    /// The minimum number of seconds to wait after a temporary error; nil for a permanent one.
    private static func requiredPause(after error: any Error) -> Int64? {
        switch error {
        case let error as HTTPError where error.mayConnectLater: 0
        case HTTPError.timedOut, HTTPError.connectionLost, HTTPError.noResponse, OAuthError.unavailable:
            0
        case OAuthError.tooManyRequests(_, let seconds): seconds ?? 0
        default: nil
        }
    }
}
