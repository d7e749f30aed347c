/// Signs in to a Firebase project by a way that no provider is.
package struct SignInToProject: Sendable {
    private let profile: Profile
    let directory: FirebaseDirectory

    package init(_ profile: Profile) throws {
        self.profile = profile
        directory = try profile.projectDirectory()
    }

    package func callAsFunction(
        _ token: CustomToken, _ operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        if case .reauthenticate(let uid) = operation {
            let account = try await directory.reauthenticate(customToken: token, as: uid)
            return result(account, ProjectSignInProvider.customToken, operation.kind)
        }
        let (account, isNew) = try await directory.signIn(customToken: token)
        return result(account, ProjectSignInProvider.customToken, operation.kind, isNew: isNew)
    }

    package func sendLink(to email: String) async throws {
        try PasswordPolicy.check(email: email)
        try await directory.sendSignIn(to: email)
    }

    package func check(_ code: ActionCode, of email: String) async throws {
        try await directory.check(code, for: .signIn, of: email)
    }

    package func callAsFunction(
        email: String, link code: ActionCode, _ operation: SignInOperation
    ) async throws -> SignInResult {
        let (provider, kind) = (ProjectSignInProvider.emailLink, operation.kind)
        switch operation {
        case .signIn:
            let (account, isNew) = try await directory.signIn(email: email, link: code)
            return result(account, provider, kind, isNew: isNew)
        case .link(let uid, let hasConsent):
            let now = directory.clock.now()
            let account = try await directory.link(
                email: email, link: code, to: uid, hasConsent: hasConsent, now: now)
            return result(account, provider, kind)
        case .reauthenticate(let uid):
            return result(try await directory.reauthenticate(email: email, link: code, as: uid), provider, kind)
        }
    }

    /// Makes an anonymous account, or uses the current one if it is anonymous. Simultaneous calls share one account.
    ///   - timeout: seconds to wait for another process that makes one.
    ///   - waiting: reports which process that is, and since when; nil if that is not known.
    package func anonymously(timeout: Int, waiting: (String?) -> Void) async throws -> SignInResult {
        var request = SignInRequest()
        request.timeout = timeout
        return try await SharedSignIn(profile: profile, directory: directory)(
            provider: ProjectSignInProvider.anonymous, request: request, isUserInitiated: true,
            // Processes that waited use the account that is current now.
            isEnough: { _ in false }, waiting: waiting
        ) {
            let (account, isNew) = try await directory.signInAnonymously()
            return result(account, ProjectSignInProvider.anonymous, .signIn, isNew: isNew)
        }
    }

    private func result(
        _ account: Account, _ provider: String, _ kind: SignInOperation.Kind, isNew: Bool = false
    ) -> SignInResult {
        // The grant is the project's own session, so `whoami` and `status` show more about it.
        let grant = Grant(
            providerID: provider, issuer: directory.project.issuer, clientID: directory.project.projectID,
            tokens: Tokens(tokenOrigin: ""), subject: account.uid, lastProvenAt: 0, source: .project)
        return SignInResult(kind, grant, of: account, isNew: isNew)
    }
}
