/// Signs in with a provider (OpenID Connect Core section 3.1; RFC 6749; RFC 8628). The verified tokens become a
/// credential, which the directory uses to sign in, link or re-authenticate.
package struct SignIn: Sendable {
    let request: SignInRequest
    let client: ProviderClient
    let directory: any AccountDirectory
    let interface: any SignInInterface
    /// Required for a provider with `assertion_from`.
    private let sessions: SessionServices?
    /// When the sign-in began, in seconds since 1970. A re-authentication must not be older.
    var began: Int64
    var prover: DPoPProver?

    init(
        _ request: SignInRequest, client: ProviderClient, directory: any AccountDirectory,
        interface: any SignInInterface, sessions: SessionServices? = nil
    ) throws {
        (self.client, self.directory, self.interface, self.sessions) = (client, directory, interface, sessions)
        var request = request
        request.tenant = client.provider.tenant
        self.request = request
        try client.requireCredential()
        began = client.services.clock.now()
        prover = try client.newProver(isRequested: request.bindsTokens)
    }

    package func run() async throws -> SignInResult {
        let source = request.flow == .auto ? client.provider.assertionFrom : nil
        if case .reauthenticate = request.operation, source != nil || !client.provider.dialect.identifiesUser {
            throw CredentialError.namesNoUser
        }
        if let source {
            guard let sessions else { throw NotSignedIn.noSession(provider: source) }
            return try await completed(redeemed(byAssertionOf: source, sessions))
        }
        switch request.flow {
        case .clientCredentials: return try await completed(redeemedByClientCredentials())
        case .device: return try await DeviceFlow(signIn: self).run()
        case .auto where client.usesDeviceFlowOnly: return try await DeviceFlow(signIn: self).run()
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
        var credential = try self.credential(verified, redeemed, certificate)
        var operation = request.operation
        if case .unnamed = verified { operation = try await assign(&credential) }
        let (now, notes) = (clock.now(), self.notes(verified, redeemed))
        if case .signIn = operation, let uid = request.account {
            let account = try await directory.reauthenticate(credential, as: uid, now: now)
            return credential.result(account, isNew: false, operation, notes)
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
