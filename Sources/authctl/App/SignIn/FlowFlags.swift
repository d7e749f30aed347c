import ArgumentParser
import AuthCore

/// The options of `signin`, `link` and `reauth`: how a credential is obtained.
struct FlowFlags: ParsableArguments {
    @Option(help: "The sign-in flow: auto, browser, device, paste, or client-credentials (without a user).")
    var flow = SignInRequest.Flow.auto

    @Option(help: "Listen on this loopback port (default: that of the redirect URI, otherwise a free port).")
    var port: UInt16?

    @Option(
        help: .init(
            "Listen on this IP address of this machine, for a published port of a container (requires --port).",
            valueName: "address"))
    var listen: String?

    @Flag(help: "Print the URL instead of opening a browser.")
    var noBrowser = false

    @OptionGroup(title: "Authorization request") var authorization: AuthorizationOptions
    @OptionGroup(title: "Existing tokens") var tokens: TokenInputOptions
    @OptionGroup(title: "Two-step sign-in for programs") var steps: StepFlags
    @OptionGroup(visibility: .hidden) var compatibility: CompatibilityOptions

    func validate() throws {
        try refuse(compatibility.flows, with: ["--flow": flow != .auto])
        try refuse(
            ["--with-token": tokens.withToken],
            with: ["--id-token": tokens.idToken, "--access-token": tokens.accessToken])
        try refuse(
            ["--listen": listen],
            with: [
                "--flow \(selectedFlow.rawValue)": ![.auto, .browser].contains(selectedFlow), "--begin": steps.begin,
            ])
        try require(listen.map { IPAddress($0) != nil } ?? true, "--listen must be an IP address, for example 0.0.0.0")
        _ = try parameters()
    }

    var given: GivenOptions {
        authorization.given + [
            "--flow": selectedFlow == .auto ? nil : selectedFlow.rawValue,
            "--id-token": tokens.idToken, "--nonce": tokens.nonce, "--access-token": accessToken,
            "--listen": listen, "--begin": steps.begin, "--complete": steps.complete,
        ]
    }

    var scopes: [String] { authorization.scope.flatMap(Scopes.split) }

    var selectedFlow: SignInRequest.Flow { compatibility.flow ?? flow }
    var opensBrowser: Bool { !noBrowser && !compatibility.skipOpenBrowser }
    private var accessToken: String? { tokens.withToken ? "-" : tokens.accessToken }

    var isNonInteractive: Bool { tokens.idToken != nil || accessToken != nil || selectedFlow == .clientCredentials }

    func parameters() throws -> [(String, String)] { try Parameters.parse(authorization.param) }

    func run(
        _ id: String, as operation: SignInOperation, in context: Context, for target: SignInToResource.Target? = nil,
        of account: String? = nil, hasConsent: Bool = false, isUserInitiated: Bool = Prompt.isTerminal
    ) async throws -> SignInResult {
        if !isNonInteractive, context.isUnattended, !context.usesAssertion(id, selectedFlow) {
            _ = try context.profile.resolve(id)
            throw SignInError.interactionRequired
        }
        if listen != nil, !Prompt.canPrompt { throw SignInError.confirmationNeedsTerminal }
        // Opened before the browser, so that a read-only store is reported first.
        try await context.createStore()
        let (signIn, tenant) = (context.signInWithProvider(for: target), authorization.tenant)
        if let idToken = tokens.idToken {
            return try await signIn.acceptIDToken(
                id, nonce: tokens.nonce.map { Nonce($0) }, tenant: tenant, as: operation
            ) {
                RawIDToken(try SecretInput.read(idToken, prompt: "ID token: ", in: context).withoutByteOrderMark)
            }
        }
        if let accessToken {
            return try await signIn.acceptAccessToken(id, tenant: tenant, as: operation) {
                try read(accessToken, context)
            }
        }
        if !context.output.isJSON { Prompt.reportCancellation() }
        var request = try request(operation, in: context, for: target)
        (request.account, request.hasConsent) = (account, hasConsent)
        return try await signIn.run(id, with: request, isUserInitiated: isUserInitiated) {
            FlowFlags.noteWaiting(for: id, holder: $0, in: context)
        }
    }

    private func read(_ accessToken: String, _ context: Context) throws -> AccessToken {
        let text = try SecretInput.read(accessToken, prompt: "Access token: ", in: context)
        guard text.isVisibleASCII else {
            throw InputProblem(
                what: "the access token", reason: "it has a space, a line break or another character that no token has")
        }
        return AccessToken(text)
    }

