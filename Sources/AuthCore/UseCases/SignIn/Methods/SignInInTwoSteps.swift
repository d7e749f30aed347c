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
                request: request, tenant: signIn.client.provider.tenant, began: providerRequest.began,
                origin: signIn.directory.origin, sent: .own(sent, try providerRequest.prover?.key.bindingKey()))
            return try await stored(pending, signIn.client.provider.id)
        case .project(let signIn):
            let flow = try await signIn.unattendedFlow(request)
            let pending = PendingAuthorization(
                request: request, tenant: nil, began: clock.now(), origin: signIn.directory.origin,
                sent: .project(flow))
            return try await stored(pending, flow.providerID)
        }
    }

    private func stored(_ pending: PendingAuthorization, _ provider: String) async throws -> StartedSignIn {
        let (now, sent) = (clock.now(), pending.sent.authorization)
        let expiresAt = now + Int64(pending.request.timeout)
        let text = JSONValue.object(pending.stored).text
        let id = try await rows.put(text, provider: provider, expiresAt: expiresAt, now: now)
        return StartedSignIn(
            id: id, authorizationURL: sent.url.text, redirectURI: sent.redirectURI, expiresAt: expiresAt,
            urlExpiresAt: sent.urlExpiresIn.map { now + $0 })
    }

    package struct Found: Sendable {
        package let id: String
        package let providerID: String
        package var tenant: String? { pending.tenant }
        package var operation: SignInOperation { pending.request.operation }
        package var isThroughProject: Bool { if case .project = pending.sent { true } else { false } }
        package var redirectURI: String { pending.sent.authorization.redirectURI }
        fileprivate let pending: PendingAuthorization

        package func fault(of pasted: String) -> PastedResponseFault? {
            if case .other(let fault) = response(in: pasted) { fault } else { nil }
        }

        fileprivate func response(in pasted: String) -> PastedResponse {
            PastedResponse(pasted, to: pending.sent.authorization)
        }
    }

    package func find(_ id: String) async throws -> Found {
        guard let (provider, text) = try await rows.find(id, now: clock.now()) else {
            throw SignInError.noPendingSignIn(id)
        }
        guard let pending = try? PendingAuthorization(stored: StrictJSON.object(text.utf8), of: provider) else {
            throw StartedSignIns.damaged
        }
        return Found(id: id, providerID: provider, pending: pending)
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
        switch (signIn, found.pending.sent) {
        case (.own(let signIn), .own(let sent, let key)):
            let prover = try key.map { DPoPProver(try DPoPKey($0), signIn.client.services) }
            let providerRequest = ProviderRequest(
                client: signIn.client, request: found.pending.request, began: found.pending.began, prover: prover)
            guard !providerRequest.isCutOff(parameters) else { throw refusal(.cutOff) }
            try await take()
            return try await signIn.completed(
                providerRequest.redeemed(parameters, to: sent, source: .paste), providerRequest)
        case (.project(let signIn), .project(let flow)):
            try await take()
            return try await signIn.finish(parameters, flow, found.pending.request)
        default: throw SignInError.noPendingSignIn(found.id)
        }
    }
}
