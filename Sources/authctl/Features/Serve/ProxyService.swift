import AuthCore

/// Forwards the requests that a rule allows to an API, with the token of a session.
final class ProxyService: ServeHandler {
    let context: Context
    let audit: AuditLog
    let upstream: HTTPURL
    let rules: [ProxyRule]
    let flags: ProxyFlags
    let access: LoopbackAccess?
    let connection: ResourceConnection
    let transport: any HTTPTransport
    let clients = StreamingClients()
    let errorContext: ErrorContext
    let watch: SessionWatch
    /// The last tokens, which the API can repeat as long as they are valid, and the maximum number of them.
    private let tokens = Lock<[String]>([])
    private static let maximumTokens = 4

    /// Gets the first token, so that a missing session is reported at the start.
    init(
        upstream: HTTPURL, rules: [ProxyRule], flags: ProxyFlags, access: LoopbackAccess?, audit: AuditLog,
        in context: Context, errorContext: ErrorContext
    ) async throws {
        (self.context, self.audit, self.errorContext) = (context, audit, errorContext)
        (self.upstream, self.rules, self.flags, self.access) = (upstream, rules, flags, access)
        watch = SessionWatch(context.profile)
        connection = ResourceConnection(
            context.profile, to: flags.resource ?? upstream, account: try context.account,
            provider: try flags.provider.id.map(context.named), isResource: flags.resource != nil
        ) { context.show([$0]) }
        let first = try await connection.authorized(HTTPRequest(.get, upstream))
        transport = try first.transport ?? context.profile.services().transport
    }

    func peer(of descriptor: Int32) -> SocketPeer? {
        access == nil ? SocketPeer(of: descriptor) : .loopback(descriptor)
    }

    func serve(_ request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded) {
        try ProxyExchange(self, head: request, on: connection).run()
    }

    /// The tokens to hide in the response to a request with this one.
    func hidden(with token: String) -> [String] {
        tokens.withLock { tokens in
            if !tokens.contains(token) { tokens = tokens.suffix(ProxyService.maximumTokens - 1) + [token] }
            return tokens
        }
    }

    func hasSession() async -> Bool { await connection.token.hasSession() }
}

/// The access check of a proxy on a loopback port, to which every local process and, through a browser, every website
/// can connect.
struct LoopbackAccess: Sendable {
    enum LocalKey {}

    private let hosts: Set<String>
    /// A key that is only valid at this proxy, until the proxy ends.
    let key: Secret<LocalKey>

    init(port: UInt16) throws {
        // The proxy does not listen on ::1.
        hosts = LoopbackListener.hosts(at: port).filter { !$0.hasPrefix("[") }
        key = Secret(try RandomSource.openSSL.token(bytes: 32))
    }

    /// Checks the key, and also `Host`, against websites whose name resolves to 127.0.0.1 (DNS rebinding).
    func check(_ head: RequestHead) throws(ProxyRefusal) {
        guard hosts.contains((head.header("host") ?? "").lowercased()) else {
            throw ProxyRefusal(
                421, message: "the Host header names another server", hint: "send one of \(list: hosts.sorted())")
        }
        let words = (head.header("authorization") ?? "").split(separator: " ", maxSplits: 1)
        let isKey = words.count == 2 && ["bearer", "token"].contains(words[0].lowercased())
        let keys = head.headers.filter { $0.name == "x-authctl-key" }.map(\.value)
        let given = keys.first ?? (isKey ? String(words[1]) : "")
        guard keys.count < 2, Secret(given) == key else {
            throw ProxyRefusal(
                401, message: "the local key is missing or wrong",
                hint: "send the key that was printed with the URL: Authorization: Bearer KEY")
        }
    }
}

struct ProxyRefusal: Error {
    let status: Int
    let error: CommandError

    init(_ status: Int, message: String, hint: Hint, code: ErrorCode = .operationNotAllowed) {
        (self.status, error) = (status, CommandError(code, message, hint: hint))
    }
}
