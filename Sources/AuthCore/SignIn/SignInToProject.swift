/// Signs in to a Firebase project by a way that no provider is.
public struct SignInToProject: Sendable {
    let directory: FirebaseDirectory

    /// - Throws: `NoProject` where the accounts live on this machine; what `Profile.directory` throws.
    public init(_ profile: Profile) throws { directory = try profile.projectDirectory() }

    /// Takes a token that the project's own server made.
    /// - Throws: `FirebaseError`; `AccountConflict.userMismatch` at a new proof of somebody else.
    public func callAsFunction(
        _ token: CustomToken, _ operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        if case .reauthenticate(let uid) = operation {
            let account = try await directory.reauthenticate(customToken: token, as: uid)
            return result(account, operation.kind)
        }
        let (account, isNew) = try await directory.signIn(customToken: token)
        return result(account, operation.kind, isNew: isNew)
    }

    private func result(_ account: Account, _ kind: SignInOperation.Kind, isNew: Bool = false) -> SignInResult {
        // What was granted is the project's own session: `whoami` and `status` say more of it.
        let grant = Grant(
            providerID: ProjectWay.customToken, issuer: directory.project.issuer, clientID: directory.project.projectID,
            tokens: Tokens(tokenOrigin: ""), subject: account.uid, lastProvenAt: 0, source: .project)
        return SignInResult(kind, grant, of: account, isNew: isNew)
    }
}
