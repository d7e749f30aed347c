import ArgumentParser
import AuthCore

struct TokenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print one token and nothing else, refreshed first where needed.")

    @OptionGroup var provider: ProviderOption
    @OptionGroup var options: GlobalOptions

    @OptionGroup var kind: TokenFlags

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
        guard [header, env, options.json].filter({ $0 }).count <= 1 else {
            throw ValidationError("--header, --env and --json exclude each other")
        }
    }

    func run(_ context: Context) async throws {
        var request = kind.request(provider, context)
        request.forcesRefresh = forceRefresh
        let result = try await context.token(request)
        if let note = result.note { context.output.note(note) }
        context.output.exactly(format.text(of: result, now: context.clock.now()))
        await context.rememberDirectory()
    }

    private var format: TokenFormat { header ? .header : env ? .environment : options.json ? .json : .bare }
}

/// Which token a command hands out, and how long it must still live.
struct TokenFlags: ParsableArguments {
    @Option(help: "Which token: access or id; a job that has only its ID token gets that one.")
    var type: CurrentToken.Kind?

    @Option(help: ArgumentHelp("Refresh when less than this is left of its life.", valueName: "seconds"))
    var minTtl: Int64 = 60

    func validate() throws {
        guard (0...31_536_000).contains(minTtl) else {
            throw ValidationError("--min-ttl must be 0 to 31536000 seconds")
        }
    }

    func request(_ provider: ProviderOption, _ context: Context) -> CurrentToken.Request {
        var request = CurrentToken.Request()
        request.account = context.account
        request.provider = provider.id
        request.kind = type
        request.minimumLifetime = minTtl
        return request
    }
}

/// The ways to print a token.
enum TokenFormat {
    case bare, header, environment, json

    /// - Parameter now: seconds since 1970.
    func text(of result: CurrentToken.Result, now: Int64) -> String {
        switch self {
        case .bare: return result.token
        case .header: return "Authorization: Bearer \(result.token)"
        case .environment: return "AUTHCTL_TOKEN='\(result.token.replacing("'", with: #"'\''"#))'"
        case .json:
            var object = JSONObject()
            switch result.kind {
            case .access:
                object["access_token"] = .string(result.token)
                object["token_type"] = "Bearer"
                object["scope"] = .string(result.scopes.joined(separator: " "))
            case .id: object["id_token"] = .string(result.token)
            }
            object["expires_in"] = result.expiresAt.map { JSONValue(max(0, $0 - now)) } ?? .null
            object["expires_on"] = result.expiresAt.map { JSONValue($0) } ?? .null
            if let emulator = result.emulator { object["emulator"] = .string(emulator) }
            return JSONValue.object(object).text
        }
    }
}
