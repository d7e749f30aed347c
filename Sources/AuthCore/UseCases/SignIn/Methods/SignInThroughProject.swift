/// Signs in with a provider whose client is the Firebase project: the project makes the authorization request and redeems
/// the response, and the client's secret stays with it (Identity Toolkit API, `accounts:createAuthUri`). Who signed in is
/// the project's statement.
struct SignInThroughProject: AuthorizationClient {
    let request: SignInRequest
    let providerID: String
    let redirectURI: String?
    let project: FirebaseDirectory
    let interface: any SignInInterface

    var directory: any AccountDirectory { project }
    var clock: Clock { project.clock }
    var device: DeviceFlow? { nil }
    private var dialect: Dialect { Dialect.named(providerID) ?? Dialect.openID(nil) }
    private var responseMode: ResponseMode { dialect.responseMode(dialect.project.scopes) ?? .query }

    func run() async throws -> SignInResult { try await request.flow == .paste ? runPasted() : runInBrowser() }

    func isCovered(by session: Session) -> Bool { Set(request.scopes).isSubset(of: session.scopes) }

    func isCutOff(_ parameters: CallbackParameters) -> Bool { false }

    func redirect(isPasted: Bool) throws -> RedirectURI {
        // Projects authorize 'localhost', and providers compare its port.
        let kind = dialect.redirect == .publicURL ? dialect.redirect : .fixedPort(host: "localhost")
        if dialect.redirect == .publicURL, let redirectURI, (try? HTTPURL(redirectURI))?.isLoopback == true {
            throw SignInError.redirectURINeeded(provider: providerID)
        }
        return try RedirectURI(
            redirectURI, as: kind, path: Provider.sharedRedirectPath, of: providerID, port: request.port,
            responseMode: responseMode, isPasted: isPasted)
    }

    func begin(redirectURI: String) async throws -> PendingAuthorization {
        if request.pushesRequest { throw SignInError.onlyByOwnClient(.pushedRequest, provider: providerID) }
        if request.bindsTokens { throw SignInError.onlyByOwnClient(.boundTokens, provider: providerID) }
        // These requirements can only be verified in the provider's ID token, which the project does not return.
        if request.maximumAge != nil { throw SignInError.notThroughProject(.maximumAge, provider: providerID) }
        if !request.authenticationContexts.isEmpty {
            throw SignInError.notThroughProject(.authenticationContexts, provider: providerID)
        }
        let flow = try await project.begin(
            providerID, continueURI: redirectURI, responseMode: responseMode, scopes: request.scopes,
            parameters: try request.parameters(in: dialect, of: providerID), random: .openSSL)
        return PendingAuthorization(
            request: request, began: clock.now(), origin: directory.origin, sent: flow)
    }

    func finish(
        _ pending: PendingAuthorization, with parameters: CallbackParameters, source: Grant.Source
    ) async throws -> SignInResult {
        guard let flow = pending.sent as? ProjectFlow else { throw StartedSignIns.damaged }
        let now = clock.now()
        let presented = project.presented(try ProjectResponse(parameters, to: flow), now: now)
        var operation = request.operation
        if case .signIn = operation, let uid = request.account { operation = .reauthenticate(uid: uid) }
        return try await project.completed(presented, as: operation, now: now)
    }
}

extension FirebaseDirectory {
    func signIn(
        _ member: String, token: String, nonce: Nonce?, of provider: String, as operation: SignInOperation
    ) async throws -> SignInResult {
        let now = clock.now()
        return try await completed(
            ProjectCredential(member, token: token, nonce: nonce, of: provider, in: project, now: now), as: operation,
            now: now)
    }

    fileprivate func completed(
        _ presented: ProjectCredential, as operation: SignInOperation, now: Int64
    ) async throws -> SignInResult {
        let entry =
            switch operation {
            case .signIn: try await signIn(presented, now: now)
            case .link(let uid, let hasConsent): try await link(presented, to: uid, hasConsent: hasConsent, now: now)
            case .reauthenticate(let uid): try await reauthenticate(presented, as: uid)
            }
        return entry.credential.result(entry.account, isNew: entry.isNew, as: operation)
    }
}
