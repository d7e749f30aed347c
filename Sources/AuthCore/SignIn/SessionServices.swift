/// What a use case needs that changes a stored session: refresh and sign-out.
struct SessionServices: Sendable {
    let directory: any AccountDirectory
    let clock: Clock
    let lockDirectory: ConfigDirectory
    /// Made only when the provider must be asked: it reads the configuration and loads the HTTP client.
    let client: @Sendable (String) async throws -> ProviderClient

    /// What machines get their tokens from; nil where there are none.
    var workloads: (@Sendable () throws -> WorkloadTokens)?
}

extension SessionServices {
    /// Runs `body` while this very session is ours to change.
    /// - Throws: `StoreError`, and what `body` throws.
    func holding<R>(_ session: Session, _ body: () async throws -> R) async throws -> R {
        let name = [session.providerID, session.resource?.text].compactMap { $0 }.joined(separator: " ")
        return try await holding(account: session.accountUID, provider: name, body)
    }

    /// Runs `body` while the session is ours to change.
    /// - Throws: `StoreError`, and what `body` throws.
    func holding<R>(account: String, provider: String, _ body: () async throws -> R) async throws -> R {
        try await SessionLock.holding(account: account, provider: provider, in: lockDirectory, clock: clock, body)
    }
}
