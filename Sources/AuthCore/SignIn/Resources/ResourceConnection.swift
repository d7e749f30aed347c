/// Sends requests to one protected resource with the token of its session.
///
/// The token stays in memory until shortly before it expires. It is read from the store again after a process has
/// changed the store or the settings, so that a sign-out has an effect at once.
package actor ResourceConnection {
    private var profile: Profile
    private let url: HTTPURL
    private let account: String?
    private let note: @Sendable (CurrentToken.Note) -> Void
    private var held: Held?
    private var known: ProfileChange?
    private var reading: Task<Held, any Error>?
    /// The account of the first token.
    private var pinned: String?
    /// A new token that the resource rejected too: it is not refreshed again.
    private var rejected: CurrentToken.Token?

    private struct Held: Sendable {
        let result: CurrentToken.Result
        let prover: DPoPProver?
        let certificate: ClientCertificate?
        let allowsPlainHTTP: Bool
        let change: ProfileChange
    }

    package init(
        _ profile: Profile, to url: HTTPURL, account: String?, note: @escaping @Sendable (CurrentToken.Note) -> Void
    ) {
        self.profile = profile
        self.url = url
        self.account = account
        self.note = note
    }

    /// The next token may be of another account: the one that is current then.
    package func restart() { (pinned, held) = (nil, nil) }

    /// Sends a request. If the resource rejects the token, refreshes it and sends the request once more.
    package func response(to request: HTTPRequest) async throws -> APIRequest.Response {
        let held = try await current()
        let response = try await send(request, held)
        let token = held.result.token
        guard response.response.status == 401, response.stepUp == nil, token != rejected, case .access(let text) = token
        else { return response }
        try await CurrentToken(profile).distrust(text, tokenRequest)
        if self.held?.result.token == token { self.held = nil }
        let renewed = try await current()
        guard renewed.result.token != token else { return response }
        let second = try await send(request, renewed)
        if second.response.status == 401, second.stepUp == nil { rejected = renewed.result.token }
        return second
    }

    private var tokenRequest: CurrentToken.Request {
        var request = CurrentToken.Request()
        request.account = pinned ?? account
        request.resource = url
        request.isForHost = true
        return request
    }

    private func current() async throws -> Held {
        if let held, held.result.validity.isValid(at: profile.clock.now()), held.change == ProfileChange(of: profile) {
            return held
        }
        if let reading { return try await reading.value }
        let task = Task { try await read() }
        reading = task
        defer { reading = nil }
        return try await task.value
    }

    private func read() async throws -> Held {
        // Before it is read: a later change is noticed.
        let change = ProfileChange(of: profile)
        if let known, change.hasOtherSettings(than: known) { profile = profile.reopened() }
        known = change
        let services = try profile.sessionServices()
        var request = tokenRequest
        var result = try await CurrentToken(services)(request)
        guard let session = result.session else { throw NotSignedIn.noSessionForResource(url.text, others: []) }
        pinned = session.accountUID
        var client: ProviderClient?
        if result.binding != .bearer || !(url.isSecure || url.isLoopback) {
            client = try await services.client(session.providerID).renewing(session)
        }
        if let client, client.needsNewToken(of: session) {
            request.isOutdated = { client.needsNewToken(of: $0) }
            result = try await CurrentToken(services)(request)
        }
        if result.token != held?.result.token { for entry in result.notes { note(entry) } }
        let new = Held(
            result: result, prover: try client.flatMap { try result.prover(of: $0) },
            certificate: try client.flatMap { client in try result.session.flatMap(client.certificate) },
            allowsPlainHTTP: client?.provider.allowsPlainHTTP ?? false, change: change)
        held = new
        return new
    }

    private func send(_ request: HTTPRequest, _ held: Held) async throws -> APIRequest.Response {
        var request = request
        request.allowsPlainHTTP = held.allowsPlainHTTP
        request.clientCertificate = held.certificate
        let transport = try profile.services().transport
        let response: HTTPResponse
        if let prover = held.prover, case .access(let token) = held.result.token {
            response = try await prover.response(to: request, with: token, transport)
        } else {
            let token = held.result.token.revealed()
            request.headers.append((name: "Authorization", value: "Bearer \(token)"))
            response = try await transport.response(to: request)
        }
        return APIRequest.Response(response: response, session: held.result.session, notes: [])
    }
}
