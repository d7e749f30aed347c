extension FirebaseDirectory {
    package func renewed(_ session: Session, now: Int64) async throws -> Session? {
        guard session.issuedBy == .project else { return nil }
        guard let refreshToken = session.refreshToken else {
            throw ProjectSessionEnded(provider: session.signInProvider)
        }
        let tokens: IdentityToolkit.Tokens
        do { tokens = try await toolkit.refresh(refreshToken) } catch let error as FirebaseError {
            guard let cause = error.sessionEnd else { throw error }
            throw ProjectSessionEnded(cause: cause, provider: session.signInProvider)
        }
        guard tokens.uid.hasSameBytes(as: session.subject) else { throw AccountConflict.userMismatch }
        let verified: AcceptedFirebaseToken
        do { verified = try await verify(tokens, now) } catch let error
            where (error as? IDTokenRejection)?.isOfAnotherSignIn != true
        {
            // The old refresh token may be invalid now.
            var fallback = session
            fallback.refreshToken = tokens.refreshToken
            _ = try await sessionStore.update(fallback, since: session)
            throw error
        }
        var renewed = session
        renewed.idToken = tokens.idToken
        renewed.idTokenExpiresAt = verified.expiresAt
        renewed.idTokenLifetime = verified.lifetime
        renewed.refreshToken = tokens.refreshToken
        return renewed
    }

    func newToken(_ uid: String) async throws -> RawIDToken {
        try await whileLocked(uid) { try await renewedToken(try await storedToken(uid).session) }
    }

    private func whileLocked(_ uid: String, _ body: () async throws -> RawIDToken) async throws -> RawIDToken {
        try await SessionLock.holding(
            account: uid, provider: SessionIssuer.projectID, in: sessionStore.store.directory, clock: clock
        ) { _ in try await body() }
    }

    private func renewedToken(_ session: Session) async throws -> RawIDToken {
        let ended = ProjectSessionEnded(provider: session.signInProvider)
        guard let renewed = try await renewed(session, now: clock.now()), let token = renewed.idToken else {
            throw ended
        }
        switch try await sessionStore.update(renewed, since: session) {
        case .stored: return token
        case .ended: throw ended
        case .replaced:
            let (newer, fresh) = try await storedToken(session.accountUID)
            if let fresh { return fresh }
            return try await renewedToken(newer)
        }
    }

    /// An ID token of the account that is valid for at least five minutes. If several processes need one, only one
    /// sends a request.
    func freshToken(_ uid: String) async throws -> RawIDToken {
        if let token = try await storedToken(uid).fresh { return token }
        return try await whileLocked(uid) {
            let (session, fresh) = try await storedToken(uid)
            if let fresh { return fresh }
            return try await renewedToken(session)
        }
    }

    /// Removes an ID token that the project has refused, so that no command prints it. The refresh token remains: the
    /// project decides about it when it is used.
    static func discard(_ idToken: String, in sessionStore: SessionStore, now: Int64) async {
        guard let uid = FirebaseTokenVerifier.subject(idToken),
            let seen = try? await sessionStore.session(account: uid, provider: SessionIssuer.projectID),
            seen.idToken == RawIDToken(idToken)
        else { return }
        var session = seen
        session.idToken = nil
        session.idTokenExpiresAt = now
        _ = try? await sessionStore.update(session, since: seen)
    }

    private func storedToken(_ uid: String) async throws -> (session: Session, fresh: RawIDToken?) {
        guard let session = try await sessionStore.session(account: uid, provider: SessionIssuer.projectID) else {
            throw AccountRefusal.signedOut(uid: uid)
        }
        let isFresh = session.grant.tokens.idTokenValidity.isValid(for: 300, at: clock.now())
        return (session, isFresh && session.idTokenExpiresAt != nil ? session.idToken : nil)
    }

    /// The session of a response. If the keys to verify its ID token are unavailable, and `mustVerify` is false, that
    /// token is omitted. The first use of the session gets a new one, and verifies it.
    func session(
        _ tokens: IdentityToolkit.Tokens, by provider: String, mustVerify: Bool, now: Int64
    ) async throws -> Session {
        let grant = Grant(
            providerID: SessionIssuer.projectID, issuer: project.issuer, clientID: project.projectID,
            tokens: Tokens(refreshToken: tokens.refreshToken, tokenOrigin: ""), subject: tokens.uid, lastProvenAt: 0,
            source: .directory(by: provider))
        var session = Session(grant, of: tokens.uid)
        do {
            let accepted = try await verify(tokens, now)
            session.idToken = tokens.idToken
            session.idTokenExpiresAt = accepted.expiresAt
            session.idTokenLifetime = accepted.lifetime
            session.authenticatedAt = accepted.authenticatedAt
            session.lastProvenAt = min(accepted.authenticatedAt ?? now, now)
        } catch let error where !mustVerify && (error is HTTPError || error is DocumentError) {
            notice(.keysUnavailable)
        }
        return session
    }

    private func verify(_ tokens: IdentityToolkit.Tokens, _ now: Int64) async throws -> AcceptedFirebaseToken {
        try await FirebaseTokenVerifier(project: project, fetcher: fetcher).verify(
            tokens.idToken, of: tokens.uid, now: now)
    }
}
