/// Why a sign-in ended without anybody else being at fault.
public enum SignInError: Error, Sendable, Equatable {
    /// Nobody answered within the time, in seconds.
    case timedOut(seconds: Int)
    /// Nobody answered the last one that no person asked for; seconds until another one may ask.
    case unanswered(pause: Int)
    /// No browser can be opened, and nobody is there to paste anything.
    case noBrowser
    /// A person is needed, and none may be asked.
    case interactionRequired
    /// The redirect URI cannot be listened on: it is not loopback, and no port was given.
    case unreachableRedirectURI(String)
    /// The provider takes no loopback redirect URI, and the entry names no other.
    case redirectURINeeded(provider: String)
    case nonceUsedBefore
    /// No sign-in of this ID was begun, or it has expired or ended.
    case notBegun(String)
    /// It was begun as another operation.
    case begunAs(SignInOperation.Kind)
    /// What only the provider's own client could hold it to.
    case notThroughProject(RequestOption, provider: String)
    /// The input that a response should have been pasted to ended.
    case nothingPasted
}

/// How a sign-in reaches the person.
public protocol SignInInterface: Sendable {
    /// Shows the URL to visit; always called before a browser is opened.
    func show(_ page: AuthorizationPage) async
    /// Shows the code to enter on another device, and where (RFC 8628 section 3.3).
    func show(device: DeviceAuthorization) async
    /// The provider gives this client no code for another device; the other ways stay open.
    func show(deviceRefused error: any Error) async
    /// Seconds until nobody waits any more; said again and again while a code is waited for.
    func show(secondsLeft: Int64) async
    /// What was pasted is not the answer, which begins with `redirectURI`; it is waited for all the same.
    func show(notTheAnswer redirectURI: String) async
    /// Whether there is a browser to open.
    var hasBrowser: Bool { get }
    /// The person's own browser is likely to be on another machine than this process.
    var isRemote: Bool { get }
    /// Opens a browser; false when none could be opened.
    func openBrowser(_ url: String) async -> Bool
    /// What the person pastes, a line at a time; ends when input ends.
    func pastedLines() -> AsyncStream<String>
}

extension SignInInterface {
    public func show(deviceRefused error: any Error) async {}
    public func show(notTheAnswer redirectURI: String) async {}
    public func show(secondsLeft: Int64) async {}
    public var isRemote: Bool { false }
}

/// What a person needs to know of the page to visit.
public struct AuthorizationPage: Sendable {
    public var url: String
    public var redirectURI: String
    /// The URL that the browser ends at can be pasted.
    public var acceptsPaste: Bool
    /// A code for another device was shown already.
    public var isAlternative = false
    /// Such a code can be asked for.
    public var offersDevice = false
}

public struct SignInRequest: Sendable {
    public enum Flow: String, Sendable, CaseIterable {
        case auto, browser, device, paste
        /// No person at all: the client signs in for itself (RFC 6749 section 4.4).
        case clientCredentials = "client-credentials"
    }

    public var flow = Flow.auto
    public var operation = SignInOperation.signIn
    public var scopes: [String] = []
    public var parameters: [(String, String)] = []
    public var loginHint: String?
    public var prompt: String?
    /// Seconds since the person last authenticated, at most.
    public var maximumAge: Int64?
    public var authenticationContexts: [String] = []
    public var language: String?
    public var port: UInt16?
    public var opensBrowser = true
    /// A person may paste the callback's URL while the listener waits.
    public var acceptsPaste = false
    /// Seconds to wait for a person.
    public var timeout = 300

    public init() {}

    /// What was asked for, and how, as text that is equal for equal requests: to tell a script that asks again from one
    /// that asks for something else.
    var fingerprint: String {
        let parts: [String] = [
            flow.rawValue, scopes.joined(separator: " "), FormURLEncoded.encode(parameters), loginHint ?? "",
            prompt ?? "",
            maximumAge.map(String.init) ?? "", authenticationContexts.joined(separator: " "), language ?? "",
            port.map { String($0) } ?? "", opensBrowser ? "browser" : "", String(timeout),
        ]
        let digest = try? HashFunction.sha256.digest(FormURLEncoded.encode(parts.map { ("", $0) }).utf8)
        return (digest ?? []).prefix(12).map { $0 }.hexadecimal
    }

    /// The custom parameters, and what the options are called at a provider.
    /// - Throws: `ProviderError.noSuchOption`.
    func parameters(in dialect: Dialect, of provider: String) throws(ProviderError) -> [(String, String)] {
        let options: [(RequestOption, String?)] = [
            (.loginHint, loginHint), (.prompt, prompt), (.maximumAge, maximumAge.map(String.init)),
            (.language, language),
            (
                .authenticationContexts,
                authenticationContexts.isEmpty ? nil : authenticationContexts.joined(separator: " ")
            ),
        ]
        var parameters = self.parameters
        if case .reauthenticate = operation {
            let named = Set(parameters.map(\.0) + (prompt == nil ? [] : ["prompt"]))
            parameters += dialect.reauthentication.filter { !named.contains($0.0) }
        }
        for case (let option, let value?) in options {
            parameters.append((try dialect.name(of: option, at: provider), value))
        }
        return parameters
    }
}

/// What is done with the credential that a flow yields.
public enum SignInOperation: Sendable {
    case signIn
    /// Attach it to an account.
    case link(uid: String, hasConsent: Bool)
    /// Take it as a new proof of an account's own identity.
    case reauthenticate(uid: String)

    /// What it is, without whom it is for: the words are Firebase's, and those of the JSON.
    public enum Kind: String, Sendable { case signIn, link, reauthenticate }

    public var kind: Kind {
        switch self {
        case .signIn: .signIn
        case .link: .link
        case .reauthenticate: .reauthenticate
        }
    }
}

public struct SignInResult: Sendable {
    public let operation: SignInOperation.Kind
    public let account: Account
    public let providerID: String
    public let isNewUser: Bool
    /// Verified ID-token claims and userinfo.
    public let profile: JSONObject
    public let scopes: [String]
    public let expiresAt: Int64?
    public let hasRefreshToken: Bool
    /// The session can be renewed without a person.
    public let isRenewable: Bool
    public let hasIDToken: Bool
    public let notes: [String]
}

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
            return try await redeem(try response(parameters, sent), sent, request, source: "paste")
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
