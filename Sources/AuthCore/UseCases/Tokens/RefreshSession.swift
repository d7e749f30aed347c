/// Requests new tokens for one session and stores them. The caller holds the session's lock.
struct RefreshSession: Sendable {
    /// The user has signed in again during the request.
    struct Replaced: Error {}

    let services: SessionServices
    let lock: HeldLock
    /// The session as it is stored.
    let sealed: SealedSession
    private var directory: any AccountDirectory { services.directory }
    private var clock: Clock { services.clock }

    func run(_ session: Session) async throws -> Session {
        do {
            if let own = try await directory.renewed(session, now: clock.now()) {
                return try await stored(own, since: session)
            }
        } catch let refused as ProjectSessionEnded {
            // The ID token must not be used any more either, even if it is still valid.
            var ended = session
            ended.idToken = nil
            ended.idTokenExpiresAt = min(session.idTokenExpiresAt ?? clock.now(), clock.now())
            if refused.cause != .disabled { ended.refreshToken = nil }
            try await stored(ended, since: session)
            guard refused.cause != .disabled else { throw refused }
            // The hint names the provider of the last sign-in.
            throw NotSignedIn.refused(provider: session.signInProvider)
        }
        if let refreshToken = session.refreshToken { return try await refresh(session, refreshToken) }
        guard let renewal = session.renewal else { throw NotSignedIn.expired(provider: session.providerID) }
        return try await request(session, renewal)
    }

    /// Requests new tokens for a session without a refresh token.
    private func request(_ session: Session, _ renewal: SessionRenewal) async throws -> Session {
        var updated = session
        do {
            updated.grant.tokens = try await renewal.tokens(for: session, services)
            if renewal.grant != nil {
                let client = try await services.client(session.providerID)
                if let token = updated.accessToken {
                    try client.provider.checkAudience(of: token, for: session.resource, at: .token)
                }
                try bind(&updated, client)
            }
            // An assertion is not an authentication of the user.
            if session.lastProvenAt != 0 { updated.lastProvenAt = clock.now() }
        } catch {
            try await directory.sessionStore.forgetExpiredMachineTokens(now: clock.now())
            throw error
        }
        return try await stored(updated, since: session)
    }

    /// Stores the session, unless the user has signed out or in again since.
    @discardableResult
    private func stored(_ updated: Session, since session: Session) async throws -> Session {
        let result = try await directory.sessionStore.update(updated, since: session, as: sealed)
        // The store has the token of the note, or no session that needs it.
        lock.removeNote()
        switch result {
        case .stored: return updated
        case .ended: throw NotSignedIn.noSession(provider: session.providerID)
        case .replaced: throw Replaced()
        }
    }

    /// If the old token was certificate-bound, the new one is bound to the configured certificate.
    private func bind(_ session: inout Session, _ client: ProviderClient) throws {
        let certificate = try session.accessToken.flatMap(client.certificate(binding:))
        guard certificate != nil || session.binding != .certificate else {
            throw OAuthError.invalidResponse(.bindingLost, at: .refresh)
        }
        session.grant.bind(to: certificate)
    }

    /// Refreshes under the lock, and commits the new tokens before any process can use them.
    private func refresh(_ session: Session, _ refreshToken: RefreshToken) async throws -> Session {
        let client = try await services.client(session.providerID).renewing(session)
        try client.checkRefresh(of: session)
        let endpoint = try client.tokenEndpoint(client.prover(of: session), for: session.resource)
        let note = try await directory.sessionStore.refreshNote(lock, of: session, stored: refreshToken)
        let tokens = try await response(to: refreshToken, of: session, by: client, at: endpoint, note: note)
        var updated = session
        updated.grant.tokens = session.grant.tokens.refreshed(by: tokens, from: endpoint.url.origin, now: clock.now())
        // The sent token, if the response has no new one.
        updated.refreshToken = tokens.refreshToken ?? note.unproven ?? refreshToken
        do {
            try client.provider.checkAudience(of: tokens.accessToken, for: session.resource, at: .refresh)
            try bind(&updated, client)
        } catch {
            try? await endpoint.revoke(tokens.accessToken.revealed(), hint: .accessToken)
            throw error
        }
        updated.omitsIDToken = tokens.idToken == nil
        if let rawIDToken = tokens.idToken, client.provider.dialect.hasIDTokens {
            do {
                updated.grant.tokens.take(try await verified(rawIDToken, in: tokens, of: session, by: client))
            } catch let refused as IDTokenRefused where refused.rejection.isOfAnotherSignIn {
                // The tokens may be another user's. The old ones remain stored, and the new access token is revoked if
                // possible.
                if refused.rejection.isOfAnotherUser { note.write(nil) }
                try? await endpoint.revoke(tokens.accessToken.revealed(), hint: .accessToken)
                throw refused
            }
        }
        return try await stored(updated, since: session)
    }

