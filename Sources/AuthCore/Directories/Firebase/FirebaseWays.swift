/// Ways into a project that no provider is.
extension FirebaseDirectory {
    /// Opens the account that a custom token names, or makes it, and makes it current.
    func signIn(customToken token: CustomToken) async throws -> (account: Account, isNew: Bool) {
        let (tokens, isNew) = try await toolkit.signIn(customToken: token)
        return (try await adopt(tokens, nil, by: ProjectWay.customToken), isNew)
    }

    /// Takes a custom token as a new proof of an account.
    /// - Throws: `AccountConflict.userMismatch`; nothing is changed then.
    func reauthenticate(customToken token: CustomToken, as uid: String) async throws -> Account {
        let (tokens, _) = try await toolkit.signIn(customToken: token)
        guard tokens.uid.hasSameBytes(as: uid) else { throw AccountConflict.userMismatch }
        return try await adopt(tokens, nil, by: ProjectWay.customToken, isCurrent: false)
    }
}

extension IdentityToolkit {
    func signIn(customToken token: CustomToken) async throws -> (Tokens, isNew: Bool) {
        let answer = try await call(
            "signInWithCustomToken", ["token": .string(token.revealed()), "returnSecureToken": true],
            secrets: [token.revealed()])
        return (try tokens(answer), answer["isNewUser"]?.bool == true)
    }
}
