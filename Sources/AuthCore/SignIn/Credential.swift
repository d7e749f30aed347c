/// What one sign-in with a provider yielded, all of it checked: who this is, and the ID token where there is one.
struct Credential: Sendable {
    var profile: ProviderProfile
    /// Verified claims and userinfo, for people and scripts.
    var said: JSONObject
    var idToken: VerifiedIDToken?
    var rawIDToken: RawIDToken?
    /// The nonce of that token as it was made here, or given.
    var rawNonce: Nonce?
    var notes: [String] = []
}

extension ProviderClient {
    /// The credential that a verified ID token is.
    func credential(
        of idToken: VerifiedIDToken, userInfo: JSONObject? = nil, user: JSONObject? = nil
    ) throws -> Credential {
        var said = idToken.profile
        if let userInfo { said.complete(with: userInfo) }
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

    func callAsFunction(
        _ credential: Credential, _ grant: Grant, _ operation: SignInOperation
    ) async throws -> SignInResult {
        let presented = AccountCredential(
            identity: Identity(providerID: client.provider.id, profile: credential.profile), grant: grant,
            said: credential.said, rawNonce: credential.rawNonce)
        return try await presented.settled(
            operation, in: directory, now: client.services.clock.now(), notes: credential.notes)
    }
}

extension AccountCredential {
    /// Does what the credential is for.
    /// - Throws: `AccountConflict`, `AccountRefusal`, the directory's errors.
    func settled(
        _ operation: SignInOperation, in directory: any AccountDirectory, now: Int64, notes: [String] = []
    ) async throws -> SignInResult {
        switch operation {
        case .signIn:
            let (account, isNew) = try await directory.signIn(self, now: now)
            return result(account, isNew: isNew, operation, notes)
        case .link(let uid, let hasConsent):
            let account = try await directory.link(self, to: uid, hasConsent: hasConsent, now: now)
            return result(account, isNew: false, operation, notes)
        case .reauthenticate(let uid):
            return result(
                try await directory.reauthenticate(self, as: uid, now: now), isNew: false, operation, notes)
        }
    }

    func result(
        _ account: Account, isNew: Bool, _ operation: SignInOperation, _ notes: [String] = []
    ) -> SignInResult {
        SignInResult(
            operation: operation.kind, account: account, providerID: grant.providerID, isNewUser: isNew,
            profile: said, scopes: grant.scopes,
            expiresAt: grant.expiresAt ?? (grant.accessToken == nil ? grant.idTokenExpiresAt : nil),
            hasRefreshToken: grant.refreshToken != nil, isRenewable: grant.isRenewable,
            hasIDToken: grant.idToken != nil, notes: notes)
    }
}
