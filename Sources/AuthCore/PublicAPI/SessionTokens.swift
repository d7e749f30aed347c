public import Logging

/// The tokens of one session: the stored token while it is valid, and then a new one, for which one request is sent.
public struct SessionTokens: AccessTokenSource {
    let sessions: Sessions
    let provider: String?
    let account: String?
    let kind: IssuedToken.Kind
    let resource: String?

    struct Key: Hashable {
        let provider: String?
        let account: String?
        let kind: IssuedToken.Kind
        let minimum: Int64?
        let resource: String?
    }

    /// The session of these tokens, without secrets.
    public var description: String {
        "session \(provider ?? "*") of \(account ?? "the current account")" + (resource.map { " for \($0)" } ?? "")
    }

    public func accessToken(minimumLifetime: Duration, logger: Logger) async throws -> IssuedToken {
        try await AuthError.wrapping(provider: provider) {
            let request = try request(validFor: minimumLifetime.wholeSeconds)
            let profile = try sessions.profile()
            let key = Key(
                provider: provider, account: account, kind: kind, minimum: request.minimumLifetime, resource: resource)
            return try await sessions.inFlight.run(key) {
                let result = try await CurrentToken(profile).run(request)
                logger.debug("token", metadata: ["provider": "\(result.providerID)"])
                let client = result.binding != .dpop ? nil : try await profile.client(result.providerID)
                return IssuedToken(
                    result.token.revealed(), kind: result.token.kind == .access ? .access : .id,
                    provider: result.providerID, expiresAt: result.expiresAt, scopes: result.scopes,
                    prover: try client.flatMap(result.prover), binding: result.binding, account: account,
                    destinations: try TokenDestinations(of: result, in: profile))
            }
        }
    }

    private func request(validFor seconds: Int64) throws -> CurrentToken.Request {
        var request = CurrentToken.Request(account: account, provider: provider)
        request.kind = kind == .access ? nil : .id
        // The default of `accessToken()` shrinks with the token's lifetime.
        request.minimumLifetime = seconds == TokenValidity.defaultMargin ? nil : seconds
        request.resource = try resource.map { try HTTPURL($0) }
        return request
    }

    public func refused(_ token: IssuedToken, logger: Logger) async {
        guard token.kind == .access, let provider = token.provider, let profile = try? sessions.profile() else {
            return
        }
        do {
            var request = try request(validFor: 0)
            request.provider = provider
            try await CurrentToken(profile).distrust(token.accessToken, for: request)
            logger.notice("token refused", metadata: ["provider": "\(provider)"])
        } catch {
            logger.warning("a refused token stays", metadata: ["error": "\(AuthError(error))"])
        }
    }
}
