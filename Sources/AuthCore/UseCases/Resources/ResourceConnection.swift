/// Sends requests to one protected resource or API with the token of its session.
///
/// The token stays in memory until shortly before it expires. After a process has changed the store or the settings,
/// the token is read again, so that a sign-out has an immediate effect.
package actor ResourceConnection {
    private var profile: Profile
    private let url: HTTPURL
    private let isResource: Bool
    private let account: String?
    private let provider: String?
    private let note: @Sendable (CurrentToken.Note) -> Void
    private var held: Held?
    private var known: ProfileChange?
    private var reading: Task<Held, any Error>?
    /// The account and the provider of the first token.
    private var pinned: (account: String, provider: String)?
    /// A new token that the resource rejected too: it is not refreshed again.
    private var rejected: CurrentToken.Token?

    fileprivate final class Held: Sendable {
        let request: CurrentToken.Request
        let result: CurrentToken.Result
        let prover: DPoPProver?
        let certificate: ClientCertificate?
        let allowsPlainHTTP: Bool
        let change: ProfileChange

        init(
            _ request: CurrentToken.Request, _ result: CurrentToken.Result, _ client: ProviderClient?,
            _ change: ProfileChange
        ) throws {
            (self.request, self.result, self.change) = (request, result, change)
            prover = try client.flatMap { try result.prover(of: $0) }
            certificate = try client.flatMap { client in try result.session.flatMap(client.certificate) }
            allowsPlainHTTP = client?.provider.allowsPlainHTTP ?? false
        }
    }

    /// - Parameter isResource: whether only a session for the URL's resource is used. Otherwise it is the session that
    ///   `APIRequest` uses for the URL.
    package init(
        _ profile: Profile, to url: HTTPURL, account: String?, provider: String? = nil, isResource: Bool = true,
        note: @escaping @Sendable (CurrentToken.Note) -> Void
    ) {
        self.profile = profile
        self.url = url
        self.isResource = isResource
        self.account = account
        self.provider = provider
        self.note = note
    }

    /// Forgets the token and its account, so that the next token is the current account's.
    package func restart() { (pinned, held) = (nil, nil) }

    /// A request with the token.
    package final class Authorized: Sendable {
        package let request: HTTPRequest
        /// Without the token.
        fileprivate let original: HTTPRequest
        fileprivate let held: Held
        fileprivate let tries: RequestRetries?
        fileprivate let isRefreshed: Bool

        fileprivate init(
            _ request: HTTPRequest, of original: HTTPRequest, _ held: Held, _ tries: RequestRetries?, isRefreshed: Bool
        ) {
            (self.request, self.original, self.held) = (request, original, held)
            (self.tries, self.isRefreshed) = (tries, isRefreshed)
        }

        package var token: String { held.result.token.revealed() }
        package var accountUID: String? { held.result.session?.accountUID }
    }

    /// Sends a request. If the resource rejects the token, refreshes it and sends the request once more. Without a session,
    /// sends it without a token, because a resource may require a token only for some requests.
    package func response(to request: HTTPRequest) async throws -> APIRequest.Response {
        let transport = try profile.services().transport
        var sent: Authorized
        do { sent = try await authorized(request) } catch let missing as NotSignedIn where missing.hasNoSession {
            let response = try await transport.response(to: request)
            guard response.status != 401 else { throw missing }
            return APIRequest.Response(response: response)
        }
        while true {
            let response = try await transport.response(to: sent.request)
            guard let next = try await repetition(of: sent, after: response) else {
                return APIRequest.Response(response: response, session: sent.held.result.session)
            }
            sent = next
        }
    }

    package func authorized(_ request: HTTPRequest) async throws -> Authorized {
        try await authorized(request, await current(), isRefreshed: false)
    }

    /// The request to send after this response: once with the server's DPoP nonce, once with its time, and once with a new
    /// token. Nil if the response is the result.
    package func repetition(of sent: Authorized, after response: HTTPResponse) async throws -> Authorized? {
        if let prover = sent.held.prover, var tries = sent.tries {
            if await prover.isRepetitionDue(after: response, from: sent.request.url, &tries) {
                return try await authorized(sent.original, sent.held, isRefreshed: sent.isRefreshed, tries)
            }
        }
        let token = sent.held.result.token
        let result = APIRequest.Response(response: response, session: sent.held.result.session)
        guard response.status == 401, result.stepUp == nil, token != rejected, case .access(let text) = token else {
            return nil
        }
        guard !sent.isRefreshed else {
            rejected = token
            return nil
        }
        try await CurrentToken(profile).distrust(text, sent.held.request)
        if held?.result.token == token { held = nil }
        let renewed = try await current()
        guard renewed.result.token != token else { return nil }
        return try await authorized(sent.original, renewed, isRefreshed: true)
    }

    /// Stores the nonce of a response after which the request is not sent again.
    package func learn(from response: HTTPResponse, to sent: Authorized) async {
        _ = await sent.held.prover?.learn(response, from: sent.request.url)
    }

    private func authorized(
        _ original: HTTPRequest, _ held: Held, isRefreshed: Bool, _ tries: RequestRetries? = nil
    ) async throws -> Authorized {
        var request = original
        request.allowsPlainHTTP = held.allowsPlainHTTP
        request.clientCertificate = held.certificate
        if let prover = held.prover, case .access(let token) = held.result.token {
            request = try await prover.signed(request, with: token)
        } else {
            request.headers.append((name: "Authorization", value: "Bearer \(held.result.token.revealed())"))
        }
        return Authorized(
            request, of: original, held, tries ?? held.prover?.retries(at: original.url), isRefreshed: isRefreshed)
    }

    private func tokenRequest(_ services: SessionServices) async throws -> CurrentToken.Request {
        var request = CurrentToken.Request()
        request.account = pinned?.account ?? account
        request.isForHost = true
        if isResource {
            request.resource = url
            return request
        }
        let api = APIRequest(url: url, account: request.account, provider: pinned?.provider ?? provider)
        let session = try await api.session(profile, services)
        (request.account, request.provider) = (session.accountUID, session.providerID)
        if session.resource != nil { request.resource = url }
        return request
    }

    /// Whether the session still has a valid token or can get one. Also true if the store cannot be read.
    package func hasSession() async -> Bool {
        do {
            let services = try profile.sessionServices()
            return try await services.hasSession(tokenRequest(services))
        } catch {
            return !(error is NotSignedIn)
        }
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
        // Taken before the token is read, so that a later change is noticed.
        let change = ProfileChange(of: profile)
        if let known, change.hasOtherSettings(than: known) { profile = profile.reopened() }
        known = change
        let services = try profile.sessionServices()
        var request = try await tokenRequest(services)
        var result = try await CurrentToken(services)(request)
        guard let session = result.session else { throw NotSignedIn.noSessionForResource(url.text, others: []) }
        pinned = (session.accountUID, session.providerID)
        var client: ProviderClient?
        if result.binding != .bearer || !url.protectsSecrets {
            client = try await services.client(session.providerID).renewing(session)
        }
        if let client, client.needsNewToken(of: session) {
            request.isOutdated = { client.needsNewToken(of: $0) }
            result = try await CurrentToken(services)(request)
        }
        if result.token != held?.result.token { for entry in result.notes { note(entry) } }
        let new = try Held(request, result, client, change)
        held = new
        return new
    }
}
