extension Profile {
    func sessionServices(creating: Bool = false) throws -> SessionServices {
        let clients = ClientsInUse(profile: self)
        return SessionServices(
            directory: try directory(creating: creating), clock: clock, lockDirectory: configDirectory,
            client: { try await clients.client($0) }, prepare: { self.prepareRequests() },
            refresh: { self.host.refresh(isRunning: $0) },
            workloads: { try self.workloads() },
            provider: { try self.resolve($0).provider() }, configured: { self.configured($0) },
            hostOwner: { self.owner(of: $0) }, ghToken: { await self.ghToken(of: $0, at: $1) })
    }

    /// A copy of the token that gh has for a user of a host; nil if it has none.
    package func ghToken(of user: String, at host: String) async -> AccessToken? {
        let command = ["gh", "auth", "token", "--hostname", host, "--user", user]
        let text = (try? await self.host.output(of: command))?.prefix { !$0.isWhitespace } ?? ""
        return text.isEmpty ? nil : AccessToken(String(text))
    }

    private func configured(_ id: String) -> Provider? { (try? find(id))??.configuration }

    /// Lets the next `CurrentToken.stored` skip `config.yaml`. If a session is from another issuer than the configured
    /// one, `CurrentToken` must compare them.
    package func rememberDirectory() async {
        guard let store = try? store(creating: false), let origin = try? origin(),
            let mark = try? settings().digest(namesEmulator: namedEmulator != nil)
        else { return }
        await SessionStore(store: store, profile: name, origin: origin).remember(mark) { session in
            guard let provider = configured(session.providerID) else { return true }
            return (try? provider.located(for: session)) != nil
        }
    }

    /// Whether the session is from another issuer than the configured one.
    package func hasOtherIssuer(_ session: SessionSummary) -> Bool {
        guard !session.isDamaged, let provider = configured(session.providerID) else { return false }
        return (try? provider.located(for: session.issuer, session.source)) == nil
    }

    package func workloads() throws -> WorkloadTokens { WorkloadTokens(host: host, services: try services()) }
}

/// The provider clients of one use case, cached so that each key and its passphrase are requested only once.
private actor ClientsInUse {
    private let profile: Profile
    private var made: [String: ProviderClient] = [:]

    init(profile: Profile) { self.profile = profile }

    func client(_ id: String) async throws -> ProviderClient {
        if let client = made[id] { return client }
        let client = try await profile.client(id)
        made[id] = client
        return client
    }
}
