import ArgumentParser
import AuthCore

struct TokenCommand: PrintsJSON, UsesSession {
    static let output = TokenFormat.output

    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print an access token, refreshing it if needed.")
    static let examples: Examples = [
        "Call an API with curl.": "authctl token --header | curl -H @- https://api.example.com/",
        "Print the ID token, valid for at least five more minutes.":
            "authctl token oidc.work --type id --min-ttl 5m",
        "Set AUTHCTL_TOKEN in this shell.": "eval \"$(authctl token --env)\"",
        "Exchange the token for one that another API accepts.":
            "authctl token --exchange oidc.work --audience https://api.example.com",
        "Print a GitHub App's token that can only read one repository.":
            "authctl token --repository corp/website --permission contents=read",
    ]

    @OptionGroup var provider: ProviderArgument
    @OptionGroup var options: GlobalOptions

    @OptionGroup var flags: TokenFlags

    @Flag(help: "Refresh even if the token is still valid.")
    var forceRefresh = false

    @Flag(help: "Print the token as an Authorization header.")
    var header = false

    @Flag(help: "Print shell code that sets AUTHCTL_TOKEN, for eval.")
    var env = false

    @Option(
        parsing: .upToNextOption,
        help: .init(
            "Print the headers Authorization and DPoP for one request with this method and URL (RFC 9449).",
            valueName: "method url"))
    var proof: [String] = []

    @Option(help: "The shell: posix, fish or powershell (default: posix; requires --env).")
    var shell: ShellKind?

    var errorContext: ErrorContext { flags.errorContext(Self.failed, provider: provider.id) }

    static let failed = "no token"

    func validate() throws {
        let isProof = !proof.isEmpty
        try refuseSeveral(of: ["--header": header, "--env": env, "--proof": isProof, "--json": options.json])
        try refuse(flags.installation.given, with: ["--proof": isProof, "--account": options.account])
        if isProof {
            let isMethod = proof.count == 2 && HTTPRequest.Method(rawValue: proof[0]) != nil
            try require(
                isMethod && (try? HTTPURL(proof[1])) != nil,
                "--proof requires a method and a URL: --proof GET https://api.example.com/")
            try refuse(if: flags.type == .id && flags.exchangeFlags.exchange == nil, "--proof requires an access token")
        }
        try require("--env", isGiven: env, for: ["--shell": shell != nil])
    }

    func run(_ context: Context) async throws {
        var request = try flags.request(provider, context)
        request.forcesRefresh = forceRefresh
        request.remindsOfEnd = !context.output.isQuiet
        if context.tokenSocket != nil {
            try flags.requireSocketOptions(["--force-refresh": forceRefresh, "--proof": !proof.isEmpty])
        }
        if proof.count == 2 { return try await prove(request, context) }
        let result = try await flags.token(request, for: format.isForBearer ? .bearer : .stored, in: context)
        try await TokenCommand.show(result, as: format, in: context)
    }

    static func show(_ result: CurrentToken.Result, as format: TokenFormat, in context: Context) async throws {
        if format.isForBearer { _ = try result.bearer() }
        context.show(result.notes)
        context.output.exactly(format.text(of: result, now: context.clock.now()))
        await context.profile.rememberDirectory()
    }

    private func prove(_ request: CurrentToken.Request, _ context: Context) async throws {
        let (method, url) = (self.proof[0], try HTTPURL(self.proof[1]))
        if let exchanged = try await flags.exchanged(request, for: .proof, in: context) {
            return show(try await exchanged.proof(method, url), context)
        }
        var request = request
        request.kind = .access
        if request.resource == nil, let given = try await context.environmentToken(request.provider) {
            throw TokenBindingError.fromEnvironment(variable: given.variable)
        }
        show(try await CurrentToken(context.profile).proof(for: request, method: method, url: url), context)
    }

    private func show(_ tokenAndProof: (CurrentToken.Result, proof: String), _ context: Context) {
        let (result, proof) = tokenAndProof
        context.show(result.notes)
        context.output.exactly("Authorization: DPoP \(result.token.revealed())\nDPoP: \(proof)")
    }

    private var format: TokenFormat {
        header ? .header : env ? .environment(shell ?? .posix) : options.json ? .json : .bare
    }
}
