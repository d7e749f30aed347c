/// Why a provider's metadata cannot be used.
public enum DiscoveryError: Error, Sendable, Equatable {
    /// The document names another issuer; compared byte for byte (OpenID Connect Discovery section 4.3).
    case issuerMismatch(expected: String, found: ServerText?)
    case document(JSONError)
    case missingEndpoint(String)
    case invalidEndpoint(String, reason: String)
    /// Nothing on our list is left: no S256, no code flow, no signature algorithm.
    case unsupported(String)
    /// There is no discovery document.
    case notFound(url: String)
}

/// What a provider says about itself (OpenID Connect Discovery section 3, RFC 8414), checked; or what is known of one
/// that is built in.
public struct ProviderMetadata: Sendable {
    /// What errors and caches call it.
    public let issuer: String
    public let issuers: IssuerRule
    public let authorizationEndpoint: HTTPURL
    public let tokenEndpoint: HTTPURL
    /// Where its keys are; several where it signs from several hosts, none where it has no ID tokens.
    public let keySetURLs: [HTTPURL]
    public let userInfoEndpoint: HTTPURL?
    public let revocationEndpoint: HTTPURL?
    public let endSessionEndpoint: HTTPURL?
    public let registrationEndpoint: HTTPURL?
    public let deviceAuthorizationEndpoint: HTTPURL?
    /// The signature algorithms its ID tokens may have, as far as this library has them.
    public let idTokenAlgorithms: Set<SignatureAlgorithm>
    public let authenticationMethods: [ClientAuthentication.Method]
    /// What its revocation endpoint takes, where that is said apart (RFC 8414 section 2).
    public let revocationAuthenticationMethods: [ClientAuthentication.Method]?
    public let scopes: [String]?
    /// It promises `iss` in every authorization response (RFC 9207).
    public let promisesIssuer: Bool
    /// The narrowest network that its endpoints may be in.
    public let zone: NetworkZone

    /// The metadata of a provider that is built in: no document, so nothing in it is a stranger's.
    init(
        issuer: String, issuers: IssuerRule, authorizationEndpoint: HTTPURL, tokenEndpoint: HTTPURL,
        keySetURLs: [HTTPURL], userInfoEndpoint: HTTPURL?, revocationEndpoint: HTTPURL?, endSessionEndpoint: HTTPURL?,
        deviceAuthorizationEndpoint: HTTPURL?, authenticationMethods: [ClientAuthentication.Method],
        promisesIssuer: Bool
    ) {
        self.issuer = issuer
        self.issuers = issuers
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.keySetURLs = keySetURLs
        self.userInfoEndpoint = userInfoEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.endSessionEndpoint = endSessionEndpoint
        registrationEndpoint = nil
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        // Every one of them signs with RSA keys; Apple's prose says otherwise, its keys do not.
        idTokenAlgorithms = [.rs256]
        self.authenticationMethods = authenticationMethods
        revocationAuthenticationMethods = nil
        scopes = nil
        self.promisesIssuer = promisesIssuer
        zone = .loopback
    }

    /// Reads a discovery document.
    /// - Parameters:
    ///   - zone: where the document came from, as far as it is known.
    ///   - allowsPlainHTTP: the provider's entry allows plain http by name.
    /// - Throws: `DiscoveryError`.
    public init(
        _ bytes: [UInt8], issuer: HTTPURL, zone: NetworkZone?, allowsPlainHTTP: Bool = false
    ) throws(DiscoveryError) {
        let object: JSONObject
        do { object = try StrictJSON.object(bytes) } catch { throw .document(error) }
        guard let named = object["issuer"]?.string else {
            throw .issuerMismatch(expected: issuer.text, found: object["issuer"].map { ServerText($0.text) })
        }
        guard named.hasSameBytes(as: issuer.text) else {
            throw .issuerMismatch(expected: issuer.text, found: ServerText(named))
        }
        // A literal address proves its zone; a name is where the document came from, or else public.
        let narrowest = issuer.literalZone ?? zone ?? .global
        func endpoint(_ name: String) throws(DiscoveryError) -> HTTPURL? {
            guard let value = object[name], value != .null else { return nil }
            return try ProviderMetadata.endpoint(name, value, issuer, narrowest, allowsPlainHTTP)
        }
        func required(_ name: String) throws(DiscoveryError) -> HTTPURL {
            guard let url = try endpoint(name) else { throw .missingEndpoint(name) }
            return url
        }
        self.issuer = named
        issuers = .exact(named)
        self.zone = narrowest
        authorizationEndpoint = try required("authorization_endpoint")
        tokenEndpoint = try required("token_endpoint")
        keySetURLs = [try required("jwks_uri")]
        userInfoEndpoint = try endpoint("userinfo_endpoint")
        revocationEndpoint = try endpoint("revocation_endpoint")
        endSessionEndpoint = try endpoint("end_session_endpoint")
        registrationEndpoint = try endpoint("registration_endpoint")
        deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
        if let methods = object["code_challenge_methods_supported"]?.strings, !methods.contains("S256") {
            throw .unsupported("PKCE with S256")
        }
        if let types = object["response_types_supported"]?.strings, !types.contains("code") {
            throw .unsupported("the authorization code flow")
        }
        let algorithms = object["id_token_signing_alg_values_supported"]?.strings ?? ["RS256"]
        idTokenAlgorithms = Set(algorithms.compactMap(SignatureAlgorithm.init(rawValue:)))
        guard !idTokenAlgorithms.isEmpty else { throw .unsupported("ID tokens with an asymmetric signature") }
        // Left out, the list means client_secret_basic (OpenID Connect Discovery section 3).
        let methods = object["token_endpoint_auth_methods_supported"]?.strings ?? ["client_secret_basic"]
        authenticationMethods = methods.compactMap(ClientAuthentication.Method.init(rawValue:))
        revocationAuthenticationMethods = object["revocation_endpoint_auth_methods_supported"]?.strings?
            .compactMap(ClientAuthentication.Method.init(rawValue:))
        scopes = object["scopes_supported"]?.strings
        promisesIssuer = object["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    private static func endpoint(
        _ name: String, _ value: JSONValue, _ issuer: HTTPURL, _ zone: NetworkZone, _ allowsPlainHTTP: Bool
    ) throws(DiscoveryError) -> HTTPURL {
        guard let text = value.string else { throw .invalidEndpoint(name, reason: "it is no string") }
        let url: HTTPURL
        do { url = try HTTPURL(text) } catch { throw .invalidEndpoint(name, reason: "it is no plain https URL") }
        if !url.isSecure {
            // Plain http behind an https issuer would undo the issuer's TLS.
            guard !issuer.isSecure, url.isLoopback || allowsPlainHTTP else {
                throw .invalidEndpoint(name, reason: "it is plain http")
            }
        }
        if let literal = url.literalZone, literal < zone {
            throw .invalidEndpoint(name, reason: "it points into a private network")
        }
        return url
    }
}
