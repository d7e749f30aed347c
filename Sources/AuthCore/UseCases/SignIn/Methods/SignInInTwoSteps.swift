/// Signs in with two calls, for programs that cannot wait. The first returns the URL, and the second accepts the
/// response.
package struct SignInInTwoSteps: Sendable {
    private let rows: StartedSignIns
    private let clock: Clock

    package init(_ sessionStore: SessionStore, clock: Clock) {
        rows = StartedSignIns(sessionStore: sessionStore)
        self.clock = clock
    }

    func begin(_ client: any AuthorizationClient, at provider: String) async throws -> StartedSignIn {
        let pending = try await client.beginPasted()
        let (now, sent) = (clock.now(), pending.sent)
        let expiresAt = now + Int64(pending.request.timeout)
        let text = JSONValue.object(try pending.stored()).text
        let id = try await rows.put(text, provider: provider, expiresAt: expiresAt, now: now)
        return StartedSignIn(
            id: id, authorizationURL: sent.url.text, redirectURI: sent.redirectURI, expiresAt: expiresAt,
            urlExpiresAt: sent.urlExpiresIn.map { now + $0 })
    }

    package struct Found: Sendable {
        package let id: String
        package let providerID: String
        var request: SignInRequest { pending.request }
        package var operation: SignInOperation { request.operation }
        package var isThroughProject: Bool { pending.sent is ProjectFlow }
        package var redirectURI: String { pending.sent.redirectURI }
        fileprivate let pending: PendingAuthorization

        package func fault(of pasted: String) -> PastedResponseFault? {
            if case .other(let fault) = response(in: pasted) { fault } else { nil }
        }

        fileprivate func response(in pasted: String) -> PastedResponse {
            PastedResponse(pasted, to: pending.sent)
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

    func complete(_ found: Found, by client: any AuthorizationClient, pasted: String) async throws -> SignInResult {
        // The result belongs to the directory for which the sign-in was started.
        let present = client.directory.origin
        guard found.pending.origin == present else {
            throw DirectoryMismatch(
                kind: .signIn, provider: found.providerID, origin: found.pending.origin, current: present)
        }
        func refusal(_ fault: PastedResponseFault) -> SignInError {
            .notTheCallback(fault, redirectURI: found.redirectURI, found.operation.kind, id: found.id)
        }
        switch found.response(in: pasted) {
        case .callback(let parameters):
            guard !client.isCutOff(parameters) else { throw refusal(.cutOff) }
            // Only the process that removes the row may redeem the code.
            guard try await rows.remove(found.id) else { throw SignInError.noPendingSignIn(found.id) }
            return try await client.finish(found.pending, with: parameters, source: .paste)
        case .other(let fault): throw refusal(fault)
        }
    }
}

/// A pending sign-in. The caller shows the URL to the user, and returns with the URL at which the browser ended.
package struct StartedSignIn: Sendable {
    package let id: String
    package let authorizationURL: String
    package let redirectURI: String
    /// Seconds since 1970.
    package let expiresAt: Int64
    /// When the URL expires, if that is earlier than the sign-in (RFC 9126 section 2.2).
    package var urlExpiresAt: Int64?
}
