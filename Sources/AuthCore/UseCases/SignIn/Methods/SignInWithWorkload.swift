/// Signs a job in with the token of its CI system.
package struct SignInWithWorkload: Sendable {
    let workloads: WorkloadTokens
    let directory: any AccountDirectory

    /// The exchange of the CI system's token for an access token.
    package struct Exchange: Sendable {
        let client: ProviderClient
        let request: SessionRenewal.TokenRequest
        let resource: HTTPURL?
        fileprivate let prover: DPoPProver?

        /// - Parameter bindsTokens: bind the tokens to a new DPoP key (RFC 9449), even if the configuration does not
        ///   enable it.
        package init(
            client: ProviderClient, kind: TokenEndpoint.WorkloadGrant?, scopes: [String],
            parameters: [(String, String)], resource: HTTPURL? = nil, bindsTokens: Bool = false
        ) throws {
            try client.refuseUnderFAPI2(.workload)
            self.client = client
            prover = try client.newProver(isRequested: bindsTokens)
            self.resource = resource
            // Authorization servers of resources expect the job's token as a JWT bearer grant (MCP, Workload Identity
            // Federation).
            let standard = client.provider.dialect.workloadGrant
            request = SessionRenewal.TokenRequest(
                kind: kind ?? (resource != nil && standard == .tokenExchange ? .jwtBearer : standard),
                scopes: client.provider.machineScopes(adding: scopes), parameters: parameters)
        }
    }

    package init(workloads: WorkloadTokens, directory: any AccountDirectory) {
        self.workloads = workloads
        self.directory = directory
    }

    package func run(
        _ platform: String, request: WorkloadRequest, exchange: Exchange?
    ) async throws -> SignInResult {
        let workload = try await workloads.token(platform, request)
        let now = workloads.services.clock.now()
        let providerID = workload.platform.providerID
        var repeated = request
        // The platform's default audience may be unknown when the session is renewed.
        repeated.audience = workload.audience
        repeated.issuer = workload.issuer.text
        let renewal = SessionRenewal(
            workload: .init(platform: workload.platform.name, request: repeated), grant: exchange?.request)
        var grant = Grant(
            providerID: providerID, issuer: workload.issuer.text, clientID: workload.audience, tokens: workload.tokens,
            subject: workload.identity.federatedID, lastProvenAt: now, source: .job(providerID), renewal: renewal)
        if let exchange {
            let client = exchange.client
            grant.tokens = try await exchanged(workload, exchange)
            if let token = grant.accessToken {
                try client.provider.checkAudience(of: token, for: exchange.resource, at: .token)
            }
            try grant.bind(to: exchange.prover, or: try grant.accessToken.flatMap(client.certificate(binding:)))
            grant.providerID = client.provider.id
            grant.issuer = try client.ownIssuer()
            grant.clientID = client.provider.clientID
            grant.resource = exchange.resource
        }
        let identity = Identity(
            key: IdentityKey(
                providerID: providerID, authority: workload.issuer.text, federatedID: workload.identity.federatedID),
            displayName: workload.identity.displayName, isMachine: true)
        try await useOnce(workload, as: identity, now: now)
        return try await AccountCredential(identity: identity, grant: grant, profile: workload.token.profile).completed(
            .signIn, in: directory, now: now)
    }

    private func exchanged(_ workload: VerifiedWorkload, _ exchange: Exchange) async throws -> Tokens {
        do {
            let client = exchange.client
            let response = try await client.tokenResponse(
                to: exchange.request, workload: workload, exchange.prover, resource: exchange.resource)
            return client.tokens(response, for: exchange.request)
        } catch let error as OAuthError {
            // A server that takes the token as the client's authentication reports the client.
            let untrusted = exchange.request.kind == .clientAssertion ? "invalid_client" : "invalid_grant"
            guard case .refused(untrusted, _, _) = error else { throw error }
            throw WorkloadRefused(
                provider: exchange.client.provider.id, issuer: workload.issuer.text, audience: workload.audience,
                error: error)
        }
    }

    private func useOnce(_ workload: VerifiedWorkload, as identity: Identity, now: Int64) async throws {
        let id =
            if let id = workload.token.claims["jti"]?.string { "jti \(workload.issuer.text) \(id)" } else {
                // Hashes only the signed part, because the same signature can be encoded in several ways.
                "token \(try HashFunction.sha256.digest(UnverifiedJWS(workload.token.raw.revealed()).signingInput).hexadecimal)"
            }
        let end = workload.token.expiresAt
        guard try await !directory.sessionStore.useNonce(Nonce(id), until: end, now: now) else { return }
        for session in try await directory.sessionStore.sessions() where session.source == .job(identity.key.providerID)
        {
            let account = try await directory.sessionStore.account(uid: session.accountUID)
            if account?.providerData.contains(where: { $0.key == identity.key }) == true { return }
        }
        throw WorkloadError.usedBefore
    }
}
