/// A credential for a project, before and after the project verified it.
struct ProjectCredential: Sendable {
    let idpCredential: IdentityToolkit.IdPCredential
    var providerID: String { idpCredential.providerID }
    let credential: @Sendable (_ response: JSONObject) -> AccountCredential
}

extension ProjectCredential {
    init(_ own: AccountCredential) {
        let (grant, provider) = (own.grant, own.identity.key.providerID)
        var pairs = [("providerId", provider)]
        // The project refuses an ID token without its raw nonce. Then only the access token is sent, if there is one.
        if let token = grant.idToken, own.rawNonce != nil || grant.accessToken == nil || !token.hasNonce {
            pairs.append(("id_token", token.revealed()))
        }
        if let token = grant.accessToken { pairs.append(("access_token", token.revealed())) }
        if let nonce = own.rawNonce { pairs.append(("nonce", nonce.revealed())) }
        if Dialect.sendingNameOnce.contains(provider), let name = own.identity.displayName {
            let words = name.split(separator: " ", maxSplits: 1).map { JSONValue.string(String($0)) }
            let user: JSONValue = [
                "name": ["firstName": words.first ?? "", "lastName": words.count == 2 ? words[1] : ""]
            ]
            pairs.append(("user", user.text))
        }
        idpCredential = IdentityToolkit.IdPCredential(
            providerID: provider,
            // A credential that the project has already received is sent as its pending token, because the nonce was
            // used.
            postBody: own.pendingToken == nil ? FormURLEncoded.encode(pairs) : nil, pendingToken: own.pendingToken,
            secrets: pairs.dropFirst().map(\.1))
        credential = { response in
            var credential = own
            credential.pendingToken = response["pendingToken"]?.string.map { PendingToken($0) }
            if let email = response["email"]?.string { credential.identity.email = email }
            return credential
        }
    }

    init(_ response: ProjectResponse, in project: FirebaseProject, now: Int64) {
        let flow = response.flow
        idpCredential = IdentityToolkit.IdPCredential(
            providerID: flow.providerID, requestURI: response.requestURI, postBody: response.postBody,
            sessionID: flow.sessionID.revealed(), secrets: response.secrets)
        credential = { response in
            ProjectCredential.accountCredential(
                response, of: flow.providerID, scopes: flow.scopes, in: project, now: now)
        }
    }

    init(_ member: String, token: String, nonce: Nonce?, of provider: String, in project: FirebaseProject, now: Int64) {
        var pairs = [("providerId", provider), (member, token)]
        if let nonce { pairs.append(("nonce", nonce.revealed())) }
        idpCredential = IdentityToolkit.IdPCredential(
            providerID: provider, postBody: FormURLEncoded.encode(pairs), secrets: pairs.dropFirst().map(\.1))
        credential = { response in
            // The response may omit the token, and never contains the raw nonce.
            var response = response
            let field = member == "id_token" ? "oauthIdToken" : "oauthAccessToken"
            if response[field] == nil { response[field] = .string(token) }
            var credential = ProjectCredential.accountCredential(
                response, of: provider, scopes: [], in: project, now: now)
            credential.rawNonce = nonce
            return credential
        }
    }

    private static func accountCredential(
        _ response: JSONObject, of provider: String, scopes: [String], in project: FirebaseProject, now: Int64
    ) -> AccountCredential {
        let idToken = response["oauthIdToken"]?.string
        let claims = idToken.flatMap { try? FirebaseTokenVerifier.unverifiedClaims($0) }
        // `rawUserInfo` is a string that contains JSON.
        let profile = response["rawUserInfo"]?.string.flatMap { try? StrictJSON.object(Array($0.utf8)) }
        let email = response["email"]?.string
        let federatedID = response["rawId"]?.string ?? response["federatedId"]?.string ?? claims?["sub"]?.string ?? ""
        let identity = Identity(
            key: IdentityKey(
                providerID: provider, authority: project.authority, federatedID: federatedID), email: email,
            isEmailVerified: response["emailVerified"]?.bool ?? false, displayName: response["displayName"]?.string,
            photoURL: response["photoUrl"]?.string, screenName: response["screenName"]?.string,
            isPrivateRelay: Dialect.isRelay(email), tenantID: claims?["tid"]?.string)
        // A token of OAuth 1.0a cannot be used without its secret and the client's secret.
        let token = response["oauthTokenSecret"] == nil ? response["oauthAccessToken"]?.string : nil
        let lifetime = response["oauthExpireIn"].flatMap(Seconds.span(of:))
        let tokens = Tokens(
            accessToken: token.map { AccessToken($0) }, expiresAt: lifetime.map { now + $0 }, lifetime: lifetime,
            idToken: idToken.map { RawIDToken($0) }, idTokenExpiresAt: Seconds.time(of: claims?["exp"]),
            scopes: scopes, tokenOrigin: "")
        let grant = Grant(
            providerID: provider, issuer: project.issuer, clientID: project.projectID, tokens: tokens,
            subject: federatedID, lastProvenAt: now, source: .project)
        return AccountCredential(
            identity: identity, grant: grant, profile: profile ?? JSONObject(),
            pendingToken: response["pendingToken"]?.string.map { PendingToken($0) })
    }
}

extension RawIDToken {
    fileprivate var hasNonce: Bool { (try? FirebaseTokenVerifier.unverifiedClaims(revealed()))?["nonce"] != nil }
}
