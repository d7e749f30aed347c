extension ProviderClient {
    func tokenResponse(
        to request: SessionRenewal.TokenRequest, workload: VerifiedWorkload?, _ prover: DPoPProver?,
        resource: HTTPURL? = nil
    ) async throws -> TokenResponse {
        let endpoint = try tokenEndpoint(prover, for: resource)
        let parameters = request.parameters.map { ($0.name, $0.value) }
        guard let kind = request.kind, let workload else {
            return try await endpoint.clientCredentials(scopes: request.scopes, parameters: parameters)
        }
        return try await endpoint.exchange(workload.token.raw, by: kind, scopes: request.scopes, parameters: parameters)
    }

    func tokens(_ response: TokenResponse, for request: SessionRenewal.TokenRequest) -> Tokens {
        var tokens = Tokens(
            response, requested: request.scopes, from: metadata.tokenEndpoint.origin, now: services.clock.now())
        // Not stored: a machine's session is renewed by another token request.
        tokens.removeRefreshToken()
        return tokens
    }
}

extension CurrentToken {
    /// A new ID token of the job's CI system for this audience, which is not stored; nil if the session is not of a job.
    package func jobToken(_ request: Request, audience: String) async throws -> Result? {
        let session = try await SessionChoice(directory: services.directory).choose(request.choice).session
        guard let found = try await session.renewal?.workload(for: session, audience: audience, services) else {
            return nil
        }
        return Result(found.token, of: session)
    }
}

extension VerifiedWorkload {
    var tokens: Tokens {
        var tokens = Tokens(tokenOrigin: issuer.origin)
        tokens.take(token)
        return tokens
    }
}

extension SessionRenewal {
    /// A new token of the job's CI system; nil if the session is not of a job.
    /// - Parameter audience: nil for the session's.
    func workload(
        for session: Session, audience: String? = nil, _ services: SessionServices
    ) async throws -> VerifiedWorkload? {
        guard let workload else { return nil }
        guard let source = services.workloads else { throw NotSignedIn.jobTokensExpired(platform: workload.platform) }
        var request = workload.request
        request.audience = audience ?? request.audience
        // Sessions of older versions do not store the required issuer, so it is the session's own.
        if request.issuer == nil, grant == nil { request.issuer = session.issuer }
        let found: VerifiedWorkload
        do {
            found = try await source().token(workload.platform, request)
        } catch is WorkloadError {
            throw NotSignedIn.jobTokensExpired(platform: workload.platform)
        } catch let error as IDTokenRefused {
            // A token in a variable expires during a long job.
            guard case .expired = error.rejection else { throw error }
            throw NotSignedIn.jobTokensExpired(platform: workload.platform)
        }
        guard found.identity.federatedID.hasSameBytes(as: session.subject) else { throw AccountConflict.userMismatch }
        return found
    }

    func tokens(for session: Session, _ services: SessionServices) async throws -> Tokens {
        let verified = try await workload(for: session, services)
        guard let grant else {
            guard let verified else { throw NotSignedIn.expired(provider: session.providerID) }
            return verified.tokens
        }
        let client = try await services.client(session.providerID).renewing(session)
        // A certificate-bound session must not be renewed as a bearer session.
        if client.clientKeys.certificate == nil { _ = try client.certificate(of: session) }
        let prover = try client.prover(of: session)
        let response =
            if case .assertion(let source) = session.source {
                try await services.response(
                    to: grant, of: client, by: source, account: session.accountUID, resource: session.resource, prover)
            } else {
                try await client.tokenResponse(to: grant, workload: verified, prover, resource: session.resource)
            }
        return client.tokens(response, for: grant)
    }
}
