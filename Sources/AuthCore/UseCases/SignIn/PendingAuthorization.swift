/// The state of an authorization request that its response requires. Stored encrypted.
struct PendingAuthorization: Sendable {
    let tenant: String?
    /// Seconds since 1970.
    let began: Int64
    private let directory: String?

    private let operation: SignInOperation.Kind
    private let uid: String?
    private let hasConsent: Bool?
    private let scopes: [String]?
    private let parameters: [[String]]?
    private let maximumAge: Int64?
    private let contexts: [String]?
    private let resource: String?

    let url: String
    let redirectURI: String
    private let responseMode: ResponseMode?
    private let sentScopes: [String]?
    private let state: AuthorizationState
    private let nonce: Nonce?
    private let verifier: CodeVerifier?
    private let bindingKey: BindingKey?
    private let markName: String?
    private let sessionID: ProjectSessionID?

    enum Sent: Sendable {
        case own(AuthorizationRequest, BindingKey?)
        case project(ProjectFlow)

        func accepts(_ parameters: CallbackParameters) -> Bool {
            switch self {
            case .own(let request, _): parameters.carries(request.state)
            case .project(let flow): flow.accepts(parameters)
            }
        }
    }

    init(_ request: SignInRequest, tenant: String?, began: Int64, directory: DirectoryOrigin, sent: Sent) {
        (self.tenant, self.began, self.directory) = (tenant, began, directory.text)
        (operation, uid) = (request.operation.kind, request.operation.uid)
        hasConsent = if case .link(_, let isAgreed) = request.operation { isAgreed } else { request.hasConsent }
        scopes = request.scopes
        parameters = request.parameters.map { [$0.0, $0.1] }
        maximumAge = request.maximumAge
        contexts = request.authenticationContexts
        resource = request.resource?.text
        switch sent {
        case .own(let sent, let key):
            (url, redirectURI) = (sent.url.text, sent.redirectURI)
            (responseMode, sentScopes, state) = (sent.responseMode, sent.scopes, sent.state)
            (nonce, verifier, bindingKey) = (sent.nonce, sent.proofKey.verifier, key)
            (markName, sessionID) = (nil, nil)
        case .project(let flow):
            (url, redirectURI) = (flow.url.text, flow.continueURI)
            (responseMode, sentScopes, state) = (flow.responseMode, flow.scopes, flow.mark.value)
            (nonce, verifier, bindingKey) = (nil, nil, nil)
            (markName, sessionID) = (flow.mark.name, flow.sessionID)
        }
    }

    var origin: DirectoryOrigin? { directory.flatMap { DirectoryOrigin(text: $0) } }

    func request() throws -> SignInRequest {
        var request = SignInRequest()
        request.scopes = scopes ?? []
        request.parameters = (parameters ?? []).filter { $0.count == 2 }.map { ($0[0], $0[1]) }
        request.maximumAge = maximumAge
        request.authenticationContexts = contexts ?? []
        request.resource = resource.flatMap { try? HTTPURL($0) }
        switch (operation, uid) {
        case (.signIn, _): request.hasConsent = hasConsent ?? false
        case (.link, let uid?): request.operation = .link(uid: uid, hasConsent: hasConsent ?? false)
        case (.reauthenticate, let uid?): request.operation = .reauthenticate(uid: uid)
        default: throw StartedSignIns.damaged
        }
        return request
    }

    func sent(to provider: String) throws -> Sent {
        guard let url = try? HTTPURL(url) else { throw StartedSignIns.damaged }
        let (mode, scopes) = (responseMode ?? .query, sentScopes ?? [])
        if let verifier {
            let request = AuthorizationRequest(
                url: url, redirectURI: redirectURI, state: state, nonce: nonce,
                proofKey: try ProofKey(verifier: verifier.revealed()), scopes: scopes, responseMode: mode)
            return .own(request, bindingKey)
        }
        guard let sessionID, let markName else { throw StartedSignIns.damaged }
        return .project(
            ProjectFlow(
                providerID: provider, url: url, continueURI: redirectURI, responseMode: mode, sessionID: sessionID,
                scopes: scopes, mark: (markName, state)))
    }
}

extension PendingAuthorization: StoredObject {
    init(stored object: JSONObject) throws(UnexpectedJSON) {
        tenant = try object.storedIfPresent("tenant")
        began = try object.stored("began")
        directory = try object.storedIfPresent("directory")
        operation = try object.stored("operation")
        uid = try object.storedIfPresent("uid")
        hasConsent = try object.storedIfPresent("hasConsent")
        scopes = try object.storedIfPresent("scopes")
        parameters = try object.storedIfPresent("parameters")
        maximumAge = try object.storedIfPresent("maximumAge")
        contexts = try object.storedIfPresent("contexts")
        resource = try object.storedIfPresent("resource")
        url = try object.stored("url")
        redirectURI = try object.stored("redirectURI")
        responseMode = try object.storedIfPresent("responseMode")
        sentScopes = try object.storedIfPresent("sentScopes")
        state = try object.stored("state")
        nonce = try object.storedIfPresent("nonce")
        verifier = try object.storedIfPresent("verifier")
        bindingKey = try object.storedIfPresent("bindingKey")
        markName = try object.storedIfPresent("markName")
        sessionID = try object.storedIfPresent("sessionID")
    }

    var members: KeyValuePairs<String, (any StoredJSON)?> {
        [
            "tenant": tenant, "began": began, "directory": directory, "operation": operation, "uid": uid,
            "hasConsent": hasConsent, "scopes": scopes, "parameters": parameters, "maximumAge": maximumAge,
            "contexts": contexts, "resource": resource, "url": url, "redirectURI": redirectURI,
            "responseMode": responseMode, "sentScopes": sentScopes, "state": state, "nonce": nonce,
            "verifier": verifier, "bindingKey": bindingKey, "markName": markName, "sessionID": sessionID,
        ]
    }
}
