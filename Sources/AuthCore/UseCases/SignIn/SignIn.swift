/// Signs in with a provider (OpenID Connect Core section 3.1; RFC 6749; RFC 8628). The verified tokens become a
/// credential, which the directory uses to sign in, link or re-authenticate.
package struct SignIn: Sendable {
    let request: SignInRequest
    let client: ProviderClient
    let directory: any AccountDirectory
    let interface: any SignInInterface
    /// Whether the response must name the issuer (RFC 9207).
    private let requiresIssuer: Bool
    /// Required for a provider with `assertion_from`.
    private let sessions: SessionServices?
    /// When the sign-in began, in seconds since 1970. A re-authentication must not be older.
    var began: Int64
    var prover: DPoPProver?

    init(
        _ request: SignInRequest, client: ProviderClient, requiresIssuer: Bool = false,
        directory: any AccountDirectory, interface: any SignInInterface, sessions: SessionServices? = nil
    ) throws {
        (self.client, self.directory, self.interface, self.sessions) = (client, directory, interface, sessions)
        self.requiresIssuer = requiresIssuer || client.metadata.promisesIssuer || client.provider.isFAPI2
        var request = request
        request.tenant = client.provider.tenant
        self.request = request
        try client.requireCredential()
        began = client.services.clock.now()
        prover = try client.newProver(isRequested: request.bindsTokens)
    }

    package func run() async throws -> SignInResult {
        let source = request.flow == .auto ? client.provider.assertionFrom : nil
        if case .reauthenticate = request.operation, source != nil || !client.provider.identifiesUser {
            throw CredentialError.namesNoUser
        }
        if let source {
            guard let sessions else { throw NotSignedIn.noSession(provider: source) }
            return try await completed(redeemed(byAssertionOf: source, sessions))
        }
        switch request.flow {
        case .clientCredentials: return try await completed(redeemedByClientCredentials())
        case .device: return try await deviceFlow.run()
        case .auto where client.usesDeviceFlowOnly: return try await deviceFlow.run()
        case .paste: return try await runPasted()
        case .auto, .browser: return try await runInBrowser()
        }
    }

    func isCovered(by session: Session) -> Bool {
        client.provider.missing(request.scopes, granted: session.scopes).isEmpty
    }

    func completed(_ redeemed: RedeemedTokens) async throws -> SignInResult {
        try await checkAudience(redeemed.tokens)
        let certificate = try certificate(binding: redeemed.tokens.accessToken)
        let verified = try await self.verified(redeemed, certificate)
        var credential = try self.credential(verified, from: redeemed, certificate: certificate)
        var operation = request.operation
        if case .unnamed = verified { operation = try await assign(&credential) }
        let (now, notes) = (clock.now(), self.notes(verified, redeemed))
        if case .signIn = operation, let uid = request.account {
            let account = try await directory.reauthenticate(credential, as: uid, now: now)
            return credential.result(account, isNew: false, as: operation, notes: notes)
        }
        return try await credential.completed(operation, in: directory, now: now, notes: notes)
    }

    /// Assigns tokens that name no user to the account that requested them.
    private func assign(_ credential: inout AccountCredential) async throws -> SignInOperation {
        if case .reauthenticate = request.operation { throw CredentialError.namesNoUser }
        let sessionStore = directory.sessionStore
        let current = try await sessionStore.currentUID()
        guard case .signIn = request.operation, let uid = request.account ?? current,
            let account = try await sessionStore.account(uid: uid), !account.isMachine
        else { return request.operation }
        let key = credential.identity.key
        let known = account.identity(of: key.providerID)?.key
        if let known {
            if known.isUnnamed, known.authority == key.authority {
                credential.name(known)
            } else if case .assertion = credential.grant.source {
                // The token does not identify its user, so it may be another user's.
                throw AccountConflict.providerAlreadyLinked(key.providerID)
            }
            return request.operation
        }
        if try await sessionStore.owner(of: key) != nil { credential.name(key.unnamed(of: uid)) }
        return .link(uid: uid, hasConsent: request.hasConsent)
    }
}

