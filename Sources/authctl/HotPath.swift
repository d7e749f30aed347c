import AuthCore

/// A fast path without the argument parser, for commands that scripts, shell prompts, git and kubectl call often: parsing
/// alone costs more than opening the store, decrypting and printing the token.
///
/// Only the common options are read here. Everything else, including a mistake in the arguments, is left to the parser.
/// See docs/decisions/043.
enum HotPath {
    /// Seconds to wait while another process writes to the store. After that, the full path waits with its own timeout.
    private static let timeout = 0.25

    enum Command: String, CaseIterable {
        case token, whoami, status, signin
        case kubectl = "credential kubectl"
        case git = "credential git"

        var path: [String] { rawValue.split(separator: " ").map(String.init) }
    }

    /// The parsed arguments.
    struct Call {
        var command: Command
        var request = CurrentToken.Request()
        var format = TokenFormat.bare
        var gitOperation: String?
        var scopes: [String] = []
        var opensBrowser = true
        var settings = Settings()

        var signIn: SignInCommand {
            SignInCommand(of: request.provider, scopes: scopes, opensBrowser: opensBrowser, settings: settings)
        }

        var errorContext: ErrorContext {
            let provider = request.provider
            var errorContext =
                switch command {
                case .token: ErrorContext(TokenCommand.failed, provider: provider)
                case .whoami: WhoAmICommand.errorContext
                case .status: StatusCommand.errorContext(provider)
                case .signin: signIn.errorContext
                case .kubectl: CredentialKubectlCommand.errorContext(provider)
                case .git: CredentialGitCommand.errorContext(provider)
                }
            errorContext.command = command.path
            return errorContext
        }
    }

    /// Runs the command and ends the process. Returns if the parser must read the arguments.
    static func run(_ arguments: [String]) {
        guard let call = parse(arguments) else { return }
        if call.command == .signin {
            Process.rememberInherited()
            EntryPoint.run(call.signIn)
        }
        guard let context = try? Context(settings: call.settings, output: Output(settings: call.settings)) else {
            return
        }
        switch call.command {
        case .signin: break
        case .token:
            guard let socket = context.tokenSocket else { printToken(call, context) }
            printToken(call, in: context, from: socket)
        case .whoami: run(call, in: context, body: WhoAmICommand.show)
        case .status: run(call, in: context) { try await StatusCommand.show(of: call.request.provider, $0) }
        case .kubectl:
            run(call, in: context) {
                try await CredentialKubectlCommand.answer(call.request.kind ?? .id, of: call.request.provider, in: $0)
            }
        case .git:
            run(call, in: context) {
                try await CredentialGitCommand.answer(
                    call.gitOperation ?? "", of: call.request.provider, with: [], in: $0)
            }
        }
    }

    private static func run(
        _ call: Call, in context: Context, body: @escaping @Sendable (Context) async throws -> Void
    ) -> Never {
        Process.rememberInherited()
        OpenSSLStart.withoutConfiguration()
        EntryPoint.run(context, as: { call.errorContext }, body: body)
    }

    private static func printToken(_ call: Call, _ context: Context) -> Never {
        if let text = stored(call, in: context) {
            context.output.exactly(text)
            Process.exit(0)
        }
        // Before another thread exists, because a thread may open files.
        Process.rememberInherited()
        if call.request.forcesRefresh { context.profile.prepareRequests() }
        EntryPoint.run(context, as: { call.errorContext }) { context in
            var request = call.request
            request.account = try context.account
            request.provider = try request.provider.map(context.named)
            try await TokenCommand.show(try await context.token(request), as: call.format, in: context)
        }
    }

    /// Prints a token from the socket, without the store and the HTTP client. Returns if the parser must read the
    /// arguments.
    private static func printToken(_ call: Call, in context: Context, from socket: TokenSocket) {
        guard !call.request.forcesRefresh, call.request.kind != .id, !EnvironmentToken.isAny(in: context.environment)
        else { return }
        do {
            var request = call.request
            request.account = try context.account
            context.output.exactly(call.format.text(of: try socket.token(request), now: context.clock.now()))
            Process.exit(0)
        } catch {
            Process.exit(EntryPoint.report(error, in: call.errorContext, settings: call.settings))
        }
    }

