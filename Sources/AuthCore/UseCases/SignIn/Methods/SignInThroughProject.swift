/// Signs in with a provider whose client is the Firebase project: the project makes the authorization request and redeems
/// the response, and the client's secret stays with it (Identity Toolkit API, `accounts:createAuthUri`). Who signed in is
/// the project's statement.
package struct SignInThroughProject: Sendable {
    package let providerID: String
    let redirectURI: String?
    package let directory: FirebaseDirectory
    let interface: any SignInInterface
    var random = RandomSource.openSSL

    private var clock: Clock { directory.clock }
    private var dialect: Dialect { Dialect.named(providerID) ?? Dialect.openID(nil) }
    private var responseMode: ResponseMode { dialect.responseMode(dialect.project.scopes) }

    package func run(_ request: SignInRequest) async throws -> SignInResult {
        let waiter = CallbackWaiter(interface: interface, clock: clock, request: request)
        guard request.flow != .paste else {
            let flow = try await unattendedFlow(request)
            return try await finish(waiter.pasted(flow), flow, request)
        }
        let redirect = try redirect(request, isPasted: false)
        let listener = try LoopbackListener(redirect.listener)
        return try await listener.showingResult(interface) {
            let flow = try await begin(request, redirectURI: redirect.uri(boundTo: listener.port))
            guard case .parameters(let parameters, _) = try await waiter.wait(for: flow, at: listener) else {
                throw CancellationError()
            }
            return try await finish(parameters, flow, request)
        }
    }

    func unattendedFlow(_ request: SignInRequest) async throws -> ProjectFlow {
        let redirect = try redirect(request, isPasted: true)
        return try await begin(request, redirectURI: redirect.unattendedURI(port: request.port))
    }

    private func redirect(_ request: SignInRequest, isPasted: Bool) throws -> RedirectURI {
        // Projects authorize 'localhost', and providers compare its port.
        let kind = dialect.redirect == .publicURL ? dialect.redirect : .fixedPort(host: "localhost")
        if dialect.redirect == .publicURL, let redirectURI, (try? HTTPURL(redirectURI))?.isLoopback == true {
            throw SignInError.redirectURINeeded(provider: providerID)
        }
        return try RedirectURI(
            redirectURI, kind, path: Provider.sharedRedirectPath, of: providerID, port: request.port,
            responseMode: responseMode, isPasted: isPasted)
    }

    private func begin(_ request: SignInRequest, redirectURI: String) async throws -> ProjectFlow {
        if request.pushesRequest { throw SignInError.onlyByOwnClient(.pushedRequest, provider: providerID) }
        if request.bindsTokens { throw SignInError.onlyByOwnClient(.boundTokens, provider: providerID) }
        // These requirements can only be verified in the provider's ID token, which the project does not return.
        if request.maximumAge != nil { throw SignInError.notThroughProject(.maximumAge, provider: providerID) }
        if !request.authenticationContexts.isEmpty {
            throw SignInError.notThroughProject(.authenticationContexts, provider: providerID)
        }
        return try await directory.begin(
            providerID, continueURI: redirectURI, responseMode: responseMode, scopes: request.scopes,
            parameters: try request.parameters(in: dialect, of: providerID), random: random)
    }

    func finish(
        _ parameters: CallbackParameters, _ flow: ProjectFlow, _ request: SignInRequest
    ) async throws -> SignInResult {
        let now = clock.now()
        let presented = directory.presented(try ProjectResponse(parameters, to: flow), now: now)
        var operation = request.operation
        if case .signIn = operation, let uid = request.account { operation = .reauthenticate(uid: uid) }
        return try await directory.completed(presented, operation, now: now)
    }
}

extension FirebaseDirectory {
    func signIn(
        _ member: String, _ token: String, nonce: Nonce?, of provider: String, _ operation: SignInOperation
    ) async throws -> SignInResult {
        let now = clock.now()
        return try await completed(
            ProjectCredential(member, token, nonce: nonce, of: provider, in: project, now: now), operation, now: now)
    }

    fileprivate func completed(
        _ presented: ProjectCredential, _ operation: SignInOperation, now: Int64
    ) async throws -> SignInResult {
        let entry =
            switch operation {
            case .signIn: try await signIn(presented, now: now)
            case .link(let uid, let hasConsent): try await link(presented, to: uid, hasConsent: hasConsent, now: now)
            case .reauthenticate(let uid): try await reauthenticate(presented, as: uid)
            }
        return entry.credential.result(entry.account, isNew: entry.isNew, operation)
    }
}
