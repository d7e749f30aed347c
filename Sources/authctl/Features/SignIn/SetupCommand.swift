import ArgumentParser
import AuthCore

struct SetupCommand: AccountIndependent, PrintsJSON {
    static let output = SetupText.list
    static var outputs: [any Outlined] { [output, SetupGuide.output] }

    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Configure a provider and sign in, step by step.",
        discussion: """
            Shows where to register a client and what to enter there. Then asks for the client's values, checks them \
            with the provider, adds the provider, and signs in. For GitHub and GitLab, it offers to configure git. If it \
            is cancelled, nothing is stored. With --json, or without a terminal, it prints the page, the values and the commands. In addition to built-in providers and \
            oidc.NAME, it knows okta, auth0, keycloak, cognito, gitlab and entra, and asks for your domain or tenant.
            """)
    static let examples: Examples = [
        "Configure GitHub: only a client ID is required.": "authctl setup github.com",
        "Configure Okta: asks for its domain.": "authctl setup okta",
        "Configure an OpenID Provider by its issuer.": "authctl setup https://id.example.com",
        "Print what to register, for a script.": "authctl setup microsoft.com --json",
    ]

    @Argument(
        help: "The provider, such as github.com or okta, or an issuer's URL (default: asks).",
        completion: .list(Dialect.builtIn.map(\.id) + SetupService.names), transform: Dialect.id(called:))
    var provider: String?

    @OptionGroup var options: GlobalOptions

    @OptionGroup var flags: SetupFlags

    var errorContext: ErrorContext { .init("setup failed", for: .setUp, provider: provider) }

    func run(_ context: Context) async throws {
        let request = SetupRequest(
            named: provider, issuer: flags.issuer, baseURL: flags.baseUrl, redirectURI: flags.redirectUri,
            port: flags.port, opensBrowser: !flags.noBrowser, signsIn: !flags.noSignin, makesOffers: true)
        guard context.canPrompt else { return try await show(request, context) }
        guard let setUp = try await Setup(context: context, request: request).run(), request.signsIn else { return }
        do {
            do {
                SignInText.show(try await signIn(setUp, context), context)
            } catch let met as AccountConflict {
                guard try await Linking.offered(met, hasConsent: false, in: context) else {
                    throw met
                }
            }
            for offer in setUp.offers {
                for change in try await offer.accept(setUp.provider, context) { context.output.note(change) }
            }
            context.output.note(
                "to get a token in a script: \(context.text(of: "authctl token --provider \(setUp.provider)"))")
        } catch {
            throw SignInAfterSetup(provider: setUp.provider, again: setUp.again, error: error)
        }
    }

    private func signIn(_ setUp: SetUp, _ context: Context) async throws -> SignInResult {
        var how = try FlowFlags.parse([])
        how.port = flags.port
        how.noBrowser = flags.noBrowser
        setUp.apply(to: &how)
        return try await how.run(setUp.provider, as: .signIn, in: context)
    }

    private func show(_ request: SetupRequest, _ context: Context) async throws {
        guard var guide = try await SetupProvider(context: context, request: request).guide() else {
            return context.output.result(Self.output.json(())) { SetupText.listed(context) }
        }
        guide.commands = guide.commands.map { $0.repeating(context.settings.repeatedOptions) }
        context.output.result(SetupGuide.output.json(guide)) { SetupText.whole(guide) }
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
        let hint = error is CancellationError ? nil : failure.hint ?? .run(again)
        return "'\(shown: provider)' is configured, but signing in failed: \(failure.message)".hint(hint)
            .details(failure.details)
    }
}
