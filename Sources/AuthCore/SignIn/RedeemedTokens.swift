/// Tokens that a flow got, and what they must fit.
struct RedeemedTokens: Sendable {
    let answer: TokenEndpoint.Answer
    /// The scopes that were asked for.
    let scopes: [String]
    let nonce: Nonce?
    /// The code they were redeemed for; nil where there was none.
    var code: AuthorizationCode?
    /// What the provider said beside the code (Apple).
    var user: String?
}

extension SignIn {
    /// Redeems the code of an answer, once.
    func redeem(
        _ response: AuthorizationResponse, _ sent: AuthorizationRequest, _ request: SignInRequest, source: Grant.Source
    ) async throws -> SignInResult {
        let answer = try await client.tokenEndpoint().redeem(
            response.code, verifier: sent.proofKey.verifier, redirectURI: sent.redirectURI)
        return try await finish(
            RedeemedTokens(
                answer: answer, scopes: sent.scopes, nonce: sent.nonce, code: response.code, user: response.user),
            request, source: source)
    }

    /// Checks the tokens and does what they are for.
    func finish(
        _ redeemed: RedeemedTokens, _ request: SignInRequest, source: Grant.Source
    ) async throws -> SignInResult {
        let tokens = redeemed.answer.tokens
        let granted = tokens.scopes ?? redeemed.scopes
        var credential =
            client.provider.dialect.hasIDTokens
            ? try await verified(redeemed, request, granted)
            : try await client.credential(of: tokens.accessToken, scopes: granted)
        let provider = client.provider
        let missing = provider.missing(request.scopes, granted: granted)
        if !missing.isEmpty { throw OAuthError.missingScopes(missing) }
        let declined = provider.missing(redeemed.scopes, granted: granted)
        if !declined.isEmpty {
            credential.notes.append("not granted: \(declined.map { "'\(ServerText($0))'" }.joined(separator: ", "))")
        }
        if tokens.refreshToken == nil, tokens.expiresIn != nil,
            let remedy = remedy(request, isDevice: redeemed.code == nil)
        {
            credential.notes.append(remedy)
        }
        let now = client.services.clock.now()
        var kept = Tokens(tokens, asked: redeemed.scopes, from: client.metadata.tokenEndpoint.origin, now: now)
        kept.idToken = credential.rawIDToken
        kept.idTokenExpiresAt = credential.idToken?.expiresAt
        let grant = Grant(
            providerID: provider.id, issuer: credential.profile.authority, clientID: provider.clientID, tokens: kept,
            subject: credential.idToken?.subject ?? credential.profile.federatedID,
            nonce: try redeemed.nonce.map(client.sent), authenticatedAt: credential.idToken?.authenticatedAt,
            lastProvenAt: now, source: source)
        return try await SignInCompletion(client: client, directory: directory)(
            credential, grant, request.operation)
    }

    /// Checks the ID token, and asks userinfo where that is needed.
    private func verified(
        _ redeemed: RedeemedTokens, _ request: SignInRequest, _ granted: [String]
    ) async throws -> Credential {
        let tokens = redeemed.answer.tokens
        guard let rawIDToken = tokens.idToken else {
            throw OAuthError.invalidResponse("'id_token' is missing although it was asked for", at: .token)
        }
        var expected = client.expected(
            nonce: client.rule(for: redeemed.nonce),
            parameters: client.provider.parameters(adding: request.parameters))
        expected.accessToken = tokens.accessToken
        expected.code = redeemed.code
        expected.maximumAuthenticationAge = request.maximumAge
        expected.authenticationContexts = request.authenticationContexts
        if case .reauthenticate = request.operation { expected.authenticatedSince = began }
        let idToken: VerifiedIDToken
        do {
            idToken = try await client.verify(rawIDToken, expecting: expected, serverTime: redeemed.answer.serverTime)
        } catch let error as IDTokenRefused {
            guard case .reauthenticate = request.operation, error.rejection == .authenticationTooOld else {
                throw error
            }
            throw AccountRefusal.staleProof
        }
        let (userInfo, note) = try await userInfo(idToken, tokens.accessToken, scopes: granted)
        // Unsigned, but it came beside the code that this very process asked for: good for a name.
        let user = redeemed.user.flatMap { try? StrictJSON.object(Array($0.utf8), maximumLength: 4096) }
        var credential = try client.credential(of: idToken, userInfo: userInfo, user: user)
        credential.rawIDToken = rawIDToken
        credential.rawNonce = redeemed.nonce
        if let note { credential.notes.append(note) }
        return credential
    }

    /// Userinfo is asked when the ID token does not say who this is; without it the sign-in goes on, but a wrong
    /// subject or signature ends it.
    private func userInfo(
        _ idToken: VerifiedIDToken, _ accessToken: AccessToken, scopes: [String]
    ) async throws -> (JSONObject?, note: String?) {
        guard !client.provider.isComplete(idToken, scopes: scopes) else { return (nil, nil) }
        let request = UserInfoRequest(
            keys: client.keys, metadata: client.metadata, transport: client.services.transport,
            clientID: client.provider.clientID)
        do {
            return (try await request.claims(of: idToken.subject, accessToken: accessToken), nil)
        } catch let rejection as IDTokenRejection {
            throw IDTokenRefused(rejection: rejection, issuer: client.provider.issuer, clockOffset: nil)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return (nil, "the userinfo endpoint gave no answer that can be used; the ID token's claims stand alone")
        }
    }
}
