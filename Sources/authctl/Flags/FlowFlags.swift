import ArgumentParser
import AuthCore

/// The flags of `signin`, `link` and `reauth`: how a credential is got.
struct FlowFlags: ParsableArguments {
    @Option(help: "How to sign in: auto, browser, device, paste, or client-credentials for a program.")
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

    @Option(help: ArgumentHelp("Refuse a sign-in at the provider that is older, as 90 or 5m.", valueName: "time"))
    var maxAge: TimeSpan?

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
        help: ArgumentHelp("Take an ID token from a file, or from standard input (-).", valueName: "file|-"),
        completion: .file())
    var idToken: String?

    @Option(help: ArgumentHelp("The raw nonce of the ID token.", valueName: "raw"))
    var nonce: String?

    @Option(
        help: ArgumentHelp(
            "Take an access token from a file, or from standard input (-), where its provider says for whom it was made.",
            valueName: "file|-"),
        completion: .file())
    var accessToken: String?

    @Flag(help: "Print the URL, its expiry and an ID as JSON, and end; --complete takes the answer.")
    var begin = false

    @Option(help: ArgumentHelp("Take the answer to what --begin began, from standard input.", valueName: "id"))
    var complete: String?

    func validate() throws {
        if begin, complete != nil { throw ValidationError("--begin and --complete are two calls") }
        if begin || complete != nil,
            idToken != nil || accessToken != nil || flow == .device || flow == .clientCredentials
        {
            throw ValidationError("--begin and --complete are for a sign-in in a browser")
        }
        if nonce != nil, idToken == nil { throw ValidationError("--nonce goes with --id-token") }
        if idToken != nil, accessToken != nil { throw ValidationError("give either --id-token or --access-token") }
        _ = try parameters()
    }

    var scopes: [String] { scope.flatMap(Scopes.split) }

    /// Nobody is asked anything.
    var needsNobody: Bool { idToken != nil || accessToken != nil || flow == .clientCredentials }

    func parameters() throws -> [(String, String)] { try Parameters.parse(param) }

    /// Gets a credential from a provider, or takes the one that is given, and does with it what it is for.
    /// - Parameter isAsked: a person asked for it, here and now.
    func run(
        _ id: String, _ operation: SignInOperation, _ context: Context, isAsked: Bool = Prompt.isTerminal
    ) async throws -> SignInResult {
        if !needsNobody, context.isUnattended { throw SignInError.interactionRequired }
        // Opened before anybody is sent to a browser: a store that cannot be written is known first.
        _ = try context.profile.store(creating: true)
        let signIn = context.signInWithProvider
        if let idToken {
            return try await signIn(id, nonce: nonce.map { Nonce($0) }, tenant: tenant, operation) {
                RawIDToken(try SecretInput.read(idToken, asking: "ID token: ", context))
            }
        }
        if let accessToken {
            return try await signIn(id, tenant: tenant, operation) {
                AccessToken(try SecretInput.read(accessToken, asking: "Access token: ", context))
            }
        }
        if !context.output.isJSON { Prompt.saysCancelled() }
        return try await signIn(id, try request(operation, context), isAsked: isAsked) {
            context.output.note("signing in to '\(id)' is held by \(StoreError.holder($0)); waiting for it")
        }
    }

    /// The first of two calls.
    func begin(_ id: String, _ operation: SignInOperation, _ context: Context) async throws {
        _ = try context.profile.store(creating: true)
        let begun = try await context.signInWithProvider.begin(id, try request(operation, context))
        let shown: JSONValue = [
            "id": .string(begun.id), "authorizationURL": .string(begun.authorizationURL),
            "redirectURI": .string(begun.redirectURI), "expiresAt": .string(HTTPDate.rfc3339(begun.expiresAt)),
        ]
        context.output.json(shown)
    }

    /// The second of two calls.
    func complete(_ id: String, as kind: SignInOperation.Kind, _ context: Context) async throws -> SignInResult {
        let signIn = context.signInWithProvider
        let found = try await signIn.begun(id, as: kind)
        let question = "The URL that the browser ended at: "
        var answer =
            try context.isUnattended
            ? nil
            : context.output.ask(question, isHidden: true) { typed in
                if let fault = found.fault(of: typed) { throw NoAnswer(fault.words(at: found.redirectURI)) }
                return typed
            }
        if answer == nil { answer = try SecretInput.read("-", asking: question, context) }
        return try await signIn.complete(found, answer: answer ?? "")
    }

    private func request(_ operation: SignInOperation, _ context: Context) throws -> SignInRequest {
        var request = SignInRequest()
        request.flow = flow
        request.operation = operation
        request.scopes = scopes
        request.parameters = try parameters()
        request.tenant = tenant
        request.loginHint = loginHint
        request.prompt = prompt
        request.maximumAge = maxAge?.seconds
        request.authenticationContexts = acr.map(Scopes.split) ?? []
        request.language = language
        request.port = port
        request.opensBrowser = !noBrowser
        request.acceptsPaste = flow == .auto && Prompt.isTerminal
        request.timeout = context.settings.timeout
        return request
    }
}

extension Context {
    /// Signing in, with this terminal to reach the person by.
    var signInWithProvider: SignInWithProvider {
        SignInWithProvider(profile) { TerminalInterface(context: self, providerID: $0, clientID: $1) }
    }
}
