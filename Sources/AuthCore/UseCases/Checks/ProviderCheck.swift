/// Checks one provider for `providers check`: discovery, keys, clock, redirect URI, client.
package struct ProviderCheck: Sendable {
    package enum Finding: Sendable, Equatable {
        case builtIn(origin: String)
        case discovered(issuer: String)
        case keys(Int, for: Set<SignatureAlgorithm>)
        /// Seconds that this machine's clock is ahead of the server's; nil if the server does not send its time.
        case clock(ahead: Int64?)
        case redirect(to: String?, isUsable: Bool)
        case client(ClientAuthentication.Method, isListed: Bool)
        /// The provider does not know the client, or rejects its secret or key.
        case refusedClient(code: String, description: ServerText?)
        case app(KnownApp)
        case deviceFlowOnly(Dialect.SecretReason)
        case noSecret(Dialect.SecretReason)

        /// Whether the provider supports or requires pushed authorization requests (RFC 9126), and whether they are
        /// enabled.
        case pushedRequests(isOffered: Bool, isRequired: Bool, isRequested: Bool)

        /// The DPoP algorithms that both sides support (RFC 9449), and whether the configuration enables DPoP; nil if
        /// the provider lists none.
        case boundTokens([SignatureAlgorithm]?, isRequested: Bool)

        /// The client certificate for TLS (RFC 8705).
        case certificate(subject: ServerText, days: Int64, fault: SettingFault?)

        /// The CA file, and whether the server's certificate is trusted without it.
        case authority(file: String, isNeeded: Bool)

        case mutualTLS(methods: [ClientAuthentication.Method], bindsTokens: Bool, hasAliases: Bool, isUsed: Bool)
        case fapi2(FAPI2Requirement, FAPI2Fault?)

        package var isFine: Bool {
            switch self {
            case .builtIn, .discovered, .client, .app, .deviceFlowOnly, .mutualTLS, .authority: true
            case .certificate(_, _, let fault): fault == nil
            case .pushedRequests(let isOffered, _, _): isOffered
            case .boundTokens(let algorithms, let isRequested): !isRequested || algorithms?.isEmpty != true
            case .keys(let count, _): count > 0
            case .clock(let ahead): abs(ahead ?? 0) <= ExpectedIDToken.clockSkew
            case .redirect(_, let isUsable): isUsable
            case .noSecret, .refusedClient: false
            case .fapi2(_, let fault): fault == nil
            }
        }
    }

    let services: Services

    package init(services: Services) { self.services = services }

    package func run(_ provider: Provider, _ credentials: ClientKeys) async throws -> [Finding] {
        let client = try await ProviderClient.resolve(provider, keys: credentials, services: services, refetch: .always)
        let metadata = client.metadata
        var findings = [
            provider.isBuiltIn
                ? Finding.builtIn(origin: metadata.tokenEndpoint.origin) : .discovered(issuer: metadata.issuer)
        ]
        if provider.dialect.hasIDTokens, !metadata.keySetURLs.isEmpty {
            let keys = try await client.keys.keys(refetch: .always)
            findings.append(.keys(keys.keys.count, for: metadata.idTokenAlgorithms))
        }
        let request = HTTPRequest(
            .get, metadata.keySetURLs.first ?? metadata.authorizationEndpoint, narrowestZone: metadata.zone)
        if let file = provider.authorityFile {
            let isNeeded = (try? await services.transport.response(to: request)) == nil
            findings.append(.authority(file: file, isNeeded: isNeeded))
        }
        let time = try await client.services.transport.response(to: request).serverTime
        findings.append(.clock(ahead: time.map { services.clock.now() - $0 }))
        findings.append(redirect(provider))
        findings += try pushedRequests(client)
        if client.bindsToKeys || metadata.proofAlgorithms != nil {
            let supported = metadata.proofAlgorithms?.filter(DPoPKey.algorithms.contains)
            findings.append(.boundTokens(supported ?? (provider.isBuiltIn ? [] : nil), isRequested: client.bindsToKeys))
        }
        if provider.isFAPI2 {
            let faults = client.fapi2Faults
            // The flow is chosen at sign-in, so it is not checked here.
            findings += FAPI2Requirement.allCases.filter { $0 != .flows }.map { requirement in
                .fapi2(requirement, faults.first { $0.requirement == requirement })
            }
        }
        findings += mutualTLS(client)
        if provider.appID != nil, let installations = provider.dialect.installations {
            findings.append(.app(try await installations.app(try client.appAPI())))
        }
        // Installation tokens and personal ones have no client.
        if provider.clientID.isEmpty { return findings }
        return findings + [await authentication(client)]
    }

    private func pushedRequests(_ client: ProviderClient) throws -> [Finding] {
        let (metadata, isRequested) = (client.metadata, client.provider.pushesEveryRequest)
        let isUsed = isRequested || metadata.requiresPushedRequests
        guard isUsed || metadata[.pushedRequest] != nil else { return [] }
        let isOffered = try metadata.endpoints[.pushedRequest]?.get() != nil
        return [
            .pushedRequests(
                isOffered: isOffered, isRequired: metadata.requiresPushedRequests, isRequested: isRequested)
        ]
    }

    private func authentication(_ client: ProviderClient) async -> Finding {
        let method = client.authentication.method
        let reason = client.provider.dialect.secretReason
        if let reason, !client.usesDeviceFlowOnly, client.missingCredential != nil || method == .none {
            return .noSecret(reason)
        }
        if case .refused(let code, let description) = try? await ClientCheck().run(client) {
            return .refusedClient(code: code, description: description)
        }
        if let reason, client.usesDeviceFlowOnly { return .deviceFlowOnly(reason) }
        return .client(method, isListed: client.metadata.authenticationMethods.contains(method))
    }

    private func mutualTLS(_ client: ProviderClient) -> [Finding] {
        let metadata = client.metadata
        let methods = metadata.authenticationMethods.filter(\.isByCertificate)
        let certificate = client.clientKeys.certificate?.chain
        var findings: [Finding] = []
        if let certificate {
            let now = services.clock.now()
            findings.append(
                .certificate(
                    subject: ServerText(certificate.subject), days: (certificate.notAfter - now) / 86400,
                    fault: certificate.fault(at: now)))
        }
        let hasAliases = metadata.aliases.values.contains { (try? $0.get()) != nil }
        if certificate != nil || !methods.isEmpty || metadata.bindsToCertificates {
            findings.append(
                .mutualTLS(
                    methods: methods, bindsTokens: metadata.bindsToCertificates, hasAliases: hasAliases,
                    isUsed: certificate != nil))
        }
        return findings
    }

    private func redirect(_ provider: Provider) -> Finding {
        let isUsable = (try? RedirectURI(provider, port: nil, responseMode: .query, isPasted: true)) != nil
        return .redirect(to: provider.redirectURI ?? provider.defaultRedirectURI, isUsable: isUsable)
    }
}
