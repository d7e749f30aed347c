/// Gets a token of an app's installation for one repository. It is not stored.
package struct IssueInstallationToken: Sendable {
    private let client: ProviderClient

    /// - Parameter provider: nil for the only one that supports apps.
    package init(at provider: String?, in profile: Profile) async throws {
        let known = Dialect.builtIn.first { $0.dialect.installations != nil }?.id
        guard let id = provider ?? known else { throw InstallationError.unsupported(provider: "") }
        client = try await profile.client(id)
    }

    package func run(_ request: InstallationRequest) async throws -> CurrentToken.Result {
        guard let installations = client.provider.dialect.installations else {
            throw InstallationError.unsupported(provider: client.provider.id)
        }
        let issued = try await installations.token(try client.appAPI(), request)
        let lifetime = issued.expiresAt - client.services.clock.now()
        return CurrentToken.Result(
            token: issued.token, providerID: client.provider.id,
            validity: TokenValidity(expiresAt: issued.expiresAt, lifetime: lifetime), scopes: issued.permissions)
    }
}

extension ProviderClient {
    /// Seconds that `iat` is in the past, because the provider's clock may be behind.
    private static let issuedEarlier: Int64 = 60
    /// Seconds. GitHub allows ten minutes.
    private static let lifetime: Int64 = 540

    /// The provider's API, called as the app itself and not for an installation.
    func appAPI() throws -> ProviderAPI {
        guard let appID = provider.appID, let root = try provider.apiRoot() else {
            throw InstallationError.notAnApp(provider: provider.id, isConfigured: !provider.clientID.isEmpty)
        }
        guard let key = clientKeys.privateKey else {
            throw InstallationError.keyMissing(provider: provider.id)
        }
        let now = services.clock.now()
        let token = try JWSSigner(key: key, algorithm: .rs256, keyID: nil).sign([
            "iat": JSONValue(now - ProviderClient.issuedEarlier), "exp": JSONValue(now + ProviderClient.lifetime),
            "iss": .string(appID),
        ])
        return ProviderAPI(
            root: root, clientID: provider.clientID, secret: nil, accessToken: AccessToken(token),
            transport: services.transport, clock: services.clock)
    }
}
