/// Checks whether a provider knows a client, before it is stored. If the client supports only the device flow, requests
/// a device code. Otherwise redeems an invalid code: a known client gets a different error than an unknown one.
package struct ClientCheck: Sendable {
    package enum Result: Sendable, Equatable {
        case known
        case refused(code: String, description: ServerText?)
        case unclear
    }

    package init() {}

    package func run(_ client: ProviderClient, for resource: HTTPURL? = nil) async throws -> Result {
        let endpoint = try client.tokenEndpoint(for: resource)
        let device = client.usesDeviceFlowOnly ? client.metadata[.deviceAuthorization] : nil
        do {
            if let device {
                _ = try await endpoint.authorizeDevice(
                    at: device, scopes: client.provider.scopes(adding: []),
                    nameOfURL: client.provider.dialect.deviceURLName)
            } else {
                let redirect = try RedirectURI(client.provider, port: nil, responseMode: .query, isPasted: true)
                _ = try await endpoint.redeem(
                    AuthorizationCode("authctl-has-no-code"),
                    verifier: ProofKey(random: client.services.random).verifier,
                    redirectURI: redirect.unattendedURI(port: nil))
            }
            return .known
        } catch OAuthError.refused(let code, let description, _) {
            let isOfClient =
                device != nil || client.provider.dialect.refusesClient(code, description?.description ?? "")
            return isOfClient ? .refused(code: code, description: description) : .known
        } catch OAuthError.invalidResponse {
            return .unclear
        }
    }
}
