/// Forgets sessions, and says what the providers were told.
public struct SignOut: Sendable {
    public enum Revocation: String, Sendable {
        case confirmed, failed, unsupported
        case notAsked = "not-asked"
    }

    public struct Entry: Sendable {
        public let uid: String
        public let providerID: String
        public let revoked: Revocation
        /// The provider's page that ends its own session, where it was asked for and there is one.
        public let endSessionURL: String?
    }

    public struct Request: Sendable {
        public var account: String?
        public var all = false
        public var revokes = false
        public var endsSession = false

        public init() {}
    }

    let services: SessionServices
    private var directory: any AccountDirectory { services.directory }

    /// - Throws: what `Profile.directory` throws.
    public init(_ profile: Profile) throws { self.init(try profile.sessionServices()) }

    init(_ services: SessionServices) { self.services = services }

    /// - Throws: `NotSignedIn.noAccount` when there is nothing to forget; `StoreError`.
    public func callAsFunction(_ request: Request) async throws -> [Entry] {
        let uids: [String]
        if request.all {
            let sessions = try await directory.ledger.sessions()
            // Every account of this directory: what another one made stays, and is said where there is nothing else.
            let own = sessions.filter { $0.directory == nil || $0.directory == directory.origin }
            uids = Set((own.isEmpty ? sessions : own).map(\.accountUID)).sorted()
            guard !uids.isEmpty else { throw NotSignedIn.noAccount }
        } else {
            uids = [try await SessionChoice(directory: directory).uid(request.account)]
        }
        var entries: [Entry] = []
        for uid in uids {
            let sessions = try await directory.ledger.sessions(account: uid)
            guard !sessions.isEmpty else { throw NotSignedIn.noSession(provider: nil) }
            try await directory.ledger.requireOwnSession(uid)
            // The directory's own session ends here and nowhere else: what is told is the provider's.
            for session in sessions where session.providerID != DirectorySession.id {
                entries.append(try await end(uid, session.providerID, request))
            }
            if entries.last?.uid != uid, let own = sessions.first {
                entries.append(
                    Entry(
                        uid: uid, providerID: own.signInProvider, revoked: request.revokes ? .unsupported : .notAsked,
                        endSessionURL: nil))
            }
            try await directory.ledger.removeSessions(account: uid)
        }
        return entries
    }

    private func end(_ uid: String, _ provider: String, _ request: Request) async throws -> Entry {
        guard request.revokes || request.endsSession, provider != PasswordProvider.id else {
            return Entry(uid: uid, providerID: provider, revoked: .notAsked, endSessionURL: nil)
        }
        // A refresh on its way would hand out a token that this sign-out never saw.
        return try await services.holding(account: uid, provider: provider) {
            try await endUnderLock(uid, provider, request)
        }
    }

    private func endUnderLock(_ uid: String, _ provider: String, _ request: Request) async throws -> Entry {
        // A session that cannot be opened is forgotten all the same.
        let session = try? await directory.ledger.session(account: uid, provider: provider)
        if session?.source == .project || session?.renewal.map({ $0.grant == nil }) == true {
            // A CI system's own token cannot be taken back, and another client's not by us.
            return Entry(
                uid: uid, providerID: provider, revoked: request.revokes ? .unsupported : .notAsked, endSessionURL: nil)
        }
        guard let session, let client = try? await services.client(provider).renewing(session)
        else {
            return Entry(
                uid: uid, providerID: provider, revoked: request.revokes ? .failed : .notAsked, endSessionURL: nil)
        }
        let revoked = request.revokes ? await revoke(session, client) : .notAsked
        var url: String?
        if request.endsSession, let endpoint = client.metadata.endSessionEndpoint {
            url = EndSession.url(
                endpoint: endpoint, idToken: session.idToken, clientID: session.clientID,
                redirectURI: client.provider.logoutRedirectURI, redirectName: client.provider.dialect.logoutRedirectName
            )
        }
        return Entry(uid: uid, providerID: provider, revoked: revoked, endSessionURL: url)
    }

    /// The refresh token first: it could make new access tokens.
    private func revoke(_ session: Session, _ client: ProviderClient) async -> Revocation {
        guard client.missingProof == nil else { return .unsupported }
        do {
            let endpoint = try client.tokenEndpoint()
            if case .call(let call) = client.provider.dialect.revocation {
                guard let token = session.accessToken, let api = try client.api(token, scopes: session.scopes) else {
                    return .unsupported
                }
                try await call(api)
                return .confirmed
            }
            guard endpoint.revocationURL != nil else { return .unsupported }
            if let token = session.refreshToken { try await endpoint.revoke(token.revealed(), hint: .refreshToken) }
            if let token = session.accessToken { try await endpoint.revoke(token.revealed(), hint: .accessToken) }
            return .confirmed
        } catch {
            return .failed
        }
    }
}
