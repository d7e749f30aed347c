import ArgumentParser
import AuthCore

struct SignInCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Sign in with a provider.",
        discussion: """
            Prints the provider's URL, opens a browser where there is one, and waits on a loopback port. On a terminal \
            the callback's URL can be pasted instead, which works over SSH.
            """,
        aliases: ["login"])

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @Option(help: "How to reach the person: auto, browser or paste.")
    var flow = SignInRequest.Flow.auto

    @Option(help: ArgumentHelp("Ask for this scope too; repeatable, or separated by commas.", valueName: "scope"))
    var scope: [String] = []

    @Option(help: ArgumentHelp("Send this parameter to the provider; repeatable.", valueName: "key=value"))
    var param: [String] = []

    @Option(help: ArgumentHelp("Who is expected to sign in.", valueName: "email"))
    var loginHint: String?

    @Option(
        help: ArgumentHelp("What the provider should ask: login, consent, select_account or none.", valueName: "prompt")
    )
    var prompt: String?

    @Option(help: ArgumentHelp("Refuse a sign-in at the provider that is older.", valueName: "seconds"))
    var maxAge: Int64?

    @Option(help: ArgumentHelp("Accept only these authentication context classes.", valueName: "values"))
    var acr: String?

    @Option(help: ArgumentHelp("The language of the provider's pages.", valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "At microsoft.com: a tenant's GUID or domain, common, organizations or consumers.", valueName: "tenant"))
    var tenant: String?

    @Option(help: ArgumentHelp("Listen on this loopback port.", valueName: "port"))
    var port: UInt16?

    @Flag(help: "Print the URL and open no browser.")
    var noBrowser = false

    @Option(
        help: ArgumentHelp("Sign in with an ID token from a file, or from standard input (-).", valueName: "file|-"),
        completion: .file())
    var idToken: String?

    @Option(help: ArgumentHelp("The raw nonce of the ID token.", valueName: "raw"))
    var nonce: String?

    @Option(
        help: ArgumentHelp(
            "Sign in with an access token from a file, or from standard input (-), where its provider says for whom it was made.",
            valueName: "file|-"),
        completion: .file())
    var accessToken: String?

    var task: Undertaking {
        let again = provider.id.map { "authctl signin --provider \(ServerText.escaped($0))" } ?? "authctl signin"
        return Undertaking("sign-in failed", provider: provider.id, again: again)
    }

    func validate() throws {
        if nonce != nil, idToken == nil { throw ValidationError("--nonce goes with --id-token") }
        if idToken != nil, accessToken != nil { throw ValidationError("give either --id-token or --access-token") }
        if let maxAge, maxAge < 0 { throw ValidationError("--max-age must not be negative") }
        _ = try parameters()
    }

    private func parameters() throws -> [(String, String)] {
        try Parameters.parse(param)
    }

    func run(_ context: Context) async throws {
        let parameters = try parameters()
        for (name, _) in parameters where AuthorizationRequest.reservedParameters.contains(name) {
            throw OAuthError.reservedParameter(name)
        }
        let id = try context.providerID(provider.id)
        var (entry, source) = try context.provider(id)
        if let tenant { entry.tenant = tenant }
        if idToken == nil, accessToken == nil, context.isUnattended { throw SignInError.interactionRequired }
        // Opened before anybody is sent to a browser: a store that cannot be written is known first.
        guard let store = try context.store(creating: true) else { throw NotSignedIn.noAccount }
        let client = try await ProviderClient.resolve(
            entry, try await context.credentials(entry, source, store), services: try context.services(store))
        let directory = try context.directory(store)
        let result: SignInResult
        if let idToken {
            let token = RawIDToken(try SecretInput.read(idToken))
            result = try await SignInWithIDToken(client: client, directory: directory)(
                token, nonce: nonce.map { Nonce($0) })
        } else if let accessToken {
            result = try await SignInWithAccessToken(client: client, directory: directory)(
                AccessToken(try SecretInput.read(accessToken)))
        } else {
            let interface = TerminalInterface(context: context, providerID: id)
            result = try await SignIn(client: client, directory: directory, interface: interface)(
                request(parameters, context))
        }
        for note in result.notes { context.output.note(note) }
        show(result, context)
    }

    private func request(_ parameters: [(String, String)], _ context: Context) -> SignInRequest {
        var request = SignInRequest()
        request.flow = flow
        request.scopes = scope.flatMap(Scopes.split)
        request.parameters = parameters
        request.loginHint = loginHint
        request.prompt = prompt
        request.maximumAge = maxAge
        request.authenticationContexts = acr.map(Scopes.split) ?? []
        request.language = language
        request.port = port
        request.opensBrowser = !noBrowser
        request.acceptsPaste = flow == .auto && Prompt.isTerminal
        request.timeout = context.settings.timeout
        return request
    }

    private func show(_ result: SignInResult, _ context: Context) {
        if context.output.isJSON { return context.output.data(JSONShapes.signIn(result).text) }
        let name = result.account.email ?? result.account.displayName ?? result.account.uid
        context.output.note(
            "signed in to '\(result.providerID)' as \(ServerText.escaped(name))\(result.isNewUser ? ", a new account" : "")"
        )
        if !result.hasRefreshToken, result.expiresAt != nil {
            context.output.note("the provider gave no refresh token: this session cannot renew itself")
        }
    }
}

/// `KEY=VALUE` arguments.
enum Parameters {
    static func parse(_ arguments: [String]) throws -> [(String, String)] {
        try arguments.map { argument in
            guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
                throw ValidationError("--param wants KEY=VALUE")
            }
            return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
        }
    }
}

/// The person at this terminal.
struct TerminalInterface: SignInInterface {
    let context: Context
    let providerID: String

    func show(authorizationURL: String, redirectURI: String, acceptsPaste: Bool) async {
        let output = context.output
        output.prompt("To sign in to '\(providerID)', visit this URL (waiting \(context.settings.timeout) s):")
        output.prompt("")
        output.prompt("  \(authorizationURL)")
        output.prompt("")
        if acceptsPaste {
            output.prompt(
                "When the browser cannot come back here, paste the URL it ends at (\(redirectURI)?…), then Enter.")
        }
    }

    func openBrowser(_ url: String) async -> Bool {
        Browser(environment: context.environment).open(url)
    }

    func pastedLines() -> AsyncStream<String> { Prompt.lines() }
}