    /// Sends the unproven refresh token of the note, if there is one, otherwise the stored one. The unproven token is
    /// first because the stored one was used to get it: a provider that detects reuse would revoke both. If the provider
    /// rejects the unproven token, nothing is lost by sending the stored one.
    private func response(
        to stored: RefreshToken, of session: Session, by client: ProviderClient, at endpoint: TokenEndpoint,
        note: RefreshNote
    ) async throws -> TokenResponse {
        do {
            return try await sent(note.unproven ?? stored, to: endpoint, note: note) { idToken in
                client.provider.dialect.hasIDTokens && !session.mayOwn(idToken, client.metadata.issuers)
            }
        } catch OAuthError.refused(let code, let description, .refresh) {
            let unproven = note.unproven
            // The refresh token may be valid with the certificate that it is bound to.
            let isOfOther = OAuthError.refusalsOfClients.contains(code) && client.hasOtherCertificate(than: session)
            let isDead = OAuthError.deadGrants.contains(code) && !isOfOther
            note.write(isDead ? nil : unproven)
            if isOfOther { throw NotSignedIn.otherCertificate(provider: session.providerID) }
            if client.provider.addedForResource != nil, Dialect.clientRefusals.contains(code) {
                throw NotSignedIn.clientForgotten(provider: session.providerID)
            }
            guard isDead else { throw OAuthError.refused(code: code, description: description, at: .refresh) }
            if unproven != nil {
                return try await response(to: stored, of: session, by: client, at: endpoint, note: note)
            }
            // Only the rejected refresh token is removed. The account and a valid access token stay.
            var ended = session
            ended.refreshToken = nil
            try await self.stored(ended, since: session)
            throw note.hasLostResponse
                ? NotSignedIn.responseLost(provider: session.providerID)
                : session.ended(by: clock.now()) ?? .refused(provider: session.providerID)
        }
    }

    /// Sends the request, and once more if the connection breaks without a byte of a response: many providers accept the
    /// token again for some seconds. It is not repeated after a timeout, because the provider may still process it.
    private func sent(
        _ token: RefreshToken, to endpoint: TokenEndpoint, note: RefreshNote, isOthers: (RawIDToken) -> Bool
    ) async throws -> TokenResponse {
        let isRepetition = note.hasLostResponse
        note.write(note.unproven, isSent: true)
        do {
            return try await endpoint.refresh(token) { rotated, idToken in
                // Another user's refresh token must not be used, not even to find out whose it is.
                note.write(idToken.map(isOthers) == true ? nil : rotated ?? note.unproven)
            }
        } catch HTTPError.noResponse where !isRepetition {
            note.hasLostResponse = true
            return try await sent(token, to: endpoint, note: note, isOthers: isOthers)
        } catch  where !isRepetition && isUnprocessed(error) {
            note.write(note.unproven)
            throw error
        }
    }

    /// Whether an error proves that the provider has not used the refresh token.
    private func isUnprocessed(_ error: any Error) -> Bool {
        switch error {
        case HTTPError.timedOut, HTTPError.connectionLost, HTTPError.noResponse, HTTPError.malformedResponse,
            HTTPError.tooLarge, HTTPError.cancelled:
            false
        case is HTTPError, OAuthError.tooManyRequests, OAuthError.invalidResponse(.redirect, _): true
        case OAuthError.invalidResponse(.noObject(let status?), _),
            OAuthError.invalidResponse(.statusWithoutCode(let status), _):
            (400...499).contains(status)
        default: false
        }
    }

    /// The rules for a refreshed ID token (OpenID Connect Core section 12.2).
    private func verified(
        _ token: RawIDToken, in response: TokenResponse, of session: Session, by client: ProviderClient
    ) async throws -> VerifiedIDToken {
        var expected = client.expected(nonce: .rawOrAbsent(session.nonce))
        expected.accessToken = response.accessToken
        let verified = try await client.verify(token, expecting: expected, from: response)
        func refuse(_ rejection: IDTokenRejection) -> IDTokenRefused {
            IDTokenRefused(rejection: rejection, issuer: client.provider.issuer, provider: session.providerID)
        }
        guard verified.subject.hasSameBytes(as: session.subject) else { throw refuse(.otherUser) }
        guard verified.issuer.hasSameBytes(as: session.issuer) else {
            throw refuse(.issuer(ServerText(verified.issuer), expected: session.issuer))
        }
        if let before = session.authenticatedAt, let now = verified.authenticatedAt, now < before {
            throw refuse(.claim("auth_time"))
        }
        return verified
    }
}

extension Session {
    /// Whether an ID token that is not verified yet may be this user's.
    fileprivate func mayOwn(_ idToken: RawIDToken, _ issuers: IssuerRule) -> Bool {
        guard let claims = try? UnverifiedJWS.claims(of: idToken.revealed()) else { return true }
        let issuer = issuers.issuer(of: claims["iss"]?.string ?? "", tenant: claims["tid"]?.string, keyIssuer: nil)
        return claims["sub"] == .string(grant.subject) && issuer.hasSameBytes(as: grant.issuer)
    }
}
