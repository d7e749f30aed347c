import AuthCore

/// Serves `GET /token` on a socket: returns the access tokens of the allowed sessions.
final class TokenService: ServeHandler {
    let context: Context
    let audit: AuditLog
    private let sessions: [ServedSession]
    let watch: SessionWatch

    /// A session that a client may use.
    private struct ServedSession: Sendable {
        let allowed: AllowedToken
        let token: CachedToken
        let account: String?
        /// UID, alias, email address and `--allow` name of its account.
        let names: [String]

        func fits(_ query: Query) -> Bool {
            // Names that differ only in case can be those of two accounts.
            if let name = query.account, !names.contains(where: { $0.hasSameBytes(as: name) }) { return false }
            if let id = query.provider, !SessionName(id).providerIDs.contains(allowed.provider) { return false }
            guard let url = query.resource else { return allowed.resource == nil }
            return allowed.resource?.covers(url) ?? false
        }
    }

    private struct Query {
        var provider: String?
        var resource: HTTPURL?
        var account: String?

        init(_ head: RequestHead) throws(UsageProblem) {
            guard let pairs = FormURLEncoded.decode((head.query ?? "").utf8) else { throw "the query is not valid" }
            for (index, (name, value)) in pairs.enumerated() {
                let isRepeated = pairs[..<index].contains { $0.name == name }
                try require(!value.isEmpty && !isRepeated, "'\(shown: name)' is repeated or has no value")
                switch name {
                case "provider": provider = Dialect.id(called: value)
                case "account": account = value
                case "resource":
                    guard let url = try? HTTPURL(value) else { throw "the resource '\(shown: value)' is not a URL" }
                    resource = url
                default: throw "unknown parameter '\(shown: name)'"
                }
            }
        }
    }

    /// Gets the first token of each session, so that a missing one is reported at the start.
    init(_ allowed: [AllowedToken], audit: AuditLog, in context: Context) async throws {
        (self.context, self.audit) = (context, audit)
        watch = SessionWatch(context.profile)
        var sessions: [ServedSession] = []
        for allowed in allowed {
            let token = CachedToken(context.profile, request: allowed.request)
            let result = try await TokenService.first(of: token, allowed)
            context.show(result.notes)
            var account: Account?
            if let uid = result.accountUID {
                account = try await context.profile.sessionStoreForDisplay()?.account(uid: uid)
            }
            let names = [allowed.account, account?.uid, account?.name, account?.email].compactMap { $0 }
            sessions.append(ServedSession(allowed: allowed, token: token, account: result.accountUID, names: names))
        }
        self.sessions = sessions
    }

    private static func first(of token: CachedToken, _ allowed: AllowedToken) async throws -> CurrentToken.Result {
        func ambiguous(_ additions: [String]) -> UsageProblem {
            .other(
                "'\(shown: allowed.text)' of --allow could be several sessions",
                hint: "use one of these values: \(list: additions.map { allowed.text + $0 })")
        }
        do {
            let result = try await token.current().result
            _ = try result.bearer()
            return result
        } catch NotSignedIn.otherAccounts(_, nil, let accounts) {
            throw ambiguous(accounts.map { ",account=\($0)" })
        } catch NotSignedIn.onlyForResources(let urls, _) {
            throw ambiguous(urls.map { ",resource=\($0)" })
        }
    }

    func serve(_ head: RequestHead, on connection: ServedConnection) throws(ConnectionEnded) {
        guard head.path == "/token" else {
            return try connection.send(.failure(404, "this socket only serves GET /token"))
        }
        guard head.method == "GET" else {
            var response = ServedResponse.failure(405, "/token only supports GET")
            response.headers.append((name: "Allow", value: "GET"))
            connection.isPersistent = false
            return try connection.send(response)
        }
        guard (try? head.contentLength(limit: 0)) != nil else {
            return try connection.send(.failure(413, "/token does not accept a body"))
        }
        try connection.send(response(to: head, of: connection.peer))
    }

    private func response(to head: RequestHead, of peer: SocketPeer) -> ServedResponse {
        var details: JSONObject = ["provider": nil, "resource": nil, "account": nil, "until": nil, "error": nil]
        var errorContext = ErrorContext()
        do {
            let query = try Query(head)
            details["provider"] = JSONValue(query.provider)
            details["resource"] = JSONValue(query.resource?.text)
            details["account"] = JSONValue(query.account)
            let session = try session(for: query)
            errorContext = ErrorContext(provider: session.allowed.provider)
            errorContext.resource = session.allowed.resource?.text
            details["provider"] = .string(session.allowed.provider)
            details["account"] = JSONValue(session.account)
            let result = try token(of: session)
            details["until"] = result.expiresAt.map(Time.init).json
            try audit.record(peer, as: .given, at: context.clock.now(), with: details)
            return .json(200, text: TokenFormat.json.text(of: result, now: context.clock.now()))
        } catch {
            let explained = (try? Blocking.wait { await self.context.explained(error) }) ?? error
            let failure = Failure(explained, while: errorContext).repeating(context.settings.repeatedOptions)
            details["error"] = .string(failure.code)
            record(peer, outcome: .refused, details: details)
            return .failure(failure)
        }
    }

    private func session(for query: Query) throws -> ServedSession {
        var fitting = sessions.filter { $0.fits(query) }
        // Uses the session for the narrowest resource, and the default account, like the other commands.
        let longest = fitting.compactMap { $0.allowed.resource?.path.utf8.count }.max()
        fitting = fitting.filter { $0.allowed.resource?.path.utf8.count == longest }
        if query.account == nil, fitting.contains(where: { $0.allowed.account == nil }) {
            fitting = fitting.filter { $0.allowed.account == nil }
        }
        guard let only = fitting.first else {
            let allowed = sessions.map(\.allowed.text)
            throw CommandError(
                .operationNotAllowed, "the socket does not allow this token",
                hint: "to allow it, add --allow to the server's command; allowed now: \(list: allowed)")
        }
        let names = fitting.map(\.allowed.text).joined(separator: " or ")
        try require(
            fitting.count == 1,
            .other(
                "the socket allows several tokens: choose one (\(names))",
                hint: "add the provider, the resource or the account"))
        return only
    }

    private func token(of session: ServedSession) throws -> CurrentToken.Result {
        do {
            let result = try (session.token.inMemory() ?? Blocking.wait { try await session.token.current() }).result
            _ = try result.bearer()
            return result
        } catch {
            watch.noteRefusal()
            throw error
        }
    }

    func hasSession() async -> Bool {
        for session in sessions where await session.token.hasSession() { return true }
        return false
    }
}

extension ServedResponse {
    static func json(_ status: Int, text: String) -> ServedResponse {
        ServedResponse(
            status: status, headers: [("Cache-Control", "no-store"), ("Content-Type", "application/json")],
            body: Array((text + "\n").utf8))
    }

    /// The error as `--json` prints it.
    static func failure(_ failure: Failure) -> ServedResponse {
        let status =
            switch failure.exitCode {
            case 4: 401
            case 7: 403
            case 64: 400
            case 69, 74: 503
            case 78: 501
            default: 500
            }
        return .json(status, text: failure.json.text)
    }

    static func failure(_ status: Int, _ error: UsageProblem) -> ServedResponse {
        .json(status, text: Failure(error, while: ErrorContext()).json.text)
    }
}
