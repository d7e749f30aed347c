import ArgumentParser
import AuthCore

struct CredentialGCPCommand: Command, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "gcp", abstract: "Act as the executable of Google Cloud's libraries.",
        discussion: """
            Prints the ID token in the form of executable-sourced credentials (AIP-4117), or an error in that form. In \
            a CI job, requests a token for the identity pool from the CI system.
            """)
    static let examples: Examples = [
        "Print the ID token that a library would get.": "authctl credential gcp --provider oidc.work"
    ]

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions
    @OptionGroup var audience: JobAudienceFlag

    var errorContext: ErrorContext { .init("no credential", provider: provider.id) }

    func run(_ context: Context) async throws {
        do {
            let query = try GoogleCredential(context.environment)
            // Non-interactive libraries read standard error as a part of the response.
            var settings = context.settings
            settings.quiet = !query.isInteractive
            let quiet = try Context(
                settings: settings, output: Output(settings: settings), environment: context.environment)
            let response = query.response(try await token(query, quiet))
            // In interactive mode, standard output is the user's terminal, so the response is only written to the
            // file.
            guard try !query.store(response) || !query.isInteractive else { return }
            context.output.json(response)
        } catch {
            context.output.json(GoogleCredential.response(Failure(error, while: errorContext)))
            throw error
        }
    }

    private func token(_ query: GoogleCredential, _ context: Context) async throws -> CurrentToken.Result {
        let request = try context.toolRequest(try provider.id.map { [try context.named($0)] }, kind: .id)
        if let audience = audience.audience { return try await context.jobToken(request, for: audience) }
        if !query.isInteractive, let audience = query.audience,
            let token = try await CurrentToken(context.profile).jobToken(request, audience: audience)
        {
            return token
        }
        return try await context.toolToken(request, signingIn: query.isInteractive)
    }
}
