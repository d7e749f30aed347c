/// Exchanges a session's token for another one (RFC 8693), which is not stored. If the request is rejected, no other
/// grant is tried.
/// The session's token goes to another issuer only if the user names that issuer, and never if it is sender-constrained.
package struct TokenExchange: Sendable {
    /// The requested token.
    package struct Request: Sendable {
        /// The target services, by names that the server knows (RFC 8693 section 2.1).
        package var audiences: [String] = []
        /// The target resource (RFC 8707).
        package var resource: HTTPURL?
        package var scopes: [String] = []
        /// Parameters that RFC 8693 does not define.
        package var parameters: [(String, String)] = []
        package var isSessionNamed = false
        package var use = Use.stored

        package init() {}
    }

    package enum Use: Sendable { case stored, bearer, proof }

    private let client: ProviderClient

    package init(at provider: String, in profile: Profile) async throws { client = try await profile.client(provider) }

    init(client: ProviderClient) { self.client = client }

    package func run(_ subject: CurrentToken.Result, _ request: Request) async throws -> TokenExchangeResult {
        try client.refuseUnderFAPI2(.exchange)
        // A token is not sent to a provider that is known not to support exchanges.
        guard !client.provider.isBuiltIn else { throw DiscoveryError.unsupported(.tokenExchange) }
        let own = try subject.renewing(client)
        if own == nil { try checkOtherProvider(subject, request) }
        let key = try own.flatMap(subject.prover)
        // The new token of a session without a binding is a bearer token. Other tokens get a new DPoP key if the
        // configuration enables it.
        let prover = try key ?? (own != nil ? nil : client.newProver(isRequested: false))
        try check(request.use, prover: prover, isKeyStored: key != nil)
        if subject.binding == .certificate, let session = subject.session { _ = try own?.certificate(of: session) }
        let client = own ?? client
        let response = try await client.tokenEndpoint(prover, for: request.resource).exchange(
            subject.token.revealed(), as: subject.token.kind == .id ? .idToken : .accessToken, scopes: request.scopes,
            parameters: request.audiences.map { ("audience", $0) } + request.parameters, at: .exchange)
        let certificate = try client.certificate(binding: response.accessToken)
        let result = CurrentToken.Result(
            response, of: client.provider.id, requested: request.scopes,
            binding: prover != nil ? .dpop : certificate != nil ? .certificate : .bearer,
            now: client.services.clock.now(), notes: subject.notes)
        return TokenExchangeResult(result: result, prover: prover)
    }

    /// Checked before the request, so that no unusable token is issued.
    private func check(_ use: Use, prover: DPoPProver?, isKeyStored: Bool) throws(TokenBindingError) {
        let provider = client.provider.id
        switch use {
        case .proof where prover == nil: throw .exchangedUnbound(provider: provider)
        // The key is not stored: after this process, the token could not be used.
        case .stored where prover != nil && !isKeyStored: throw .bearerOnly(provider: provider, .dpop)
        case .bearer where prover != nil: throw .bearerOnly(provider: provider, .dpop)
        default: break
        }
    }

    private func checkOtherProvider(_ subject: CurrentToken.Result, _ request: Request) throws {
        let here = client.provider.id
        guard subject.binding == .bearer else {
            throw TokenBindingError.otherIssuer(provider: subject.providerID, subject.binding, at: here)
        }
        // An ID token's audience is the client, even if the session is for a resource.
        if subject.token.kind == .access, let resource = subject.session?.resource, !request.isSessionNamed {
            throw RequestRefused.exchange(resource: resource.text, provider: subject.providerID, at: here)
        }
    }
}

/// The result of a token exchange.
package struct TokenExchangeResult: Sendable {
    package let result: CurrentToken.Result
    fileprivate let prover: DPoPProver?

    /// Returns the token with the DPoP proof for one URL (RFC 9449 section 7.1).
    package func proof(_ method: String, _ url: HTTPURL) async throws -> (CurrentToken.Result, proof: String) {
        guard result.binding != .certificate else { throw TokenBindingError.byCertificate(provider: result.providerID) }
        guard let prover, case .access(let token) = result.token else {
            throw TokenBindingError.exchangedUnbound(provider: result.providerID)
        }
        return (result, try await prover.proof(method, for: url, of: .resource, accessToken: token))
    }
}
