/// The emails of a Firebase project, and the codes in them.
package struct ProjectMails: Sendable {
    private let profile: Profile
    private let directory: FirebaseDirectory

    package init(_ profile: Profile) throws {
        self.profile = profile
        directory = try profile.projectDirectory()
    }

    package func sendPasswordReset(to email: String) async throws {
        try PasswordPolicy.check(email: email)
        try await directory.sendPasswordReset(to: email)
    }

    package func sendVerification(for account: Account) async throws {
        guard account.email != nil else { throw AccountRefusal.noEmail }
        try await directory.sendVerification(of: account.uid)
    }

    package func check(_ code: ActionCode, for action: MailAction, of email: String) async throws {
        try await directory.check(code, for: action, of: email)
    }

    package func resetPassword(_ email: String, with code: ActionCode, to password: Password) async throws -> Bool {
        try await directory.resetPassword(code, to: password)
        var isSessionEnded = false
        for account in try await directory.sessionStore.accounts(named: email) {
            var request = CurrentToken.Request()
            request.account = account.uid
            request.provider = DirectorySession.id
            request.forcesRefresh = true
            // Refreshed now, so that the caller does not get an expired token.
            do { _ = try await CurrentToken(profile)(request) } catch NotSignedIn.refused {
                isSessionEnded = true
            } catch {}
        }
        return isSessionEnded
    }

    package func verify(_ account: Account, with code: ActionCode) async throws -> Account {
        try await directory.verifyEmail(code, of: account, now: profile.clock.now())
    }
}
