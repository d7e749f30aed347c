/// A sign-in that was begun: whoever shows the URL to a person comes back with the URL it ended at.
public struct BegunSignIn: Sendable {
    public let id: String
    public let authorizationURL: String
    public let redirectURI: String
    /// Seconds since 1970.
    public let expiresAt: Int64
}

/// Signs in with two calls, for programs that cannot wait: one gives the URL, another one takes the answer.
public struct SignInInTwoSteps: Sendable {
    private let rows: BegunSignIns
    private let clock: Clock

    public init(store: Store, profile: String, clock: Clock) {
        rows = BegunSignIns(store: store, profile: profile)
        self.clock = clock
    }

    /// Makes the authorization request, and keeps its secrets sealed until `request.timeout`.
    /// - Throws: what `SignIn` throws before a browser is opened; `StoreError`.
    public func begin(_ signIn: SignIn, _ request: SignInRequest) async throws -> BegunSignIn {
        let provider = signIn.client.provider
        let sent = try signIn.unattendedRequest(request)
        let expiresAt = clock.now() + Int64(request.timeout)
        let kept = Kept(sent: sent, request: request, tenant: provider.tenant, began: signIn.began)
        let id = try await rows.put(kept.text, provider: provider.id, expiresAt: expiresAt, now: clock.now())
        return BegunSignIn(
            id: id, authorizationURL: sent.url.text, redirectURI: sent.redirectURI, expiresAt: expiresAt)
    }

    /// What was begun, to find its provider.
    public struct Found: Sendable {
        public let id: String
        public let providerID: String
        /// The tenant of that call.
        public let tenant: String?
        public var operation: SignInOperation { kept.request.operation }
        fileprivate let kept: Kept
    }

    /// - Throws: `SignInError.notBegun`, `StoreError`.
    public func find(_ id: String) async throws -> Found {
        guard let (provider, text) = try await rows.find(id, now: clock.now()) else { throw SignInError.notBegun(id) }
        let kept = try Kept(text: text)
        return Found(id: id, providerID: provider, tenant: kept.tenant, kept: kept)
    }

    /// Takes the answer. One that is not of this sign-in leaves it waiting; any other ends it, whatever comes of it.
    /// - Throws: what `SignIn` throws.
    public func complete(_ found: Found, _ signIn: SignIn, answer: String) async throws -> SignInResult {
        let signIn = signIn.begun(at: found.kept.began)
        let sent = try found.kept.sent
        let parameters = CallbackParameters(pasted: answer)
        guard parameters.carries(sent.state) else { throw OAuthError.stateMismatch }
        // Whoever removes it redeems its code: nobody else may.
        guard try await rows.remove(found.id) else { throw SignInError.notBegun(found.id) }
        let response = try signIn.response(parameters, sent)
        return try await signIn.redeem(response, sent, found.kept.request, source: "paste")
    }
}

/// What must be known of a request when its answer comes, as text to be sealed.
private struct Kept {
    let request: SignInRequest
    let tenant: String?
    /// Seconds since 1970.
    let began: Int64
    private let state: String
    private let nonce: String?
    private let verifier: String
    private let redirectURI: String
    private let sentScopes: [String]
    private let url: String
    private let responseMode: ResponseMode

    init(sent: AuthorizationRequest, request: SignInRequest, tenant: String?, began: Int64) {
        self.request = request
        self.tenant = tenant
        self.began = began
        state = sent.state.revealed()
        nonce = sent.nonce?.revealed()
        verifier = sent.proofKey.verifier.revealed()
        redirectURI = sent.redirectURI
        sentScopes = sent.scopes
        url = sent.url.text
        responseMode = sent.responseMode
    }

    var sent: AuthorizationRequest {
        get throws {
            AuthorizationRequest(
                url: try HTTPURL(url), redirectURI: redirectURI, state: AuthorizationState(state),
                nonce: nonce.map { Nonce($0) }, proofKey: try ProofKey(verifier: verifier), scopes: sentScopes,
                responseMode: responseMode)
        }
    }

    var text: String {
        var object: JSONObject = [
            "state": .string(state), "nonce": JSONValue(nonce), "verifier": .string(verifier), "url": .string(url),
            "redirectURI": .string(redirectURI), "responseMode": .string(responseMode.rawValue),
            "sentScopes": JSONValue(sentScopes), "tenant": JSONValue(tenant),
            "began": JSONValue(began), "scopes": JSONValue(request.scopes),
            "parameters": .array(request.parameters.map { JSONValue([$0.0, $0.1]) }),
            "maximumAge": request.maximumAge.map { JSONValue($0) } ?? .null,
            "contexts": JSONValue(request.authenticationContexts),
            "operation": .string(request.operation.kind.rawValue),
        ]
        switch request.operation {
        case .signIn: break
        case .link(let uid, let hasConsent):
            object["uid"] = .string(uid)
            object["hasConsent"] = .bool(hasConsent)
        case .reauthenticate(let uid): object["uid"] = .string(uid)
        }
        return JSONValue.object(object).text
    }

    /// - Throws: `StoreError.damagedEntry`.
    init(text: String) throws {
        let damaged = StoreError.damagedEntry("sign-in that was begun")
        guard let object = try? StrictJSON.object(Array(text.utf8)), let state = object["state"]?.string,
            let verifier = object["verifier"]?.string, let url = object["url"]?.string,
            let redirectURI = object["redirectURI"]?.string, let began = object["began"]?.number?.integer,
            let kind = object["operation"]?.string.flatMap(SignInOperation.Kind.init(rawValue:))
        else { throw damaged }
        self.state = state
        self.verifier = verifier
        self.url = url
        self.redirectURI = redirectURI
        self.began = began
        responseMode = object["responseMode"]?.string.flatMap(ResponseMode.init(rawValue:)) ?? .query
        nonce = object["nonce"]?.string
        sentScopes = object["sentScopes"]?.strings ?? []
        tenant = object["tenant"]?.string
        var request = SignInRequest()
        request.scopes = object["scopes"]?.strings ?? []
        request.parameters = (object["parameters"]?.array ?? []).compactMap { pair in
            pair.strings.flatMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
        }
        request.maximumAge = object["maximumAge"]?.number?.integer
        request.authenticationContexts = object["contexts"]?.strings ?? []
        let uid = object["uid"]?.string
        switch (kind, uid) {
        case (.signIn, _): request.operation = .signIn
        case (.link, let uid?):
            request.operation = .link(uid: uid, hasConsent: object["hasConsent"]?.bool ?? false)
        case (.reauthenticate, let uid?): request.operation = .reauthenticate(uid: uid)
        default: throw damaged
        }
        self.request = request
    }
}
