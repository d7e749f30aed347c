/// Runs one sign-in at a time for a provider and a profile. Other processes wait and use its result, so that fifty
/// scripts open one browser.
struct SharedSignIn: Sendable {
    let profile: Profile
    let directory: any AccountDirectory
    private var clock: Clock { profile.clock }
    private var timedOutSignIns: TimedOutSignIns { TimedOutSignIns(sessionStore: directory.sessionStore) }

    /// - Parameter waiting: called with the process that holds the lock, and since when; nil if unknown.
    func run(
        provider: String, request: SignInRequest, isUserInitiated: Bool, isEnough: (Session) -> Bool,
        waiting: (String?) -> Void, _ signIn: () async throws -> SignInResult
    ) async throws -> SignInResult {
        let name = try FileLock.name("signin", of: "\(profile.name) \(provider) \(request.userOptions)")
        let (directory, began) = (profile.configDirectory, clock.now())
        do {
            return try await FileLock.holding(name, in: directory, clock: clock, timeout: 0) { _ in
                try await counted(provider, request: request, isUserInitiated: isUserInitiated, signIn: signIn)
            }
        } catch StoreError.busy(name, let holder) {
            waiting(holder)
        }
        do {
            return try await FileLock.holding(name, in: directory, clock: clock, timeout: Double(request.timeout)) {
                _ in
                if let shared = try await shared(provider, for: request.resource, since: began, isEnough: isEnough) {
                    return shared
                }
                return try await counted(provider, request: request, isUserInitiated: isUserInitiated, signIn: signIn)
            }
        } catch StoreError.busy(name, _) {
            throw SignInError.timedOut(seconds: request.timeout)
        }
    }

    private func counted(
        _ provider: String, request: SignInRequest, isUserInitiated: Bool, signIn: () async throws -> SignInResult
    ) async throws -> SignInResult {
        if !isUserInitiated {
            let pause = try await timedOutSignIns.pause(provider, for: request.fingerprint, now: clock.now())
            guard pause == 0 else { throw SignInError.recentlyTimedOut(pause: Int(pause)) }
        }
        let result: SignInResult
        do { result = try await signIn() } catch SignInError.timedOut(let seconds) where !isUserInitiated {
            try await timedOutSignIns.add(provider, for: request.fingerprint, now: clock.now())
            throw SignInError.timedOut(seconds: seconds)
        }
        // The sign-in has succeeded, whatever happens to this count.
        try? await timedOutSignIns.forget(provider)
        return result
    }

    /// The current account's session, if another process has just created it.
    private func shared(
        _ provider: String, for resource: HTTPURL?, since: Int64, isEnough: (Session) -> Bool
    ) async throws -> SignInResult? {
        guard let uid = try await directory.sessionStore.currentUID(),
            let account = try await directory.sessionStore.account(uid: uid),
            let session = try await directory.sessionStore.session(
                account: uid, provider: provider, resource: resource), session.lastProvenAt >= since, isEnough(session)
        else { return nil }
        return SignInResult(.signIn, with: session.grant, of: account)
    }
}
