/// The dependencies of use cases that change a stored session: refresh and sign-out.
struct SessionServices: Sendable {
    let directory: any AccountDirectory
    let clock: Clock
    let lockDirectory: ConfigDirectory
    /// Made only when the provider must be asked: it reads the configuration and loads the HTTP client.
    let client: @Sendable (String) async throws -> ProviderClient

    /// Called when a request will follow soon.
    var prepare: @Sendable () -> Void = {}
    var workloads: (@Sendable () throws -> WorkloadTokens)?
    /// A provider as it is configured now, without asking it; nil to take that of `client`.
    var provider: (@Sendable (String) throws -> Provider)?
    var hostOwner: @Sendable (HTTPURL) -> Provider? = { _ in nil }
}

extension SessionServices {
    func requireIssuer(of session: Session) async throws {
        // Neither the directory's own tokens nor those of a CI system have a provider that could have moved.
        guard session.providerID != DirectorySession.id, !WorkloadPlatform.isPlatform(session.providerID) else {
            return
        }
        let provider =
            if let provider { try provider(session.providerID) } else { try await client(session.providerID).provider }
        _ = try provider.located(for: session)
    }

    /// - unless: called while another process has the lock; its result is taken instead of waiting any longer.
    func holding<R>(
        account: String, provider: String, resource: HTTPURL? = nil, unless: () async throws -> R? = { nil },
        _ body: () async throws -> R
    ) async throws -> R {
        let name = resource.map { "\(provider) \($0.text)" } ?? provider
        return try await SessionLock.holding(
            account: account, provider: name, in: lockDirectory, clock: clock, unless: unless, body)
    }
}
