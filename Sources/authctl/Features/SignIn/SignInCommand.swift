import ArgumentParser
import AuthCore

struct SignInCommand: SignInOptions, AccountIndependent {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Sign in with a provider.",
        discussion: """
            Prints the provider's URL, opens a browser if there is one, and waits on a loopback port. On a terminal, \
            the callback URL can be pasted instead, for example over SSH.
            """, aliases: ["login"])
    static let examples: Examples = [
        "Sign in to GitHub, in the browser or with a code on another device.": "authctl signin github.com",
        "Request one more scope, and print the URL instead of opening it.":
            "authctl signin oidc.work --scope calendar.read --no-browser",
        "Sign in anonymously in a Firebase project.": "authctl signin anonymous",
        "Sign in to an API or an MCP server by its URL.": "authctl signin --resource https://mcp.example.com/mcp",
        "Sign in as a GitHub Actions job with 'permissions: id-token: write'.":
            "authctl signin --ci auto --audience https://api.example.com",
    ]

    @OptionGroup var provider: ProviderArgument
    @OptionGroup var options: GlobalOptions
    @OptionGroup var flags: FlowFlags
    @OptionGroup(title: "Protected resource") var resource: ResourceFlags
    @OptionGroup(title: "Password") var password: PasswordFlags
    @OptionGroup(title: "CI job") var workload: WorkloadFlags
    @OptionGroup(title: "Firebase project") var custom: CustomTokenFlag
    @OptionGroup(title: "Firebase project") var link: EmailLinkFlags
    @OptionGroup(title: "Firebase project") var factor: SecondFactorFlag

    @OptionGroup(title: "Pending credential") var conflict: ConflictFlags

    var errorContext: ErrorContext {
        .init("sign-in failed", for: .signIn, provider: provider.id, resource: resource.resource?.text)
    }

    var ownOptions: GivenOptions {
        resource.given + password.given + workload.given + [
            "--custom-token": custom.customToken, "--code": link.code, "--pending": conflict.pending,
            "--link-pending": conflict.linkPending, "--separate": conflict.separate,
            "--consent": conflict.consent && !conflict.linkPending,
        ]
    }

    func validate() throws {
        try require(
            options.account == nil, .excluded("--account", by: "signin: to suggest a user, use --login-hint"))
        try checkOptions()
        if method == .workload {
            try require(
                "--exchange", isGiven: workload.exchange != nil || resource.resource != nil,
                for: ["--exchange-by": workload.exchangeBy?.rawValue, "--dpop with --ci": flags.authorization.dpop])
        }
        let sendsResource = try flags.parameters().contains { $0.0 == "resource" }
        try refuse(["--resource": resource.resource?.text], with: ["--param resource": sendsResource])
    }

    func run(_ context: Context) async throws {
        try checkSettings(context)
        context.profile.prepareRequests()
        let before = try await DefaultSession(context)
        switch method {
        case .workload:
            let target = try await resource.target(
                workload.exchange, scopes: flags.scopes, needsUser: false, in: context)
            try await finish(workload.run(flags, for: target, in: context), for: target, after: before, in: context)
        case .customToken:
            try await SignInText.show(try await custom.run(.signIn, context), after: before, in: context)
        case .pending:
            let pending = PendingCredentials(directory: try context.profile.directory(), clock: context.clock)
            let id = conflict.pending == "" ? nil : conflict.pending
            try await SignInText.show(try await pending.signIn(id), after: before, in: context)
        case .anonymous:
            let signIn = try SignInToProject(context.profile)
            let result = try await signIn.anonymously(timeout: context.settings.timeout) {
                FlowFlags.noteWaiting(for: ProjectSignInProvider.anonymous, holder: $0, in: context)
            }
            try await SignInText.show(result, after: before, in: context)
        case .provider:
            try await signInFirst(after: before, context)
        case .resource, .password, .emailLink, .idToken, .accessToken, .complete:
            try await signInWithProvider(after: before, in: context)
        }
    }

    /// Signs in with a provider. If it is not configured, and on a terminal, the user chooses how.
    private func signInFirst(after before: DefaultSession?, _ context: Context) async throws {
        let first = FirstSignIn(context: context, flags: flags)
        var (command, tokens) = (self, PersonalTokenSignIn?.none)
        if let missing = try await first.provider(provider.id) {
            command.provider.operand = missing
            tokens = try await first.tokens(missing)
            if tokens == nil {
                guard let setUp = try await first.setUp(missing) else { return }
                command.provider.operand = setUp.provider
                setUp.apply(to: &command.flags)
            }
        }
        if tokens == nil { try suggestUser(in: &command.flags, context) }
        try await command.signInWithProvider(after: before, by: tokens, in: context)
    }

    /// Whether the session of the current account is a personal access token.
    private func hasPersonalToken(_ id: String, _ context: Context) async throws -> Bool {
        guard let sessionStore = try context.profile.sessionStoreForDisplay(),
            let uid = try await sessionStore.currentUID()
        else { return false }
        return try await sessionStore.sessions(account: uid).contains { $0.providerID == id && $0.source.isPersonal }
    }

    func signInWithProvider(
        after before: DefaultSession?, by tokens: PersonalTokenSignIn? = nil, isSetUp: Bool = false, in context: Context
    ) async throws {
        let target = try await resource.target(
            provider.id, scopes: flags.scopes, needsUser: !flags.isNonInteractive, in: context)
        let id = try await providerID(for: target, context)
        if flags.steps.begin, method == .emailLink {
            let email = try password.address(context)
            return try await link.begin(email, again: Self.byLink(email), in: context)
        }
        if conflict.linkPending, try await pendingCredentials(context).isEmpty {
            throw AccountRefusal.noSuchPending(nil)
        }
        let isFirst = context.canPrompt ? try await context.isFirstSignIn : false
        if tokens == nil, method == .provider, context.canPrompt, try await hasPersonalToken(id, context) {
            _ = try context.agrees("This replaces the personal access token of '\(id)' on this machine. Continue?")
        }
        var hasConsent = false
        if target != nil {
            // Asked before the browser opens.
            hasConsent = try await Link(context.profile).consent(
                toTokensOf: id, hasConsent: conflict.consent, requestConsent: context.consents)
        }
        if flags.steps.begin {
            return try await flags.begin(id, as: .signIn, in: context, for: target, hasConsent: hasConsent)
        }
        do {
            let result =
                if let tokens { try await tokens.run() } else {
                    try await authenticate(id, for: target, hasConsent: hasConsent, in: context)
                }
            try await finish(result, for: target, after: before, in: context)
        } catch let met as AccountConflict {
            try await Linking.resolve(
                met, separately: conflict.separate, hasConsent: conflict.consent, in: context)
        }
        if isFirst { try await context.showKey() }
        let hasNext = try isFirst && method == .provider && context.profile.projectSettings() == nil
        if hasNext || isSetUp || tokens != nil { context.showNext(id) }
    }

    private func providerID(for target: SignInToResource.Target?, _ context: Context) async throws -> String {
        if let target { return target.providerID }
        if method == .complete { return "" }
        var given = provider.id
        if given == nil, conflict.linkPending { given = try await providerOfPending(context) }
        let id = try context.providerID(given)
        if method == .provider, let url = try context.profile.find(id)?.configuration?.addedForResource {
            throw UsageProblem.other(
                "'\(id)' was added for resources of '\(url)'", hint: .run("authctl signin --resource \(url)/PATH"))
        }
        return id
    }

    private func pendingCredentials(_ context: Context) async throws -> [PendingCredential] {
        try await context.profile.sessionStoreForDisplay()?.pendingCredentials(now: context.clock.now()) ?? []
    }

    /// The only provider of the account that the pending credentials are for.
    private func providerOfPending(_ context: Context) async throws -> String? {
        let pending = try await pendingCredentials(context)
        guard Set(pending.map(\.accountUID)).count == 1, let uid = pending[0].accountUID,
            let account = try await context.profile.sessionStoreForDisplay()?.account(uid: uid),
            account.providerData.count == 1
        else { return nil }
        return try context.profile.find(account.providerData[0].key.providerID)?.id
    }

    private func authenticate(
        _ id: String, for target: SignInToResource.Target?, hasConsent: Bool, in context: Context
    ) async throws -> SignInResult {
        switch method {
        case .complete: return try await flags.complete(as: .signIn, context)
        case .emailLink:
            let email = try password.address(context)
            return try await link.run(email, as: .signIn, again: Self.byLink(email), in: context)
        case .password:
            return password.creates ? try await password.create(context) : try await password.run(.signIn, context)
        default: return try await flags.run(id, as: .signIn, in: context, for: target, hasConsent: hasConsent)
        }
    }

    /// Prints the result, and links the pending credential if that is requested.
    private func finish(
        _ result: SignInResult, for target: SignInToResource.Target?, after before: DefaultSession?, in context: Context
    ) async throws {
        if let target, let current = try await context.profile.sessionStoreForDisplay()?.currentUID(),
            current != result.account.uid
        {
            context.output.note(
                "the current account stays; add --account \(result.account.label) to use this token for '\(target.resource.text)'"
            )
        }
        await noteOtherUser(result, context)
        guard conflict.linkPending else { return try await SignInText.show(result, after: before, in: context) }
        // The output is only the result of the linking.
        SignInText.note(result, context)
        do { try await Linking.allPending(to: result.account, hasConsent: conflict.consent, context) } catch {
            throw PendingNotLinked(error: await context.explained(error))
        }
        SignInText.note(try await DefaultSession.change(from: before, context), context)
    }

    static func byLink(_ email: String) -> ShellCommand {
        "authctl signin \(ProjectSignInProvider.emailLink) --email \(email)"
    }
}

/// The options of `signin` for credentials that conflicted with an account.
struct ConflictFlags: ParsableArguments {
    @Option(
        defaultAsFlag: "",
        help: .init("Sign in with a pending credential; the ID is optional if there is only one.", valueName: "id"),
        completion: .pending)
    var pending: String?

    @Flag(help: "After the sign-in, link the pending credentials for this account's email address.")
    var linkPending = false

    @Flag(help: "Make a separate account if another has the same address.")
    var separate = false

    @Flag(help: "The user has agreed to link an Apple identity to other data (requires --link-pending or --resource).")
    var consent = false
}

/// The user is signed in, but the pending credential was not linked.
struct PendingNotLinked: WrappingError {
    let error: any Error
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        let inner = inner.explanation(context)
        return "signed in, but the pending credential was not linked: \(inner.message)".hint(inner.hint)
            .details(inner.details)
    }
}
