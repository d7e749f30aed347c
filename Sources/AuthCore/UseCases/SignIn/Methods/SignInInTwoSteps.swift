/// Signs in with two calls, for programs that cannot wait. The first returns the URL, and the second accepts the
/// response.
package struct SignInInTwoSteps: Sendable {
    private let rows: StartedSignIns
    private let clock: Clock

    package init(_ sessionStore: SessionStore, clock: Clock) {
        rows = StartedSignIns(sessionStore: sessionStore)
        self.clock = clock
    }

    package func begin(_ signIn: BrowserSignIn, _ request: SignInRequest) async throws -> StartedSignIn {
        switch signIn {
        case .own(let signIn):
            // Checked before the browser opens, because the response could not be redeemed.
            guard !signIn.client.usesDeviceFlowOnly else {
                throw SignInError.browserNeedsSecret(provider: signIn.client.provider.id)
            }
            let providerRequest = try signIn.providerRequest(request)
            let sent = try await providerRequest.unattendedAuthorization()
            let pending = PendingAuthorization(
                request, tenant: signIn.client.provider.tenant, began: providerRequest.began,
                directory: signIn.directory.origin, sent: .own(sent, try providerRequest.prover?.key.bindingKey()))
            return try await stored(pending, signIn.client.provider.id, request, urlExpiresIn: sent.urlExpiresIn)
        case .project(let signIn):
            let flow = try await signIn.unattendedFlow(request)
            let pending = PendingAuthorization(
                request, tenant: nil, began: clock.now(), directory: signIn.directory.origin, sent: .project(flow))
            return try await stored(pending, flow.providerID, request)
        }
    }

    private func stored(
        _ pending: PendingAuthorization, _ provider: String, _ request: SignInRequest, urlExpiresIn: Int64? = nil
    ) async throws -> StartedSignIn {
        let now = clock.now()
        let expiresAt = now + Int64(request.timeout)
        let id = try await rows.put(pending.stored.text, provider: provider, expiresAt: expiresAt, now: now)
        return StartedSignIn(
            id: id, authorizationURL: pending.url, redirectURI: pending.redirectURI, expiresAt: expiresAt,
            urlExpiresAt: urlExpiresIn.map { now + $0 })
    }

    package struct Found: Sendable {
        package let id: String
        package let providerID: String
        package var tenant: String? { pending.tenant }
        package var operation: SignInOperation { request.operation }
        package var isThroughProject: Bool { if case .project = sent { true } else { false } }
        package var redirectURI: String { pending.redirectURI }
        fileprivate let pending: PendingAuthorization
        fileprivate let request: SignInRequest
        fileprivate let sent: PendingAuthorization.Sent

        package func fault(of pasted: String) -> PastedResponseFault? {
            if case .other(let fault) = response(in: pasted) { fault } else { nil }
        }

        fileprivate func response(in pasted: String) -> PastedResponse {
            PastedResponse(pasted, at: redirectURI, sent.accepts)
        }
    }

    package func find(_ id: String) async throws -> Found {
        guard let (provider, text) = try await rows.find(id, now: clock.now()) else {
            throw SignInError.noPendingSignIn(id)
        }
        guard let pending = try? PendingAuthorization(stored: StrictJSON.parse(text.utf8)) else {
            throw StartedSignIns.damaged
        }
        return Found(
            id: id, providerID: provider, pending: pending, request: try pending.request(),
            sent: try pending.sent(to: provider))
    }

    package func complete(_ found: Found, _ signIn: BrowserSignIn, pasted: String) async throws -> SignInResult {
        // The result belongs to the directory for which the sign-in was started.
        let present = signIn.directory.origin
        guard found.pending.origin == present else {
            throw DirectoryMismatch(
                kind: .signIn, provider: found.providerID, origin: found.pending.origin, current: present)
        }
        func refusal(_ fault: PastedResponseFault) -> SignInError {
            .notTheCallback(fault, redirectURI: found.redirectURI, found.operation.kind, id: found.id)
        }
        let parameters: CallbackParameters
        switch found.response(in: pasted) {
        case .callback(let found): parameters = found
        case .other(let fault): throw refusal(fault)
        }
        // Only the process that removes the row may redeem the code.
        func take() async throws {
            guard try await rows.remove(found.id) else { throw SignInError.noPendingSignIn(found.id) }
        }
        switch (signIn, found.sent) {
        case (.own(let signIn), .own(let sent, let key)):
            let prover = try key.map { DPoPProver(try DPoPKey($0), signIn.client.services) }
            let providerRequest = ProviderRequest(
                client: signIn.client, request: found.request, began: found.pending.began, prover: prover)
            guard !providerRequest.isCutOff(parameters) else { throw refusal(.cutOff) }
            try await take()
            return try await signIn.completed(
                providerRequest.redeemed(parameters, to: sent, source: .paste), providerRequest)
        case (.project(let signIn), .project(let flow)):
            try await take()
            return try await signIn.finish(parameters, flow, found.request)
        default: throw SignInError.noPendingSignIn(found.id)
        }
    }
}
