/// The tokens of a flow, with the values that they must match.
struct RedeemedTokens: Sendable {
    let tokens: TokenResponse
    let scopes: [String]
    let source: Grant.Source
    var nonce: Nonce?
    var code: AuthorizationCode?
    var user: String?
    var renewal: SessionRenewal.TokenRequest?

    /// The scopes that were granted (RFC 6749 section 5.1).
    var granted: [String] { tokens.granted(of: scopes) }
}

enum VerifiedTokens: Sendable {
    case person(VerifiedUser)
    case machine(issuer: String)
    case unnamed(issuer: String)
}

struct VerifiedUser: Sendable {
    let identity: Identity
    var idToken: VerifiedIDToken?
    let profile: JSONObject
    var notes: [SignInNote] = []
}

extension SignIn {
    func verified(_ redeemed: RedeemedTokens, _ certificate: ClientCertificate?) async throws -> VerifiedTokens {
        let verified =
            if case .assertion = redeemed.source {
                VerifiedTokens.unnamed(issuer: try client.ownIssuer())
            } else if redeemed.renewal != nil {
                VerifiedTokens.machine(issuer: try client.ownIssuer())
            } else if provider.dialect.hasIDTokens {
                VerifiedTokens.person(try await verifiedByIDToken(redeemed, certificate))
            } else if !provider.identifiesUser {
                VerifiedTokens.unnamed(issuer: try client.ownIssuer())
            } else {
                VerifiedTokens.person(
                    try await provider.person == nil
                        ? client.verified(redeemed.tokens.others)
                        : client.verified(redeemed.tokens.accessToken, scopes: redeemed.granted))
            }
        let missing = provider.missing(request.scopes, granted: redeemed.granted)
        guard missing.isEmpty else { throw OAuthError.missingScopes(missing) }
        return verified
    }

    /// A token for another audience is revoked before the sign-in fails.
    func checkAudience(_ tokens: TokenResponse) async throws {
        do { try provider.checkAudience(of: tokens.accessToken, for: request.resource, at: .token) } catch {
            if let endpoint = try? client.tokenEndpoint(prover) {
                if let token = tokens.refreshToken { try? await endpoint.revoke(token.revealed(), hint: .refreshToken) }
                try? await endpoint.revoke(tokens.accessToken.revealed(), hint: .accessToken)
            }
            throw error
        }
    }

    func certificate(binding token: AccessToken) throws -> ClientCertificate? {
        let certificate = try client.certificate(binding: token)
        if prover == nil, certificate == nil { try client.refuseUnboundUnderFAPI2() }
        return certificate
    }

    private func verifiedByIDToken(
        _ redeemed: RedeemedTokens, _ certificate: ClientCertificate?
    ) async throws -> VerifiedUser {
        let tokens = redeemed.tokens
        guard let rawIDToken = tokens.idToken else { return try await verifiedByUserInfo(redeemed, certificate) }
        // Without a nonce, the code verifier alone binds the response to this sign-in (RFC 9700 section 4.5.3.1).
        let nonce: ExpectedIDToken.NonceRule =
            provider.requiresNonce || redeemed.code == nil
            ? client.rule(for: redeemed.nonce) : .rawOrAbsent(try redeemed.nonce.map(client.sent))
        var expected = client.expected(
            nonce: nonce, parameters: provider.parameters(adding: request.parameters))
        expected.accessToken = tokens.accessToken
        expected.code = redeemed.code
        expected.maximumAuthenticationAge = request.maximumAge
        expected.authenticationContexts = request.authenticationContexts
        if case .reauthenticate = request.operation { expected.authenticatedSince = began }
        let idToken: VerifiedIDToken
        do {
            idToken = try await client.verify(rawIDToken, expecting: expected, from: redeemed.tokens)
        } catch let error as IDTokenRefused {
            guard case .reauthenticate = request.operation, error.rejection == .authenticationTooOld,
                !error.isClockAhead
            else { throw error }
            throw AccountRefusal.staleAuthentication
        }
        let (userInfo, note) = try await userInfo(
            idToken, accessToken: tokens.accessToken, certificate: certificate, scopes: redeemed.granted)
        // `user` is not signed, but arrived with the code that this process requested, so only the display name is
        // taken from it.
        let user = redeemed.user.flatMap { try? StrictJSON.object(Array($0.utf8), maximumLength: 4096) }
        var verified = try client.verified(idToken, userInfo: userInfo, user: user)
        if let note { verified.notes.append(note) }
        return verified
    }

