extension Profile {
    /// Resets the password of a Firebase project's account with the code from an email. Returns whether the reset ended
    /// a session on this machine.
    package func resetPassword(
        _ email: String, with code: ActionCode, to password: Password, in directory: FirebaseDirectory
    ) async throws -> Bool {
        try await directory.resetPassword(code, to: password)
        var isSessionEnded = false
        for account in try await directory.sessionStore.accounts(named: email) {
            var request = CurrentToken.Request(account: account.uid, provider: SessionIssuer.projectID)
            request.forcesRefresh = true
            // Refreshed now, so that the caller does not get an expired token.
            do { _ = try await CurrentToken(self).run(request) } catch NotSignedIn.refused {
                isSessionEnded = true
                // The project has removed the account's other providers, and a sign-in with one would make an account.
                var left = account
                left.providerData = [PasswordProvider.identity(email: email)]
                let ended = try await directory.sessionStore.sessions(account: account.uid)
                try await directory.sessionStore.adopt(
                    left, with: [], makesCurrent: false, forgetting: ended.map(\.providerID))
            } catch {}
        }
        return isSessionEnded
    }
}
