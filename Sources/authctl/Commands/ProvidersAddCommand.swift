import ArgumentParser
import AuthCore

struct ProvidersAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a provider, or replace its entry; discovery runs at once.")

    @Argument(
        help: ArgumentHelp(
            "A built-in provider such as github.com, or a name of your choice: oidc.NAME.", valueName: "id"),
        completion: .list(Dialect.builtIn.map(\.id)))
    var id: String

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("The issuer of an oidc.NAME, exactly as the provider writes it.", valueName: "url"))
    var issuer: String?

    @Option(
        help: ArgumentHelp(
            "Where a built-in provider's endpoints are instead: an Enterprise Server, a sovereign cloud, an emulator.",
            valueName: "url"))
    var baseUrl: String?

    @Option(help: "The service behind an oidc.NAME, for what it does its own way.")
    var preset: Dialect.Preset?

    @Option(
        help: ArgumentHelp(
            "At microsoft.com: a tenant's GUID or domain, common, organizations or consumers.", valueName: "tenant"))
    var tenant: String?

    @Option(help: ArgumentHelp("At apple.com: the ten characters of your team.", valueName: "id"))
    var teamId: String?

    @Option(
        help: ArgumentHelp(
            "A further host that 'authctl request' may send the token to; repeatable.", valueName: "host"))
    var apiHost: [String] = []

    @Option(help: "Which well-known document describes it: openid (OpenID Connect Discovery) or oauth (RFC 8414).")
    var discovery = Discovery.Document.openID

    @Option(help: ArgumentHelp("The client ID that the provider gave you.", valueName: "id"))
    var clientId: String?

    @Flag(help: "Read the client secret from standard input.")
    var clientSecretStdin = false

    @Option(
        help: ArgumentHelp("Read the client secret from this file whenever it is needed.", valueName: "file"),
        completion: .file())
    var clientSecretFile: String?

    @Option(help: ArgumentHelp("Read the client secret from this environment variable.", valueName: "variable"))
    var clientSecretEnv: String?

    @Option(help: ArgumentHelp("Ask for this scope at every sign-in; repeatable.", valueName: "scope"))
    var scope: [String] = []

    @Option(help: ArgumentHelp("Send this parameter at every sign-in; repeatable.", valueName: "key=value"))
    var param: [String] = []

    @Option(help: ArgumentHelp("The redirect URI as it is registered.", valueName: "uri"))
    var redirectUri: String?

    @Option(help: "How the client authenticates; found out when left out.")
    var authMethod: ClientAuthentication.Method?

    @Option(
        help: ArgumentHelp("The PEM file of the key for private_key_jwt, or Apple's .p8 file.", valueName: "file"),
        completion: .file())
    var privateKey: String?

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of an encrypted key from this file whenever it is needed [asked for at a terminal].",
            valueName: "file"), completion: .file())
    var privateKeyPassphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Sign with this: \(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")) [what key and provider agree on].",
            valueName: "alg"))
    var keyAlg: SignatureAlgorithm?

    @Option(help: ArgumentHelp("The key's ID at the provider.", valueName: "kid"))
    var keyId: String?

    @Flag(help: "Register a client at the provider (OpenID Dynamic Client Registration).")
    var register = false

    @Option(help: "Who private_key_jwt and client_secret_jwt are for: issuer, or token-endpoint for an older server.")
    var assertionAudience = ClientAuthentication.Audience.issuer

    @Option(
        help: ArgumentHelp(
            "The device authorization endpoint (RFC 8628), where the provider's documents name none.", valueName: "url")
    )
    var deviceAuthorizationEndpoint: String?

    @Option(
        help: ArgumentHelp(
            "The revocation endpoint (RFC 7009), where the provider's documents name none.", valueName: "url"))
    var revocationEndpoint: String?

    @Flag(help: "Take the provider's word on whether an email is verified.")
    var trustEmail = false

    @Option(help: "How the nonce is sent and compared with the token's: raw or sha256.")
    var nonceMode: Dialect.NonceMode?

    @Flag(help: "Allow a plain http issuer that is not on loopback [anybody on the way can read along].")
    var allowHttp = false

    var task: Undertaking {
        let issuer: Hint = id.hasPrefix("oidc.") ? " --issuer …" : ""
        return Undertaking(
            "provider not added", provider: id, again: "authctl providers add \(id) --client-id …\(issuer)")
    }

    func validate() throws {
        let sources = [clientSecretStdin, clientSecretFile != nil, clientSecretEnv != nil].filter { $0 }
        guard sources.count <= 1 else { throw ValidationError("give the client secret one way only") }
        guard (clientId != nil) != register else { throw ValidationError("give either --client-id or --register") }
        if privateKey == nil, keyAlg != nil || privateKeyPassphraseFile != nil {
            throw ValidationError("--key-alg and --private-key-passphrase-file go with --private-key")
        }
        for (name, _) in try Parameters.parse(param) where AuthorizationRequest.reservedParameters.contains(name) {
            throw ValidationError("'\(name)' cannot be set with --param: it protects the sign-in")
        }
    }

    func run(_ context: Context) async throws {
        try Provider.check(id: id)
        var provider = try place()
        if !scope.isEmpty { provider.scopes = scope.flatMap(Scopes.split) }
        provider.discovery = discovery
        provider.parameters = try Parameters.parse(param)
        provider.redirectURI = redirectUri
        provider.trustsEmail = trustEmail
        if let nonceMode { provider.nonceMode = nonceMode }
        if let tenant { provider.tenant = tenant }
        provider.teamID = teamId
        provider.apiHosts = try apiHost.map(Self.host)
        provider.allowsPlainHTTP = allowHttp
        provider.authenticationMethod = authMethod
        provider.privateKeyFile = privateKey
        provider.privateKeyPassphraseFile = privateKeyPassphraseFile
        provider.keyID = keyId
        provider.keyAlgorithm = keyAlg
        provider.assertionAudience = assertionAudience
        provider.deviceAuthorizationEndpoint = try deviceAuthorizationEndpoint.map {
            try ConfigFile.endpoint($0, of: provider, setting: "--device-authorization-endpoint")
        }
        provider.revocationEndpoint = try revocationEndpoint.map {
            try ConfigFile.endpoint($0, of: provider, setting: "--revocation-endpoint")
        }
        if let redirectUri, (try? HTTPURL(redirectUri)) == nil {
            throw UsageProblem("--redirect-uri is no http or https URL")
        }
        var sealed: ClientSecret?
        if clientSecretStdin { sealed = ClientSecret(try SecretInput.read("-", asking: "Client secret: ", context)) }
        let source = ConfigFile.SecretSource(file: clientSecretFile, environment: clientSecretEnv)
        // Before the lock: a passphrase may have to be typed.
        var credentials = try await context.credentials(provider, source, nil)
        try await ConfigChange.locked(context) {
            if let sealed { credentials.secret = sealed }
            let services = try context.services(try context.store(creating: false))
            if register {
                (provider, sealed) = try await registered(provider, credentials.privateKey, services, context.output)
                credentials.secret = sealed
            }
            let client = try await ProviderClient.resolve(provider, credentials, services: services, forced: true)
            if let tenant, let found = client.provider.tenant, found != tenant {
                context.output.note("tenant '\(tenant)' is '\(found)'")
            }
            try await save(client.provider, source, sealed, context)
            context.output.result(ProviderText.json(client.provider, sealed == nil ? nil : "sealed in the store")) {
                []
            }
            context.output.note("'\(id)' is added: \(ProviderText.place(client))")
            for advice in ProviderText.advice(client, hasSecret: credentials.secret != nil) {
                context.output.note(advice)
            }
        }
    }

    /// The provider as its place describes it.
    private func place() throws -> Provider {
        if Provider.isBuiltIn(id) {
            guard issuer == nil else {
                throw UsageProblem("'\(id)' is built in and takes no --issuer; --base-url moves it as a whole")
            }
            guard preset == nil else { throw UsageProblem("--preset is for oidc.NAME: '\(id)' is built in") }
            guard !register else { throw UsageProblem("'\(id)' has no registration for programs: give --client-id") }
        } else {
            guard issuer != nil else { throw UsageProblem("'\(id)' needs its --issuer") }
            guard baseUrl == nil else {
                throw UsageProblem("--base-url moves built-in providers; '\(id)' has its --issuer")
            }
        }
        if let issuer { _ = try ConfigFile.issuer(issuer, setting: "--issuer") }
        if let baseUrl { _ = try ConfigFile.issuer(baseUrl, setting: "--base-url") }
        return try ConfigFile.bare(
            id, issuer: issuer, baseURL: baseUrl, preset: preset?.rawValue, clientID: clientId ?? "")
    }

    /// A host, or an origin where the port or plain http on loopback must be said.
    private static func host(_ text: String) throws -> String {
        guard let url = try? HTTPURL(text.contains("://") ? text : "https://\(text)"), url.path.isEmpty,
            url.query == nil, url.isSecure || url.isLoopback
        else { throw UsageProblem("--api-host wants a host such as api.example.com") }
        return text
    }

    private func registered(
        _ provider: Provider, _ key: PrivateKey?, _ services: Services, _ output: Output
    ) async throws -> (Provider, ClientSecret?) {
        var provider = provider
        let metadata = try await Discovery(fetcher: services.fetcher).metadata(
            issuer: provider.issuer, document: provider.discovery, allowsPlainHTTP: provider.allowsPlainHTTP,
            forced: true)
        let uri = provider.redirectURI ?? "http://127.0.0.1:8400/callback"
        provider.redirectURI = uri
        var proof = ClientRegistration.Proof(method: authMethod ?? (key == nil ? .none : .privateKeyJWT))
        if let key, proof.method == .privateKeyJWT {
            let algorithm = try ProviderClient.assertionAlgorithm(of: key, provider, metadata)
            provider.keyID = try provider.keyID ?? JWK(key: key.publicKey, keyID: nil).thumbprint()
            proof.key = JWK(key: key.publicKey, keyID: provider.keyID, algorithm: algorithm)
        }
        let client = try await ClientRegistration(transport: services.transport).register(
            at: metadata, redirectURI: uri, scopes: provider.scopes(adding: []), proof: proof,
            allowsPlainHTTP: provider.allowsPlainHTTP, now: services.clock.now())
        provider.clientID = client.clientID
        provider.authenticationMethod = client.method
        if let method = client.method, method != proof.method {
            output.note("registered with '\(method.rawValue)', though '\(proof.method.rawValue)' was asked for")
        }
        if let end = client.secretExpiresAt {
            output.note("the client's secret ends at \(HTTPDate.rfc3339(end)): register again before")
        }
        return (provider, client.secret)
    }

    private func save(
        _ provider: Provider, _ source: ConfigFile.SecretSource, _ secret: ClientSecret?, _ context: Context
    ) async throws {
        var file = try context.configuration()
        try file.set(provider, secret: source, profile: context.profile)
        // The secret first: an entry without its secret would fail at the first sign-in.
        if let store = try context.store(creating: true) {
            try await ProviderSecrets(store: store, profile: context.profile).set(secret, for: provider.id)
        }
        try file.save(in: context.configDirectory)
    }
}
