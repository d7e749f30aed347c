/// An endpoint by its name in a provider's metadata.
package enum ProviderEndpoint: String, Sendable, CaseIterable {
    case token = "token_endpoint"
    case userInfo = "userinfo_endpoint"
    case revocation = "revocation_endpoint"
    case introspection = "introspection_endpoint"
    case pushedRequest = "pushed_authorization_request_endpoint"
    case deviceAuthorization = "device_authorization_endpoint"
    case registration = "registration_endpoint"
    case endSession = "end_session_endpoint"

    /// The endpoints to which a client presents its certificate.
    static let aliased: [ProviderEndpoint] = [
        .token, .userInfo, .revocation, .introspection, .pushedRequest, .deviceAuthorization,
    ]
}

extension IssuerDocument {
    /// The endpoint for a client that presents a certificate (RFC 8705 section 5).
    func alias(of endpoint: ProviderEndpoint) -> Result<HTTPURL, DiscoveryError>? {
        let member = "mtls_endpoint_aliases"
        guard let value = object.optional(member) else { return nil }
        guard let aliases = value.object else { return .failure(.invalidEndpoint(member, .notAURL)) }
        return result(of: aliases.optional(endpoint.rawValue), "\(member).\(endpoint.rawValue)")
    }
}

extension ProviderMetadata {
    /// The metadata for a client that presents a certificate. The authorization endpoint does not change, because the
    /// browser does not present it. The userinfo endpoint gets the certificate only if the token is bound to it.
    func aliased() throws(DiscoveryError) -> ProviderMetadata {
        var metadata = self
        if let alias = aliases[.token] { metadata.tokenEndpoint = try alias.get() }
        metadata.endpoints.merge(aliases.filter { $0.key != .userInfo }) { $1 }
        return metadata
    }

    /// The origins of all endpoints.
    var origins: [String] {
        let optional = (Array(endpoints.values) + aliases.values).compactMap { try? $0.get() }
        return ([authorizationEndpoint, tokenEndpoint, publicTokenEndpoint] + keySetURLs + optional).map(\.origin)
    }

    /// - Parameter isBound: whether the token is bound to the client's certificate.
    func userInfoEndpoint(isBound: Bool) throws(DiscoveryError) -> HTTPURL? {
        try ((isBound ? aliases[.userInfo] : nil) ?? endpoints[.userInfo])?.get()
    }
}
