import ArgumentParser
import AuthCore

/// Which token a command returns, how long it must remain valid, and what it is exchanged for.
struct TokenFlags: ParsableArguments {
    @Option(help: "The token's type: access or id (default: access, or id for a CI job without an access token).")
    var type: CurrentToken.Kind?

    @Option(
        help: .init(
            "Refresh the token if it expires within this time, for example 90 or 5m (default: 60, or a quarter of the token's lifetime if that is less).",
            valueName: "time"))
    var minTtl: TimeSpan?

    @Option(
        help: .init(
            "Use the token for this resource URL (RFC 8707); with --exchange: the target resource.", valueName: "url"))
    var resource: HTTPURL?

    @OptionGroup(title: "Exchange") var exchangeFlags: ExchangeFlags
    @OptionGroup(title: "GitHub App") var installation: InstallationFlags

    func validate() throws {
        try require(
            minTtl.map({ (0...31_536_000).contains($0.seconds) }) ?? true, "--min-ttl must be 0 to 31536000 seconds")
        let isExchanged = exchangeFlags.exchange != nil
        try require("--type access", isGiven: type != .id || isExchanged, for: ["--resource": resource?.text])
        try refuse(
            installation.given,
            with: ["--type id": type == .id, "--resource": resource?.text, "--exchange": exchangeFlags.exchange])
    }

    func errorContext(_ failed: String, provider: String?) -> ErrorContext {
        ErrorContext(failed, provider: provider, resource: exchangeFlags.exchange == nil ? resource?.text : nil)
    }

    func request(_ provider: some NamesSession, _ context: Context) throws -> CurrentToken.Request {
        var request = CurrentToken.Request()
        request.account = try context.account
        let url = provider.given.flatMap { $0.contains("://") ? try? HTTPURL($0) : nil }
        // A URL can be a provider's issuer, as in the sign-in with it.
        let issuer = try url.flatMap(context.providerID(at:)).flatMap { try context.profile.find($0)?.configuration }
        let own = issuer?.addedForResource == nil ? issuer?.id : nil
        request.provider = try url == nil ? provider.id.map(context.named) : own
        request.kind = type
        request.minimumLifetime = minTtl?.seconds
        if exchangeFlags.exchange == nil { request.resource = resource ?? (request.provider == nil ? url : nil) }
        return request
    }

    func token(
        _ request: CurrentToken.Request, for use: TokenExchange.Use, in context: Context
    ) async throws -> CurrentToken.Result {
        if let socket = context.tokenSocket {
            try requireSocketOptions()
            return try await context.givenToken(request) ?? socket.token(request)
        }
        if let repository = installation.repository {
            let issued = InstallationRequest(repository, installation.permissions.permission)
            return try await IssueInstallationToken(at: request.provider, in: context.profile).run(issued)
        }
        guard let exchanged = try await exchanged(request, for: use, in: context) else {
            return try await context.token(request)
        }
        return exchanged.result
    }

    /// Rejects options that a token socket does not support, instead of ignoring them.
    func requireSocketOptions(_ others: GivenOptions = [:]) throws(UsageProblem) {
        let own: GivenOptions = ["--type id": type == .id, "--min-ttl": minTtl, "--exchange": exchangeFlags.exchange]
        let given = (others + own + installation.given).list.map(\.name)
        try require(
            given.isEmpty,
            .other(
                "\(given.joined(separator: ", ")) cannot be used with AUTHCTL_SOCKET",
                hint: "to use the sessions of this machine: unset AUTHCTL_SOCKET"))
    }

    func exchanged(
        _ request: CurrentToken.Request, for use: TokenExchange.Use, in context: Context
    ) async throws -> TokenExchangeResult? {
        guard let id = try exchangeFlags.exchange.map(context.named) else { return nil }
        func failed(_ error: any Error) -> ExchangeFailed {
            ExchangeFailed(provider: id, audiences: exchangeFlags.audience, resource: resource?.text, error: error)
        }
        let exchange: TokenExchange
        do { exchange = try await TokenExchange(at: id, in: context.profile) } catch { throw failed(error) }
        let subject: CurrentToken.Result
        var request = request
        request.isSubject = true
        do {
            subject = try await context.token(request)
        } catch NotSignedIn.onlyForResources(_, let provider) {
            throw UsageProblem.other(
                "the account has only tokens for several resources, and it is unclear which to exchange",
                hint: "for a token that can be exchanged: \(run: .signIn(provider))")
        }
        var exchangeRequest = TokenExchange.Request()
        exchangeRequest.audiences = exchangeFlags.audience
        exchangeRequest.use = use
        exchangeRequest.resource = resource
        exchangeRequest.scopes = Scopes.split(exchangeFlags.scope.joined(separator: " "))
        exchangeRequest.parameters = try exchangeFlags.parameters()
        exchangeRequest.isSessionNamed = request.provider != nil
        do { return try await exchange.run(subject, exchangeRequest) } catch { throw failed(error) }
    }
}
