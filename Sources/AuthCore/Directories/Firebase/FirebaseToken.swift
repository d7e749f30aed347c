/// A project's ID token that may be stored. Its signature and claims are valid, or it is an unsigned token of the
/// configured emulator with valid claims. Only the verifier creates it.
struct AcceptedFirebaseToken: Sendable {
    /// Seconds since 1970.
    let expiresAt: Int64
    /// Seconds from issue to expiry; nil if that is unknown.
    let lifetime: Int64?
    let authenticatedAt: Int64?

    fileprivate init(expiresAt: Int64, lifetime: Int64?, authenticatedAt: Int64?) {
        (self.expiresAt, self.lifetime, self.authenticatedAt) = (expiresAt, lifetime, authenticatedAt)
    }
}

/// Checks a project's ID tokens (Firebase, "Verify ID tokens using a third-party JWT library").
struct FirebaseTokenVerifier: Sendable {
    let project: FirebaseProject
    let fetcher: DocumentFetcher

    func verify(_ token: RawIDToken, of uid: String, now: Int64) async throws -> AcceptedFirebaseToken {
        guard project.emulator == nil else { return try unsigned(token, of: uid, now: now) }
        let keys = KeySource(fetcher: fetcher, published: try project.publishedKeys())
        var expected = ExpectedIDToken(
            issuers: .exact(project.issuer), audience: project.projectID, nonce: .notChecked, now: now)
        expected.acceptUIDs()
        let verified = try await keys.verify(token, expecting: expected)
        guard verified.subject.hasSameBytes(as: uid) else { throw IDTokenRejection.claim("sub") }
        try project.checkClaims(verified.claims, now: now)
        return AcceptedFirebaseToken(
            expiresAt: verified.expiresAt, lifetime: verified.lifetime, authenticatedAt: verified.authenticatedAt)
    }

    static func unverifiedClaims(_ token: String) throws(IDTokenRejection) -> JSONObject {
        do { return try UnverifiedJWS.claims(of: token) } catch { throw .jose(error) }
    }

    static func subject(_ token: String) -> String? { (try? unverifiedClaims(token))?["sub"]?.string }

    private func unsigned(
        _ token: RawIDToken, of uid: String, now: Int64
    ) throws(IDTokenRejection) -> AcceptedFirebaseToken {
        let claims = try FirebaseTokenVerifier.unverifiedClaims(token.revealed())
        guard claims["iss"] == .string(project.issuer) else {
            throw .issuer(ServerText(claims["iss"]?.string ?? ""), expected: project.issuer)
        }
        guard claims["aud"] == .string(project.projectID) else {
            throw .audience(ServerText(claims["aud"]?.string ?? ""), expected: project.projectID)
        }
        guard claims["sub"] == .string(uid) else { throw .claim("sub") }
        guard let exp = claims["exp"], exp.number != nil, let expiresAt = Seconds.time(of: exp) else {
            throw .claim("exp")
        }
        guard now < expiresAt + ExpectedIDToken.clockSkew else { throw .expired(at: expiresAt, now: now) }
        try project.checkTenant(of: claims)
        return AcceptedFirebaseToken(
            expiresAt: expiresAt, lifetime: Seconds.time(of: claims["iat"]).map { max(0, expiresAt - $0) },
            authenticatedAt: Seconds.time(of: claims["auth_time"]))
    }
}

/// An account as `accounts:lookup` describes it.
enum FirebaseAccount {
    static func read(_ user: JSONObject, _ project: FirebaseProject) throws(FirebaseError) -> Account {
        let entries = user["providerUserInfo"]?.array ?? []
        try checkProviders(entries.compactMap { $0.object?["providerId"]?.string })
        guard let uid = user["localId"]?.string, Account.isUID(uid) else { throw .invalidResponse(.noUID) }
        let identities = entries.compactMap { entry -> Identity? in
            guard let info = entry.object, let provider = info["providerId"]?.string,
                let rawID = info["rawId"]?.string ?? info["federatedId"]?.string, !rawID.isEmpty
            else { return nil }
            let email = info["email"]?.string
            return Identity(
                key: IdentityKey(providerID: provider, authority: project.authority, federatedID: rawID), email: email,
                isEmailVerified: email != nil && email == user["email"]?.string && user["emailVerified"]?.bool == true,
                displayName: info["displayName"]?.string, photoURL: info["photoUrl"]?.string,
                screenName: info["screenName"]?.string, isPrivateRelay: Dialect.isRelay(email))
        }
        return Account(
            uid: uid, email: user["email"]?.string,
            isEmailVerified: user["emailVerified"]?.bool ?? false, displayName: user["displayName"]?.string,
            photoURL: user["photoUrl"]?.string, createdAt: milliseconds(user["createdAt"]),
            lastSignInAt: milliseconds(user["lastLoginAt"]), providerData: identities)
    }

    static func checkProviders(_ ids: [String]) throws(FirebaseError) {
        guard ids.allSatisfy(IdentityKey.isProviderID) else { throw .invalidResponse(.noProviderID) }
    }

    static func moved(_ account: Account, to email: String) -> Account {
        var account = account
        account.email = email
        account.isEmailVerified = false
        for index in account.providerData.indices
        where account.providerData[index].key.providerID == PasswordProvider.id {
            account.providerData[index].key.federatedID = email
            account.providerData[index].email = email
            account.providerData[index].isEmailVerified = false
        }
        return account
    }

    /// Converts milliseconds since 1970 to seconds. The response has 64-bit numbers as strings, smaller ones as strings
    /// or numbers.
    private static func milliseconds(_ value: JSONValue?) -> Int64 {
        let milliseconds = value?.number?.integer ?? value?.string.flatMap { Int64($0) } ?? 0
        return Seconds.time(milliseconds / 1000)
    }
}
