/// This client at one provider: its configuration, the provider's metadata, and the client authentication.
package final class ProviderClient: Sendable {
    package let provider: Provider
    package let metadata: ProviderMetadata
    let authentication: ClientAuthentication
    /// Why the client cannot authenticate with this configuration. Tokens from elsewhere can still be verified.
    package let missingCredential: ProviderError?
    private let audience: String
    let clientKeys: ClientKeys
    let services: Services

    init(
        _ provider: Provider, metadata: ProviderMetadata, keys: ClientKeys, services: Services
    ) throws(ProviderError) {
        self.provider = provider
        self.metadata = metadata
        clientKeys = keys
        self.services = services.adding(origins: metadata.origins)
        audience = try ProviderClient.audience(provider, metadata)
        missingCredential = ProviderClient.missingCredential(provider, keys)
        authentication =
            missingCredential == nil
            ? try ProviderClient.authentication(of: provider, metadata: metadata, keys: keys) : .none
        let isApp = provider.appID != nil && provider.dialect.installations != nil
        guard !isApp || keys.privateKey.map({ $0.publicKey.family == .rsa }) ?? true else {
            throw provider.invalid("private_key", .notRSA)
        }
    }

    package static func resolve(
        _ provider: Provider, keys: ClientKeys, services: Services, refetch: DocumentFetcher.Refetch = .whenStale
    ) async throws -> ProviderClient {
        guard provider.issuer.protectsSecrets || provider.allowsPlainHTTP else {
            throw HTTPError.plainHTTP(origin: provider.issuer.origin)
        }
        let services = try services.trusting(provider)
        var provider = try await TenantLookup(fetcher: services.fetcher).resolved(provider)
        var metadata: ProviderMetadata
        if let fixed = try provider.fixedMetadata() {
            metadata = fixed
        } else {
            let found = try await Discovery(fetcher: services.fetcher).metadata(
                issuer: provider.issuer, document: provider.discovery, needsKeys: provider.dialect.hasIDTokens,
                allowsPlainHTTP: provider.allowsPlainHTTP, refetch: refetch)
            // Identities and sessions use the issuer as its metadata spells it.
            provider.issuer = try HTTPURL(found.issuer)
            metadata = keys.certificate == nil ? found : try found.aliased()
        }
        let named: [ProviderEndpoint: HTTPURL?] = [
            .deviceAuthorization: provider.deviceAuthorizationEndpoint, .revocation: provider.revocationEndpoint,
            .pushedRequest: provider.pushedRequestEndpoint,
        ]
        metadata.endpoints.merge(named.compactMapValues { $0.map { .success($0) } }) { $1 }
        return try ProviderClient(provider, metadata: metadata, keys: keys, services: services)
    }

    /// Whether only the device flow works: the provider requires a client secret for other flows, and none is
    /// configured.
    package var usesDeviceFlowOnly: Bool {
        provider.signsInByDeviceWithoutSecret && authentication.method == .none && missingCredential == nil
            && metadata[.deviceAuthorization] != nil
    }

    func pushedRequestEndpoint(isRequested: Bool) throws(DiscoveryError) -> HTTPURL? {
        guard isRequested || provider.pushesEveryRequest || metadata.requiresPushedRequests else { return nil }
        return try metadata.required(.pushedRequest, or: .unsupported(.pushedRequests))
    }

    /// The DPoP key for the tokens of one sign-in (RFC 9449); nil if they are not bound.
    func newProver(isRequested: Bool) throws -> DPoPProver? {
        guard isRequested || bindsToKeys else { return nil }
        let taken = metadata.proofAlgorithms ?? (provider.isBuiltIn ? [] : [.es256])
        let usable = provider.isFAPI2 ? taken.filter(FAPI2.algorithms.contains) : taken
        guard let algorithm = DPoPKey.algorithms.first(where: usable.contains) else {
            throw DiscoveryError.unsupported(.boundTokens)
        }
        return DPoPProver(try DPoPKey(algorithm), services)
    }

    func ownIssuer() throws(ProviderError) -> String {
        if let only = metadata.issuers.only { return only }
        guard case .tenants(let rule) = metadata.issuers else { return provider.issuer.text }
        guard case .only(let tenant) = rule.allowed else { throw provider.invalid("tenant", .tenantNeeded) }
        return rule.issuer(of: tenant)
    }

    private static func authentication(
        of provider: Provider, metadata: ProviderMetadata, keys: ClientKeys
    ) throws(ProviderError) -> ClientAuthentication {
        func needed(_ fault: SettingFault) -> ProviderError { provider.invalid("auth_method", fault) }
        if provider.dialect.signsClientSecret, provider.authenticationMethod == nil, keys.secret == nil {
            return try signedSecret(provider, metadata: metadata, keys: keys)
        }
        let offered = metadata.authenticationMethods
        let method: ClientAuthentication.Method
        if let configured = provider.authenticationMethod {
            method = configured
        } else if let certificate = keys.certificate, let preferred = defaultMethod(certificate, offered) {
            method = preferred
        } else if keys.isSigner(where: offered), provider.appID == nil {
            method = .privateKeyJWT
        } else if let secret = keys.secret {
            method = provider.dialect.secretMethod ?? secretMethod(provider, secret: secret, offered: offered)
        } else {
            method = .none
        }
        switch method {
        case .none: return .none
        case .tlsClientAuth, .selfSignedTLSClientAuth:
            guard keys.certificate != nil else { throw needed(.certificateNeeded(method)) }
            guard metadata.tokenEndpoint.isSecure else { throw needed(.certificateWithoutTLS(method)) }
            return .certificate(method)
        case .privateKeyJWT:
            guard let key = keys.privateKey else { throw needed(.keyNeeded(method)) }
            return .privateKeyJWT(
                key, try assertionAlgorithm(of: key, for: provider, metadata: metadata), keyID: provider.keyID)
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT:
            guard let secret = keys.secret else { throw needed(.secretNeeded(method)) }
            return .secret(secret, by: method)
        }
    }

    /// The other method by a client secret. Some servers accept only one, whatever their metadata says. What built-in
    /// providers accept is known.
    package var otherSecretMethod: ClientAuthentication.Method? {
        guard !provider.isBuiltIn else { return nil }
        let methods: [ClientAuthentication.Method] = [.clientSecretBasic, .clientSecretPost]
        return methods.contains(authentication.method) ? methods.first { $0 != authentication.method } : nil
    }

    static func defaultMethod(
        _ certificate: ClientCertificate, _ offered: [ClientAuthentication.Method]
    ) -> ClientAuthentication.Method? {
        let methods: [ClientAuthentication.Method] = [.tlsClientAuth, .selfSignedTLSClientAuth]
        // A self-signed certificate has no CA, so the provider must recognize its key.
        return (certificate.chain.isSelfSigned ? methods.reversed() : methods).first(where: offered.contains)
    }

    private static func secretMethod(
        _ provider: Provider, secret: ClientSecret, offered: [ClientAuthentication.Method]
    ) -> ClientAuthentication.Method {
        guard offered.contains(.clientSecretPost) else { return .clientSecretBasic }
        guard offered.contains(.clientSecretBasic) else { return .clientSecretPost }
        let isPlain = ClientAuthentication.isPlainInBasic(clientID: provider.clientID, secret)
        return isPlain ? .clientSecretBasic : .clientSecretPost
    }

    package static func assertionAlgorithm(
        of key: PrivateKey, for provider: Provider, metadata: ProviderMetadata
    ) throws(ProviderError) -> SignatureAlgorithm {
        let family = key.publicKey.family
        let own = provider.isFAPI2 ? FAPI2.preferred(family.algorithms) : family.algorithms
        if let configured = provider.keyAlgorithm {
            guard own.contains(configured) else { throw provider.invalid("key_alg", .notOfKey(configured, family)) }
            return configured
        }
        guard let taken = metadata.authenticationAlgorithms else { return own[0] }
        guard let algorithm = own.first(where: taken.contains) else {
            throw provider.invalid("private_key", .keyNotSupported(family, supported: taken))
        }
        return algorithm
    }

    private static func audience(_ provider: Provider, _ metadata: ProviderMetadata) throws(ProviderError) -> String {
        let endpoint = metadata.publicTokenEndpoint.text
        // A provider with tenants or without ID tokens has a fixed endpoint, not one from a document.
        guard let issuer = metadata.issuers.only else { return endpoint }
        guard provider.assertionAudience == .tokenEndpoint else { return issuer }
        guard Array(endpoint.utf8).starts(with: (provider.issuer.textWithoutSlash + "/").utf8) else {
            throw provider.invalid("assertion_audience", .endpointOutsideIssuer(endpoint))
        }
        return endpoint
    }

    /// The error for a provider without a configuration, or without any setting for a signed client secret. An
    /// incomplete configuration is an error elsewhere.
    private static func missingCredential(_ provider: Provider, _ keys: ClientKeys) -> ProviderError? {
        if provider.clientID.isEmpty, provider.dialect.personalTokens != nil {
            if provider.isOnlyAnApp { return .onlyAnApp(provider.id) }
            return provider.baseURL == nil ? .notConfigured(provider.id) : .noClient(provider.id)
        }
        guard provider.dialect.signsClientSecret, provider.authenticationMethod == nil, keys.secret == nil,
            provider.privateKeyFile == nil, provider.keyID == nil, provider.teamID == nil
        else { return nil }
        return incomplete(provider)
    }

    private static func incomplete(_ provider: Provider) -> ProviderError {
        let parts = [
            ("team_id", provider.teamID), ("key_id", provider.keyID), ("private_key", provider.privateKeyFile),
        ]
        return .invalid(setting: provider.id, .incompleteSecret(missing: parts.filter { $0.1 == nil }.map(\.0)))
    }

    private static func signedSecret(
        _ provider: Provider, metadata: ProviderMetadata, keys: ClientKeys
    ) throws(ProviderError) -> ClientAuthentication {
        guard let key = keys.privateKey, let keyID = provider.keyID, let teamID = provider.teamID else {
            throw incomplete(provider)
        }
        guard key.publicKey.family == .ellipticCurve(.p256) else { throw provider.invalid("private_key", .notP256) }
        return .signedSecret(SignedClientSecret(key: key, keyID: keyID, teamID: teamID, audience: metadata.issuer))
    }

    func allows(_ url: HTTPURL) -> Bool { provider.allows(url, metadata: metadata) }

    func api(_ accessToken: AccessToken?, scopes: [String]) throws -> ProviderAPI? {
        guard let root = try provider.apiRoot() else { return nil }
        return ProviderAPI(
            root: root, clientID: provider.clientID, secret: clientKeys.secret, accessToken: accessToken,
            scopes: scopes, headers: provider.headersOfAPI, transport: services.transport, clock: services.clock)
    }

    /// Reports missing credentials before the browser opens.
    func requireCredential() throws(ProviderError) {
        if let missingCredential { throw missingCredential }
        _ = try certificate()
        try requireFAPI2()
    }

    func tokenEndpoint(
        _ prover: DPoPProver? = nil, for resource: HTTPURL? = nil
    ) throws(ProviderError) -> TokenEndpoint {
        try requireCredential()
        var endpoint = TokenEndpoint(
            url: metadata.tokenEndpoint, revocationURL: metadata[.revocation], clientID: provider.clientID,
            audience: audience, authentication: authentication,
            revocationAuthentication: authentication.adapted(to: metadata.revocationAuthenticationMethods),
            certificate: try certificate(), prover: prover, services: services, narrowestZone: metadata.zone,
            allowsPlainHTTP: provider.allowsPlainHTTP, acceptsForm: provider.dialect.tokenResponsesMayBeForms,
            refreshParameters: provider.dialect.refreshRepeatsRedirectURI
                ? [("redirect_uri", provider.unboundRedirectURI)] : [], scopeSeparator: provider.scopeSeparator)
        if !provider.dialect.namesResourceInScopes { endpoint.resource = resource?.text }
        return endpoint
    }

    var keys: KeySource {
        var keys = KeySource(fetcher: services.fetcher, published: metadata.publishedKeys)
        keys.allowsPlainHTTP = provider.allowsPlainHTTP
        keys.accepted = provider.isFAPI2 ? FAPI2.algorithms : nil
        return keys
    }

    /// A userinfo request with an access token that is bound to this key or certificate, if any.
    func userInfo(_ prover: DPoPProver?, _ certificate: ClientCertificate?) -> UserInfoRequest {
        UserInfoRequest(
            keys: keys, metadata: metadata, transport: services.transport, clientID: provider.clientID,
            prover: prover, certificate: certificate)
    }

    /// Verifies an ID token. The error contains the difference between the clocks.
    /// - Parameter response: the token endpoint's response with this token, if there is one.
    func verify(
        _ token: RawIDToken, expecting expected: ExpectedIDToken, from response: TokenResponse?
    ) async throws -> VerifiedIDToken {
        var keys = keys
        // The provider, not an attacker, sends one token for each request, so the keys can be fetched for each.
        if response != nil { keys.refetch = .always }
        do {
            return try await keys.verify(token, expecting: expected)
        } catch let rejection as IDTokenRejection {
            // `nonce_required` is only for tokens that authctl requested.
            let isRequired = response == nil || provider.isFAPI2 || provider.isBuiltIn
            throw IDTokenRefused(
                rejection: isRequired && rejection == .nonceMissing ? .nonce : rejection, issuer: provider.issuer,
                provider: provider.id,
                clockOffset: response?.serverTime.map { expected.now - $0 })
        }
    }

    func expected(
        nonce: ExpectedIDToken.NonceRule, parameters: [(String, String)] = [],
        maximumAge: Int64? = ExpectedIDToken.signInAge
    ) -> ExpectedIDToken {
        var expected = ExpectedIDToken(
            issuers: metadata.issuers, audience: provider.clientID, nonce: nonce, now: services.clock.now(),
            maximumAge: maximumAge)
        expected.trustedAudiences = provider.trustedAudiences
        expected.requiredClaims = provider.requiredClaims(parameters)
        expected.acceptsTextTimes = provider.dialect.acceptsTextTimes
        return expected
    }

    /// How a token must contain this client's nonce.
    func rule(for nonce: Nonce?) -> ExpectedIDToken.NonceRule {
        switch (nonce, provider.nonceMode) {
        case (nil, _): .none
        case (let nonce?, .raw): .raw(nonce)
        case (let nonce?, .sha256): .sha256(nonce)
        }
    }

    func sent(_ nonce: Nonce) throws -> Nonce {
        switch provider.nonceMode {
        case .raw: nonce
        case .sha256: Nonce(try HashFunction.sha256.digest(nonce.revealed().utf8).hexadecimal)
        }
    }
}
