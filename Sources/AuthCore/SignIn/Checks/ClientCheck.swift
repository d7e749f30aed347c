/// Asks a provider whether it knows a client, before anything is kept of it: for a code for another device where that is
/// the client's way in; else it redeems a code that nobody gave, which is refused for another reason than the client.
package struct ClientCheck: Sendable {
    package enum Answer: Sendable, Equatable {
        case known
        case refused(code: String, description: ServerText?)
        case unclear
    }

    package init() {}

    package func callAsFunction(_ client: ProviderClient) async throws -> Answer {
        let endpoint = try client.tokenEndpoint()
        let device = client.signsInByDeviceAlone ? client.metadata.deviceAuthorizationEndpoint : nil
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
