import ArgumentParser
import AuthCore

struct ServeCommand: AccountIndependent {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Give access tokens to other processes through a Unix socket.",
        discussion: """
            Sandboxes, containers and SSH hosts that have the socket get the allowed access tokens, and nothing else: no \
            refresh token, no other session, no other command. Only processes of this user are served. Each use is \
            recorded in a file.
            """)
    static let examples = [
        Example(
            "Give GitHub tokens to a sandbox for eight hours.",
            "authctl serve --socket \"$XDG_RUNTIME_DIR/authctl.sock\" --allow provider=github.com --for 8h"),
        Example(
            "Get a token in the sandbox.", "AUTHCTL_SOCKET=/run/authctl.sock authctl token --provider github.com"),
    ]

    @Option(
        help: ArgumentHelp(
            "The socket to make, unless systemd passes one. Others must not be able to write to its directory.",
            valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Allow the token of this session: provider=ID[,resource=URL][,account=A]; repeatable.",
            valueName: "session"))
    var allow: [String]

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time, for example 30m or 8h (default: no end).", valueName: "duration"))
    var duration: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Record each use in this file (default: \(AuditLog.name) in the configuration directory).",
            valueName: "file"),
        completion: .file())
    var audit: String?

    @OptionGroup var options: GlobalOptions

    var task: ErrorContext {
        ErrorContext("not served", again: "authctl signin")
    }

    func validate() throws {
        guard duration?.seconds != 0 else { throw ValidationError("--for must be 1 second or more") }
        guard options.account == nil else {
            throw ValidationError("--account cannot be used with serve: add account=A to a value of --allow")
        }
    }

    func run(_ context: Context) async throws {
        let typed = Shell.repeatable(Array(Process.arguments.dropFirst()))
        let allowed = try allow.map { text in
            var allowed = try AllowedToken(text, typed: typed)
            allowed.provider = try context.named(allowed.provider)
            return allowed
        }
        let path = try socket.map { try ConfigPath.absolute($0, context.environment) }
        let activated = try ServeSocket.activated(context.environment)
        guard (path == nil) != (activated == nil) else {
            throw CommandError(
                .usage, path == nil ? "--socket is required" : "--socket cannot be used with a socket of systemd")
        }
        let log = AuditLog(
            path: audit.map { ConfigPath.absolute($0, context.environment) }
                ?? context.configDirectory.path(of: AuditLog.name))
        let service = try await TokenService(allowed, audit: log, context)
        try log.check()
        let socket = try activated ?? ServeSocket.listening(at: path ?? "")
        defer { socket.remove() }
        let names = allowed.map(\.text).joined(separator: " and ")
        context.output.note("serving \(names) at \(path ?? "systemd's socket")")
        let end = try await Serving(socket: socket, handler: service, context: context).run(for: duration?.seconds)
        context.output.note("no longer serving: \(end)")
    }
}
