/// How an authorization that another process finishes is stored, encrypted.
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
        if let sent = sent as? AuthorizationRequest {
            object.merge(
                JSONObject(storing: [
                    "url": sent.url.text, "redirectURI": sent.redirectURI, "responseMode": sent.responseMode,
                    "sentScopes": sent.scopes, "state": sent.state, "nonce": sent.nonce,
                    "verifier": sent.proofKey.verifier, "bindingKey": try key?.bindingKey(),
                ]))
        } else if let flow = sent as? ProjectFlow {
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
        key = try (object.storedIfPresent("bindingKey") as BindingKey?).map { try DPoPKey($0) }
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

    private static func sent(_ object: JSONObject, to provider: String) throws -> any SentAuthorization {
        let url = try HTTPURL(try object.stored("url") as String)
        let redirectURI: String = try object.stored("redirectURI")
        let mode = try object.storedIfPresent("responseMode") ?? ResponseMode.query
        let scopes: [String] = try object.storedIfPresent("sentScopes") ?? []
        let state: AuthorizationState = try object.stored("state")
        if let verifier: CodeVerifier = try object.storedIfPresent("verifier") {
            return AuthorizationRequest(
                url: url, redirectURI: redirectURI, state: state, nonce: try object.storedIfPresent("nonce"),
                proofKey: try ProofKey(verifier: verifier.revealed()), scopes: scopes, responseMode: mode)
        }
        return ProjectFlow(
            providerID: provider, url: url, continueURI: redirectURI, responseMode: mode,
            sessionID: try object.stored("sessionID"), scopes: scopes, mark: (try object.stored("markName"), state))
    }
}
