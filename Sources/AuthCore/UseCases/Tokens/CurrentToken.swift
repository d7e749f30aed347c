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
        /// Whether the result has a note, once a day, if the session ends soon.
        package var remindsOfEnd = false
        package var isSubject = false
        package var resource: HTTPURL?

        package init(account: String? = nil, provider: String? = nil) {
            (self.account, self.provider) = (account, provider)
        }

        var choice: SessionChoice.Request {
            SessionChoice.Request(
                account: account, providers: providers?.flatMap(ProviderID.ids), resource: resource,
                acceptsResourceSession: isSubject)
        }

        func kind(of session: Session) -> Kind {
            let isIDTokenOnly = session.issuedBy == .project || session.grant.hasOnlyJobToken
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

    package func run(_ request: Request) async throws -> Result {
        let choice = try await SessionChoice(directory: directory).choose(request.choice)
        let session = choice.session
        var result: Result
        do {
            try await services.requireIssuer(of: session, isForHost: request.isForHost)
            result = try await self.result(of: session, request)
        } catch let error as NotSignedIn { throw error.of(session) }
        if let account = choice.otherAccount {
            result.notes.insert(.otherAccount(account, provider: session.providerID), at: 0)
        }
        let now = clock.now()
        if request.remindsOfEnd, let session = result.session, let end = session.refreshTokenExpiresAt,
            session.grant.tokens.isReminderDue(at: now),
            // A store that cannot be written does not prevent the result.
            (try? await directory.sessionStore.takeReminder(of: session, now: now)) == true
        {
            result.notes.append(.endsSoon(provider: session.signInProvider, resource: session.resource, at: end, now))
        }
        return result
    }

    /// The token that gh has now, if the session's is a copy of an older one.
    private func copiedAgain(_ session: Session, _ client: ProviderClient) async throws -> AccessToken? {
        guard session.source == .gh,
            let user = try await directory.sessionStore.account(uid: session.accountUID)?
                .identity(of: session.providerID)?.screenName,
            let copy = await services.ghToken(user, session.providerID), copy != session.accessToken,
            let api = try client.api(copy, scopes: []), let person = try? await client.provider.person?(api),
            let owner = try? client.provider.identity(
                authority: client.provider.issuer.text, claims: JSONObject(), userInfo: person),
            owner.key.federatedID.hasSameBytes(as: session.subject)
        else { return nil }
        return copy
    }

    private func result(of session: Session, _ request: Request) async throws -> Result {
        // A project issues only ID tokens, so a refresh would not return an access token.
        if session.issuedBy == .project, request.kind(of: session) == .access {
            throw missing(session, request)
        }
        if !request.forcesRefresh, !request.isOutdated(session), let old = result(session, for: request) { return old }
        return try await refreshed(session, request)
    }

    package func account(userName: String, with providers: [String]) async throws -> String? {
        try await SessionChoice(directory: directory).account(userName: userName, with: providers)
    }

    /// The token with the DPoP proof for one URL (RFC 9449 section 7.1).
    package func proof(for request: Request, method: String, url: HTTPURL) async throws -> (Result, proof: String) {
        let result = try await run(request)
        guard result.binding != .certificate else { throw TokenBindingError.byCertificate(provider: result.providerID) }
        guard case .access(let token) = result.token, let session = result.session,
            let prover = try await prover(of: session)
        else { throw TokenBindingError.notBound(provider: result.providerID) }
        return (result, try await prover.proof(method, for: url, of: .resource, accessToken: token))
    }

    private func prover(of session: Session) async throws -> DPoPProver? {
        guard session.binding == .dpop else { return nil }
        return try await services.client(session.providerID).prover(of: session)
    }

    /// Records that a server rejected a token that can be refreshed, so that the next request refreshes it.
    /// - Parameter minimumAge: seconds since the token was issued. A younger token is not refreshed.
    package func distrust(_ token: AccessToken, for request: Request, olderThan minimumAge: Int64 = .min) async throws {
        let seen = try await SessionChoice(directory: directory).choose(request.choice).session
        let now = clock.now()
        let age = seen.expiresAt.flatMap { end in seen.lifetime.map { now - end + $0 } } ?? minimumAge
        guard seen.isRenewable, seen.accessToken == token, age >= minimumAge else { return }
        var session = seen
        // Never later than before: the clock may be set back.
        session.expiresAt = min(seen.expiresAt ?? now, now)
        _ = try await directory.sessionStore.update(session, since: seen)
    }

    /// Another token than this one, which a server rejected; nil if a refresh does not return another.
    func replacement(
        of rejected: Result, for request: Request, olderThan minimumAge: Int64 = .min
    ) async throws -> Result? {
        guard case .access(let token) = rejected.token else { return nil }
        try await distrust(token, for: request, olderThan: minimumAge)
        let renewed = try await run(request)
        return renewed.token == rejected.token ? nil : renewed
    }

    /// Seconds in which a token is not refreshed because an API or git's server rejected it: servers also reject the
    /// tokens of accounts without access.
    static let youth: Int64 = 60

    /// Records that git's server rejected a token. If it can be refreshed, the next request does so. If not, it is never
    /// returned again if the provider's own API rejects it too. Otherwise it is not returned for this path.
    /// - Returns: whether the token is the session's.
    package func reject(_ token: AccessToken, at path: String?, for request: Request) async throws -> Bool {
        let seen = try await SessionChoice(directory: directory).choose(request.choice).session
        guard seen.accessToken == token else { return false }
        guard !seen.isRenewable else {
            try await distrust(token, for: request, olderThan: Self.youth)
            return true
        }
        let now = clock.now()
        var session = seen
        let client = try await services.client(seen.providerID).renewing(seen)
        if await client.rejects(token, of: seen) {
            if let copy = try await copiedAgain(seen, client) {
                (session.accessToken, session.expiresAt, session.rejectedFor) = (copy, nil, [])
                _ = try await directory.sessionStore.update(session, since: seen)
                return true
            }
            (session.rejectedFor, session.expiresAt) = ([Tokens.everywhere], min(seen.expiresAt ?? now, now))
        } else if let path {
            session.rejectedFor = seen.rejectedFor.filter { $0 != path }.suffix(15) + [path]
        }
        _ = try await directory.sessionStore.update(session, since: seen)
        return true
    }

    /// The stored token, if it is still valid. Uses no task, no network and no file lock.
    ///
    /// - Throws: `VaultError.unavailable`, because a second try would wait for the vault again.
    package static func stored(
        _ request: Request, in sessionStore: SessionStore, settings: SettingsDigest, clock: Clock
    ) throws(VaultError) -> Result? {
        var expired: Session?
        return try stored(request, in: sessionStore, settings: settings, clock: clock, expired: &expired)
    }

    private static func stored(
        _ request: Request, in sessionStore: SessionStore, settings: SettingsDigest, clock: Clock,
        expired: inout Session?
    ) throws(VaultError) -> Result? {
        expired = nil
        guard !request.forcesRefresh, request.resource == nil else { return nil }
        let now = clock.now()
        do {
            let session = try sessionStore.storedSession(
                account: request.account, provider: request.provider, settings: settings
            ) { session in
                let validity = session.validity(of: request.kind(of: session))
                guard !validity.isValid(for: request.minimumLifetime, at: now) else {
                    return !request.remindsOfEnd || !session.grant.tokens.isReminderDue(at: now)
                }
                expired = session
                return false
            }
            return session.flatMap { result($0, for: request, now: now) }
        } catch let error as VaultError {
            guard case .unavailable = error else { return nil }
            throw error
        } catch {
            return nil
        }
    }

    /// Like `stored`. If the token has expired and another process is refreshing it, waits for that process, without a
    /// task.
    package static func awaited(
        _ request: Request, in sessionStore: SessionStore, settings: SettingsDigest, locks: ConfigDirectory,
        clock: Clock
    ) throws(VaultError) -> Result? {
        var waiting = LockBackoff(timeout: longestWait)
        while true {
            let before = sessionStore.store.lastChange()
            var seen: Session?
            let found = try stored(request, in: sessionStore, settings: settings, clock: clock, expired: &seen)
            guard let seen else { return found }
            repeat {
                let isHeld = try? SessionLock.isHeld(account: seen.accountUID, provider: seen.providerID, in: locks)
                guard isHeld == true, waiting.block() else {
                    guard waiting.waited > 0 else { return nil }
                    // The process may have stored the token just before it released the lock.
                    return try stored(request, in: sessionStore, settings: settings, clock: clock)
                }
            } while sessionStore.store.lastChange() == before
        }
    }

    /// Seconds to wait for another process before `run` does it, which can be cancelled.
    private static let longestWait = 5.0

    private func result(_ session: Session, for request: Request, note: Note? = nil) -> Result? {
        CurrentToken.result(session, for: request, now: clock.now(), note: note)
    }

    private static func result(_ session: Session, for request: Request, now: Int64, note: Note? = nil) -> Result? {
        let kind = request.kind(of: session)
        guard let token = session.token(kind), session.validity(of: kind).isValid(for: request.minimumLifetime, at: now)
        else { return nil }
        return Result(token, of: session, note: note)
    }

    private func refreshed(_ seen: Session, _ request: Request) async throws -> Result {
        guard canRefresh(seen, request) else { throw missing(seen, request) }
        var lastChange: FileChange?
        return try await services.holding(
            account: seen.accountUID, provider: seen.providerID, resource: seen.resource,
            unless: {
                // Read again only after a process has written to the store.
                let change = directory.sessionStore.store.lastChange()
                defer { lastChange = change }
                return lastChange == nil || lastChange == change ? nil : try await refreshedByAnother(seen, request)
            }
        ) { lock in
            try await refreshedUnderLock(seen, for: request, lock: lock)
        }
    }

    /// Whether a refresh can return the requested token. Only a forced one finds out whether the provider has changed.
    private func canRefresh(_ session: Session, _ request: Request) -> Bool {
        session.isRenewable && (request.forcesRefresh || request.kind(of: session) == .access || !session.omitsIDToken)
    }

    private func refreshedByAnother(_ seen: Session, _ request: Request) async throws -> Result? {
        guard let (session, _) = try await reread(seen), isChanged(session, since: seen, for: request) else {
            return nil
        }
        return result(session, for: request.valid(for: 0))
    }

    private func reread(_ seen: Session) async throws -> (session: Session, sealed: SealedSession)? {
        try await directory.sessionStore.openedSession(
            account: seen.accountUID, provider: seen.providerID, resource: seen.resource)
    }

    private func isChanged(_ session: Session, since seen: Session, for request: Request) -> Bool {
        guard !request.isOutdated(session) else { return false }
        if session.accessToken != seen.accessToken || session.idToken != seen.idToken { return true }
        // A forced refresh requires another token than the old one.
        return !request.forcesRefresh && session.refreshToken != seen.refreshToken
    }

    private func refreshedUnderLock(_ seen: Session, for request: Request, lock: HeldLock) async throws -> Result {
        // Another process may have refreshed, or signed out, while this one waited for the lock.
        guard let (session, sealed) = try await reread(seen) else {
            throw NotSignedIn.noSession(provider: seen.providerID)
        }
        // Another process has just requested this token, so a new one would not be valid for longer.
        if isChanged(session, since: seen, for: request), let result = result(session, for: request.valid(for: 0)) {
            return result
        }
        guard canRefresh(session, request) else { throw missing(session, request) }
        services.prepare()
        do {
            // A separate task on the same executor, so that a cancelled caller does not lose the new refresh token.
            let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
            let updated = try await RenewalTelemetry.recording(of: session.providerID) {
                try await Task(executorPreference: executor) {
                    services.refresh(true)
                    defer { services.refresh(false) }
                    return try await RefreshSession(services: services, lock: lock, sealed: sealed).run(session)
                }.value
            }
            let note: Note? =
                updated.tokenOrigin == session.tokenOrigin
                ? nil : .moved(from: session.tokenOrigin, to: updated.tokenOrigin)
            let kind = request.kind(of: session)
            // A token of this response is returned even if it has expired by now, or is said to expire at once.
            if let new = updated.token(kind), new != session.token(kind) { return Result(new, of: updated, note: note) }
            guard let result = result(updated, for: request.valid(for: -1), note: note) else {
                throw missing(updated, request)
            }
            return result
        } catch is RefreshSession.Replaced {
            return try await refreshedUnderLock(seen, for: request, lock: lock)
        } catch let error where isTransient(error) && !request.forcesRefresh && !request.isOutdated(session) {
            // The provider cannot be reached, but the token has not expired.
            let note: Note =
                if case NotSignedIn.jobTokensExpired(let platform) = error {
                    .jobTokensExpired(platform: platform)
                } else {
                    .notRefreshed
                }
            guard let result = result(session, for: request.valid(for: 0), note: note) else { throw error }
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
        if session.issuedBy == .project, request.kind(of: session) == .id {
            return .expired(provider: session.signInProvider)
        }
        return switch request.kind(of: session) {
        case .access where session.accessToken == nil: .noToken(.access, provider: session.providerID)
        case .id where session.idToken == nil: .noToken(.id, provider: session.providerID)
        case .access where session.grant.tokens.isRejected:
            .tokenRejected(provider: session.providerID, isPersonal: session.source.isPersonal)
        case .id where session.omitsIDToken && session.isRenewable: .noIDTokenAtRefresh(provider: session.providerID)
        case _ where session.source.isPersonal:
            .personalTokenExpired(
                provider: session.providerID, isExpired: !session.validity(of: .access).isValid(at: clock.now()))
        default: session.ended(by: clock.now()) ?? .expired(provider: session.providerID)
        }
    }
}

extension Session {
    /// The error if the session is over by what the provider said.
    func ended(by now: Int64) -> NotSignedIn? {
        grant.tokens.refreshTokenExpiresAt.flatMap { $0 <= now ? .ended(provider: grant.providerID, at: $0) : nil }
    }
}
