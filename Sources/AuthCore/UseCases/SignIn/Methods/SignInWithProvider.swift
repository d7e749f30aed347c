/// Signs in, links or re-authenticates with a provider, through this client or a project. Only one process at a time.
package struct SignInWithProvider: Sendable {
    package typealias Interface = @Sendable (_ providerID: String, _ clientID: String) -> any SignInInterface

    let profile: Profile
    let interface: Interface

    package init(_ profile: Profile, interface: @escaping Interface) {
        self.profile = profile
        self.interface = interface
    }

    /// - Parameter waiting: called with the process that holds the lock, and since when; nil if unknown.
    package func run(
        _ id: String, with request: SignInRequest, isUserInitiated: Bool, waiting: (String?) -> Void
    ) async throws -> SignInResult {
        let client = try await client(id, request)
        let request = client.request
        // Known before the browser opens.
        if let own = client as? SignIn, [.browser, .paste].contains(request.flow), own.client.usesDeviceFlowOnly {
            throw SignInError.browserNeedsSecret(provider: id, flow: request.flow)
        }
        // Otherwise the result of the sign-in could not be stored.
        try await profile.openKey()
        // A link, a re-authentication or a sign-in for one account is not shared with other processes.
        guard case .signIn = request.operation, request.account == nil else { return try await client.run() }
        return try await SharedSignIn(profile: profile, directory: client.directory).run(
            provider: id, request: request, isUserInitiated: isUserInitiated,
            isEnough: {
                client.isCovered(by: $0) && (!request.bindsTokens || $0.binding == .dpop)
                    && $0.source.isMachine == request.signsClientIn
            },
            waiting: waiting
        ) { try await client.run() }
    }

    package func acceptIDToken(
        _ id: String, nonce: Nonce?, tenant: String?, as operation: SignInOperation, token: () throws -> RawIDToken
    ) async throws -> SignInResult {
        let provider = try profile.resolve(id)
        if let project = try projectIfOnlyClient(provider) {
            return try await project.signIn("id_token", token: token().revealed(), nonce: nonce, of: id, as: operation)
        }
        let client = try await profile.ownClient(at: provider, tenant: tenant)
        return try await SignInWithIDToken(client: client, directory: profile.directory(creating: true)).run(
            try token(), nonce: nonce, as: operation)
    }

    package func acceptAccessToken(
        _ id: String, tenant: String?, isOfGH: Bool = false, as operation: SignInOperation,
        token: () throws -> AccessToken
    ) async throws -> SignInResult {
        let provider = try profile.resolve(id)
        if let project = try projectIfOnlyClient(provider) {
            let token = try accepted(try token(), of: id).revealed()
            return try await project.signIn("access_token", token: token, nonce: nil, of: id, as: operation)
        }
        // A personal access token does not require a client ID.
        let acceptsPersonalTokens = Dialect.named(id)?.personalTokens != nil
        let client =
            try await acceptsPersonalTokens ? profile.client(id) : profile.ownClient(at: provider, tenant: tenant)
        return try await SignInWithAccessToken(client: client, directory: profile.directory(creating: true)).run(
            isOfGH ? try token() : try accepted(try token(), of: id), as: operation, isOfGH: isOfGH)
    }

    private func accepted(_ token: AccessToken, of id: String) throws -> AccessToken {
        if try Dialect.named(id)?.personalTokens?.contains(token) == true, try profile.projectSettings() != nil {
            throw CredentialError.personalTokenInProject
        }
        return token
    }

    // MARK: In two calls

    package func begin(_ id: String, _ request: SignInRequest) async throws -> StartedSignIn {
        let client = try await client(id, request)
        // Checked before the browser opens, because the response could not be redeemed.
        if let own = client as? SignIn, own.client.usesDeviceFlowOnly {
            throw SignInError.browserNeedsSecret(provider: id, flow: .auto)
        }
        return try await SignInInTwoSteps(client.directory.sessionStore, clock: profile.clock).begin(client, at: id)
    }

    package func begun(_ id: String, as kind: SignInOperation.Kind) async throws -> SignInInTwoSteps.Found {
        // The pending sign-in names its directory, so the settings are not required yet.
        guard let store = try profile.store(creating: false) else { throw SignInError.noPendingSignIn(id) }
        let steps = SignInInTwoSteps(SessionStore(store: store, profile: profile.name), clock: profile.clock)
        let found = try await steps.find(id)
        guard found.operation.kind == kind else { throw SignInError.startedAs(found.operation.kind, id: id) }
        return found
    }

    /// Completes a pending sign-in.
    package func complete(_ found: SignInInTwoSteps.Found, pasted: String) async throws -> SignInResult {
        let provider = try profile.resolve(found.providerID)
        let client: any AuthorizationClient =
            try await found.isThroughProject
            ? throughProject(provider, found.request) : throughOwnClient(provider, found.request)
        return try await SignInInTwoSteps(client.directory.sessionStore, clock: profile.clock).complete(
            found, by: client, pasted: pasted)
    }

    // MARK: The client

    private func client(_ id: String, _ request: SignInRequest) async throws -> any AuthorizationClient {
        for (name, _) in request.parameters where AuthorizationRequest.reservedParameters.contains(name) {
            throw OAuthError.reservedParameter(name)
        }
        if request.flow == .device, let endpoints = Dialect.named(id)?.endpoints, endpoints.deviceAuthorization == nil {
            // Configuring a client would not help.
            throw DiscoveryError.unsupported(.deviceFlow)
        }
        let provider = try profile.resolve(id)
        let isOwn = request.flow == .device || request.signsClientIn
        var request = request
        guard !provider.isThroughProject || isOwn else {
            if let tenant = request.tenant { request.parameters.append(("tenant", tenant)) }
            request.tenant = nil
            return try throughProject(provider, request)
        }
        // A sender-constrained session stays so, even if the option is not repeated.
        if try await isBound(id, request) { request.bindsTokens = true }
        return try await throughOwnClient(provider, request)
    }

    private func isBound(_ provider: String, _ request: SignInRequest) async throws -> Bool {
        guard let sessionStore = try profile.sessionStoreForDisplay() else { return false }
        let alike = try await sessionStore.sessions().filter {
            $0.providerID == provider && $0.resource == request.resource && $0.source.isMachine == request.signsClientIn
        }
        var uid = request.operation.uid ?? request.account
        if uid == nil { uid = try await sessionStore.currentUID() }
        let own = alike.filter { $0.accountUID == uid }
        // If the current account has no session at the provider, the sessions of all accounts decide.
        if case .signIn = request.operation, own.isEmpty { return alike.contains { $0.binding == .dpop } }
        return own.contains { $0.binding == .dpop }
    }

    private func throughOwnClient(_ provider: ResolvedProvider, _ request: SignInRequest) async throws -> SignIn {
        let client = try await profile.ownClient(at: provider, tenant: request.tenant)
        let isShared = try profile.sharesClient(client.provider.clientID, of: provider.id)
        return try SignIn(
            request, client: client, requiresIssuer: isShared, directory: profile.directory(creating: true),
            interface: interface(provider.id, client.provider.clientID),
            sessions: profile.sessionServices(creating: true))
    }

    private func throughProject(
        _ provider: ResolvedProvider, _ request: SignInRequest
    ) throws -> SignInThroughProject {
        guard let directory = try profile.directory(creating: true) as? FirebaseDirectory else {
            throw ProviderError.notConfigured(provider.id)
        }
        return SignInThroughProject(
            request: request, providerID: provider.id,
            redirectURI: try provider.configuration?.redirectURI ?? profile.projectSettings()?.redirectURI,
            project: directory, interface: interface(provider.id, ""))
    }

    private func projectIfOnlyClient(_ provider: ResolvedProvider) throws -> FirebaseDirectory? {
        guard provider.configuration == nil, provider.isThroughProject else { return nil }
        return try profile.directory(creating: true) as? FirebaseDirectory
    }
}

extension Profile {
    /// Whether another server has the same client. Only a metadata document is the client of several servers, and it has one
    /// redirect URI for all, so that the response must name the server (RFC 9700 section 4.4.2).
    func sharesClient(_ clientID: String, of id: String) throws -> Bool {
        try clientID.hasPrefix("https://") && providers().contains { $0.clientID == clientID && $0.id != id }
    }
}
