/// What every use case needs of the outside: handed in once, so that tests hand in their own.
public struct Services: Sendable {
    public var transport: any HTTPTransport
    public var cache: any DocumentCache
    public var clock: Clock
    public var random: RandomSource

    public init(
        transport: any HTTPTransport, cache: any DocumentCache = NoDocumentCache(), clock: Clock,
        random: RandomSource = .openSSL
    ) {
        self.transport = transport
        self.cache = cache
        self.clock = clock
        self.random = random
    }

    public var fetcher: DocumentFetcher { DocumentFetcher(transport: transport, cache: cache, clock: clock) }
}

/// This client at one provider: its entry, its metadata, and the proof of who we are.
public struct ProviderClient: Sendable {
    public let provider: Provider
    public let metadata: ProviderMetadata
    let authentication: ClientAuthentication
    let services: Services

    /// What a provider's entry names but does not hold.
    public struct Credentials: Sendable {
        public var secret: ClientSecret?
        public var privateKey: PrivateKey?

        public init(secret: ClientSecret? = nil, privateKey: PrivateKey? = nil) {
            self.secret = secret
            self.privateKey = privateKey
        }
    }

    /// Discovers the provider and settles how to authenticate.
    /// - Throws: `ProviderError`, and what `Discovery.metadata` throws.
    public static func resolve(
        _ provider: Provider, _ credentials: Credentials, services: Services, forced: Bool = false
    ) async throws -> ProviderClient {
        guard provider.issuer.isSecure || provider.issuer.isLoopback || provider.allowsPlainHTTP else {
            throw HTTPError.plainHTTP(origin: provider.issuer.origin)
        }
        let metadata = try await Discovery(fetcher: services.fetcher).metadata(
            issuer: provider.issuer, document: provider.discovery, allowsPlainHTTP: provider.allowsPlainHTTP,
            forced: forced)
        return ProviderClient(
            provider: provider, metadata: metadata,
            authentication: try authentication(provider, metadata, credentials), services: services)
    }

    /// The method of the entry; else the best one that the provider offers for what we hold.
    private static func authentication(
        _ provider: Provider, _ metadata: ProviderMetadata, _ credentials: Credentials
    ) throws(ProviderError) -> ClientAuthentication {
        func missing(_ what: String, _ method: ClientAuthentication.Method) -> ProviderError {
            .invalid(setting: "\(provider.id): auth_method", reason: "'\(method.rawValue)' needs \(what)")
        }
        let offered = metadata.authenticationMethods
        let method: ClientAuthentication.Method
        if let wanted = provider.authenticationMethod {
            method = wanted
        } else if credentials.privateKey != nil {
            method = .privateKeyJWT
        } else if credentials.secret != nil {
            method =
                offered.contains(.clientSecretBasic) || !offered.contains(.clientSecretPost)
                ? .clientSecretBasic : .clientSecretPost
        } else {
            method = .none
        }
        switch method {
        case .none: return .none
        case .privateKeyJWT:
            guard let key = credentials.privateKey else { throw missing("a private key", method) }
            let algorithm: SignatureAlgorithm =
                switch key.publicKey.family {
                case .rsa: .rs256
                case .ed25519: .edDSA
                case .ellipticCurve(.p256): .es256
                case .ellipticCurve(.p384): .es384
                case .ellipticCurve(.p521): .es512
                }
            return .privateKeyJWT(key, algorithm, keyID: provider.keyID)
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT:
            guard let secret = credentials.secret else { throw missing("a client secret", method) }
            switch method {
            case .clientSecretPost: return .secretPost(secret)
            case .clientSecretJWT: return .secretJWT(secret)
            default: return .secretBasic(secret)
            }
        }
    }

    var tokenEndpoint: TokenEndpoint {
        TokenEndpoint(
            url: metadata.tokenEndpoint, revocationURL: metadata.revocationEndpoint, clientID: provider.clientID,
            authentication: authentication,
            revocationAuthentication: authentication.adapted(to: metadata.revocationAuthenticationMethods),
            transport: services.transport, clock: services.clock,
            random: services.random, narrowestZone: metadata.zone, allowsPlainHTTP: provider.allowsPlainHTTP)
    }

    var keys: KeySource {
        KeySource(fetcher: services.fetcher, metadata: metadata, allowsPlainHTTP: provider.allowsPlainHTTP)
    }

    /// Verifies an ID token; a refusal carries what is needed to say how far the clocks are apart.
    func verify(
        _ token: RawIDToken, expecting expected: ExpectedIDToken, serverTime: Int64?
    ) async throws -> VerifiedIDToken {
        do {
            return try await IDTokenVerifier(keys: keys).verify(token, expecting: expected)
        } catch let rejection as IDTokenRejection {
            throw IDTokenRefused(
                rejection: rejection, issuer: provider.issuer, clockOffset: serverTime.map { expected.now - $0 })
        }
    }

    /// What an ID token of this provider must match.
    func expected(nonce: ExpectedIDToken.NonceRule, maximumAge: Int64? = ExpectedIDToken.signInAge) -> ExpectedIDToken {
        ExpectedIDToken(
            issuer: metadata.issuer, audience: provider.clientID, nonce: nonce, now: services.clock.now(),
            maximumAge: maximumAge)
    }
}

/// An ID token that was refused, and how far this machine's clock is ahead of the server's, in seconds.
public struct IDTokenRefused: Error, Sendable {
    public let rejection: IDTokenRejection
    public let issuer: HTTPURL
    public let clockOffset: Int64?
}
