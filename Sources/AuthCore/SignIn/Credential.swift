/// What one sign-in with a provider yielded, all of it checked: who this is, and the ID token where there is one.
struct Credential: Sendable {
    var profile: ProviderProfile
    /// Verified claims and userinfo, for people and scripts.
    var said: JSONObject
    var idToken: VerifiedIDToken?
    var rawIDToken: RawIDToken?
    var notes: [String] = []
}

extension ProviderClient {
    /// The credential that a verified ID token is.
    func credential(
        of idToken: VerifiedIDToken, userInfo: JSONObject? = nil, user: JSONObject? = nil
    ) throws -> Credential {
        var said = idToken.profile
        for member in userInfo?.members ?? [] where said[member.name] == nil { said[member.name] = member.value }
        do {
            let profile = try provider.profile(
                authority: idToken.issuer, claims: idToken.claims, userInfo: userInfo, user: user)
            return Credential(profile: profile, said: said, idToken: idToken)
        } catch let rejection as IDTokenRejection {
            throw IDTokenRefused(rejection: rejection, issuer: provider.issuer, clockOffset: nil)
        }
    }

    /// The credential that an access token of this client is, at a provider without ID tokens: its API says whose.
    /// - Throws: `OAuthError`, `HTTPError`, `CredentialError`.
    func credential(of accessToken: AccessToken, scopes: [String]) async throws -> Credential {
        guard let person = provider.dialect.person, let api = try api(accessToken, scopes: scopes) else {
            throw CredentialError.neverAccepted
        }
        let said = try await person(api)
        let profile = try provider.profile(authority: provider.issuer.text, claims: JSONObject(), userInfo: said)
        return Credential(profile: profile, said: said)
    }
}

/// The last step of every way to sign in: from a checked credential to the account.
struct SignInCompletion {
    let client: ProviderClient
    let directory: any AccountDirectory

    /// - Parameter template: the session, without its account.
    func callAsFunction(_ credential: Credential, session template: Session) async throws -> SignInResult {
        let identity = Identity(providerID: client.provider.id, profile: credential.profile)
        let (account, isNew) = try await directory.signIn(identity, now: template.lastProvenAt) { uid in
            var session = template
            session.accountUID = uid
            return session
        }
        return SignInResult(
            account: account, providerID: template.providerID, isNewUser: isNew, profile: credential.said,
            scopes: template.scopes,
            expiresAt: template.expiresAt ?? (template.accessToken == nil ? template.idTokenExpiresAt : nil),
            hasRefreshToken: template.refreshToken != nil, hasIDToken: template.idToken != nil,
            notes: credential.notes)
    }
}