extension SignIn: AuthorizationClient {
    var clock: Clock { client.services.clock }
    var device: DeviceFlow? { deviceFlow }
    private var deviceFlow: DeviceFlow {
        DeviceFlow(
            client: client, request: request,
            scopes: scopes + provider.dialect.deviceScopes.filter { !scopes.contains($0) }, prover: prover,
            interface: interface
        ) { try await completed(RedeemedTokens(tokens: $0, scopes: scopes, source: .device)) }
    }
    var provider: Provider { client.provider }
    var scopes: [String] {
        // The parameters `acr_values` and `max_age` require the scope (OpenID Connect Core section 3.1.2.1).
        let isStepUp = request.maximumAge != nil || !request.authenticationContexts.isEmpty
        let identity = isStepUp && client.metadata.scopes?.contains("openid") == true ? ["openid"] : []
        let more = request.resourceScopes + request.scopes + identity
        return request.resource.map { provider.scopes(of: $0, adding: more) } ?? provider.scopes(adding: more)
    }
    /// The token request of a flow without a user.
    var machineGrant: SessionRenewal.TokenRequest {
        SessionRenewal.TokenRequest(
            kind: nil, scopes: provider.machineScopes(adding: request.resourceScopes + request.scopes),
            parameters: request.parameters)
    }
    private var responseMode: ResponseMode? { provider.responseMode ?? provider.dialect.responseMode(scopes) }

    func redirect(isPasted: Bool) throws -> RedirectURI {
        try RedirectURI(provider, port: request.port, responseMode: responseMode ?? .query, isPasted: isPasted)
    }

    func begin(redirectURI: String) async throws -> PendingAuthorization {
        PendingAuthorization(
            request: request, began: began, origin: directory.origin,
            sent: try await authorization(redirectURI: redirectURI), key: prover?.key)
    }

    func authorization(redirectURI: String) async throws -> AuthorizationRequest {
        let endpoint = try client.pushedRequestEndpoint(isRequested: request.pushesRequest)
        let sent = try plainAuthorization(redirectURI: redirectURI, isPushed: endpoint != nil)
        guard let endpoint else { return sent }
        let pushed = try await client.tokenEndpoint(prover).push(sent, to: endpoint)
        guard !provider.isFAPI2 || pushed.expiresIn < FAPI2.requestLifetime else {
            throw OAuthError.invalidResponse(.malformed("expires_in", isNot: .shortSpan), at: .pushedAuthorization)
        }
        return try sent.named(by: pushed, at: client.metadata.authorizationEndpoint, clientID: provider.clientID)
    }

    private func plainAuthorization(redirectURI: String, isPushed: Bool) throws -> AuthorizationRequest {
        var parameters = try self.parameters
        if let prover {
            // Binds the code to the key (RFC 9449 section 10).
            if parameters.contains(where: { $0.0 == "dpop_jkt" }) { throw OAuthError.reservedParameter("dpop_jkt") }
            parameters.append(("dpop_jkt", try prover.key.thumbprint()))
        }
        if let mode = provider.responseMode?.rawValue, client.metadata.responseModes?.contains(mode) == false {
            throw provider.invalid("response_mode", .notListed(mode))
        }
        let nonce = provider.dialect.hasIDTokens ? Nonce(try client.services.random.token(bytes: 24)) : nil
        return try AuthorizationRequest(
            endpoint: client.metadata.authorizationEndpoint, clientID: provider.clientID, redirectURI: redirectURI,
            scopes: scopes, nonce: nonce, sentNonce: try nonce.map { try client.sent($0).revealed() },
            parameters: parameters, scopeSeparator: provider.scopeSeparator, responseMode: responseMode,
            isPushed: isPushed, random: client.services.random)
    }

