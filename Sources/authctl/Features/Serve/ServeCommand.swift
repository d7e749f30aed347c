import ArgumentParser
import AuthCore

struct ServeCommand: AccountIndependent, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Give access tokens to other processes, or call an API for them.",
        discussion: """
            Sandboxes, containers and SSH hosts that have the socket get the allowed access tokens, and nothing else: no \
            refresh token, no other session, no other command. With --upstream they get no token: the allowed requests \
            are forwarded with it. Only processes of this user are served. Each use is recorded in a file.
            """)
    static let examples: Examples = [
        "Give GitHub tokens to a sandbox for eight hours.":
            "authctl serve --socket \"$XDG_RUNTIME_DIR/authctl.sock\" --allow provider=github.com --for 8h",
        "Let a sandbox read the repositories of corp, without a token.":
            "authctl serve --socket \"$XDG_RUNTIME_DIR/api.sock\" --upstream https://api.github.com --allow 'GET /repos/corp/**'",
    ]

    static let output = View<(url: String, key: String)> {
        Field("url", of: \.url)
        Field("key", of: \.key, means: "the local key")
    }

    @Option(
        help: .init(
            "The socket to make, unless systemd passes one. Others must not be able to write to its directory.",
            valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: .init(
            "Allow the token of this session: provider=ID[,resource=URL][,account=A]; repeatable. With --upstream: requests.",
            valueName: "session|rule"))
    var allow: [String]

    @Option(
        name: .customLong("for"),
        help: .init("End after this time, for example 30m or 8h (default: no end).", valueName: "time"))
    var duration: TimeSpan?

    @Option(
        help: .init(
            "Record each use in this file (default: \(AuditLog.name) in the configuration directory).",
            valueName: "file"), completion: .file())
    var audit: String?

    @OptionGroup(title: "Proxy") var proxy: ProxyFlags
    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("not served") }
    var sessionName: String? { proxy.provider.account }

    func validate() throws {
        try require(duration?.seconds != 0, "--for must be 1 second or more")
        try require(
            options.account == nil || proxy.upstream != nil,
            "--account cannot be used with serve: add account=A to a value of --allow")
        if proxy.upstream == nil, let rule = allow.first(where: { (try? ProxyRule($0)) != nil }) {
            throw UsageProblem.requires("--allow '\(ServerText.shown(rule))'", ["--upstream"])
        }
    }

    func run(_ context: Context) async throws {
        if let upstream = proxy.upstream { return try await forward(to: upstream, context) }
        let allowed = try allow.map { text in
            var allowed = try AllowedToken(text)
            allowed.provider = try context.named(allowed.provider)
            return allowed
        }
        let activated = try activatedSocket(context)
        let log = auditLog(context)
        let service = try await TokenService(allowed, audit: log, in: context)
        try log.check()
        try await serve(allowed.map(\.text).joined(separator: " and "), on: activated, by: service)
    }

    /// - Parameter opened: the socket that is already open, with its URL if it is a port.
    private func serve(
        _ names: String, on opened: ServeSocket?, at url: String? = nil, by handler: any ServeHandler
    ) async throws {
        let context = handler.context
        let path = self.socket.map { ConfigPath.absolute($0, context.environment) }
        let socket = try opened ?? ServeSocket.listening(at: path ?? "")
        defer { socket.remove() }
        context.output.note("serving \(names) at \(url ?? path ?? "systemd's socket")")
        let end = try await Serving(socket: socket, handler: handler).run(for: duration?.seconds)
        context.output.note("no longer serving: \(end)")
    }

    private func auditLog(_ context: Context) -> AuditLog {
        let path = audit.map { ConfigPath.absolute($0, context.environment) }
        return AuditLog(path: path ?? context.configDirectory.path(of: AuditLog.name))
    }

    /// The socket that systemd has passed, if any. Also checks that exactly one place is given.
    private func activatedSocket(_ context: Context) throws -> ServeSocket? {
        let activated = try ServeSocket.activated(context.environment)
        let isActivated = activated != nil
        guard isActivated || socket != nil || proxy.port != nil else {
            let example = proxy.upstream == nil ? "" : ", for example $XDG_RUNTIME_DIR/api.sock (or --port 0)"
            throw UsageProblem.missing(["--socket"], note: example)
        }
        let own: GivenOptions = ["--socket": socket]
        try refuse(own, with: ["a socket of systemd": isActivated])
        try refuse(["--port": proxy.port], with: own + ["a socket of systemd": isActivated])
        return activated
    }

    private func forward(to upstream: HTTPURL, _ context: Context) async throws {
        let rules = try allow.map { text throws(UsageProblem) in try ProxyRule(text) }
        let activated = try activatedSocket(context)
        let log = auditLog(context)
        try log.check()
        let loopback = try proxy.port.map { try LoopbackSocket(port: $0) }
        let access = try loopback.map { try LoopbackAccess(port: $0.port) }
        var errorContext = self.errorContext
        errorContext.resource = proxy.resource?.text
        let service = try await ProxyService(
            upstream: upstream, rules: rules, flags: proxy, access: access, audit: log, in: context,
            errorContext: errorContext)
        let url = loopback.map { "http://127.0.0.1:\($0.port)" }
        if let url, let key = access?.key.revealed() {
            context.output.result(Self.output.json((url, key))) { ["\(url) \(key)"] }
        }
        let socket = loopback.map { ServeSocket(descriptor: $0.descriptor) } ?? activated
        try await serve(upstream.text, on: socket, at: url, by: service)
    }
}
