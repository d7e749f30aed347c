/// The dependencies of use cases that change a stored session: refresh and sign-out.
struct SessionServices: Sendable {
    let directory: any AccountDirectory
    let clock: Clock
    let lockDirectory: ConfigDirectory
    /// Returns a provider's client. Called only if required, because it reads the configuration and loads the HTTP
    /// client.
    let client: @Sendable (String) async throws -> ProviderClient

    /// Called when a request will follow soon.
    var prepare: @Sendable () -> Void = {}
    var refresh: @Sendable (_ isRunning: Bool) -> Void = { _ in }
    var workloads: (@Sendable () throws -> WorkloadTokens)?
    /// Returns a provider's current configuration without a request. If nil, that of `client` is used.
    var provider: (@Sendable (String) throws -> Provider)?
    /// Returns a provider's current configuration; nil if it has none.
    var configured: @Sendable (String) -> Provider? = { _ in nil }
    var hostOwner: @Sendable (HTTPURL) -> Provider? = { _ in nil }
    /// Returns the token that gh has for a user of a host.
    var ghToken: @Sendable (_ user: String, _ host: String) async -> AccessToken? = { _, _ in nil }
}

extension SessionServices {
    /// - Parameter isForHost: whether the token is for a host of the provider, which must be configured then.
    func requireIssuer(of session: Session, isForHost: Bool) async throws {
        // Only a provider has an issuer that can change.
        guard session.issuedBy == .provider else { return }
        guard isForHost else {
            _ = try configured(session.providerID)?.located(for: session)
            return
        }
        let provider =
            if let provider { try provider(session.providerID) } else { try await client(session.providerID).provider }
        _ = try provider.located(for: session)
    }

    /// - Parameter unless: called while another process holds the lock. A non-nil result is returned without more
    ///   waiting.
    func holding<R>(
        account: String, provider: String, resource: HTTPURL? = nil, unless: () async throws -> R? = { nil },
        _ body: (HeldLock) async throws -> R
    ) async throws -> R {
        let name = resource.map { "\(provider) \($0.text)" } ?? provider
        return try await SessionLock.holding(
            account: account, provider: name, in: lockDirectory, clock: clock, unless: unless, body)
    }
}
