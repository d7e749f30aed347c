/// Signs in with two calls, for programs that cannot wait: one gives the URL, another one takes the answer.
package struct SignInInTwoSteps: Sendable {
    private let rows: BegunSignIns
    private let clock: Clock

    package init(_ ledger: Ledger, clock: Clock) {
        rows = BegunSignIns(ledger: ledger)
        self.clock = clock
    }

    /// Makes the authorization request, and keeps its secrets sealed until `request.timeout`.
    /// - Throws: what `SignIn` throws before a browser is opened; `StoreError`.
    package func begin(_ signIn: BrowserSignIn, _ request: SignInRequest) async throws -> BegunSignIn {
        let (kept, url, redirectURI, provider): (Kept, HTTPURL, String, String)
        var urlExpiresAt: Int64?
        switch signIn {
        case .own(let signIn):
            // Nobody is sent to a browser whose answer could not be redeemed.
            guard !signIn.client.signsInByDeviceAlone else {
                throw SignInError.browserNeedsSecret(provider: signIn.client.provider.id)
            }
            let asked = try signIn.asked(request)
            let sent = try await asked.unattendedAuthorization()
            kept = Kept(
                request: request, tenant: signIn.client.provider.tenant, began: asked.began,
                directory: signIn.directory.origin, sent: .own(sent, try asked.prover?.key.kept()))
            (url, redirectURI, provider) = (sent.url, sent.redirectURI, signIn.client.provider.id)
            urlExpiresAt = sent.urlExpiresIn.map { clock.now() + $0 }
        case .project(let signIn):
            let flow = try await signIn.unattendedFlow(request)
            kept = Kept(
                request: request, tenant: nil, began: clock.now(), directory: signIn.directory.origin,
                sent: .project(flow))
            (url, redirectURI, provider) = (flow.url, flow.continueURI, flow.providerID)
        }
        let expiresAt = clock.now() + Int64(request.timeout)
        let id = try await rows.put(kept.text, provider: provider, expiresAt: expiresAt, now: clock.now())
        return BegunSignIn(
            id: id, authorizationURL: url.text, redirectURI: redirectURI, expiresAt: expiresAt,
            urlExpiresAt: urlExpiresAt)
    }

    /// What was begun, to find its provider.
    package struct Found: Sendable {
        package let id: String
        package let providerID: String
        /// The tenant of that call.
        package let tenant: String?
        package var operation: SignInOperation { kept.request.operation }
        /// A Firebase project is the provider's client.
        package var isThroughProject: Bool { if case .project = kept.sent { true } else { false } }
        /// What the answer begins with.
        package var redirectURI: String { kept.sent.redirectURI }
        fileprivate let kept: Kept

        /// Why what was pasted is not the answer; nil where it is.
        package func fault(of pasted: String) -> PastedFault? {
            if case .other(let fault) = answer(in: pasted) { fault } else { nil }
        }

        fileprivate func answer(in pasted: String) -> PastedAnswer {
            PastedAnswer(pasted, at: redirectURI, kept.sent.isAnswered(by:))
        }
    }

    /// - Throws: `SignInError.notBegun`, `StoreError`.
    package func find(_ id: String) async throws -> Found {
        guard let (provider, text) = try await rows.find(id, now: clock.now()) else { throw SignInError.notBegun(id) }
        let kept = try Kept(text: text, provider: provider)
        return Found(id: id, providerID: provider, tenant: kept.tenant, kept: kept)
    }

    /// Takes the answer. One that is not of this sign-in leaves it waiting; any other ends it, whatever comes of it.
    /// - Throws: what `SignIn` throws.
    package func complete(_ found: Found, _ signIn: BrowserSignIn, answer: String) async throws -> SignInResult {
        // What it brings is for the directory that it was begun for, and for no other.
        let present = signIn.directory.origin
        guard found.kept.directory == present else {
            throw DirectoryMismatch(.signIn, provider: found.providerID, made: found.kept.directory, present: present)
        }
        let parameters: CallbackParameters
        switch found.answer(in: answer) {
        case .answer(let found): parameters = found
        case .other(let fault):
            throw SignInError.notTheAnswer(
                fault, redirectURI: found.redirectURI, found.operation.kind, id: found.id)
        }
        // Whoever removes it redeems its code: nobody else may.
        guard try await rows.remove(found.id) else { throw SignInError.notBegun(found.id) }
        switch (signIn, found.kept.sent) {
        case (.own(let signIn), .own(let sent, let key)):
            let prover = try key.map { DPoPProver(try DPoPKey($0), signIn.client.services) }
            let asked = ProviderRequest(
                client: signIn.client, request: found.kept.request, began: found.kept.began, prover: prover)
            return try await signIn.settled(asked.redeemed(parameters, to: sent, source: .paste), asked)
        case (.project(let signIn), .project(let flow)):
            return try await signIn.finish(parameters, flow, found.kept.request)
        default: throw SignInError.notBegun(found.id)
        }
    }
}

/// What must be known of a request when its answer comes, as text to be sealed.
private struct Kept {
    let request: SignInRequest
    let tenant: String?
    /// Seconds since 1970.
    let began: Int64
    let directory: DirectoryOrigin?
    let sent: Sent

