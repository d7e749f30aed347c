import ArgumentParser
import AuthCore

struct SetupCommand: AccountIndependent, PrintsJSON {
    static let output = SetupText.list
    static var outputs: [any Outlined] { [output, SetupGuide.output] }

    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Configure a provider and sign in, step by step.",
        discussion: """
            Shows where to register a client and what to enter there. Then asks for the client's values, checks them \
            with the provider, adds the provider, and signs in. If it \
            is cancelled before the sign-in, nothing is stored. With --json, or without a terminal, it prints the page, the values and the commands. In addition to built-in providers and \
            oidc.NAME, it knows the services that 'authctl providers catalog' lists.
            """)
    static let examples: Examples = [
        "Configure GitHub: only a client ID is required.": "authctl setup github.com",
        "Configure Okta: asks for its domain.": "authctl setup okta",
        "Configure an OpenID Provider by its issuer.": "authctl setup https://id.example.com",
        "Print what to register, for a script.": "authctl setup microsoft.com --json",
    ]

    @Argument(
        help: "The provider, such as github.com or okta, or an issuer's URL (default: asks).",
        completion: .providers, transform: Dialect.id(called:))
    var provider: String?

    @OptionGroup var options: GlobalOptions

    @OptionGroup var flags: SetupFlags

    var errorContext: ErrorContext { .init("setup failed", for: .setUp, provider: provider) }

    func run(_ context: Context) async throws {
        let request = SetupRequest(
            named: provider, issuer: flags.issuer, baseURL: flags.baseUrl, redirectURI: flags.redirectUri,
            port: flags.port, opensBrowser: !flags.noBrowser, signsIn: !flags.noSignin)
        guard context.canPrompt else { return try await show(request, context) }
        let before = try await DefaultSession(context)
        guard let setUp = try await Setup(context: context, request: request).run(), request.signsIn else { return }
        var signIn = try SignInCommand.parse([setUp.provider])
        (signIn.flags.port, signIn.flags.noBrowser) = (flags.port, flags.noBrowser)
        setUp.apply(to: &signIn.flags)
        do { try await signIn.signInWithProvider(after: before, isSetUp: true, in: context) } catch {
            throw SignInAfterSetup(provider: setUp.provider, again: setUp.again, error: error)
        }
    }

    private func show(_ request: SetupRequest, _ context: Context) async throws {
        guard var guide = try await SetupProvider(context: context, request: request).guide() else {
            return context.output.result(Self.output.json(())) { SetupText.listed(context) }
        }
        guide.commands = guide.commands.map { $0.repeating(context.settings.repeatedOptions) }
        let tokens = guide.withoutClient(in: context)
        context.output.result(SetupGuide.output.json(guide)) {
            SetupText.whole(guide) + (tokens.map { ["", $0] } ?? [])
        }
    }
}

/// The provider was configured, but the sign-in after it failed.
struct SignInAfterSetup: WrappingError {
    let provider: String
    let again: ShellCommand
    let error: any Error
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation {
        let failure = Failure(error, while: ErrorContext(for: .signIn, provider: provider))
        var hint = error is CancellationError ? nil : failure.hint ?? .run(again)
        // Options of `signin` are not options of `setup`.
        if let advice = hint, advice.text.contains("add --") { hint = "to sign in: \(run: again); \(advice)" }
        return "'\(shown: provider)' is configured, but signing in failed: \(failure.message)".hint(hint)
            .details(failure.details)
    }
}