    /// Requests userinfo if the ID token lacks claims of the identity. If the request fails, the sign-in continues, but
    /// a wrong subject or signature is an error.
    private func userInfo(
        _ idToken: VerifiedIDToken, accessToken: AccessToken, certificate: ClientCertificate?, scopes: [String]
    ) async throws -> (JSONObject?, SignInNote?) {
        // A token for a resource is not valid for userinfo.
        guard !provider.isComplete(idToken, scopes: scopes), request.resource == nil else { return (nil, nil) }
        do {
            let request = client.userInfo(prover, certificate)
            return (try await request.claims(of: idToken.subject, accessToken: accessToken), nil)
        } catch let rejection as IDTokenRejection {
            throw IDTokenRefused(rejection: rejection, issuer: provider.issuer, provider: provider.id)
        } catch let error where !(error is CancellationError) {
            return (nil, .noUserInfo)
        }
    }

    /// Reads the user of a device sign-in from userinfo (OpenID Connect Core section 5.3), because RFC 8628 does not
    /// require an ID token. The access token came from the token endpoint itself, so it is of the user who entered the
    /// code. Userinfo does not prove when and how the user authenticated.
    private func verifiedByUserInfo(
        _ redeemed: RedeemedTokens, _ certificate: ClientCertificate?
    ) async throws -> VerifiedUser {
        guard redeemed.source == .device, request.resource == nil, request.operation.kind != .reauthenticate,
            request.maximumAge == nil, request.authenticationContexts.isEmpty, !provider.isBuiltIn,
            let claims = try await client.userInfo(prover, certificate)
                .claims(of: nil, accessToken: redeemed.tokens.accessToken)
        else { throw OAuthError.invalidResponse(.withheld("id_token"), at: .token) }
        let identity = try provider.identity(authority: client.ownIssuer(), claims: claims, userInfo: nil)
        return VerifiedUser(identity: identity, profile: claims)
    }

    func credential(
        _ verified: VerifiedTokens, from redeemed: RedeemedTokens, certificate: ClientCertificate?
    ) throws -> AccountCredential {
        let now = clock.now()
        var tokens =
            redeemed.renewal.map { client.tokens(redeemed.tokens, for: $0) }
            ?? Tokens(redeemed.tokens, requested: redeemed.scopes, from: client.metadata.tokenEndpoint.origin, now: now)
        let renewal = redeemed.renewal.map { SessionRenewal(workload: nil, grant: $0) }
        var person: VerifiedUser?
        let (identity, lastProvenAt): (Identity, Int64)
        switch verified {
        case .person(let user): (person, identity, lastProvenAt) = (user, user.identity, now)
        case .machine(let issuer):
            let key = IdentityKey(providerID: provider.id, authority: issuer, federatedID: provider.clientID)
            (identity, lastProvenAt) = (Identity(key: key, displayName: provider.clientID, isMachine: true), now)
        case .unnamed(let issuer):
            // The client itself is the identity. It never authenticates a user.
            let key = IdentityKey(providerID: provider.id, authority: issuer, unnamedAs: provider.clientID)
            (identity, lastProvenAt) = (Identity(key: key, displayName: provider.issuer.host), 0)
        }
        tokens.take(person?.idToken)
        var grant = Grant(
            providerID: provider.id, issuer: identity.key.authority, clientID: provider.clientID, tokens: tokens,
            subject: person?.idToken?.subject ?? identity.key.federatedID, nonce: try redeemed.nonce.map(client.sent),
            authenticatedAt: person?.idToken?.authenticatedAt, lastProvenAt: lastProvenAt, source: redeemed.source,
            renewal: renewal, resource: request.resource)
        try grant.bind(to: prover, or: certificate)
        return AccountCredential(
            identity: identity, grant: grant, profile: person?.profile ?? JSONObject(), rawNonce: redeemed.nonce)
    }
}

extension ProviderClient {
    func verified(
        _ idToken: VerifiedIDToken, userInfo: JSONObject? = nil, user: JSONObject? = nil
    ) throws -> VerifiedUser {
        var profile = idToken.profile
        if let userInfo { profile.complete(with: userInfo) }
        do {
            let identity = try provider.identity(
                authority: idToken.issuer, claims: idToken.claims, userInfo: userInfo, user: user)
            return VerifiedUser(identity: identity, idToken: idToken, profile: profile)
        } catch let rejection as IDTokenRejection {
            throw IDTokenRefused(rejection: rejection, issuer: provider.issuer, provider: provider.id)
        }
    }

    /// Reads the user of an access token from the API of a provider without ID tokens.
    func verified(_ accessToken: AccessToken, scopes: [String]) async throws -> VerifiedUser {
        guard let person = provider.person, let api = try api(accessToken, scopes: scopes) else {
            throw CredentialError.neverAccepted
        }
        return try verified(try await person(api))
    }

    func verified(_ profile: JSONObject) throws -> VerifiedUser {
        let identity = try provider.identity(authority: provider.issuer.text, claims: JSONObject(), userInfo: profile)
        return VerifiedUser(identity: identity, profile: profile)
    }
}
