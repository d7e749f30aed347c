/// Signs in to the directory with an address and a password.
package struct PasswordSignIn: Sendable {
    let directory: any AccountDirectory
    let clock: Clock

    package init(directory: any AccountDirectory, clock: Clock) {
        self.directory = directory
        self.clock = clock
    }

    package func create(email: String, _ password: Password) async throws -> SignInResult {
        try PasswordPolicy.check(email: email)
        try directory.check(password, of: email)
        let account = try await directory.signUp(email: email, password, now: clock.now())
        return result(account, kind: .signIn, isNew: true)
    }

    package func run(
        email: String, _ password: Password, as operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        let now = clock.now()
        let account =
            if case .reauthenticate(let uid) = operation {
                try await directory.reauthenticate(email: email, password, as: uid, now: now)
            } else { try await directory.signIn(email: email, password, now: now) }
        return result(account, kind: operation.kind, isNew: false)
    }

    package func link(_ account: Account, email given: String?, password: Password) async throws -> SignInResult {
        let email = try directory.address(of: account, given: given)
        try PasswordPolicy.check(email: email)
        try directory.check(password, of: email)
        let linked = try await directory.linkPassword(password, email: email, to: account.uid, now: clock.now())
        return result(linked, kind: .link, isNew: false)
    }

    package func change(_ uid: String, to password: Password) async throws -> Account {
        guard let account = try await directory.sessionStore.account(uid: uid) else { throw NotSignedIn.noAccount }
        try directory.check(password, of: account.email ?? "")
        return try await directory.setPassword(password, of: uid, now: clock.now())
    }

    private func result(_ account: Account, kind: SignInOperation.Kind, isNew: Bool) -> SignInResult {
        SignInResult(kind, with: PasswordProvider.grant(now: clock.now()), of: account, isNew: isNew)
    }
}
