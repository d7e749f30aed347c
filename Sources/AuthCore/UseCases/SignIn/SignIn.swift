/// Signs in with a provider (OpenID Connect Core section 3.1; RFC 6749; RFC 8628). The verified tokens become a
/// credential, which the directory uses to sign in, link or re-authenticate.
package struct SignIn: Sendable {
    package let client: ProviderClient
    package let directory: any AccountDirectory
    let interface: any SignInInterface
    /// Required for a provider with `assertion_from`.
    var sessions: SessionServices?

    package func run(_ request: SignInRequest) async throws -> SignInResult {
        try client.requireCredential()
        let source = request.flow == .auto ? client.provider.assertionFrom : nil
        if case .reauthenticate = request.operation, source != nil || !client.provider.dialect.identifiesUser {
            throw CredentialError.namesNoUser
        }
        let providerRequest = try providerRequest(request)
        if let source {
            guard let sessions else { throw NotSignedIn.noSession(provider: source) }
            return try await completed(
                providerRequest.redeemed(byAssertionOf: source, sessions), providerRequest)
        }
        let device = DeviceFlow(providerRequest: providerRequest, interface: interface)
        switch request.flow {
        case .clientCredentials:
            return try await completed(providerRequest.redeemedByClientCredentials(), providerRequest)
        case .device: return try await completed(device.redeemed(), providerRequest)
        case .auto where client.usesDeviceFlowOnly: return try await completed(device.redeemed(), providerRequest)
        case .paste:
            // Without a listener: the user pastes the URL that the browser ended at.
            let sent = try await providerRequest.unattendedAuthorization()
            let waiter = CallbackWaiter(interface: interface, clock: client.services.clock, request: request)
            let redeemed = try await providerRequest.redeemed(waiter.pasted(sent), to: sent, source: .paste)
            return try await completed(redeemed, providerRequest)
        case .auto, .browser:
            return try await CodeFlow(providerRequest: providerRequest, interface: interface).redeemed {
                try await completed($0, providerRequest)
            }
        }
    }

    func providerRequest(_ request: SignInRequest) throws -> ProviderRequest {
        ProviderRequest(
            client: client, request: request, began: client.services.clock.now(),
            prover: try client.newProver(isRequested: request.bindsTokens))
    }

    func completed(_ redeemed: RedeemedTokens, _ providerRequest: ProviderRequest) async throws -> SignInResult {
        let verified = try await providerRequest.verified(redeemed)
        var credential = try providerRequest.credential(verified, redeemed)
        var operation = providerRequest.request.operation
        if case .unnamed = verified { operation = try await assign(&credential, providerRequest.request) }
        let (now, notes) = (client.services.clock.now(), providerRequest.notes(verified, redeemed))
        if case .signIn = operation, let uid = providerRequest.request.account {
            let account = try await directory.reauthenticate(credential, as: uid, now: now)
            return credential.result(account, isNew: false, operation, notes)
        }
        return try await credential.completed(operation, in: directory, now: now, notes: notes)
    }

    /// Assigns tokens that name no user to the account that requested them.
    private func assign(
        _ credential: inout AccountCredential, _ request: SignInRequest
    ) async throws -> SignInOperation {
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
