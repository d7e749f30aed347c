/// The client of one sign-in in a browser: this machine's OAuth client, or a Firebase project.
protocol AuthorizationClient: Sendable {
    var request: SignInRequest { get }
    var directory: any AccountDirectory { get }
    var interface: any SignInInterface { get }
    var clock: Clock { get }
    /// The device flow that can run at the same time; nil if the client does not support it.
    var device: DeviceFlow? { get }

    func run() async throws -> SignInResult
    /// Whether a session has all requested scopes.
    func isCovered(by session: Session) -> Bool
    func redirect(isPasted: Bool) throws -> RedirectURI
    func begin(redirectURI: String) async throws -> PendingAuthorization
    /// Whether the end of a pasted response is missing.
    func isCutOff(_ parameters: CallbackParameters) -> Bool
    func finish(
        _ pending: PendingAuthorization, with parameters: CallbackParameters, source: Grant.Source
    ) async throws -> SignInResult
}

/// An authorization request that was sent, with what its response requires.
struct PendingAuthorization: Sendable {
    let request: SignInRequest
    /// Seconds since 1970.
    let began: Int64
    let origin: DirectoryOrigin?
    let sent: any SentAuthorization
    /// The DPoP key that the code is bound to (RFC 9449 section 10).
    var key: DPoPKey?
}

extension AuthorizationClient {
    /// Begins an authorization whose response is pasted.
    func beginPasted() async throws -> PendingAuthorization {
        try await begin(redirectURI: redirect(isPasted: true).unattendedURI(port: request.port))
    }

    /// Without a listener: the user pastes the URL that the browser ended at.
    func runPasted() async throws -> SignInResult {
        let pending = try await beginPasted()
        return try await finish(pending, as: CallbackWaiter(client: self).wait(for: pending.sent, at: nil))
    }

    /// The authorization code flow in a browser (OpenID Connect Core section 3.1). The response arrives at the listener
    /// or is pasted. If the device flow runs at the same time, the first response wins.
    func runInBrowser() async throws -> SignInResult {
        let authorization = device?.startsFirst == true ? await device?.beginOrShowError() : nil
        let (listener, redirect, number): (LoopbackListener, RedirectURI, String?)
        do {
            redirect = try self.redirect(isPasted: false)
            let configuration: LoopbackListener.Configuration
            (configuration, number) = try listening(redirect.listener)
            listener = try LoopbackListener(configuration)
        } catch let error as SignInError where error.isUnreachable {
            // The user can still enter the device code.
            guard let device, let authorization else { throw error }
            return try await device.run(authorization)
        } catch ListenerError.portInUse(let port) where request.port == nil {
            throw SignInError.registeredPortInUse(port)
        }
        let result: Result<SignInResult, any Error>
        do {
            // Pushed here, so that the listener is closed even if the request fails.
            let pending = try await begin(redirectURI: redirect.uri(boundTo: listener.port))
            let waiter = CallbackWaiter(client: self, deviceAuthorization: authorization)
            let outcome = try await waiter.wait(for: pending.sent, at: listener)
            if let number, case .parameters(_, source: .browser) = outcome, try await !interface.confirms(number) {
                throw SignInError.notConfirmed
            }
            result = .success(try await finish(pending, as: outcome))
        } catch { result = .failure(error) }
        // Shows the browser how the sign-in ended.
        await listener.finish(interface.landingPage(after: result))
        return try result.get()
    }

    /// Listens on the address that the user chose. An attacker who knows `state` can then send a callback with another
    /// user's code. So the browser gets a number, which the user enters before the code is redeemed.
    private func listening(
        _ configuration: LoopbackListener.Configuration
    ) throws -> (LoopbackListener.Configuration, number: String?) {
        guard let address = request.listenAddress else { return (configuration, nil) }
        guard configuration.port != 0 else { throw SignInError.noFixedPort }
        let random = try RandomSource.openSSL.bytes(4).reduce(0) { $0 << 8 | Int($1) }
        let number = String(1000 + random % 9000)
        var changed = configuration
        (changed.address, changed.confirmation) = (address, interface.confirmationPage(number))
        return (changed, number)
    }

    private func finish(
        _ pending: PendingAuthorization, as outcome: CallbackWaiter.Outcome
    ) async throws -> SignInResult {
        switch outcome {
        case .parameters(let parameters, let source):
            try await finish(pending, with: parameters, source: source)
        case .device(let flow, let response): try await flow.finish(response)
        }
    }
}

extension SignInError {
    /// Whether only the redirect cannot be received.
    fileprivate var isUnreachable: Bool {
        switch self {
        case .unreachableRedirectURI, .redirectURINeeded: true
        default: false
        }
    }
}
