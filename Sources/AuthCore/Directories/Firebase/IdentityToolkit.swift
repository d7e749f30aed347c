/// The calls of a project's REST API (Google, "Identity Toolkit API" v1 and "Secure Token API").
struct IdentityToolkit: Sendable {
    let project: FirebaseProject
    let transport: any HTTPTransport
    var secondFactor: SecondFactor.CodePrompt = { _ in nil }
    var sessionEnded: @Sendable (_ idToken: String) async -> Void = { _ in }

    /// The tokens of a sign-in, as all calls return them.
    struct Tokens: Sendable {
        let uid: String
        let idToken: RawIDToken
        let refreshToken: RefreshToken
    }

    /// The credential for a sign-in at a project. It contains a provider's tokens, the response to a flow that the
    /// project began, or the pending token of an earlier credential.
    struct IdPCredential: Sendable {
        let providerID: String
        var requestURI = "http://localhost"
        var postBody: String?
        var sessionID: String?
        var pendingToken: PendingToken?
        var secrets: [String]
    }

    /// The result of `signInWithIdp`. Some failures have status 200.
    enum Outcome: Sendable {
        case signedIn(Tokens, isNew: Bool, JSONObject)
        case needsConfirmation(email: String?, providers: [String], JSONObject)
        /// Another account has the identity or its address. The response contains the credential for a later sign-in.
        case refused(FirebaseError, JSONObject)
    }

    // MARK: Signing in

    func createAuthURI(
        _ provider: String, continueURI: String, sessionID: String, scopes: [String], parameters: [(String, String)],
        flowType: String?
    ) async throws -> String {
        var body: JSONObject = ["providerId": .string(provider), "continueUri": .string(continueURI)]
        if !scopes.isEmpty { body["oauthScope"] = .string(scopes.joined(separator: " ")) }
        if !parameters.isEmpty {
            var custom = JSONObject()
            for (name, value) in parameters { custom[name] = .string(value) }
            body["customParameter"] = .object(custom)
        }
        body["authFlowType"] = flowType.map(JSONValue.string)
        let response = try await call("createAuthUri", with: body, secret: ["sessionId": sessionID])
        guard let uri = response["authUri"]?.string else { throw FirebaseError.invalidResponse(.missing("authUri")) }
        return uri
    }

    func signInWithIdP(
        _ idpCredential: IdPCredential, linkingTo idToken: RawIDToken? = nil, makesAccount: Bool = true
    ) async throws -> Outcome {
        var body: JSONObject = [
            "requestUri": .string(idpCredential.requestURI), "returnSecureToken": true, "returnIdpCredential": true,
            "autoCreate": .bool(makesAccount),
        ]
        body["postBody"] = idpCredential.postBody.map(JSONValue.string)
        let secret: KeyValuePairs<String, String?> = [
            "sessionId": idpCredential.sessionID, "pendingToken": idpCredential.pendingToken?.revealed(),
            "idToken": idToken?.revealed(),
        ]
        let response = try await call("signInWithIdp", with: body, secret: secret, hiding: idpCredential.secrets)
        if response["needConfirmation"]?.bool == true {
            let providers = response["verifiedProvider"]?.strings ?? []
            try FirebaseAccount.checkProviders(providers)
            return .needsConfirmation(email: response["email"]?.string, providers: providers, response)
        }
        if let message = response["errorMessage"]?.string {
            let secrets = idpCredential.secrets + secret.compactMap(\.value)
            return .refused(FirebaseError(message: message, secrets: secrets), response)
        }
        let isNew = response["isNewUser"]?.bool == true || response["kind"] == "identitytoolkit#SignupNewUserResponse"
        return .signedIn(try tokens(response), isNew: isNew && idToken == nil && makesAccount, response)
    }

    func signUp(email: String, _ password: Password, linkingTo idToken: RawIDToken? = nil) async throws -> Tokens {
        try tokens(
            try await call(
                "signUp", with: ["email": .string(email), "returnSecureToken": true],
                secret: ["password": password.revealed(), "idToken": idToken?.revealed()]))
    }

    func signIn(email: String, _ password: Password) async throws -> Tokens {
        try tokens(
            try await call(
                "signInWithPassword", with: ["email": .string(email), "returnSecureToken": true],
                secret: ["password": password.revealed()]))
    }

    // MARK: One account

    func lookup(_ idToken: RawIDToken) async throws -> JSONObject {
        let response = try await call("lookup", secret: ["idToken": idToken.revealed()], inTenant: false)
        guard let users = response["users"]?.array, users.count == 1, let user = users[0].object else {
            throw FirebaseError.invalidResponse(.notOneAccount)
        }
        return user
    }

    func update(_ idToken: RawIDToken, with changes: JSONObject, password: Password? = nil) async throws -> Tokens? {
        var body = changes
        body["returnSecureToken"] = true
        let response = try await call(
            "update", with: body, secret: ["idToken": idToken.revealed(), "password": password?.revealed()],
            inTenant: false)
        return response["refreshToken"] == nil ? nil : try tokens(response)
    }

    func revoke(_ token: String, as kind: RevokedToken, of provider: String, by idToken: RawIDToken) async throws {
        _ = try await call(
            "revokeToken", version: "v2", with: ["providerId": .string(provider), "tokenType": .string(kind.rawValue)],
            secret: ["token": token, "idToken": idToken.revealed()])
    }

