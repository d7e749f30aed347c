import AuthCore

/// A token in the environment: `AUTHCTL_GITHUB_COM_TOKEN`, or a file whose path is in `AUTHCTL_GITHUB_COM_TOKEN_FILE`.
/// It is used instead of the store, unless an account is named.
struct EnvironmentToken {
    let providerID: String
    let variable: String
    /// Reads a file again at each use, because another program may renew the token.
    private let read: @Sendable () throws -> String

    func token() throws -> AccessToken {
        let text = try read()
        // The token is sent in a header (RFC 6750 section 2.1).
        try require(
            text.isVisibleASCII,
            .other(
                "\(variable) does not contain a token: there is a space, a line break or another character that no token has",
                hint: "remove everything except the token from it"))
        return AccessToken(text)
    }

    static func of(_ provider: String, _ environment: Environment) -> EnvironmentToken? {
        let name = Provider.variable("TOKEN", of: provider)
        if let value = environment[name] { return EnvironmentToken(providerID: provider, variable: name) { value } }
        return environment[name + "_FILE"].map { path in
            EnvironmentToken(providerID: provider, variable: name + "_FILE") { try SecretInput.secretFile(path) }
        }
    }

    static func isAny(in environment: Environment) -> Bool {
        environment.variables.contains { name, value in
            name.hasPrefix("AUTHCTL_") && name.count > "AUTHCTL__TOKEN".count && !value.isEmpty
                && (name.hasSuffix("_TOKEN") || name.hasSuffix("_TOKEN_FILE"))
        }
    }
}

extension Context {
    func environmentTokens() throws -> [EnvironmentToken] {
        guard EnvironmentToken.isAny(in: environment) else { return [] }
        let configured = try profile.providerIDs()
        let ids = configured + Dialect.builtIn.map(\.id).filter { !configured.contains($0) }
        return try ids.compactMap { try environmentToken(of: $0) }
    }

    private func environmentToken(of provider: String) throws -> EnvironmentToken? {
        let token = EnvironmentToken.of(provider, environment)
        return try token.flatMap { try profile.isOwn(variable: $0.variable, of: provider) ? $0 : nil }
    }

    /// - Parameter url: of several tokens, the only one whose provider allows this URL is used.
    func environmentToken(_ provider: String?, for url: HTTPURL? = nil) async throws -> EnvironmentToken? {
        guard namedAccount == nil, EnvironmentToken.isAny(in: environment) else { return nil }
        if let provider { return try environmentToken(of: provider) }
        let tokens = try environmentTokens()
        guard !tokens.isEmpty else { return nil }
        if tokens.count > 1, let url {
            let allowed = try await profile.providers(for: url, .api, named: nil).map(\.id)
            let fitting = tokens.filter { allowed.contains($0.providerID) }
            if fitting.count == 1 { return fitting[0] }
        }
        // The store's current provider; if there is none, the only provider with a token in the environment.
        if let chosen = try await profile.sessionStoreForDisplay()?.currentProvider() {
            return try environmentToken(of: chosen)
        }
        guard tokens.count == 1 else {
            throw UsageProblem.other(
                "the environment has several tokens: choose one with --provider (\(tokens.map(\.providerID).joined(separator: ", ")))",
                hint: "add --provider \(tokens[0].providerID)")
        }
        return tokens[0]
    }

    /// The environment's access token, which comes before the store and before a socket.
    func givenToken(_ request: CurrentToken.Request) async throws -> CurrentToken.Result? {
        guard request.kind != .id, request.resource == nil, let given = try await environmentToken(request.provider)
        else { return nil }
        return CurrentToken.Result(token: try given.token(), providerID: given.providerID)
    }

    func token(_ request: CurrentToken.Request) async throws -> CurrentToken.Result {
        if let given = try await givenToken(request) { return given }
        do { return try await CurrentToken(profile).run(request) } catch NotSignedIn.noAccount {
            throw request.provider.map { NotSignedIn.noSession(provider: $0) } ?? .noAccount
        }
    }

    /// A new token of the CI system for a different audience than the job's session.
    func jobToken(_ request: CurrentToken.Request, for audience: String) async throws -> CurrentToken.Result {
        if let result = try await CurrentToken(profile).jobToken(request, audience: audience) { return result }
        throw UsageProblem.other(
            "the session's provider does not issue tokens for other audiences, as CI systems do",
            hint: "exchange the token: add --exchange ID")
    }
}
