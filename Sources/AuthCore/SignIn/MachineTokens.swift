/// The tokens of a machine, however it got them.
struct MachineTokens: Sendable {
    var accessToken: AccessToken?
    /// Seconds since 1970.
    var expiresAt: Int64?
    var idToken: RawIDToken?
    var idTokenExpiresAt: Int64?
    var scopes: [String]
    var origin: String

    /// Asks a provider's token endpoint, with the token of a CI system where there is one.
    /// - Throws: `OAuthError`, `HTTPError`.
    static func granted(
        _ grant: SessionRenewal.Grant, workload: VerifiedWorkload?, at client: ProviderClient
    ) async throws -> MachineTokens {
        let endpoint = try client.tokenEndpoint()
        let parameters = grant.parameters.map { ($0.name, $0.value) }
        let answer: TokenEndpoint.Answer
        if let kind = grant.kind, let workload {
            answer = try await endpoint.exchange(
                workload.rawToken, by: kind, scopes: grant.scopes, parameters: parameters)
        } else {
            answer = try await endpoint.clientCredentials(scopes: grant.scopes, parameters: parameters)
        }
        let tokens = answer.tokens
        let now = client.services.clock.now()
        // A refresh token that came is not kept: what renews a machine's session is asking again.
        return MachineTokens(
            accessToken: tokens.accessToken, expiresAt: tokens.expiresIn.map { now + $0 },
            scopes: tokens.scopes ?? grant.scopes, origin: endpoint.url.origin)
    }

    /// The token of a CI system itself.
    init(_ workload: VerifiedWorkload) {
        idToken = workload.rawToken
        idTokenExpiresAt = workload.token.expiresAt
        scopes = []
        origin = workload.issuer.origin
    }

    private init(accessToken: AccessToken, expiresAt: Int64?, scopes: [String], origin: String) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.scopes = scopes
        self.origin = origin
    }

    func session(
        provider: String, issuer: String, clientID: String, subject: String, now: Int64, source: String,
        _ renewal: SessionRenewal
    ) -> Session {
        Session(
            accountUID: "", providerID: provider, issuer: issuer, clientID: clientID, tokenOrigin: origin,
            accessToken: accessToken, expiresAt: expiresAt, refreshToken: nil, idToken: idToken,
            idTokenExpiresAt: idTokenExpiresAt, subject: subject, nonce: nil, authenticatedAt: nil, scopes: scopes,
            lastProvenAt: now, source: source, renewal: renewal)
    }
}

extension SessionRenewal {
    /// Gets new tokens for a session as its first ones were got.
    /// - Throws: `NotSignedIn.jobOver` when the CI system has none for this process; `OAuthError`, `HTTPError`.
    func tokens(for session: Session, _ services: SessionServices) async throws -> MachineTokens {
        var verified: VerifiedWorkload?
        if let workload {
            guard let source = services.workloads else { throw NotSignedIn.jobOver(platform: workload.platform) }
            var request = workload.request
            // A session of an older version does not say; its own issuer is the only one it can be.
            if request.issuer == nil, grant == nil { request.issuer = session.issuer }
            let found: VerifiedWorkload
            do {
                found = try await source().token(workload.platform, request)
            } catch is WorkloadError {
                throw NotSignedIn.jobOver(platform: workload.platform)
            } catch let error as IDTokenRefused {
                // The token in a variable ages with its job.
                guard case .expired = error.rejection else { throw error }
                throw NotSignedIn.jobOver(platform: workload.platform)
            }
            guard found.identity.federatedID.hasSameBytes(as: session.subject) else {
                throw AccountConflict.userMismatch
            }
            verified = found
        }
        if let grant {
            return try await MachineTokens.granted(
                grant, workload: verified, at: try await services.client(session.providerID).renewing(session))
        }
        guard let verified else { throw NotSignedIn.expired(provider: session.providerID) }
        return MachineTokens(verified)
    }
}
