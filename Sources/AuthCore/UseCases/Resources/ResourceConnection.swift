/// Sends requests to one protected resource or API with the token of its session.
///
/// The token stays in memory until shortly before it expires. After a process has changed the store or the settings,
/// the token is read again, so that a sign-out has an immediate effect.
package actor ResourceConnection {
    package nonisolated let token: CachedToken
    private let profile: Profile
    /// A new token that the resource rejected too: it is not refreshed again.
    private var rejected: CurrentToken.Token?

    /// - Parameter isResource: whether only a session for the URL's resource is used. Otherwise it is the session that
    ///   `APIRequest` uses for the URL.
    package init(
        _ profile: Profile, to url: HTTPURL, account: String?, provider: String? = nil, isResource: Bool = true,
        note: @escaping @Sendable (CurrentToken.Note) -> Void
    ) {
        self.profile = profile
        var request = CurrentToken.Request(account: account, provider: isResource ? nil : provider)
        request.isForHost = true
        request.resource = isResource ? url : nil
        token = CachedToken(profile, request: request, for: url, note: note)
    }

    /// A request with the token.
    package struct Authorized: Sendable {
        package let request: HTTPRequest
        /// Without the token.
        fileprivate let original: HTTPRequest
        fileprivate let held: CachedToken.Held
        fileprivate let tries: RequestRetries?
        fileprivate let isRefreshed: Bool

        package var token: String { held.result.token.revealed() }
        package var accountUID: String? { held.result.session?.accountUID }
        /// The client for a provider with a CA file; nil for the default.
        package var transport: (any HTTPTransport)? { held.transport?.client(for: request.url) }
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
            let response = try await (sent.transport ?? transport).response(to: sent.request)
            guard let next = try await repetition(of: sent, after: response) else {
                return APIRequest.Response(response: response, session: sent.held.result.session)
            }
            sent = next
        }
    }

    package func authorized(_ request: HTTPRequest) async throws -> Authorized {
        try await authorized(request, with: token.current(), isRefreshed: false)
    }

    /// The request to send after this response: once with the server's DPoP nonce, once with its time, and once with a new
    /// token. Nil if the response is the result.
    package func repetition(of sent: Authorized, after response: HTTPResponse) async throws -> Authorized? {
        if let prover = sent.held.prover, var tries = sent.tries {
            if await prover.isRepetitionDue(after: response, from: sent.request.url, &tries) {
                return try await authorized(sent.original, with: sent.held, isRefreshed: sent.isRefreshed, tries: tries)
            }
        }
        let token = sent.held.result.token
        let result = APIRequest.Response(response: response, session: sent.held.result.session)
        guard result.isTokenRejected, token != rejected else { return nil }
        guard !sent.isRefreshed else {
            rejected = token
            return nil
        }
        guard let renewed = try await self.token.replacement(of: sent.held) else { return nil }
        return try await authorized(sent.original, with: renewed, isRefreshed: true)
    }

    /// Stores the nonce of a response after which the request is not sent again.
    package func learn(from response: HTTPResponse, to sent: Authorized) async {
        _ = await sent.held.prover?.learn(response, from: sent.request.url)
    }

    private func authorized(
        _ original: HTTPRequest, with held: CachedToken.Held, isRefreshed: Bool, tries: RequestRetries? = nil
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
            request: request, original: original, held: held,
            tries: tries ?? held.prover?.retries(at: original.url), isRefreshed: isRefreshed)
    }
}
