/// Registers this program as a client of an OpenID Provider, and creates the provider configuration.
package struct RegisterClient: Sendable {
    let services: Services
    let clientName: String

    /// Where the client will be stored.
    private let profile: Profile?

    package init(in profile: Profile, clientName: String) throws {
        (self.profile, services, self.clientName) = (profile, try profile.services(), clientName)
    }

    /// A client that the caller stores.
    init(services: Services, clientName: String) {
        (profile, self.services, self.clientName) = (nil, services, clientName)
    }

    package struct Registered: Sendable {
        @Shared package var provider: Provider
        package let requestedMethod: ClientAuthentication.Method
        package let client: ClientRegistration.Client
    }

    package func run(
        _ provider: Provider, key: PrivateKey?, certificate: ClientCertificate? = nil,
        method: ClientAuthentication.Method? = nil, scopes: [String]? = nil
    ) async throws -> Registered {
        var provider = provider
        if let fault = certificate?.chain.fault(at: services.clock.now()) {
            throw provider.invalid("certificate", fault)
        }
        var services = try self.services.trusting(provider)
        let metadata = try await Discovery(fetcher: services.fetcher).metadata(
            issuer: provider.issuer, document: provider.discovery, needsKeys: provider.dialect.hasIDTokens,
            allowsPlainHTTP: provider.allowsPlainHTTP, refetch: .always)
        services = services.adding(origins: metadata.origins)
        let uri = provider.redirectURI ?? provider.exactRedirectURI()
        provider.redirectURI = uri
        let keys = ClientKeys(privateKey: key, certificate: certificate)
        let proof = try RegisterClient.proof(of: keys, method: method, for: &provider, metadata: metadata)
        let requirements = ClientRegistration.Requirements(
            pushedRequests: provider.pushesEveryRequest, boundTokens: provider.bindsToKeys(metadata, keys),
            idTokenAlgorithm: provider.isFAPI2 && provider.dialect.hasIDTokens
                ? metadata.publishedKeys.listedAlgorithms.first(where: FAPI2.algorithms.contains) : nil)
        let grantTypes = ClientRegistration.GrantTypes.offered(
            by: metadata, isConfidential: proof.method != .none, isFAPI2: provider.isFAPI2)
        // The provider would keep a client that nobody can use.
        try await profile?.requireStorable(provider)
        let client = try await ClientRegistration(transport: services.transport, clientName: clientName).register(
            at: metadata, redirectURI: uri, scopes: scopes ?? provider.scopes(adding: []), proof: proof,
            grantTypes: grantTypes, requirements: requirements, allowsPlainHTTP: provider.allowsPlainHTTP,
            now: services.clock.now())
        provider.clientID = client.clientID
        provider.authenticationMethod = client.method
        provider.pushesRequests = client.requirements.pushedRequests
        provider.bindsTokens = client.requirements.boundTokens
        return Registered(provider: provider, requestedMethod: proof.method, client: client)
    }

    /// How the client will authenticate. A key that signs gets an ID in the provider configuration.
    private static func proof(
        of keys: ClientKeys, method: ClientAuthentication.Method?, for provider: inout Provider,
        metadata: ProviderMetadata
    ) throws -> ClientRegistration.Proof {
        let certificate = keys.certificate
        let offered = metadata.authenticationMethods
        let preferred = certificate.flatMap { ProviderClient.defaultMethod($0, offered) }
        let bySecret = offered.first { $0 == .clientSecretBasic || $0 == .clientSecretPost } ?? .none
        let plain = offered.contains(.none) ? .none : bySecret
        var proof = ClientRegistration.Proof(
            method: method ?? preferred ?? (keys.isSigner(where: offered) ? .privateKeyJWT : plain),
            certificate: certificate)
        // Otherwise the server would register a client that authenticates in another way, or not at all.
        let isPlain = proof.method == .none || proof.method.isBySecret
        guard isPlain || metadata.listedMethods?.contains(proof.method) != false else {
            throw provider.invalid("auth_method", .notListed(proof.method.rawValue))
        }
        if proof.method.isByCertificate, certificate == nil {
            throw provider.invalid("auth_method", .certificateNeeded(proof.method))
        }
        if proof.method == .tlsClientAuth, certificate?.chain.subject.isEmpty == true {
            throw provider.invalid("certificate", .certificateWithoutSubject)
        }
        if let key = keys.privateKey, proof.method == .privateKeyJWT {
            let algorithm = try ProviderClient.assertionAlgorithm(of: key, for: provider, metadata: metadata)
            provider.keyID = try provider.keyID ?? JWK(key: key.publicKey, keyID: nil).thumbprint()
            proof.key = JWK(key: key.publicKey, keyID: provider.keyID, algorithm: algorithm)
        }
        return proof
    }
}