    enum RevokedToken: String { case refresh = "REFRESH_TOKEN", access = "ACCESS_TOKEN" }

    func delete(_ idToken: RawIDToken) async throws {
        _ = try await call("delete", secret: ["idToken": idToken.revealed()], inTenant: false)
    }

    func sendEmailChange(_ idToken: RawIDToken, to email: String) async throws {
        _ = try await call(
            "sendOobCode", with: ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": .string(email)],
            secret: ["idToken": idToken.revealed()])
    }

    func providers(of email: String) async throws -> EmailLookup? {
        let response = try await call(
            "createAuthUri", with: ["identifier": .string(email), "continueUri": "http://localhost"])
        guard let isRegistered = response["registered"]?.bool ?? (response["signinMethods"] == nil ? nil : true) else {
            return nil
        }
        let methods = response["signinMethods"]?.strings ?? response["allProviders"]?.strings ?? []
        try FirebaseAccount.checkProviders(methods)
        return EmailLookup(isRegistered: isRegistered, providers: methods)
    }

    func refresh(_ token: RefreshToken) async throws -> Tokens {
        let secrets = [token.revealed()]
        let request = HTTPRequest.form(
            try project.url(.secureToken, "/v1/token"),
            with: [("grant_type", "refresh_token"), ("refresh_token", token.revealed())], headers: project.headers,
            secrets: secrets)
        let response = try await send(request, secrets: secrets)
        guard let idToken = response["id_token"]?.string, let refreshToken = response["refresh_token"]?.string,
            let uid = response["user_id"]?.string, Account.isUID(uid)
        else { throw FirebaseError.invalidResponse(.noTokens) }
        return Tokens(uid: uid, idToken: RawIDToken(idToken), refreshToken: RefreshToken(refreshToken))
    }

    /// The domains that the project may redirect to. The API key must allow this request.
    func authorizedDomains() async throws -> [String] {
        let request = HTTPRequest(
            .get, try project.url(.identityToolkit, "/v1/projects"),
            headers: HTTPRequest.acceptJSON + project.headers)
        guard let domains = try await send(request, secrets: [])["authorizedDomains"]?.strings else {
            throw FirebaseError.invalidResponse(.missing("authorizedDomains"))
        }
        return domains
    }

    // MARK: The wire

    func call(
        _ operation: String, of resource: String = "accounts:", version: String = "v1", with members: JSONObject = [:],
        secret: KeyValuePairs<String, String?> = [:], hiding: [String] = [], inTenant: Bool = true
    ) async throws -> JSONObject {
        let secrets = secret.compactMap(\.value) + hiding
        var body = members
        for (name, text) in secret { body[name] = text.map(JSONValue.string) }
        if inTenant, let tenant = project.tenantID { body["tenantId"] = .string(tenant) }
        let request = HTTPRequest(
            .post, try project.url(.identityToolkit, "/\(version)/\(resource)\(operation)"),
            headers: [(name: "Content-Type", value: "application/json")] + HTTPRequest.acceptJSON + project.headers,
            body: Array(JSONValue.object(body).text.utf8), secrets: secrets)
        let response: JSONObject
        do { response = try await send(request, secrets: secrets) } catch let error as FirebaseError {
            if let idToken = body["idToken"]?.string, error.sessionEnd != nil { await sessionEnded(idToken) }
            throw error
        }
        guard let pending = response["mfaPendingCredential"]?.string, response["idToken"] == nil else {
            return response
        }
        return try await completed(response, pending: PendingToken(pending))
    }

    private func send(_ request: HTTPRequest, secrets: [String]) async throws -> JSONObject {
        var request = request
        request.allowsPlainHTTP = project.emulator?.allowsPlainHTTP == true
        let response = try await transport.response(to: request)
        let origin = request.url.origin
        switch response.status {
        case 501: throw FirebaseError.noSuchCall(call: request.url.path)
        case 429:
            let seconds = RetryAfter.seconds(response, now: response.serverTime ?? 0)
            throw OAuthError.tooManyRequests(origin: origin, retryAfter: seconds)
        case 500...599: throw OAuthError.unavailable(status: response.status, origin: origin)
        default: break
        }
        guard let object = response.object else {
            throw FirebaseError.invalidResponse(.noObject(status: response.status))
        }
        guard response.status == 200, object["error"] == nil else {
            throw FirebaseError(
                object, status: response.status, secrets: secrets + response.secrets,
                hasAppCheck: request.headers.contains { $0.name == "X-Firebase-AppCheck" })
        }
        return object
    }

    func tokens(_ response: JSONObject) throws -> Tokens {
        // Some responses name the account only in the ID token, which is verified before it is stored.
        guard let idToken = response["idToken"]?.string, let refreshToken = response["refreshToken"]?.string,
            let uid = response["localId"]?.string ?? FirebaseTokenVerifier.subject(idToken), Account.isUID(uid)
        else { throw FirebaseError.invalidResponse(.noTokens) }
        return Tokens(uid: uid, idToken: RawIDToken(idToken), refreshToken: RefreshToken(refreshToken))
    }
}
