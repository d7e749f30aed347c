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
    private let credentials: Credentials
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

    private init(
        _ provider: Provider, _ metadata: ProviderMetadata, _ credentials: Credentials, _ services: Services
    ) throws(ProviderError) {
        self.provider = provider
        self.metadata = metadata
        self.credentials = credentials
        self.services = services
        authentication = try ProviderClient.authentication(provider, metadata, credentials)
    }

    /// Finds out where the provider is, asking it unless it is built in, and settles how to authenticate.
    /// - Throws: `ProviderError`, and what `Discovery.metadata` throws.
    public static func resolve(
        _ provider: Provider, _ credentials: Credentials, services: Services, forced: Bool = false
    ) async throws -> ProviderClient {
        guard provider.issuer.isSecure || provider.issuer.isLoopback || provider.allowsPlainHTTP else {
            throw HTTPError.plainHTTP(origin: provider.issuer.origin)
        }
        let provider = try await TenantLookup(fetcher: services.fetcher).resolved(provider)
        if let metadata = try provider.builtInMetadata() {
            return try ProviderClient(provider, metadata, credentials, services)
        }
        let metadata = try await Discovery(fetcher: services.fetcher).metadata(
            issuer: provider.issuer, document: provider.discovery, allowsPlainHTTP: provider.allowsPlainHTTP,
            forced: forced)
        return try ProviderClient(provider, metadata, credentials, services)
    }

    /// This client where the tokens of a session came from: at a provider with tenants, the session's own.
    /// - Throws: `NotSignedIn.elsewhere` when the entry now names another issuer, whom its tokens are no business of.
    func renewing(_ session: Session) throws -> ProviderClient {
        // Its tokens are another client's: there is nothing to renew.
        if session.isOfProject { return self }
        switch metadata.issuers {
        case .tenants(let rule):
            guard let tenant = rule.tenant(of: session.issuer) else { break }
            var provider = self.provider
            provider.tenant = tenant
            guard let metadata = try provider.builtInMetadata() else { break }
            return try ProviderClient(provider, metadata, credentials, services)
        case .exact(let issuer) where issuer.hasSameBytes(as: session.issuer): return self
        case .spellings(let issuers) where issuers.first?.hasSameBytes(as: session.issuer) == true: return self
        case .origin where provider.issuer.text.hasSameBytes(as: session.issuer): return self
        default: break
        }
        throw NotSignedIn.elsewhere(provider: provider.id, issuer: session.issuer)
    }

    /// The issuer that a session of this client's own belongs to.
    /// - Throws: `ProviderError.invalid` where no tenant is named: a program belongs to one.
    func ownIssuer() throws(ProviderError) -> String {
        switch metadata.issuers {
        case .exact(let issuer): return issuer
        case .spellings(let issuers): return issuers.first ?? metadata.issuer
        case .origin: return provider.issuer.text
        case .tenants(let rule):
            guard case .only(let tenant) = rule.allowed else {
                throw .invalid(setting: "\(provider.id): tenant", reason: "a program signs in to one tenant: name it")
            }
            return rule.issuer(of: tenant)
        }
    }

    /// The method of the entry; else the best one that the provider offers for what we hold.
    private static func authentication(
        _ provider: Provider, _ metadata: ProviderMetadata, _ credentials: Credentials
    ) throws(ProviderError) -> ClientAuthentication {
        func missing(_ what: String, _ method: ClientAuthentication.Method) -> ProviderError {
            .invalid(setting: "\(provider.id): auth_method", reason: "'\(method.rawValue)' needs \(what)")
        }
        if provider.dialect.signsClientSecret, provider.authenticationMethod == nil, credentials.secret == nil {
            return try signedSecret(provider, metadata, credentials)
        }
        let offered = metadata.authenticationMethods
        let method: ClientAuthentication.Method
        if let wanted = provider.authenticationMethod {
            method = wanted
        } else if credentials.privateKey != nil {
            method = .privateKeyJWT
        } else if credentials.secret != nil {
            method =
                provider.dialect.secretMethod
                ?? (offered.contains(.clientSecretBasic) || !offered.contains(.clientSecretPost)
                    ? .clientSecretBasic : .clientSecretPost)
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

    private static func signedSecret(
        _ provider: Provider, _ metadata: ProviderMetadata, _ credentials: Credentials
    ) throws(ProviderError) -> ClientAuthentication {
        guard let key = credentials.privateKey, let keyID = provider.keyID, let teamID = provider.teamID else {
            throw .invalid(
                setting: provider.id,
                reason: "its client secret is made of a team ID, a key ID and a private key: \(missingParts(provider))")
        }
        guard key.publicKey.family == .ellipticCurve(.p256) else {
            throw .invalid(setting: "\(provider.id): private_key", reason: "it is no P-256 key, as a .p8 file has it")
        }
        return .signedSecret(
            SignedClientSecret(key: key, keyID: keyID, teamID: teamID, audience: metadata.issuer))
    }

    private static func missingParts(_ provider: Provider) -> String {
        let parts = [
            ("team_id", provider.teamID), ("key_id", provider.keyID), ("private_key", provider.privateKeyFile),
        ]
        return parts.filter { $0.1 == nil }.map { "'\($0.0)'" }.joined(separator: ", ") + " missing"
    }

    /// The provider's API, for one access token.
    func api(_ accessToken: AccessToken?, scopes: [String]) throws -> ProviderAPI? {
        guard let root = try provider.apiRoot() else { return nil }
        return ProviderAPI(
            root: root, clientID: provider.clientID, secret: credentials.secret, accessToken: accessToken,
            scopes: scopes, transport: services.transport, clock: services.clock)
    }

    var tokenEndpoint: TokenEndpoint {
        TokenEndpoint(
            url: metadata.tokenEndpoint, revocationURL: metadata.revocationEndpoint, clientID: provider.clientID,
            authentication: authentication,
            revocationAuthentication: authentication.adapted(to: metadata.revocationAuthenticationMethods),
            transport: services.transport, clock: services.clock,
            random: services.random, narrowestZone: metadata.zone, allowsPlainHTTP: provider.allowsPlainHTTP,
            acceptsForm: provider.dialect.tokenResponsesMayBeForms,
            refreshParameters: provider.dialect.refreshRepeatsRedirectURI
                ? [("redirect_uri", provider.redirectURI ?? RedirectURI.unbound)] : [])
    }

    var keys: KeySource {
        KeySource(
            fetcher: services.fetcher, published: metadata.publishedKeys, allowsPlainHTTP: provider.allowsPlainHTTP)
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
    /// - Parameter parameters: those of the authorization request: some must be confirmed by the token.
    func expected(
        nonce: ExpectedIDToken.NonceRule, parameters: [(String, String)] = [],
        maximumAge: Int64? = ExpectedIDToken.signInAge
    ) -> ExpectedIDToken {
        var expected = ExpectedIDToken(
            issuers: metadata.issuers, audience: provider.clientID, nonce: nonce, now: services.clock.now(),
            maximumAge: maximumAge)
        expected.requiredClaims = provider.requiredClaims(parameters)
        expected.acceptsTextTimes = provider.dialect.acceptsTextTimes
        return expected
    }

    /// How a token must carry a nonce of ours.
    func rule(for nonce: Nonce?) -> ExpectedIDToken.NonceRule {
        switch (nonce, provider.nonceMode) {
        case (nil, _): .none
        case (let nonce?, .raw): .raw(nonce)
        case (let nonce?, .sha256): .sha256(nonce)
        }
    }

    /// The nonce as it goes out and as tokens carry it.
    func sent(_ nonce: Nonce) throws -> Nonce {
        switch provider.nonceMode {
        case .raw: nonce
        case .sha256: Nonce(try HashFunction.sha256.digest(nonce.revealed().utf8).hexadecimal)
        }
    }
}

/// An ID token that was refused, and how far this machine's clock is ahead of the server's, in seconds.
public struct IDTokenRefused: Error, Sendable {
    public let rejection: IDTokenRejection
    public let issuer: HTTPURL
    public let clockOffset: Int64?
}
