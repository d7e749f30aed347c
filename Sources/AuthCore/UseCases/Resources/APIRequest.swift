/// Sends a request to an API with the current access token, if the provider's configuration allows the host.
package struct APIRequest: Sendable {
    package var method = HTTPRequest.Method.get
    package var url: HTTPURL
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8]?
    package var account: String?
    package var provider: String?
    package var accessToken: AccessToken?

    /// The maximum length of a response in bytes, large enough for photos and archives.
    package static let maximumResponseLength = 64 << 20

    package init(url: HTTPURL, account: String? = nil, provider: String? = nil) {
        (self.url, self.account, self.provider) = (url, account, provider)
    }

    package func run(_ profile: Profile) async throws -> Response {
        // An access token passed by the caller does not require an account.
        let services = try profile.sessionServices(creating: accessToken != nil)
        guard accessToken == nil, let project = try profile.projectSettings() else { return try await run(services) }
        let choice = try await choice(services)
        guard try isOwn(choice.session, project) else { return try await run(services) }
        let request = CurrentToken.Request(account: choice.session.accountUID, provider: choice.session.providerID)
        let token = try await CurrentToken(services).run(request).token.revealed()
        return Response(response: try await profile.services().transport.response(to: sent(token)))
    }

    /// Sends the request without a token, if the URL does not belong to a known provider.
    package func withoutToken(_ profile: Profile) async throws -> HTTPResponse? {
        guard provider == nil, accessToken == nil, url.protectsSecrets, try profile.projectSettings() == nil else {
            return nil
        }
        let known = try profile.providers() + Dialect.builtIn.map { try Provider(builtIn: $0.id, clientID: "") }
        guard !known.contains(where: { $0.allows(url) }) else { return nil }
        let response: HTTPResponse
        do { response = try await profile.services().transport.response(to: sent(nil)) } catch is HTTPError {
            return nil
        }
        guard response.status == 401 else { return (200...299).contains(response.status) ? response : nil }
        guard let challenge = challenge(in: response) else { return nil }
        throw challenge
    }

    /// The sign-in that a response of status 401 requires. It finds the scopes itself, so that the user consents to them.
    private func challenge(in response: HTTPResponse) -> NotSignedIn? {
        guard AuthenticationChallenge.all(in: response).contains(where: \.requestsToken) else { return nil }
        return .challenged(url: textWithoutQuery)
    }

    /// The sign-in that is required if the rejected token was not for the resource.
    package func challenge(in result: Response) -> NotSignedIn? {
        guard result.response.status == 401, result.session?.resource == nil,
            AuthenticationChallenge.all(in: result.response).contains(where: \.namesMetadata)
        else { return nil }
        return challenge(in: result.response)
    }

    private func sent(_ token: String?, to provider: Provider? = nil) -> HTTPRequest {
        let authorization = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let named = headers.map { $0.name.lowercased() }
        let ofProvider = provider?.headersOfAPI.filter { !named.contains($0.name.lowercased()) } ?? []
        let own = (ofProvider + headers).filter { !HTTPFieldProblem.isReserved($0.name) }
        return HTTPRequest(
            method, url, headers: authorization + own, body: body,
            maximumResponseLength: APIRequest.maximumResponseLength,
            allowsPlainHTTP: provider?.allowsPlainHTTP ?? false,
            secrets: token.map { [$0] } ?? [])
    }

    func run(_ services: SessionServices) async throws -> Response {
        if let accessToken, let provider {
            let client = try await services.client(provider)
            guard client.allows(url) else { throw refused(client.provider.id, configuredOwner(services)) }
            let request = sent(accessToken.revealed(), to: client.provider)
            return Response(response: try await client.services.transport.response(to: request))
        }
        if let session = try await resourceSession(services) {
            let client = try await services.client(session.providerID).renewing(session)
            guard url.protectsSecrets || client.provider.allowsPlainHTTP else {
                throw HTTPError.plainHTTP(origin: url.origin)
            }
            return try await send(of: session, by: client, with: services, for: url)
        }
        let choice = try await choice(services)
        let client = try await allowedClient(of: choice.session, services)
        return try await send(of: choice.session, by: client, with: services, otherAccount: choice.otherAccount)
    }

    /// The session whose token is sent to the URL.
    func session(_ profile: Profile, _ services: SessionServices) async throws -> Session {
        if let session = try await resourceSession(services) { return session }
        let session = try await choice(services).session
        if let project = try profile.projectSettings(), try isOwn(session, project) { return session }
        _ = try await allowedClient(of: session, services)
        return session
    }

    private func resourceSession(_ services: SessionServices) async throws -> Session? {
        try await SessionChoice(directory: services.directory).found(
            SessionChoice.Request(account: account, providers: provider.map { [$0] }, resource: url))?.session
    }

    /// Whether the session is the project's own, whose token may be sent to the URL.
    private func isOwn(_ session: Session, _ project: FirebaseSettings) throws -> Bool {
        guard session.issuedBy == .project else { return false }
        // Checked before a token is refreshed in vain.
        guard url.protectsSecrets, project.allows(url) else { throw refused(SessionIssuer.projectID, nil) }
        return true
    }

    private func refused(_ provider: String, _ owner: SessionOwner?) -> any Error {
        owner?.isForResources == true
            ? NotSignedIn.noSessionForResource(textWithoutQuery, others: owner?.account.map { [$0] } ?? [])
            : RequestRefused.host(origin: url.origin, provider: provider, owner: owner)
    }

    private var textWithoutQuery: String { url.query == nil ? url.text : String(url.text.prefix { $0 != "?" }) }

    private func allowedClient(of session: Session, _ services: SessionServices) async throws -> ProviderClient {
        let client = try await services.client(session.providerID).renewing(session)
        // Checked before a token is refreshed in vain.
        guard client.allows(url) else {
            let owner = try await owner(in: services, excluding: session.accountUID)
            let isUnconfigured = client.missingCredential == .notConfigured(client.provider.id)
            if owner == nil, url.protectsSecrets, isUnconfigured {
                throw RequestRefused.hostWithoutConfiguration(origin: url.origin, provider: client.provider.id)
            }
            throw refused(client.provider.id, owner)
        }
        return client
    }

    private func send(
        of session: Session, by client: ProviderClient, with services: SessionServices, for resource: HTTPURL? = nil,
        otherAccount: String? = nil, isRepeated: Bool = false
    ) async throws -> Response {
        // The account and provider are named, so that the choice is not made again.
        var tokenRequest = CurrentToken.Request(account: session.accountUID, provider: session.providerID)
        tokenRequest.resource = resource
        tokenRequest.isOutdated = { client.needsNewToken(of: $0) }
        let token = try await CurrentToken(services).run(tokenRequest)
        var notes = token.notes
        if let otherAccount { notes.insert(.otherAccount(otherAccount, provider: session.providerID), at: 0) }
        let transport = client.services.transport
        var request = sent(token.token.revealed(), to: client.provider)
        let response: HTTPResponse
        if token.binding == .dpop, case .access(let text) = token.token, let prover = try token.prover(of: client) {
            response = try await prover.response(to: request, with: text, transport)
        } else {
            if token.binding == .certificate, let renewed = token.session {
                request.clientCertificate = try client.certificate(of: renewed)
            }
            response = try await transport.response(to: request)
        }
        let result = Response(response: response, session: session, notes: notes)
        // The server did not process the request, because it rejected the token. If the request is not idempotent, only
        // the challenge says so (RFC 6750 section 3).
        guard !isRepeated, result.isTokenRejected,
            ![.post, .patch].contains(method) || challenge(in: response) != nil,
            // If the token cannot be renewed, the API's response is the result.
            (try? await CurrentToken(services).replacement(
                of: token, for: tokenRequest, olderThan: CurrentToken.youth)) != nil
        else { return result }
        return try await send(
            of: session, by: client, with: services, for: resource, otherAccount: otherAccount, isRepeated: true)
    }

    /// Returns the session of the named provider, or of the account's only provider that allows the URL.
    private func choice(_ services: SessionServices) async throws -> SessionChoice.Choice {
        let choice = SessionChoice(directory: services.directory)
        var choiceRequest = SessionChoice.Request(account: account, providers: provider.map { [$0] })
        if provider == nil {
            let uid = try await choice.uid(account)
            choiceRequest.account = uid
            choiceRequest.providers = try await onlyProvider(of: uid, services).map { [$0] }
        }
        do { return try await choice.choose(choiceRequest) } catch NotSignedIn.onlyForResources(_, let provider) {
            let owner = try await owner(in: services, excluding: try await choice.uid(account))
            if owner?.account != nil { throw refused(provider, owner) }
            throw RequestRefused.otherResource(url: url.text, provider: provider)
        }
    }

    /// Nil if the account has only one provider, or if several of its providers allow the URL.
    private func onlyProvider(of uid: String, _ services: SessionServices) async throws -> String? {
        let sessions = try await services.directory.sessionStore.sessions(account: uid)
        let ids = sessions.filter { $0.resource == nil }.map(\.providerID)
        guard ids.count > 1 else { return nil }
        let own = ids.filter { SessionIssuer($0) == .provider }
        var fitting: [String] = []
        var fault: (any UnusableClient)?
        for id in own {
            do { if try await services.client(id).allows(url) { fitting.append(id) } } catch {
                fault = fault ?? error as? any UnusableClient
            }
        }
        guard fitting.isEmpty else { return fitting.count == 1 ? fitting[0] : nil }
        // The invalid configuration may be the matching one, so its error is more useful than a question.
        if let fault { throw fault }
        // No provider allows the URL, so a choice would not help.
        guard own.count < ids.count else {
            throw refused(ids[0], try await owner(in: services, excluding: uid))
        }
        return nil
    }

    private func configuredOwner(_ services: SessionServices) -> SessionOwner? {
        services.hostOwner(url).map {
            SessionOwner(provider: $0.id, account: nil, isForResources: $0.addedForResource != nil)
        }
    }

    /// - Parameter uid: the account that has no session for the URL's resource.
    private func owner(in services: SessionServices, excluding uid: String) async throws -> SessionOwner? {
        let choice = SessionChoice(directory: services.directory)
        var hosts: [String: Bool] = [:]
        for other in try await choice.sessions() where other.issuedBy == .provider {
            let id = other.providerID
            if other.resource == nil, hosts[id] == nil {
                hosts[id] = (try? await services.client(id))?.allows(url) ?? false
            }
            let isForURL = other.resource.map { other.accountUID != uid && $0.covers(url) }
            guard isForURL ?? hosts[id] == true else { continue }
            let name = try await choice.name(of: other.accountUID)
            return SessionOwner(provider: id, account: name, isForResources: other.resource != nil)
        }
        return configuredOwner(services)
    }
}
