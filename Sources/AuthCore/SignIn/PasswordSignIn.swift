/// Signs in to the directory with an address and a password.
///
/// Whoever guesses learns nothing: an unknown address and a wrong password get the same answer after the same work, and
/// failures slow down the next attempt whether anybody has the address or not.
public struct PasswordSignIn: Sendable {
    let directory: any AccountDirectory
    let clock: Clock
    let random: RandomSource
    let cost: PasswordHash.Cost

    public init(
        directory: any AccountDirectory, clock: Clock, random: RandomSource = .openSSL,
        cost: PasswordHash.Cost = .current
    ) {
        self.directory = directory
        self.clock = clock
        self.random = random
        self.cost = cost
    }

    /// Makes an account.
    /// - Throws: `PasswordError`, `AccountConflict.emailAlreadyInUse`.
    public func create(email: String, _ password: Password) async throws -> SignInResult {
        try PasswordPolicy.check(email: email)
        try PasswordPolicy.check(password, email: email)
        let hash = try PasswordHash(password, cost: cost, random: random)
        let account = try await directory.signUp(email: email, hash, now: clock.now())
        return SignInResult(
            operation: .signIn, account: account, providerID: PasswordProvider.id, isNewUser: true,
            profile: JSONObject(), scopes: [], expiresAt: nil, hasRefreshToken: false, isRenewable: false,
            hasIDToken: false, notes: [])
    }

    /// - Throws: `PasswordError.wrong`, `.throttled`; `AccountConflict.userMismatch` at a new proof of somebody else.
    public func callAsFunction(
        email: String, _ password: Password, _ operation: SignInOperation = .signIn
    ) async throws -> SignInResult {
        let now = clock.now()
        let (uid, hash): (String, PasswordHash)
        switch try await directory.beginPasswordAttempt(email: email, now: now) {
        case .throttled(let wait): throw PasswordError.throttled(wait)
        case .unknown:
            // The same work for an address that nobody has.
            _ = try PasswordHash(password, cost: cost, random: random)
            throw PasswordError.wrong
        case .account(let found, let kept): (uid, hash) = (found, kept)
        }
        guard try hash.matches(password) else { throw PasswordError.wrong }
        try await directory.forgivePasswordAttempts(email: email)
        if hash.cost != cost {
            let stronger = try PasswordHash(password, cost: cost, random: random)
            try await directory.upgradePassword(of: uid, from: hash, to: stronger)
        }
        if case .reauthenticate(let expected) = operation, expected != uid { throw AccountConflict.userMismatch }
        let credential = AccountCredential(
            identity: PasswordProvider.identity(email: email),
            session: PasswordProvider.session(account: uid, now: now), said: JSONObject())
        return try await credential.settled(operation, in: directory, now: now)
    }

    /// Sets or changes the password of an account.
    /// - Throws: `PasswordError.weak`, `AccountRefusal`, `AccountConflict`.
    public func change(_ uid: String, to password: Password) async throws -> Account {
        // Before the work: nobody waits for a hash to hear that a proof is missing.
        try await directory.requireRecentLogin(uid, now: clock.now())
        guard let account = try await directory.account(uid: uid) else { throw NotSignedIn.noAccount }
        try PasswordPolicy.check(password, email: account.email ?? "")
        let hash = try PasswordHash(password, cost: cost, random: random)
        let changed = try await directory.setPassword(hash, of: uid, now: clock.now())
        if let email = account.email { try await directory.forgivePasswordAttempts(email: email) }
        return changed
    }
}
