/// Signs in to a Firebase project without a provider: with a custom token, with an email link or anonymously.
package struct SignInToProject: Sendable {
    private let profile: Profile
    package let directory: FirebaseDirectory

    package init(_ profile: Profile) throws {
        self.profile = profile
        directory = try profile.projectDirectory()
    }

    package func acceptCustomToken(
        _ token: CustomToken, _ operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        try await result(
            try await directory.toolkit.signIn(customToken: token), by: ProjectSignInProvider.customToken, as: operation
        )
    }

    package func acceptEmailLink(
        email: String, link code: ActionCode, _ operation: SignInOperation
    ) async throws -> SignInResult {
        let provider = ProjectSignInProvider.emailLink
        guard case .link(let uid, let hasConsent) = operation else {
            return try await result(directory.toolkit.signIn(email: email, link: code), by: provider, as: operation)
        }
        let now = directory.clock.now()
        let account = try await directory.link(email: email, link: code, to: uid, hasConsent: hasConsent, now: now)
        return result(account, by: provider, as: .link)
    }

    /// Creates an anonymous account, or returns the current one if it is anonymous. Concurrent calls share one account.
    /// - Parameters:
    ///   - timeout: seconds to wait for another process that creates one.
    ///   - waiting: called with that process, and since when; nil if unknown.
    package func anonymously(timeout: Int, waiting: (String?) -> Void) async throws -> SignInResult {
        var request = SignInRequest()
        request.timeout = timeout
        return try await SharedSignIn(profile: profile, directory: directory).run(
            provider: ProjectSignInProvider.anonymous, request: request, isUserInitiated: true,
            // Processes that waited use the account that is current now.
            isEnough: { _ in false }, waiting: waiting
        ) {
            let (account, isNew) = try await directory.signInAnonymously()
            return result(account, by: ProjectSignInProvider.anonymous, as: .signIn, isNew: isNew)
        }
    }

    private func result(
        _ signedIn: (tokens: IdentityToolkit.Tokens, isNew: Bool), by provider: String, as operation: SignInOperation
    ) async throws -> SignInResult {
        if case .reauthenticate(let uid) = operation {
            let account = try await directory.reauthenticated(signedIn.tokens, as: uid, by: provider)
            return result(account, by: provider, as: operation.kind)
        }
        let account = try await directory.adopt(signedIn.tokens, of: nil, by: provider)
        return result(account, by: provider, as: operation.kind, isNew: signedIn.isNew)
    }

    private func result(
        _ account: Account, by provider: String, as kind: SignInOperation.Kind, isNew: Bool = false
    ) -> SignInResult {
        // Only for the result. `whoami` and `status` show more about the project's session.
        let grant = Grant(
            providerID: provider, issuer: directory.project.issuer, clientID: directory.project.projectID,
            tokens: Tokens(tokenOrigin: ""), subject: account.uid, lastProvenAt: 0, source: .project)
        return SignInResult(kind, with: grant, of: account, isNew: isNew)
    }
}
