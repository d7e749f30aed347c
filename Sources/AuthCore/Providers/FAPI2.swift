/// The requirements of the FAPI 2.0 Security Profile on a client. If a provider configuration enables it, no request is
/// sent unless provider and client meet them all.
///
/// Requirements that every client of this library meets are not listed: PKCE with S256, the metadata's issuer, access
/// tokens only in the header, rotated refresh tokens, DPoP nonces, aliases for certificates, minimum key sizes (2048
/// and 256 bits), TLS 1.2.
///
/// They are a list, because a user needs all violations together (`providers check`), and a sign-in stops at the first.
package enum FAPI2 {
    /// The signature algorithms (section 5.4.1), Ed25519 by both of its names.
    package static let algorithms: Set<SignatureAlgorithm> = [.ps256, .es256, .edDSA, .ed25519]

    /// Pushed requests must expire in less than this many seconds (section 5.3.2.2).
    static let requestLifetime: Int64 = 600

    static func preferred(_ all: [SignatureAlgorithm]) -> [SignatureAlgorithm] {
        all.filter(algorithms.contains) + all.filter { !algorithms.contains($0) }
    }

    static func bindsToCertificate(_ metadata: ProviderMetadata, _ keys: ClientKeys) -> Bool {
        keys.certificate != nil && metadata.bindsToCertificates
    }

    fileprivate static func bindsToKeys(_ metadata: ProviderMetadata) -> Bool {
        metadata.proofAlgorithms?.contains { algorithms.contains($0) && DPoPKey.algorithms.contains($0) } == true
    }
}

extension Provider {
    var pushesEveryRequest: Bool { pushesRequests || isFAPI2 }

    func bindsToKeys(_ metadata: ProviderMetadata, _ keys: ClientKeys) -> Bool {
        bindsTokens || isFAPI2 && !FAPI2.bindsToCertificate(metadata, keys)
    }
}

extension ProviderClient {
    var fapi2Faults: [FAPI2Fault] {
        guard provider.isFAPI2 else { return [] }
        var faults = allEndpoints.filter { !$0.1.isSecure }.map { FAPI2Fault.plainHTTP($0.0) }
        if provider.isBuiltIn { faults.append(.builtIn) }
        let names = Provider.settings.filter {
            !$0.isDefault(provider) && ($0.kind == .endpoint || $0.key == "nonce_required")
        }
        faults += names.map { .setting($0.key) }
        if clientKeys.secret != nil { faults.append(.secret) }
        let method = authentication.method
        if !method.isByCertificate, method != .privateKeyJWT { faults.append(.authentication(method)) }
        if provider.assertionAudience != .issuer { faults.append(.audience) }
        if !FAPI2.bindsToKeys(metadata), !FAPI2.bindsToCertificate(metadata, clientKeys) {
            faults.append(.unboundTokens)
        }
        if metadata[.pushedRequest] == nil { faults.append(.noPushedRequests) }
        if !metadata.promisesIssuer { faults.append(.noResponseIssuer) }
        if case .privateKeyJWT(_, let algorithm, _) = authentication, !FAPI2.algorithms.contains(algorithm) {
            faults.append(.clientAlgorithm(algorithm))
        }
        let signed = metadata.idTokenAlgorithms
        if provider.dialect.hasIDTokens, signed.isDisjoint(with: FAPI2.algorithms) {
            faults.append(.idTokenAlgorithms(signed.sorted { $0.rawValue < $1.rawValue }))
        }
        return faults
    }

    private var allEndpoints: [(String, HTTPURL)] {
        let optional: [ProviderEndpoint] = [.userInfo, .revocation, .pushedRequest, .introspection]
        let urls = optional.map { ($0, metadata[$0]) } + [(.userInfo, try? metadata.userInfoEndpoint(isBound: true))]
        return [
            ("issuer", provider.issuer), ("authorization_endpoint", metadata.authorizationEndpoint),
            ("token_endpoint", metadata.tokenEndpoint),
        ] + urls.compactMap { endpoint, url in url.map { (endpoint.rawValue, $0) } }
            + metadata.keySetURLs.map { ("jwks_uri", $0) }
    }

    package func requireFAPI2() throws(ProviderError) {
        if let fault = fapi2Faults.first { throw .fapi2(provider: provider.id, fault) }
    }

    func refuseUnderFAPI2(_ flow: FAPI2Fault.Flow) throws(ProviderError) {
        if provider.isFAPI2 { throw .fapi2(provider: provider.id, .flow(flow)) }
    }

    var bindsToKeys: Bool { provider.bindsToKeys(metadata, clientKeys) }

    func refuseUnboundUnderFAPI2() throws(OAuthError) {
        if provider.isFAPI2 { throw .invalidResponse(.unbound, at: .token) }
    }
}