    /// The custom parameters of an authorization request. Strict servers ignore or reject `offline_access` unless the
    /// user is asked for consent (OpenID Connect Core section 11).
    private var parameters: [(String, String)] {
        get throws {
            var all = provider.parameters(adding: try request.parameters(in: provider.dialect, of: provider.id))
            if let resource = request.resource {
                // Only the requested resource, not a configured one.
                all.removeAll { $0.0 == "resource" }
                if !provider.dialect.namesResourceInScopes { all.append(("resource", resource.text)) }
            }
            guard requiresConsent, scopes.contains(Scopes.offlineAccess) else { return all }
            guard let prompt = all.first(where: { $0.0 == "prompt" }) else { return all + [("prompt", "consent")] }
            // Re-authentication adds `prompt=login`, unless the user chose a prompt.
            let isOwn = request.prompt == nil && !request.parameters.contains { $0.0 == "prompt" }
            guard case .reauthenticate = request.operation, isOwn, prompt.1 == "login" else { return all }
            return all.map { $0.0 == "prompt" ? ("prompt", ["login", "consent"].joined(separator: " ")) : $0 }
        }
    }

    /// Only OpenID Providers require it. Some protect resources, for which no ID token is requested.
    private var requiresConsent: Bool {
        provider.dialect.requiresConsentForOfflineAccess
            && (provider.dialect.hasIDTokens || client.metadata.issuesIDTokens)
    }

    /// Whether the end of a pasted response is missing. Servers put the issuer last.
    func isCutOff(_ parameters: CallbackParameters) -> Bool {
        !parameters.has("code") && !parameters.has("error") || requiresIssuer && !parameters.has("iss")
    }

    func finish(
        _ pending: PendingAuthorization, with parameters: CallbackParameters, source: Grant.Source
    ) async throws -> SignInResult {
        guard let sent = pending.sent as? AuthorizationRequest else { throw StartedSignIns.damaged }
        var signIn = self
        // Another process may have begun the sign-in.
        (signIn.began, signIn.prover) = (pending.began, pending.key.map { DPoPProver($0, client.services) })
        return try await signIn.completed(signIn.redeemed(parameters, to: sent, source: source))
    }

    private func redeemed(
        _ parameters: CallbackParameters, to sent: AuthorizationRequest, source: Grant.Source
    ) async throws -> RedeemedTokens {
        let response = try AuthorizationResponse(
            parameters, to: sent, issuers: client.metadata.issuers, requiresIssuer: requiresIssuer)
        var tokens = try await client.tokenEndpoint(prover, for: request.resource).redeem(
            response.code, verifier: sent.proofKey.verifier, redirectURI: sent.redirectURI)
        tokens.scopes = tokens.scopes ?? response.scopes
        return RedeemedTokens(
            tokens: tokens, scopes: sent.scopes, source: source, nonce: sent.nonce, code: response.code,
            user: response.user)
    }

    func notes(_ verified: VerifiedTokens, _ redeemed: RedeemedTokens) -> [SignInNote] {
        var notes: [SignInNote] = []
        if prover == nil, client.clientKeys.certificate != nil, client.metadata.bindsToCertificates,
            redeemed.tokens.accessToken.certificateBinding == .none
        {
            notes.append(.notBoundToCertificate)
        }
        if case .person(let person) = verified {
            notes += person.notes
            let declined = provider.missing(redeemed.scopes, granted: redeemed.granted)
            if !declined.isEmpty { notes.append(.notGranted(declined)) }
        }
        let tokens = redeemed.tokens
        // Without a user, the tokens are requested again.
        if redeemed.renewal == nil, tokens.refreshToken == nil, tokens.expiresIn != nil {
            notes += [noRefreshToken(isDevice: redeemed.code == nil)].compactMap { $0 }
        }
        return notes
    }

    private func noRefreshToken(isDevice: Bool) -> SignInNote? {
        guard requiresConsent else { return nil }
        guard scopes.contains(Scopes.offlineAccess) else { return .offlineAccessNotRequested }
        let prompt = (try? parameters)?.first { $0.0 == "prompt" }?.1
        guard isDevice || prompt?.split(separator: " ").contains("consent") == true else {
            return .offlineAccessRequiresConsent
        }
        return .offlineAccessRefused
    }
}

extension AccountCredential {
    fileprivate mutating func name(_ key: IdentityKey) {
        identity.key = key
        grant.subject = key.federatedID
    }
}

extension IdentityKey {
    fileprivate func unnamed(of uid: String) -> IdentityKey {
        IdentityKey(providerID: providerID, authority: authority, federatedID: "\(federatedID) of \(uid)")
    }
}
