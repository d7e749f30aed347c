/// Returns one token, refreshed if required. Concurrent processes send only one refresh request.
package struct CurrentToken: Sendable {
    package enum Kind: String, Sendable, CaseIterable { case access, id }

    package struct Request: Sendable {
        package var account: String?
        package var provider: String? {
            get { providers?.first }
            set { providers = newValue.map { [$0] } }
        }
        package var providers: [String]?
        package var kind: Kind?
        /// Seconds for which the token must remain valid; nil for the default of `TokenValidity`.
        package var minimumLifetime: Int64?
        package var forcesRefresh = false
        var isOutdated: @Sendable (Session) -> Bool = { _ in false }
        package var isForHost = false
        package var isSubject = false
        package var resource: HTTPURL?

        package init(account: String? = nil, provider: String? = nil) {
            (self.account, self.provider) = (account, provider)
        }

        var choice: SessionChoice.Request {
            SessionChoice.Request(
                account: account, providers: providers, resource: resource, acceptsResourceSession: isSubject)
        }

        func kind(of session: Session) -> Kind {
            let isIDTokenOnly = session.providerID == DirectorySession.id || session.grant.hasOnlyJobToken
            return kind ?? (isIDTokenOnly ? .id : .access)
        }

        /// The same request for a token that remains valid for this many seconds.
        func valid(for seconds: Int64) -> Request {
            var request = self
            request.minimumLifetime = seconds
            return request
        }
    }

    let services: SessionServices
    private var directory: any AccountDirectory { services.directory }
    private var clock: Clock { services.clock }

    package init(_ profile: Profile) throws { self.init(try profile.sessionServices()) }

    init(_ services: SessionServices) { self.services = services }

    package func callAsFunction(_ request: Request) async throws -> Result {
        let choice = try await SessionChoice(directory: directory)(request.choice)
        let session = choice.session
        try await services.requireIssuer(of: session, isForHost: request.isForHost)
        var result = try await result(of: session, request)
        if let account = choice.otherAccount {
            result.notes.insert(.otherAccount(account, provider: session.providerID), at: 0)
        }
        return result
    }

    private func result(of session: Session, _ request: Request) async throws -> Result {
        // A project issues only ID tokens, so a refresh would not return an access token.
        if session.providerID == DirectorySession.id, request.kind(of: session) == .access {
            throw missing(session, request)
        }
        if !request.forcesRefresh, !request.isOutdated(session), let result = result(session, request) { return result }
        return try await refreshed(session, request)
    }

    package func account(userName: String, with providers: [String]) async throws -> String? {
        try await SessionChoice(directory: directory).account(userName: userName, with: providers)
    }

    /// The token with the DPoP proof for one URL (RFC 9449 section 7.1).
    package func proof(_ request: Request, _ method: String, _ url: HTTPURL) async throws -> (Result, proof: String) {
        let result = try await self(request)
        guard result.binding != .certificate else { throw TokenBindingError.byCertificate(provider: result.providerID) }
        guard case .access(let token) = result.token, let session = result.session,
            let prover = try await prover(of: session)
        else { throw TokenBindingError.notBound(provider: result.providerID) }
        return (result, try await prover.proof(method, url, of: .resource, accessToken: token))
    }

    private func prover(of session: Session) async throws -> DPoPProver? {
        guard session.binding == .dpop else { return nil }
        return try await services.client(session.providerID).prover(of: session)
    }

    package func distrust(_ token: AccessToken, _ request: Request) async throws {
        let seen = try await SessionChoice(directory: directory)(request.choice).session
        guard seen.isRenewable, seen.accessToken == token else { return }
        var session = seen
        // Never later than before: the clock may be set back.
        session.expiresAt = min(seen.expiresAt ?? clock.now(), clock.now())
        _ = try await directory.sessionStore.update(session, since: seen)
    }

    /// The stored token, if it is still valid. Uses no task, no network and no file lock.
    ///
    /// - Throws: `VaultError.unavailable`, because a second try would wait for the vault again.
    /// - Parameter expired: the session, if its token has expired.
    package static func stored(
        _ request: Request, in sessionStore: SessionStore, settings: SettingsDigest, clock: Clock,
        expired: inout SessionSummary?
    ) throws(VaultError) -> Result? {
        guard !request.forcesRefresh, request.resource == nil else { return nil }
        let now = clock.now()
        do {
            let session = try sessionStore.storedSession(
                account: request.account, provider: request.provider, settings: settings
            ) { session, summary in
                let validity = session.validity(of: request.kind(of: session))
                guard !validity.isValid(for: request.minimumLifetime, at: now) else { return true }
                expired = summary
                return false
            }
            return session.flatMap { result($0, request, now: now) }
        } catch let error as VaultError {
            guard case .unavailable = error else { return nil }
            throw error
        } catch {
            return nil
        }
    }

    private func result(_ session: Session, _ request: Request, note: Note? = nil) -> Result? {
        CurrentToken.result(session, request, now: clock.now(), note: note)
    }

    private static func result(_ session: Session, _ request: Request, now: Int64, note: Note? = nil) -> Result? {
        let kind = request.kind(of: session)
        guard let token = session.token(kind), session.validity(of: kind).isValid(for: request.minimumLifetime, at: now)
        else { return nil }
        return Result(token, of: session, note)
    }

    private func refreshed(_ seen: Session, _ request: Request) async throws -> Result {
        guard seen.isRenewable else { throw missing(seen, request) }
        var lastChange: FileChange?
        return try await services.holding(
            account: seen.accountUID, provider: seen.providerID, resource: seen.resource,
            unless: {
                // Read again only after a process has written to the store.
                let change = directory.sessionStore.store.lastChange()
                defer { lastChange = change }
                return lastChange == nil || lastChange == change ? nil : try await refreshedByAnother(seen, request)
            }
        ) {
            try await refreshedUnderLock(seen, request)
        }
    }

    private func refreshedByAnother(_ seen: Session, _ request: Request) async throws -> Result? {
        guard let session = try await reread(seen), isChanged(session, since: seen, request) else { return nil }
        return result(session, request.valid(for: 0))
    }

    private func reread(_ seen: Session) async throws -> Session? {
        try await directory.sessionStore.session(
            account: seen.accountUID, provider: seen.providerID, resource: seen.resource)
    }

    private func isChanged(_ session: Session, since seen: Session, _ request: Request) -> Bool {
        guard !request.isOutdated(session) else { return false }
        if session.accessToken != seen.accessToken || session.idToken != seen.idToken { return true }
        // A forced refresh requires another token than the old one.
        return !request.forcesRefresh && session.refreshToken != seen.refreshToken
    }

    private func refreshedUnderLock(_ seen: Session, _ request: Request) async throws -> Result {
        // Another process may have refreshed, or signed out, while this one waited for the lock.
        guard let session = try await reread(seen) else { throw NotSignedIn.noSession(provider: seen.providerID) }
        // Another process has just requested this token, so a new one would not be valid for longer.
        if isChanged(session, since: seen, request), let result = result(session, request.valid(for: 0)) {
            return result
        }
        guard session.isRenewable else { throw missing(session, request) }
        services.prepare()
        do {
            // A separate task on the same executor, so that a cancelled caller does not lose the new refresh token.
            let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
            let updated = try await RenewalTelemetry.recording(of: session.providerID) {
                try await Task(executorPreference: executor) {
                    services.refresh(true)
                    defer { services.refresh(false) }
                    return try await renewed(session)
                }.value
            }
            let note: Note? =
                updated.tokenOrigin == session.tokenOrigin
                ? nil : .moved(from: session.tokenOrigin, to: updated.tokenOrigin)
            guard let result = result(updated, request.valid(for: -1), note: note) else {
                throw missing(updated, request)
            }
            return result
        } catch is Replaced {
            return try await refreshedUnderLock(seen, request)
        } catch let error where isTransient(error) && !request.forcesRefresh && !request.isOutdated(session) {
            // The provider cannot be reached, but the token has not expired.
            let note: Note =
                if case NotSignedIn.jobTokensExpired(let platform) = error {
                    .jobTokensExpired(platform: platform)
                } else {
                    .notRefreshed
                }
            guard let result = result(session, request.valid(for: 0), note: note) else { throw error }
            return result
        }
    }

    private func isTransient(_ error: any Error) -> Bool {
        switch error {
        case HTTPError.certificateRefused, HTTPError.certificateRequired, HTTPError.certificateUnusable: false
        case is HTTPError: true
        case let error as FirebaseError: error.isTransient
        case NotSignedIn.jobTokensExpired, OAuthError.unavailable, OAuthError.tooManyRequests, is DocumentError: true
        // The page of a captive portal or of a firewall.
        case OAuthError.invalidResponse(.noObject, _), OAuthError.invalidResponse(.redirect, _): true
        default: false
        }
    }

    private func missing(_ session: Session, _ request: Request) -> NotSignedIn {
        // A project's session without an ID token has expired.
        if session.providerID == DirectorySession.id, request.kind(of: session) == .id {
            return .expired(provider: session.signInProvider)
        }
        return switch request.kind(of: session) {
        case .access where session.accessToken == nil: .noToken(.access, provider: session.providerID)
        case .id where session.idToken == nil: .noToken(.id, provider: session.providerID)
        case _ where session.source == .personalToken: .personalTokenExpired(provider: session.providerID)
        default: .expired(provider: session.providerID)
        }
    }

    private func renewed(_ session: Session) async throws -> Session {
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
            try await update(ended, since: session)
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

    /// The user has signed in again during the request.
    private struct Replaced: Error {}

    private func stored(_ updated: Session, since session: Session) async throws -> Session {
        guard try await update(updated, since: session) else {
            throw NotSignedIn.noSession(provider: session.providerID)
        }
        return updated
    }

    /// Returns false after a sign-out.
    @discardableResult
    private func update(_ updated: Session, since session: Session) async throws -> Bool {
        switch try await directory.sessionStore.update(updated, since: session) {
        case .stored: true
        case .ended: false
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
        if session.binding == .bearer { try client.refuseUnboundUnderFAPI2() }
    }

    /// Refreshes under the lock, and commits the new tokens before any process can use them.
    private func refresh(_ session: Session, _ refreshToken: RefreshToken) async throws -> Session {
        let client = try await services.client(session.providerID).renewing(session)
        try client.checkRefresh(of: session)
        let endpoint = try client.tokenEndpoint(client.prover(of: session), for: session.resource)
        let response = try await response(to: refreshToken, of: session, client, endpoint)
        let tokens = response.tokens
        var updated = session
        updated.grant.tokens = session.grant.tokens.refreshed(by: tokens, from: endpoint.url.origin, now: clock.now())
        // Stored if the new tokens are rejected, because the new refresh token may be the only valid one.
        var fallback = session
        fallback.refreshToken = updated.refreshToken
        do {
            try client.provider.checkAudience(of: tokens.accessToken, for: session.resource, at: .refresh)
            try bind(&updated, client)
        } catch {
            try? await endpoint.revoke(tokens.accessToken.revealed(), hint: .accessToken)
            try await update(fallback, since: session)
            throw error
        }
        if let rawIDToken = tokens.idToken, client.provider.dialect.hasIDTokens {
            do {
                updated.grant.tokens.take(
                    try await verified(rawIDToken, tokens, session, client, response.serverTime))
            } catch let refused as IDTokenRefused where refused.rejection.isOfAnotherSignIn {
                // The tokens may be another user's. The old ones remain stored, and the new access token is revoked if
                // possible.
                try? await endpoint.revoke(tokens.accessToken.revealed(), hint: .accessToken)
                throw refused
            } catch {
                // Not revoked: some providers would revoke the refresh token too.
                try await update(fallback, since: session)
                throw error
            }
        }
        return try await stored(updated, since: session)
    }

    private func response(
        to refreshToken: RefreshToken, of session: Session, _ client: ProviderClient, _ endpoint: TokenEndpoint
    ) async throws -> TokenEndpoint.Response {
        do {
            return try await endpoint.refresh(refreshToken)
        } catch OAuthError.refused(let code, _, .refresh)
            where OAuthError.refusalsOfClients.contains(code) && client.hasOtherCertificate(than: session)
        {
            // The refresh token may be valid with the certificate that it is bound to.
            throw NotSignedIn.otherCertificate(provider: session.providerID)
        } catch OAuthError.refused(let code, _, .refresh) where OAuthError.deadGrants.contains(code) {
            // Only the rejected refresh token is removed. The account and a valid access token stay.
            var ended = session
            ended.refreshToken = nil
            try await update(ended, since: session)
            throw NotSignedIn.refused(provider: session.providerID)
        }
    }

    /// The rules for a refreshed ID token (OpenID Connect Core section 12.2).
    private func verified(
        _ token: RawIDToken, _ tokens: TokenResponse, _ session: Session, _ client: ProviderClient, _ serverTime: Int64?
    ) async throws -> VerifiedIDToken {
        var expected = client.expected(nonce: .rawOrAbsent(session.nonce))
        expected.accessToken = tokens.accessToken
        let verified = try await client.verify(token, expecting: expected, serverTime: serverTime)
        func refuse(_ rejection: IDTokenRejection) -> IDTokenRefused {
            IDTokenRefused(rejection: rejection, issuer: client.provider.issuer)
        }
        guard verified.subject.hasSameBytes(as: session.subject) else { throw refuse(.claim("sub")) }
        guard verified.issuer.hasSameBytes(as: session.issuer) else {
            throw refuse(.issuer(ServerText(verified.issuer), expected: session.issuer))
        }
        if let before = session.authenticatedAt, let now = verified.authenticatedAt, now < before {
            throw refuse(.claim("auth_time"))
        }
        return verified
    }
}
