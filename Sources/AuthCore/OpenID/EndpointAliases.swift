/// The endpoints for a client that presents a certificate (RFC 8705 section 5). If one is nil, the default is used.
package struct EndpointAliases: Sendable, Equatable {
    private(set) var token: HTTPURL?
    private(set) var revocation: HTTPURL?
    private(set) var introspection: HTTPURL?
    private(set) var pushedRequest: HTTPURL?
    private(set) var deviceAuthorization: HTTPURL?
    package private(set) var userInfo: HTTPURL?

    package var isEmpty: Bool { self == EndpointAliases() }

    init() {}

    init(_ document: IssuerDocument) throws(DiscoveryError) {
        let member = "mtls_endpoint_aliases"
        guard let value = document.object.optional(member) else { return }
        guard let aliases = value.object else { throw .invalidEndpoint(member, .notAURL) }
        func alias(_ name: String) throws(DiscoveryError) -> HTTPURL? {
            try document.endpoint(aliases.optional(name), "\(member).\(name)")
        }
        token = try alias("token_endpoint")
        revocation = try alias("revocation_endpoint")
        introspection = try alias("introspection_endpoint")
        pushedRequest = try alias("pushed_authorization_request_endpoint")
        deviceAuthorization = try alias("device_authorization_endpoint")
        userInfo = try alias("userinfo_endpoint")
    }
}

extension ProviderMetadata {
    /// The metadata for a client that presents a certificate. The authorization endpoint does not change, because the
    /// browser does not present it. The userinfo endpoint gets the certificate only if the token is bound to it.
    func aliased() throws(DiscoveryError) -> ProviderMetadata {
        let aliases = try self.aliases.get()
        var metadata = self
        if let url = aliases.token { metadata.tokenEndpoint = url }
        if let url = aliases.revocation { metadata.revocationEndpoint = url }
        if let url = aliases.introspection { metadata.introspectionEndpoint = url }
        if let url = aliases.pushedRequest { metadata.pushedRequestEndpoint = url }
        if let url = aliases.deviceAuthorization { metadata.deviceAuthorizationEndpoint = url }
        return metadata
    }

    func boundUserInfoEndpoint() throws(DiscoveryError) -> HTTPURL? { try aliases.get().userInfo ?? userInfoEndpoint }
}