    /// Reports that another process is signing in to the same provider.
    static func noteWaiting(for id: String, holder: String?, in context: Context) {
        context.output.note("waiting for another sign-in to '\(id)' by \(StoreError.holder(holder))")
    }

    func begin(
        _ id: String, as operation: SignInOperation, in context: Context, for target: SignInToResource.Target? = nil,
        hasConsent: Bool = false
    ) async throws {
        try refuse(
            if: context.usesAssertion(id, selectedFlow),
            "--begin requires --flow browser: '\(id)' uses identity assertions")
        try await context.createStore()
        var request = try request(operation, in: context, for: target)
        request.hasConsent = hasConsent
        let begun = try await context.signInWithProvider().begin(id, request)
        context.output.json(BegunSignIn.output.json((begun, nil)))
    }

    /// Completes the sign-in that `--begin` started.
    func complete(as kind: SignInOperation.Kind, _ context: Context) async throws -> SignInResult {
        let signIn = context.signInWithProvider()
        let found = try await signIn.begun(steps.complete ?? "", as: kind)
        if let uid = found.operation.uid, let name = context.settings.account,
            try await context.accountStatus().account.uid != uid
        {
            throw UsageProblem.other(
                "'\(found.id)' was started for another account than '\(shown: name)'", hint: "remove --account")
        }
        let question = "Callback URL: "
        var pasted: String?
        if !context.isUnattended {
            pasted = try context.output.ask(question, isHidden: true) { typed in
                if let fault = found.fault(of: typed) { throw InvalidInput(fault.message(at: found.redirectURI)) }
                return typed
            }
        }
        let answer = try pasted ?? SecretInput.read("-", prompt: question, in: context)
        return try await signIn.complete(found, pasted: answer)
    }

    private func request(
        _ operation: SignInOperation, in context: Context, for target: SignInToResource.Target?
    ) throws -> SignInRequest {
        let wrong = scopes.first { !Scopes.isScope($0) }
        try require(wrong == nil, "--scope: '\(shown: wrong ?? "")' is not a scope (RFC 6749 section 3.3)")
        var request = SignInRequest()
        request.flow = selectedFlow
        request.operation = operation
        request.scopes = scopes
        request.resource = target?.resource
        request.resourceScopes = scopes.isEmpty ? target?.scopes ?? [] : []
        request.parameters = try parameters()
        request.tenant = authorization.tenant
        request.loginHint = authorization.loginHint
        request.prompt = authorization.prompt
        request.maximumAge = authorization.maxAge?.seconds
        request.authenticationContexts = authorization.acr.map(Scopes.split) ?? []
        request.language = authorization.language
        request.pushesRequest = authorization.par
        request.bindsTokens = authorization.dpop || target?.requiresBoundTokens == true
        (request.port, request.listenAddress) = (port, listen)
        request.opensBrowser = opensBrowser
        request.acceptsPaste = [.auto, .browser].contains(selectedFlow) && Prompt.canRead
        request.timeout = context.settings.timeout
        return request
    }
}

extension Context {
    /// Whether tokens of this provider are requested with an identity assertion, without the user.
    fileprivate func usesAssertion(_ provider: String, _ flow: SignInRequest.Flow) -> Bool {
        flow == .auto && (try? profile.resolve(provider).configured())?.assertionFrom != nil
    }

    func signInWithProvider(for target: SignInToResource.Target? = nil) -> SignInWithProvider {
        SignInWithProvider(profile) {
            TerminalInterface(context: self, providerID: $0, clientID: $1, target: target)
        }
    }
}

/// Options that other tools have for the same purpose, shown only in the manual.
struct CompatibilityOptions: ParsableArguments {
    // Also the default: uses a browser if one is available, and a device code if the provider requires it.
    @Flag(help: "The same as --flow auto.")
    var web = false

    @Flag(help: "The same as --flow device.")
    var useDeviceCode = false

    @Flag(help: "The same as --no-browser.")
    var skipOpenBrowser = false

    var flow: SignInRequest.Flow? { web ? .auto : useDeviceCode ? .device : nil }

    var flows: GivenOptions { ["--web": web, "--use-device-code": useDeviceCode] }

    func validate() throws { try refuseSeveral(of: flows) }
}
