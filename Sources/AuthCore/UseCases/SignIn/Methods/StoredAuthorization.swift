/// An authorization request that was sent, with what its response requires. Stored encrypted.
struct PendingAuthorization: Sendable {
    let request: SignInRequest
    /// Seconds since 1970.
    let began: Int64
    let origin: DirectoryOrigin?
    let sent: Sent

    enum Sent: Sendable {
        case own(AuthorizationRequest, DPoPKey?)
        case project(ProjectFlow)

        var authorization: any SentAuthorization {
            switch self {
            case .own(let request, _): request
            case .project(let flow): flow
            }
        }
    }
}

extension PendingAuthorization {
    func stored() throws -> JSONObject {
        let operation = request.operation
        let hasConsent = if case .link(_, let isAgreed) = operation { isAgreed } else { request.hasConsent }
        var object = JSONObject(storing: [
            "tenant": request.tenant, "began": began, "directory": origin?.text, "operation": operation.kind,
            "uid": operation.uid, "hasConsent": hasConsent, "scopes": request.scopes,
            "parameters": request.parameters.map { [$0.0, $0.1] }, "maximumAge": request.maximumAge,
            "contexts": request.authenticationContexts, "resource": request.resource?.text,
        ])
        switch sent {
        case .own(let sent, let key):
            object.merge(
                JSONObject(storing: [
                    "url": sent.url.text, "redirectURI": sent.redirectURI, "responseMode": sent.responseMode,
                    "sentScopes": sent.scopes, "state": sent.state, "nonce": sent.nonce,
                    "verifier": sent.proofKey.verifier, "bindingKey": try key?.bindingKey(),
                ]))
        case .project(let flow):
            object.merge(
                JSONObject(storing: [
                    "url": flow.url.text, "redirectURI": flow.continueURI, "responseMode": flow.responseMode,
                    "sentScopes": flow.scopes, "state": flow.mark.value, "markName": flow.mark.name,
                    "sessionID": flow.sessionID,
                ]))
        }
        return object
    }

    init(stored object: JSONObject, of provider: String) throws {
        began = try object.stored("began")
        let directory: String? = try object.storedIfPresent("directory")
        origin = directory.flatMap { DirectoryOrigin(text: $0) }
        request = try PendingAuthorization.request(object)
        sent = try PendingAuthorization.sent(object, to: provider)
    }

    private static func request(_ object: JSONObject) throws -> SignInRequest {
        var request = SignInRequest()
        request.tenant = try object.storedIfPresent("tenant")
        request.scopes = try object.storedIfPresent("scopes") ?? []
        let parameters: [[String]] = try object.storedIfPresent("parameters") ?? []
        request.parameters = parameters.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
        request.maximumAge = try object.storedIfPresent("maximumAge")
        request.authenticationContexts = try object.storedIfPresent("contexts") ?? []
        let resource: String? = try object.storedIfPresent("resource")
        request.resource = resource.flatMap { try? HTTPURL($0) }
        let kind: SignInOperation.Kind = try object.stored("operation")
        let uid: String? = try object.storedIfPresent("uid")
        let hasConsent = try object.storedIfPresent("hasConsent") ?? false
        switch (kind, uid) {
        case (.signIn, _): request.hasConsent = hasConsent
        case (.link, let uid?): request.operation = .link(uid: uid, hasConsent: hasConsent)
        case (.reauthenticate, let uid?): request.operation = .reauthenticate(uid: uid)
        default: throw UnexpectedJSON()
        }
        return request
    }

    private static func sent(_ object: JSONObject, to provider: String) throws -> Sent {
        let url = try HTTPURL(try object.stored("url") as String)
        let redirectURI: String = try object.stored("redirectURI")
        let mode = try object.storedIfPresent("responseMode") ?? ResponseMode.query
        let scopes: [String] = try object.storedIfPresent("sentScopes") ?? []
        let state: AuthorizationState = try object.stored("state")
        if let verifier: CodeVerifier = try object.storedIfPresent("verifier") {
            let request = AuthorizationRequest(
                url: url, redirectURI: redirectURI, state: state, nonce: try object.storedIfPresent("nonce"),
                proofKey: try ProofKey(verifier: verifier.revealed()), scopes: scopes, responseMode: mode)
            let key: BindingKey? = try object.storedIfPresent("bindingKey")
            return .own(request, try key.map { try DPoPKey($0) })
        }
        return .project(
            ProjectFlow(
                providerID: provider, url: url, continueURI: redirectURI, responseMode: mode,
                sessionID: try object.stored("sessionID"), scopes: scopes,
                mark: (try object.stored("markName"), state)))
    }
}
