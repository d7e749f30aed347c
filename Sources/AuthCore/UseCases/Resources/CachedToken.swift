/// The token of one session, in memory until shortly before it expires.
///
/// After a process has changed the store or the settings, the token is read again, so that a sign-out has an immediate
/// effect. Concurrent callers share one refresh request.
package final class CachedToken: Sendable {
    private let request: CurrentToken.Request
    private let url: HTTPURL?
    private let note: @Sendable (CurrentToken.Note) -> Void
    private let state: Lock<State>
    private let reads = SingleFlight<String?, Held>()

    private struct State {
        var profile: Profile
        var request: CurrentToken.Request
        var held: Held?
        var known: ProfileChange?
    }

    package struct Held: Sendable {
        @Shared package var result: CurrentToken.Result
        @Shared var request: CurrentToken.Request
        let prover: DPoPProver?
        let certificate: ClientCertificate?
        let allowsPlainHTTP: Bool
        /// Of a provider with a CA file.
        let transport: ProviderTransport?
        fileprivate let change: ProfileChange
    }

    /// - Parameters:
    ///   - request: selects the session. After the first token, its account and provider are fixed.
    ///   - url: where the token is sent. Then a bound token has its key or certificate, and a request without a resource
    ///     selects the session that `APIRequest` uses for the URL.
    ///   - note: called for the notes of each new token.
    package init(
        _ profile: Profile, request: CurrentToken.Request, for url: HTTPURL? = nil,
        note: @escaping @Sendable (CurrentToken.Note) -> Void = { _ in }
    ) {
        (self.request, self.url, self.note) = (request, url, note)
        state = Lock(State(profile: profile, request: request))
    }

    /// The token in memory; nil if it must be read or refreshed. Does not wait.
    package func inMemory() -> Held? {
        state.withLock { state in
            guard let held = state.held, held.result.validity.isValid(at: state.profile.clock.now()),
                held.change == ProfileChange(of: state.profile)
            else { return nil }
            return held
        }
    }

    package func current() async throws -> Held {
        if let held = inMemory() { return held }
        return try await reads.run(state.withLock { $0.request.account }) { try await self.read() }
    }

    /// Forgets the token and its account, so that the next token is the current account's.
    package func restart() { state.withLock { ($0.request, $0.held) = (request, nil) } }

    /// Another token than this one, which a server rejected; nil if a refresh does not return another.
    func replacement(of rejected: Held) async throws -> Held? {
        let current = try CurrentToken(state.withLock { $0.profile })
        guard try await current.replacement(of: rejected.result, for: rejected.request) != nil else { return nil }
        state.withLock { if $0.held?.result.token == rejected.result.token { $0.held = nil } }
        return try await self.current()
    }

    private func read() async throws -> Held {
        let (profile, selected, last, change) = state.withLock { state in
            // Taken before the token is read, so that a later change is noticed.
            let change = ProfileChange(of: state.profile)
            if let known = state.known, change.hasOtherSettings(than: known) {
                state.profile = state.profile.reopened()
            }
            state.known = change
            return (state.profile, state.request, state.held?.result.token, change)
        }
        let services = try profile.sessionServices()
        var request = try await completed(selected, in: profile, with: services)
        var result = try await CurrentToken(services).run(request)
        var client: ProviderClient?
        if let url, let session = result.session,
            result.binding != .bearer || !url.protectsSecrets
                || services.configured(session.providerID)?.authorityFile != nil
        {
            let used = try await services.client(session.providerID).renewing(session)
            if used.needsNewToken(of: session) {
                request.isOutdated = { used.needsNewToken(of: $0) }
                result = try await CurrentToken(services).run(request)
            }
            client = used
        }
        if result.token != last { for entry in result.notes { note(entry) } }
        let held = Held(
            result: result, request: request, prover: try client.flatMap(result.prover),
            certificate: try client.flatMap { client in try result.session.flatMap(client.certificate) },
            allowsPlainHTTP: client?.provider.allowsPlainHTTP ?? false,
            transport: client?.services.transport as? ProviderTransport, change: change)
        state.withLock { state in
            // If the account differs, `restart` was called during the request.
            guard state.request.account == selected.account else { return }
            state.held = held
            if let account = result.accountUID { state.request.account = account }
            if selected.resource == nil { state.request.provider = result.providerID }
        }
        return held
    }

    private func completed(
        _ request: CurrentToken.Request, in profile: Profile, with services: SessionServices
    ) async throws -> CurrentToken.Request {
        guard let url, request.resource == nil else { return request }
        let api = APIRequest(url: url, account: request.account, provider: request.provider)
        let session = try await api.session(profile, services)
        var request = request
        (request.account, request.provider) = (session.accountUID, session.providerID)
        request.resource = session.resource.map { _ in url }
        return request
    }

    /// Whether the session still has a valid token or can get one. Also true if the store cannot be read. Does not
    /// refresh.
    package func hasSession() async -> Bool {
        let (profile, request) = state.withLock { ($0.profile, $0.request) }
        do {
            let services = try profile.sessionServices()
            return try await services.hasSession(completed(request, in: profile, with: services))
        } catch {
            return !(error is NotSignedIn)
        }
    }
}
