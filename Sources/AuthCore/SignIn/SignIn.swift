/// Signs in with the authorization code flow (OpenID Connect Core section 3.1), whole: request, answer, tokens,
/// verification, account.
public struct SignIn: Sendable {
    public let client: ProviderClient
    public let directory: any AccountDirectory
    let interface: any SignInInterface
    /// When this sign-in began: a new proof must not be older.
    let began: Int64

    public init(client: ProviderClient, directory: any AccountDirectory, interface: any SignInInterface) {
        self.client = client
        self.directory = directory
        self.interface = interface
        began = client.services.clock.now()
    }

    private init(_ other: SignIn, began: Int64) {
        client = other.client
        directory = other.directory
        interface = other.interface
        self.began = began
    }

    /// The same sign-in, begun earlier.
    func begun(at began: Int64) -> SignIn { SignIn(self, began: began) }

    /// - Throws: `SignInError`, `OAuthError`, `IDTokenRefused`, `AccountConflict`, `ListenerError`, `HTTPError`,
    ///   `StoreError`; nothing is stored then.
    public func callAsFunction(_ request: SignInRequest) async throws -> SignInResult {
        try client.requireProof()
        if request.flow == .clientCredentials { return try await clientCredentials(request) }
        if request.flow == .device { return try await deviceFlow(request) }
        guard request.flow != .paste else {
            let sent = try unattendedRequest(request)
            let parameters = try await waiting(request).pasted(
                sent.url.text, redirectURI: sent.redirectURI, isAwaited: { $0.carries(sent.state) })
            return try await redeem(try response(parameters, sent), sent, request, source: .paste)
        }
        let device = await isDeviceFirst(request) ? begunDevice(request) : nil
        let listener: LoopbackListener
        do {
            let redirect = try RedirectURI(
                client.provider, port: request.port, responseMode: responseMode(request), isPasted: false)
            listener = try LoopbackListener(redirect.listener)
            let sent = try authorizationRequest(request, redirectURI: redirect.uri(boundTo: listener.port))
            return try await race(sent, request, listener, device)
        } catch let error as SignInError {
            // No redirect can end here, but somebody may enter the code.
            switch error {
            case .unreachableRedirectURI, .redirectURINeeded: break
            default: throw error
            }
            guard let device else { throw error }
            return try await finish(device, try await poll(device, request), request)
        }
    }

    /// Runs the ways to answer at once: the first that brings one wins.
    private func race(
        _ sent: AuthorizationRequest, _ request: SignInRequest, _ listener: LoopbackListener,
        _ device: DeviceAuthorization?
    ) async throws -> SignInResult {
        try await listener.showing {
            let answer = try await waiting(request)(
                sent.url.text, redirectURI: sent.redirectURI, at: listener, self.device(request, device),
                isAwaited: { $0.carries(sent.state) })
            switch answer {
            case .parameters(let parameters, let source):
                return try await redeem(try response(parameters, sent), sent, request, source: source)
            case .device(let device, let answer): return try await finish(device, answer, request)
            }
        }
    }

    private func waiting(_ request: SignInRequest) -> AwaitedAnswer {
        AwaitedAnswer(interface: interface, clock: client.services.clock, request: request)
    }

    /// An authorization request whose answer nobody listens for.
    func unattendedRequest(_ request: SignInRequest) throws -> AuthorizationRequest {
        try client.requireProof()
        let redirect = try RedirectURI(
            client.provider, port: request.port, responseMode: responseMode(request), isPasted: true)
        return try authorizationRequest(request, redirectURI: redirect.unattendedURI(port: request.port))
    }

    func scopes(_ request: SignInRequest) -> [String] { client.provider.scopes(adding: request.scopes) }

    private func responseMode(_ request: SignInRequest) -> ResponseMode {
        client.provider.dialect.responseMode(scopes(request))
    }

    private func authorizationRequest(_ request: SignInRequest, redirectURI: String) throws -> AuthorizationRequest {
        let provider = client.provider
        let nonce =
            provider.dialect.hasIDTokens ? Nonce(try client.services.random.token(bytes: 24)) : nil
        return try AuthorizationRequest(
            endpoint: client.metadata.authorizationEndpoint, clientID: provider.clientID,
            redirectURI: redirectURI, scopes: scopes(request), nonce: nonce,
            sentNonce: try nonce.map { try client.sent($0).revealed() },
            parameters: try parameters(request), responseMode: responseMode(request),
            random: client.services.random)
    }

    /// The custom parameters of an authorization request. A server that goes by the letter ignores `offline_access`, or
    /// refuses it, where the person is not asked for consent (OpenID Connect Core section 11).
    private func parameters(_ request: SignInRequest) throws -> [(String, String)] {
        let provider = client.provider
        let named = try request.parameters(in: provider.dialect, of: provider.id)
        let all = provider.parameters(adding: named)
        guard provider.dialect.wantsConsentForOfflineAccess, scopes(request).contains(SignIn.offlineAccess) else {
            return all
        }
        guard let prompt = all.first(where: { $0.0 == "prompt" }) else { return all + [("prompt", "consent")] }
        // A new proof asks for a login by itself; what a person chose stays.
        let isOwn = request.prompt == nil && !request.parameters.contains { $0.0 == "prompt" }
        guard case .reauthenticate = request.operation, isOwn, prompt.1 == "login" else { return all }
        return all.map { $0.0 == "prompt" ? ("prompt", "login consent") : $0 }
    }

    /// What brings a refresh token where none came; nil where that is not known.
    func remedy(_ request: SignInRequest, isDevice: Bool) -> String? {
        let dialect = client.provider.dialect
        guard dialect.wantsConsentForOfflineAccess else { return nil }
        guard scopes(request).contains(SignIn.offlineAccess) else {
            return "at many providers '--scope offline_access' asks for a refresh token"
        }
        let prompt = (try? parameters(request))?.first { $0.0 == "prompt" }?.1
        guard isDevice || prompt?.split(separator: " ").contains("consent") == true else {
            return "'offline_access' brought no refresh token: sign in with '--prompt consent'"
        }
        return "'offline_access' brought no refresh token: the provider must allow this client that scope and the grant"
            + " 'refresh_token'"
    }

    static let offlineAccess = "offline_access"

    /// The ways to answer on another device.
    private func device(_ request: SignInRequest, _ begun: DeviceAuthorization?) -> AwaitedAnswer.Device {
        var device = AwaitedAnswer.Device(begun: begun, poll: { try await poll($0, request) })
        if canUseDevice(request) { device.begin = { await begunDevice(request) } }
        return device
    }

    func response(
        _ parameters: CallbackParameters, _ sent: AuthorizationRequest
    ) throws -> AuthorizationResponse {
        try AuthorizationResponse(
            parameters, to: sent, issuers: client.metadata.issuers, requiresIssuer: client.metadata.promisesIssuer)
    }
}
