import AuthCore

/// Forwards the requests that a rule allows to an API, with the token of a session.
final class ProxyService: RequestHandler {
    let context: Context
    let audit: AuditLog
    let upstream: HTTPURL
    let rules: [ProxyRule]
    let access: LoopbackAccess?
    let connection: ResourceConnection
    let transport: any HTTPTransport
    let clients = StreamingClients()
    let task: ErrorContext
    let watch: SessionWatch

    /// Gets the first token, so that a missing session is reported at the start.
    init(
        upstream: HTTPURL, rules: [ProxyRule], provider: String?, resource: HTTPURL?, access: LoopbackAccess?,
        audit: AuditLog, _ context: Context, _ task: ErrorContext
    ) async throws {
        (self.context, self.audit, self.task) = (context, audit, task)
        (self.upstream, self.rules, self.access) = (upstream, rules, access)
        watch = SessionWatch(context.profile)
        connection = ResourceConnection(
            context.profile, to: resource ?? upstream, account: try context.account, provider: provider,
            isResource: resource != nil
        ) { context.show([$0]) }
        transport = try context.profile.services().transport
        _ = try await connection.authorized(HTTPRequest(.get, upstream))
    }

    func respond(to request: RequestHead, on connection: ServedConnection) throws(ConnectionEnded) {
        try ProxyExchange(self, request, on: connection).run()
    }

    func hasSession() async -> Bool { await connection.hasSession() }
}

/// Who may use a proxy on a loopback port: every process of this machine can connect, and a browser for every website.
struct LoopbackAccess: Sendable {
    enum LocalKey {}

    private let hosts: Set<String>
    /// It is valid at this proxy only, until it ends.
    let key: Secret<LocalKey>

    init(port: UInt16) throws {
        // Nothing listens on ::1.
        hosts = LoopbackListener.hosts(at: port).filter { !$0.hasPrefix("[") }
        key = Secret(try RandomSource.openSSL.token(bytes: 32))
    }

    /// The `Host` protects against websites whose name resolves to this machine (DNS rebinding).
    func check(_ head: RequestHead) throws(ProxyRefusal) {
        guard hosts.contains((head.header("host") ?? "").lowercased()) else {
            throw ProxyRefusal(421, .otherHost(hosts.sorted()))
        }
        let words = (head.header("authorization") ?? "").split(separator: " ", maxSplits: 1)
        let isKey = words.count == 2 && ["bearer", "token"].contains(words[0].lowercased())
        let keys = head.headers.filter { $0.name == "x-authctl-key" }.map(\.value)
        let given = keys.first ?? (isKey ? String(words[1]) : "")
        guard keys.count < 2, Secret(given) == key else { throw ProxyRefusal(401, .localKeyRequired) }
    }
}

/// A request that is not forwarded.
struct ProxyRefusal: Error {
    let status: Int
    let error: CommandError

    init(_ status: Int, _ error: CommandError) { (self.status, self.error) = (status, error) }
}
