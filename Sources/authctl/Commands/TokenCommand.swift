import ArgumentParser
import AuthCore

struct TokenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print one token and nothing else, refreshed first where needed.")

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @Option(help: "Which token: access or id.")
    var type = CurrentToken.Kind.access

    @Option(help: ArgumentHelp("Refresh when less than this is left of its life.", valueName: "seconds"))
    var minTtl: Int64 = 60

    @Flag(help: "Refresh even if the token still lives.")
    var forceRefresh = false

    @Flag(help: "Print it as an Authorization header.")
    var header = false

    @Flag(help: "Print it as AUTHCTL_TOKEN='…', for a shell.")
    var env = false

    var task: Undertaking {
        Undertaking("no token", provider: provider.id, again: "authctl signin")
    }

    func validate() throws {
        guard (0...31_536_000).contains(minTtl) else { throw ValidationError("--min-ttl must be 0 to 31536000 seconds") }
        guard [header, env, options.json].filter({ $0 }).count <= 1 else {
            throw ValidationError("--header, --env and --json exclude each other")
        }
    }

    func run(_ context: Context) async throws {
        let directory = try context.directory(creating: false)
        let use = CurrentToken(
            directory: directory, clock: context.clock, lockDirectory: context.configDirectory,
            client: { try await context.client($0, context.store(creating: false)) })
        var request = CurrentToken.Request()
        request.account = context.account
        request.provider = provider.id
        request.kind = type
        request.minimumLifetime = minTtl
        request.forcesRefresh = forceRefresh
        let result = try await use(request)
        if let note = result.note { context.output.note(note) }
        context.output.data(text(result))
    }

    private func text(_ result: CurrentToken.Result) -> String {
        if header { return "Authorization: Bearer \(result.token)" }
        if env { return "AUTHCTL_TOKEN='\(result.token.replacing("'", with: #"'\''"#))'" }
        guard options.json else { return result.token }
        var object = JSONObject()
        switch result.kind {
        case .access:
            object["access_token"] = .string(result.token)
            object["token_type"] = "Bearer"
            object["scope"] = .string(result.scopes.joined(separator: " "))
        case .id: object["id_token"] = .string(result.token)
        }
        object["expires_on"] = result.expiresAt.map { JSONValue($0) } ?? .null
        return JSONValue.object(object).text
    }
}
