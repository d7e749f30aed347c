import ArgumentParser
import AuthCore

struct ProvidersAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a provider, or replace its entry; discovery runs at once.")

    @Argument(help: ArgumentHelp("A name of your choice: oidc.NAME.", valueName: "id"))
    var id: String

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("The issuer, exactly as the provider writes it.", valueName: "url"))
    var issuer: String?

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

    @Option(help: ArgumentHelp("The PEM file of the key for private_key_jwt.", valueName: "file"), completion: .file())
    var privateKey: String?

    @Option(help: ArgumentHelp("The key's ID at the provider.", valueName: "kid"))
    var keyId: String?

    @Flag(help: "Register a client at the provider (OpenID Dynamic Client Registration).")
    var register = false

    @Flag(help: "Take the provider's word on whether an email is verified.")
    var trustEmail = false

    @Option(help: "How a nonce given with --id-token is compared: raw or sha256.")
    var nonceMode = Provider.NonceMode.raw

    @Flag(help: "Allow a plain http issuer that is not on loopback [anybody on the way can read along].")
    var allowHttp = false

    var task: Undertaking {
        Undertaking(
            "provider not added", provider: id,
            again: "authctl providers add \(ServerText.escaped(id)) --issuer … --client-id …")
    }

    func validate() throws {
        let sources = [clientSecretStdin, clientSecretFile != nil, clientSecretEnv != nil].filter { $0 }
        guard sources.count <= 1 else { throw ValidationError("give the client secret one way only") }
        guard (clientId != nil) != register else { throw ValidationError("give either --client-id or --register") }
        for (name, _) in try Parameters.parse(param) where AuthorizationRequest.reservedParameters.contains(name) {
            throw ValidationError("'\(name)' cannot be set with --param: it protects the sign-in")
        }
    }

    func run(_ context: Context) async throws {
        try Provider.check(id: id)
        guard let issuer else { throw UsageProblem("'\(id)' needs its --issuer") }
        var provider = Provider(
            id: id, issuer: try ConfigFile.issuer(issuer, setting: "--issuer"), clientID: clientId ?? "")
        if !scope.isEmpty { provider.scopes = scope.flatMap(Scopes.split) }
        provider.discovery = discovery
        provider.parameters = try Parameters.parse(param)
        provider.redirectURI = redirectUri
        provider.trustsEmail = trustEmail
        provider.nonceMode = nonceMode
        provider.allowsPlainHTTP = allowHttp
        provider.authenticationMethod = authMethod
        provider.privateKeyFile = privateKey
        provider.keyID = keyId
        if let redirectUri, (try? HTTPURL(redirectUri)) == nil {
            throw UsageProblem("--redirect-uri is no http or https URL")
        }
        var sealed: ClientSecret?
        if clientSecretStdin { sealed = ClientSecret(try SecretInput.read("-")) }
        let source = ConfigFile.SecretSource(file: clientSecretFile, environment: clientSecretEnv)
        try await ConfigChange.locked(context) {
            var credentials = try await context.credentials(provider, source, nil)
            if let sealed { credentials.secret = sealed }
            let services = try context.services(try context.store(creating: false))
            if register {
                (provider, sealed) = try await registered(provider, services)
                credentials.secret = sealed
            }
            let client = try await ProviderClient.resolve(provider, credentials, services: services, forced: true)
            try await save(provider, source, sealed, context)
            context.output.result(ProviderText.json(provider, sealed == nil ? nil : "sealed in the store")) { [] }
            context.output.note("'\(id)' is added: issuer '\(client.metadata.issuer)'")
            if provider.redirectURI == nil {
                context.output.note(
                    "register 'http://127.0.0.1/callback' there, any port; or say which one with --redirect-uri")
            }
        }
    }

    private func registered(_ provider: Provider, _ services: Services) async throws -> (Provider, ClientSecret?) {
        var provider = provider
        let metadata = try await Discovery(fetcher: services.fetcher).metadata(
            issuer: provider.issuer, document: provider.discovery, allowsPlainHTTP: provider.allowsPlainHTTP,
            forced: true)
        let uri = provider.redirectURI ?? "http://127.0.0.1:8400/callback"
        provider.redirectURI = uri
        let client = try await ClientRegistration(transport: services.transport).register(
            at: metadata, redirectURI: uri, scopes: provider.scopes(adding: []), method: authMethod ?? .none,
            now: services.clock.now())
        provider.clientID = client.clientID
        if let method = client.method { provider.authenticationMethod = method }
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