    enum Sent {
        /// With the key that its tokens are to be bound to.
        case own(AuthorizationRequest, BindingKey?)
        case project(ProjectFlow)

        var redirectURI: String {
            switch self {
            case .own(let request, _): request.redirectURI
            case .project(let flow): flow.continueURI
            }
        }

        func isAnswered(by parameters: CallbackParameters) -> Bool {
            switch self {
            case .own(let request, _): parameters.carries(request.state)
            case .project(let flow): flow.isAnswered(by: parameters)
            }
        }
    }

    init(request: SignInRequest, tenant: String?, began: Int64, directory: DirectoryOrigin, sent: Sent) {
        self.request = request
        self.tenant = tenant
        self.began = began
        self.directory = directory
        self.sent = sent
    }

    var text: String {
        var object: JSONObject = [
            "tenant": JSONValue(tenant), "began": JSONValue(began), "directory": JSONValue(directory?.text),
            "scopes": JSONValue(request.scopes),
            "parameters": JSONValue(pairs: request.parameters),
            "maximumAge": request.maximumAge.map { JSONValue($0) } ?? .null,
            "contexts": JSONValue(request.authenticationContexts),
            "operation": .string(request.operation.kind.rawValue), "resource": JSONValue(request.resource?.text),
        ]
        func add(_ url: HTTPURL, _ redirectURI: String, _ mode: ResponseMode, _ scopes: [String]) {
            object["url"] = .string(url.text)
            object["redirectURI"] = .string(redirectURI)
            object["responseMode"] = .string(mode.rawValue)
            object["sentScopes"] = JSONValue(scopes)
        }
        switch sent {
        case .own(let sent, let key):
            object["bindingKey"] = JSONValue(key?.revealed())
            add(sent.url, sent.redirectURI, sent.responseMode, sent.scopes)
            object["state"] = .string(sent.state.revealed())
            object["nonce"] = JSONValue(sent.nonce?.revealed())
            object["verifier"] = .string(sent.proofKey.verifier.revealed())
        case .project(let flow):
            add(flow.url, flow.continueURI, flow.responseMode, flow.scopes)
            object["markName"] = .string(flow.mark.name)
            object["state"] = .string(flow.mark.value.revealed())
            object["sessionID"] = .string(flow.sessionID.revealed())
        }
        switch request.operation {
        case .signIn: object["hasConsent"] = .bool(request.hasConsent)
        case .link(let uid, let hasConsent):
            object["uid"] = .string(uid)
            object["hasConsent"] = .bool(hasConsent)
        case .reauthenticate(let uid): object["uid"] = .string(uid)
        }
        return JSONValue.object(object).text
    }

    /// - Throws: `StoreError.damagedEntry`.
    init(text: String, provider: String) throws {
        let damaged = BegunSignIns.damaged
        guard let object = try? StrictJSON.object(Array(text.utf8)), let state = object["state"]?.string,
            let url = object["url"]?.string.flatMap({ try? HTTPURL($0) }),
            let redirectURI = object["redirectURI"]?.string, let began = Seconds.time(of: object["began"]),
            let kind = object["operation"]?.string.flatMap(SignInOperation.Kind.init(rawValue:))
        else { throw damaged }
        let mode = object["responseMode"]?.string.flatMap(ResponseMode.init(rawValue:)) ?? .query
        let scopes = object["sentScopes"]?.strings ?? []
        if let verifier = object["verifier"]?.string {
            sent = .own(
                AuthorizationRequest(
                    url: url, redirectURI: redirectURI, state: AuthorizationState(state),
                    nonce: object["nonce"]?.string.map { Nonce($0) }, proofKey: try ProofKey(verifier: verifier),
                    scopes: scopes, responseMode: mode), object["bindingKey"]?.string.map { BindingKey($0) })
        } else if let sessionID = object["sessionID"]?.string, let name = object["markName"]?.string {
            sent = .project(
                ProjectFlow(
                    providerID: provider, url: url, continueURI: redirectURI, responseMode: mode,
                    sessionID: ProjectSessionID(sessionID), scopes: scopes, mark: (name, AuthorizationState(state))))
        } else {
            throw damaged
        }
        self.began = began
        directory = object["directory"]?.string.flatMap { DirectoryOrigin(text: $0) }
        tenant = object["tenant"]?.string
        var request = SignInRequest()
        request.scopes = object["scopes"]?.strings ?? []
        request.parameters = object["parameters"]?.pairs ?? []
        request.maximumAge = object["maximumAge"]?.number?.integer
        request.resource = object["resource"]?.string.flatMap { try? HTTPURL($0) }
        request.authenticationContexts = object["contexts"]?.strings ?? []
        let uid = object["uid"]?.string
        switch (kind, uid) {
        case (.signIn, _):
            request.operation = .signIn
            request.hasConsent = object["hasConsent"]?.bool ?? false
        case (.link, let uid?):
            request.operation = .link(uid: uid, hasConsent: object["hasConsent"]?.bool ?? false)
        case (.reauthenticate, let uid?): request.operation = .reauthenticate(uid: uid)
        default: throw damaged
        }
        self.request = request
    }
}
