import ArgumentParser
import AuthCore

struct CredentialNetrcCommand: Command, UsesSession {
    static let configuration = CommandConfiguration(
        commandName: "netrc", abstract: "Print a ~/.netrc line for a host.",
        discussion: "For tools that read a netrc file, such as curl.")
    static let examples: Examples = [
        "Call an API with curl.":
            "curl --netrc-file <(authctl credential netrc api.example.com) https://api.example.com/",
        "Use the session with one provider.": "authctl credential netrc github.com --provider github.com",
    ]

    @Argument(help: "The host.")
    var host: String

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("no credential", provider: provider.id) }

    func run(_ context: Context) async throws {
        guard let url = HTTPURL(authority: host) else { throw UsageProblem.other("'\(host)' is not a host") }
        var providers: [Provider] = []
        let id = try provider.id.map(context.named)
        for use in [Provider.TokenUse.api, .git] where providers.isEmpty {
            providers = try await context.profile.providers(forHost: host, use, named: id)
        }
        guard !providers.isEmpty else { throw context.unknownHost(url.authority, in: url, of: id) }
        let token = try await context.toolToken(try context.toolRequest(providers.map(\.id)))
        let login = providers.tokenUserName(for: token)
        // A netrc file names hosts without ports.
        context.output.exactly("machine \(url.host) login \(login) password \(token.token.revealed())")
    }
}
