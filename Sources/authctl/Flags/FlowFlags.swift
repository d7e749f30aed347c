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
        if let maxAge, maxAge < 0 { throw ValidationError("--max-age must not be negative") }
        _ = try parameters()
    }

    var scopes: [String] { scope.flatMap(Scopes.split) }

    /// Nobody is asked anything.
    private var needsNobody: Bool { idToken != nil || accessToken != nil || flow == .clientCredentials }

    func parameters() throws -> [(String, String)] { try Parameters.parse(param) }

    /// Gets a credential from a provider, or takes the one that is given, and does with it what it is for.
    /// - Parameter isAsked: a person asked for it, here and now.
    func run(
        _ id: String, _ operation: SignInOperation, _ context: Context, isAsked: Bool = Prompt.isTerminal
    ) async throws -> SignInResult {
        if !needsNobody, context.isUnattended { throw SignInError.interactionRequired }
        // Opened before anybody is sent to a browser: a store that cannot be written is known first.
        guard let store = try context.store(creating: true) else { throw NotSignedIn.noAccount }
        if let idToken {
            let own = try await ownSignIn(id, tenant, store, context)
            return try await SignInWithIDToken(client: own.client, directory: own.directory)(
                RawIDToken(try SecretInput.read(idToken, asking: "ID token: ", context)),
                nonce: nonce.map { Nonce($0) }, operation)
        }
        if let accessToken {
            let own = try await ownSignIn(id, tenant, store, context)
            return try await SignInWithAccessToken(client: own.client, directory: own.directory)(
                AccessToken(try SecretInput.read(accessToken, asking: "Access token: ", context)), operation)
        }
        let signIn = try await signIn(id, store, context)
        let request = try request(operation, context, through: signIn)
        // A link or a proof is this call's own.
        guard case .signIn = operation else { return try await signIn(request) }
        let shared = SharedSignIn(
            directory: signIn.directory, lockDirectory: context.configDirectory, profile: context.profile,
            clock: context.clock,
            unanswered: UnansweredSignIns(store: store, profile: context.profile))
        return try await shared(
            provider: id, request: request, isAsked: isAsked,
            isEnough: { signIn.isCovered(request.scopes, by: $0) },
            timeout: context.settings.timeout,
            waiting: { context.output.note("signing in to '\(id)' is held by process \($0); waiting for it") }
        ) { try await signIn(request) }
    }

    /// The first of two calls.
    func begin(_ id: String, _ operation: SignInOperation, _ context: Context) async throws {
        guard let store = try context.store(creating: true) else { throw NotSignedIn.noAccount }
        let signIn = try await signIn(id, store, context)
        let begun = try await context.twoSteps(store).begin(
            signIn, try request(operation, context, through: signIn))
        let shown: JSONValue = [
            "id": .string(begun.id), "authorizationURL": .string(begun.authorizationURL),
            "redirectURI": .string(begun.redirectURI), "expiresAt": .string(HTTPDate.rfc3339(begun.expiresAt)),
        ]
        context.output.json(shown)
    }

    /// The second of two calls.
    func complete(_ id: String, as kind: SignInOperation.Kind, _ context: Context) async throws -> SignInResult {
        guard let store = try context.store(creating: false) else { throw SignInError.notBegun(id) }
        let steps = context.twoSteps(store)
        let found = try await steps.find(id)
        guard found.operation.kind == kind else { throw SignInError.begunAs(found.operation.kind) }
        let answer = try SecretInput.read("-", asking: "The URL that the browser ended at: ", context)
        let signIn: BrowserSignIn =
            found.isThroughProject
            ? .project(try projectSignIn(found.providerID, store, context))
            : .own(try await ownSignIn(found.providerID, found.tenant, store, context))
        return try await steps.complete(found, signIn, answer: answer)
    }

    private func signIn(_ id: String, _ store: Store, _ context: Context) async throws -> BrowserSignIn {
        for (name, _) in try parameters() where AuthorizationRequest.reservedParameters.contains(name) {
            throw OAuthError.reservedParameter(name)
        }
        guard flow != .device, flow != .clientCredentials, try context.isThroughProject(id) else {
            return .own(try await ownSignIn(id, tenant, store, context))
        }
        return .project(try projectSignIn(id, store, context))
    }

    /// The provider's client is the project of the profile.
    private func projectSignIn(_ id: String, _ store: Store, _ context: Context) throws -> SignInThroughProject {
        guard let directory = try context.directory(store) as? FirebaseDirectory else {
            throw ProviderError.notConfigured(id)
        }
        let file = try context.configuration()
        let registered = try file.firebaseProject(profile: context.profile)?.redirectURI
        let own = try context.isEntered(id) ? context.provider(id).provider.redirectURI : nil
        return SignInThroughProject(
            providerID: id, redirectURI: own ?? registered, directory: directory,
            interface: TerminalInterface(context: context, providerID: id, clientID: ""))
    }

    private func ownSignIn(
        _ id: String, _ tenant: String?, _ store: Store, _ context: Context
    ) async throws -> SignIn {
        var (entry, source) = try context.provider(id)
        if let tenant { entry.tenant = tenant }
        let client = try await ProviderClient.resolve(
            entry, try await context.credentials(entry, source, store), services: try context.services(store))
        let interface = TerminalInterface(context: context, providerID: id, clientID: entry.clientID)
        return SignIn(client: client, directory: try context.directory(store), interface: interface)
    }

    private func request(
        _ operation: SignInOperation, _ context: Context, through signIn: BrowserSignIn
    ) throws -> SignInRequest {
        var request = SignInRequest()
        request.flow = flow
        request.operation = operation
        request.scopes = scopes
        request.parameters = try parameters()
        if case .project = signIn, let tenant { request.parameters.append(("tenant", tenant)) }
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
}

extension Context {
    func twoSteps(_ store: Store) -> SignInInTwoSteps { SignInInTwoSteps(store: store, profile: profile, clock: clock) }
}
