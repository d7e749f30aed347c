/// Removes sessions, and revokes their tokens at the providers if requested.
package struct SignOut: Sendable {
    package enum Revocation: String, Sendable {
        case confirmed, failed, unsupported
        case notRequested = "not-asked"
        case otherClient = "other-client"

        package var isFailure: Bool { self == .failed || self == .otherClient }
    }

    package struct Entry: Sendable {
        package let uid: String
        package let providerID: String
        package internal(set) var resource: String?
        package internal(set) var revoked: Revocation
        package internal(set) var endSessionURL: String?
        package var isLocal = false
        /// Whether the session has been removed from this machine.
        fileprivate var isRemoved = false
        package var keptUntil: Int64?
        package var personalTokenPage: String?
        /// Why the revocation failed.
        package var fault: (any Error)?
    }

    package struct Request: Sendable {
        package var account: String?
        /// The only provider whose sessions end; nil for all.
        package var provider: String?
        var providers: [String]? { provider.map(ProviderID.ids) }
        package var all = false
        package var revokes = false
        package var endsSession = false

        package init() {}

        func ends(_ session: SessionSummary) -> Bool {
            providers?.contains(session.providerID) ?? true
        }
    }

    let services: SessionServices
    private var sessionStore: SessionStore { services.directory.sessionStore }

    package init(_ profile: Profile) throws { self.init(try profile.sessionServices()) }

    init(_ services: SessionServices) { self.services = services }

    /// The accounts with the sessions that will end, except the directory's own, and the accounts that cannot be
    /// recovered afterwards.
    package func ending(by request: Request) async throws -> (all: [AccountStatus], lost: [Account]) {
        let uids = try await uids(request)
        let all = try await AccountStatus.signedIn(in: sessionStore).filter { uids.contains($0.account.uid) }
        // Users with another session in this account can sign in again.
        let lost = all.filter { $0.account.isAnonymous && $0.sessions.allSatisfy(request.ends) }.map(\.account)
        return (all.map { $0.filtered { request.ends($0) && $0.issuedBy != .project } }, lost)
    }

    private func uids(_ request: Request) async throws -> [String] {
        guard request.all else {
            let choice = SessionChoice(directory: services.directory)
            return [try await choice.uid(request.account, with: request.providers)]
        }
        let sessions = try await sessionStore.sessions().filter(request.ends)
        guard !sessions.isEmpty else {
            if let provider = request.provider { throw NotSignedIn.noSession(provider: provider) }
            throw try await sessionStore.absence()
        }
        return Set(sessions.map(\.accountUID)).sorted()
    }

    /// Ends the sessions one after the other.
    /// - Returns: the sessions that ended, and the error after which the others were not ended.
    /// - Throws: if no session ended.
    package func run(_ request: Request) async throws -> (ended: [Entry], fault: (any Error)?) {
        var entries: [Entry] = []
        for uid in try await uids(request) {
            do { try await signOut(uid, by: request, into: &entries) } catch  where entries.contains(where: \.isRemoved)
            {
                return (entries.filter(\.isRemoved), error)
            }
        }
        return (entries, nil)
    }

    private func signOut(_ uid: String, by request: Request, into entries: inout [Entry]) async throws {
        let sessions = try await sessionStore.sessions(account: uid).filter(request.ends)
        guard let first = sessions.first else {
            let choice = SessionChoice(directory: services.directory)
            throw try await choice.noSession(
                with: request.providers, of: uid, isNamed: request.account != nil)
        }
        try await sessionStore.requireOwnSession(uid)
        if request.revokes, let shared = sessions.first(where: { $0.source == .gh }) {
            throw AccountRefusal.sharedToken(provider: shared.providerID)
        }
        let isAnonymous = try await sessionStore.account(uid: uid)?.isAnonymous == true
        // The directory's own session is not reported: only providers revoke tokens.
        for session in sessions where session.issuedBy != .project {
            entries.append(try await end(session, request))
        }
        try await sessionStore.removeSessions(sessions, of: uid, now: services.clock.now())
        // If a refresh holds the lock, it removes the note itself.
        for session in sessions where session.hasRefreshToken {
            try? await services.holding(
                account: uid, provider: session.providerID, resource: session.resource, unless: { () }
            ) { $0.removeNote() }
        }
        if entries.last?.uid != uid {
            let revoked: Revocation = request.revokes ? .unsupported : .notRequested
            entries.append(Entry(uid: uid, providerID: first.signInProvider, revoked: revoked, isLocal: true))
        }
        for index in entries.indices { entries[index].isRemoved = true }
        // An anonymous account without a session cannot be recovered.
        if isAnonymous, try await sessionStore.sessions(account: uid).isEmpty { try await sessionStore.forget(uid) }
    }

    private func end(_ summary: SessionSummary, _ request: Request) async throws -> Entry {
        let (uid, provider) = (summary.accountUID, summary.providerID)
        var known = Entry(
            uid: uid, providerID: provider, resource: summary.resource?.text, revoked: .notRequested,
            isLocal: !summary.hasProviderTokens)
        if summary.source == .personalToken {
            known.personalTokenPage = (try? services.provider?(provider))?.personalTokenPage
        }
        guard request.revokes || request.endsSession, summary.issuedBy != .password else { return known }
        // A concurrent refresh would return a token that this sign-out does not revoke.
        return try await services.holding(account: uid, provider: provider, resource: summary.resource) { lock in
            let session = try await opened(summary, under: lock, isRequired: request.revokes)
            var entry = await endUnderLock(session, request: request, known: known)
            let now = services.clock.now()
            var unrevoked: SealedUnrevoked?
            if entry.revoked.isFailure, let session { unrevoked = try await sessionStore.unrevoked(session, now: now) }
            entry.keptUntil = unrevoked?.session.keptUntil
            // Under the lock: after it, another process could refresh, and its tokens would not be revoked.
            try await sessionStore.removeSessions([summary], of: uid, storing: unrevoked, now: now)
            entry.isRemoved = true
            lock.removeNote()
            return entry
        }
    }

    /// Nil for a session that cannot be decrypted: it is still deleted. But if its tokens must be revoked, a key that is
    /// missing or locked is an error.
    private func opened(_ summary: SessionSummary, under lock: HeldLock, isRequired: Bool) async throws -> Session? {
        do {
            var session = try await sessionStore.session(
                account: summary.accountUID, provider: summary.providerID, resource: summary.resource)
            if let ended = session, let stored = ended.refreshToken {
                session?.unproven = try await sessionStore.refreshNote(lock, of: ended, stored: stored).unproven
            }
            return session
        } catch StoreError.damagedEntry { return nil } catch {
            if isRequired { throw error }
            return nil
        }
    }

    private func endUnderLock(_ session: Session?, request: Request, known: Entry) async -> Entry {
        var entry = known
        if request.revokes { entry.revoked = .failed }
        guard let session else { return entry }
        // A CI system's token cannot be revoked. A project's tokens belong to another client.
        guard session.source != .project, !session.grant.hasOnlyJobToken else {
            if request.revokes { entry.revoked = .unsupported }
            return entry
        }
        do {
            let client = try await services.client(entry.providerID).renewing(session)
            if request.endsSession, let endpoint = client.metadata[.endSession] {
                entry.endSessionURL = SignOut.endSessionURL(endpoint, of: session.grant, at: client.provider)
            }
            if request.revokes { entry.revoked = try await revoke(session, client) }
        } catch {
            entry.fault = error
        }
        return entry
    }

    /// The URL that ends the provider's own session (OpenID Connect RP-Initiated Logout section 2).
    static func endSessionURL(_ endpoint: HTTPURL, of grant: Grant, at provider: Provider) -> String {
        var parameters = [("client_id", grant.clientID)]
        if let idToken = grant.idToken { parameters.append(("id_token_hint", idToken.revealed())) }
        if let uri = provider.logoutRedirectURI { parameters.append((provider.dialect.logoutRedirectName, uri)) }
        return endpoint.appending(parameters)
    }

    package func retry(provider: String? = nil) async throws -> [Entry] {
        let now = services.clock.now()
        let all = try await sessionStore.unrevokedSessions(now: now)
            .filter { $0.providerID == provider ?? $0.providerID }
        var entries: [Entry] = []
        for unrevoked in all {
            do {
                // If two processes retry, only one of them sends the request.
                let entry = try await services.holding(account: unrevoked.accountUID, provider: unrevoked.providerID) {
                    _ in
                    try await retryUnderLock(unrevoked, now: now)
                }
                if let entry { entries.append(entry) }
            } catch StoreError.damagedEntry, StoreError.busy {
                // A damaged or locked session does not prevent the revocation of the others.
                entries.append(entry(unrevoked, revoked: .failed))
            }
        }
        return entries
    }

    private func retryUnderLock(_ unrevoked: UnrevokedSession, now: Int64) async throws -> Entry? {
        guard let session = try await sessionStore.session(of: unrevoked) else { return nil }
        let revoked: Revocation
        do {
            revoked = try await revoke(session, try await services.client(unrevoked.providerID).renewing(session))
        } catch {
            try await sessionStore.recordFailure(unrevoked.id, now: now)
            return entry(unrevoked, revoked: .failed, of: session, fault: error)
        }
        switch revoked {
        case .failed: try await sessionStore.recordFailure(unrevoked.id, now: now)
        case .otherClient: break
        case .confirmed, .unsupported, .notRequested: try await sessionStore.removeUnrevoked(unrevoked.id)
        }
        return entry(unrevoked, revoked: revoked, of: session)
    }

    /// - session: nil if its tokens could not be read.
    private func entry(
        _ unrevoked: UnrevokedSession, revoked: Revocation, of session: Session? = nil, fault: (any Error)? = nil
    ) -> Entry {
        Entry(
            uid: unrevoked.accountUID, providerID: unrevoked.providerID, resource: session?.resource?.text,
            revoked: revoked, keptUntil: revoked.isFailure ? unrevoked.keptUntil : nil, fault: fault)
    }

    private func revoke(_ session: Session, _ client: ProviderClient) async throws -> Revocation {
        // A provider's response about another client's token does not tell whether the token is valid.
        let isPersonal = session.source.isPersonal
        let isOtherClients =
            (session.refreshToken != nil || session.accessToken != nil) && !isPersonal
            && !client.provider.clientID.hasSameBytes(as: session.clientID)
        guard client.missingCredential == nil || isPersonal else {
            // Without a configuration, it is unknown whether the client has changed.
            return !isOtherClients ? .unsupported : client.provider.clientID.isEmpty ? .failed : .otherClient
        }
        if case .call(let call) = client.provider.dialect.revocation {
            guard let token = session.accessToken, let api = try client.api(token, scopes: session.scopes) else {
                return .unsupported
            }
            guard !isOtherClients else { return .otherClient }
            do { try await call(api) } catch OAuthError.invalidResponse(.status(404), at: .revocation) {
                return .unsupported
            }
            return .confirmed
        }
        // Without the DPoP key, the provider may still revoke the tokens.
        let endpoint = try client.tokenEndpoint((try? client.prover(of: session)) ?? nil)
        guard try client.metadata.endpoints[.revocation]?.get() != nil else { return .unsupported }
        guard !isOtherClients else { return .otherClient }
        let tokens: [(String?, TokenEndpoint.TokenTypeHint)] = [
            (session.unproven?.revealed(), .refreshToken), (session.refreshToken?.revealed(), .refreshToken),
            (session.accessToken?.revealed(), .accessToken),
        ]
        var revoked: Revocation = tokens.allSatisfy { $0.0 == nil } ? .confirmed : .unsupported
        for case (let token?, let hint) in tokens {
            do {
                try await endpoint.revoke(token, hint: hint)
                revoked = .confirmed
            } catch OAuthError.refused("unsupported_token_type", _, _) {
                // RFC 7009 section 2.2.1. The token ends with its refresh token, or when it expires.
            }
        }
        return revoked
    }
}
