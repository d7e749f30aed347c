import ArgumentParser
import AuthCore

struct CredentialKubectlCommand: AnswersWithFailure, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "kubectl", abstract: "Act as kubectl's credential plugin.",
        discussion: """
            Prints an ExecCredential with the ID token. If kubectl allows prompts and no user is signed in, the \
            sign-in starts automatically. Several kubectl processes share one sign-in.
            """)
    static let examples: Examples = [
        "Print the ExecCredential that kubectl would get.": "authctl credential kubectl --provider oidc.work"
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @Option(help: "The token's type: access or id.")
    var type = CurrentToken.Kind.id

    static func errorContext(_ provider: String?) -> ErrorContext {
        ErrorContext("no credential", provider: provider)
    }
    var errorContext: ErrorContext { Self.errorContext(provider.id) }

    func run(_ context: Context) async throws { try await Self.answer(type, of: provider.id, in: context) }

    static func response(to failure: Failure) -> JSONValue { KubernetesCredential.status(of: failure) }

    static func answer(_ type: CurrentToken.Kind, of provider: String?, in context: Context) async throws {
        let query = try KubernetesCredential(context.environment[KubernetesCredential.variable])
        let request = try context.toolRequest(try provider.map { [try context.named($0)] }, kind: type)
        context.output.json(query.response(try await context.toolToken(request, signingIn: query.isInteractive)))
    }
}