    /// The stored token, if it is still valid, or if another process is refreshing it. It uses no task and no network.
    private static func stored(_ call: Call, in context: Context) -> String? {
        guard !EnvironmentToken.isAny(in: context.environment) else { return nil }
        guard let choice = try? context.accountChoice() else { return nil }
        var request = call.request
        request.account = choice.account
        if let id = request.provider, Dialect.named(id) == nil, ProviderID.name(in: id) == nil {
            request.provider = "oidc." + id
        }
        OpenSSLStart.withoutConfiguration()
        guard let sessionStore = try? context.profile.existingSessionStore(timeout: timeout),
            let settings = try? context.profile.settingsDigest()
        else { return nil }
        let found: CurrentToken.Result?
        do throws(VaultError) {
            found = try CurrentToken.awaited(
                request, in: sessionStore, settings: settings, locks: context.profile.configDirectory,
                clock: context.clock)
        } catch {
            Process.exit(EntryPoint.report(error, in: call.errorContext, settings: call.settings))
        }
        // The full path explains errors.
        guard let found, found.binding == .bearer || !call.format.isForBearer else { return nil }
        return call.format.text(of: found, now: context.clock.now())
    }

    static func parse(_ arguments: [String]) -> Call? {
        guard let command = Command.allCases.first(where: { arguments.starts(with: $0.path) }) else { return nil }
        var call = Call(command: command)
        call.settings.isAccepted = CommandPlace.accepts
        var rest = arguments.dropFirst(command.path.count)
        var seen: Set<String> = []
        while let argument = rest.popFirst() {
            // The parser knows which options can be repeated, and which cannot be combined.
            guard seen.insert(argument).inserted else { return nil }
            func value() -> String? { rest.popFirst().flatMap { $0.hasPrefix("-") || $0.isEmpty ? nil : $0 } }
            switch (argument, command) {
            case ("--header", .token), ("--json", _):
                guard call.format == .bare else { return nil }
                call.format = argument == "--json" ? .json : .header
                call.settings.json = argument == "--json"
            case ("--force-refresh", .token): call.request.forcesRefresh = true
            case ("-q", _), ("--quiet", _): call.settings.quiet = true
            case ("--provider", .token), ("--provider", .status), ("--provider", .signin), ("--provider", .kubectl),
                ("--provider", .git):
                guard call.request.provider == nil, let id = value(), !id.contains("/") else { return nil }
                call.request.provider = Dialect.id(called: id)
            case ("--scope", .signin):
                guard let scope = value() else { return nil }
                call.scopes = [scope]
            case ("--no-browser", .signin): call.opensBrowser = false
            case ("--type", .token), ("--type", .kubectl):
                guard let kind = value().flatMap(CurrentToken.Kind.init(rawValue:)) else { return nil }
                call.request.kind = kind
            case ("--account", _):
                guard let account = value() else { return nil }
                call.settings.account = account
            case ("--profile", _):
                guard let profile = value() else { return nil }
                call.settings.profile = profile
            case ("--config-dir", _):
                guard let directory = value(), !directory.isEmpty else { return nil }
                call.settings.configDir = directory
            // The name of a session with a user, or a URL, requires a search.
            case (let id, .token), (let id, .status), (let id, .signin):
                guard call.request.provider == nil, !id.hasPrefix("-"), !id.contains("/") else { return nil }
                call.request.provider = Dialect.id(called: id)
            case (let operation, .git) where call.gitOperation == nil && !operation.hasPrefix("-"):
                call.gitOperation = operation
            default: return nil
            }
        }
        guard command != .git || call.gitOperation != nil, command != .signin || (try? call.signIn.validate()) != nil
        else { return nil }
        call.request.remindsOfEnd = !call.settings.quiet
        return call
    }
}
