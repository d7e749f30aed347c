/// A provider's metadata (OpenID Connect Discovery section 3, RFC 8414), validated, or the known metadata of a built-in
/// provider.
package struct ProviderMetadata: Sendable {
    package let publishedKeys: PublishedKeys
    package let issuers: IssuerRule
    package let authorizationEndpoint: HTTPURL
    package internal(set) var tokenEndpoint: HTTPURL
    let publicTokenEndpoint: HTTPURL
    /// The endpoints that a provider may lack. One that cannot be used is an error only if it is needed.
    var endpoints: [ProviderEndpoint: Result<HTTPURL, DiscoveryError>] = [:]
    /// The endpoints for a client that presents a certificate (RFC 8705 section 5). If one is missing, the default is
    /// used.
    private(set) var aliases: [ProviderEndpoint: Result<HTTPURL, DiscoveryError>] = [:]
    /// The client authentication methods of the introspection endpoint, if they are listed separately.
    package private(set) var introspectionAuthenticationMethods: [ClientAuthentication.Method]?
    package private(set) var requiresPushedRequests = false
    /// The DPoP algorithms (RFC 9449 section 5.1) that this library supports; nil if the provider does not list any.
    package private(set) var proofAlgorithms: [SignatureAlgorithm]?
    /// Whether the provider binds access tokens to client certificates (RFC 8705 section 3.3).
    package private(set) var bindsToCertificates = false
    /// The client authentication methods, if the document lists them.
    let listedMethods: [ClientAuthentication.Method]?
    package private(set) var authenticationAlgorithms: [SignatureAlgorithm]?
    /// The client authentication methods of the revocation endpoint, if they are listed separately (RFC 8414 section
    /// 2).
    package private(set) var revocationAuthenticationMethods: [ClientAuthentication.Method]?
    package private(set) var scopes: [String]?
    private(set) var responseModes: [String]?
    /// Whether every authorization response has `iss` (RFC 9207).
    package let promisesIssuer: Bool
    /// Whether the document describes a provider of ID tokens (OpenID Connect Discovery section 3).
    package private(set) var issuesIDTokens = true
    /// Whether a client ID may be the URL of a client metadata document (draft-ietf-oauth-client-id-metadata-document).
    package private(set) var supportsMetadataDocuments = false

    /// The supported grant types, if the document lists them (RFC 8414 section 2).
    package private(set) var grantTypes: [String]?
    /// The resources of this authorization server, if the document lists them (RFC 9728 section 4).
    package private(set) var protectedResources: [String] = []

    /// If the list is missing, it means client_secret_basic (OpenID Connect Discovery section 3).
    package var authenticationMethods: [ClientAuthentication.Method] { listedMethods ?? [.clientSecretBasic] }

    package var issuer: String { publishedKeys.issuer }
    package var keySetURLs: [HTTPURL] { publishedKeys.urls }
    package var idTokenAlgorithms: Set<SignatureAlgorithm> { publishedKeys.algorithms }
    package var zone: NetworkZone { publishedKeys.zone }

    /// Whether no endpoint of `membersOfOAuth` is missing. The other members are often missing in both documents.
    var namesEveryEndpoint: Bool {
        let needed: [ProviderEndpoint] = [
            .revocation, .registration, .deviceAuthorization, .introspection, .pushedRequest,
        ]
        return needed.allSatisfy { self[$0] != nil }
    }

    /// The endpoint's URL; nil if the provider lacks it, or if it cannot be used.
    package subscript(endpoint: ProviderEndpoint) -> HTTPURL? { try? endpoints[endpoint]?.get() }

    /// The URL of an endpoint that is needed.
    func required(_ endpoint: ProviderEndpoint, or missing: DiscoveryError) throws(DiscoveryError) -> HTTPURL {
        guard let url = try endpoints[endpoint]?.get() else { throw missing }
        return url
    }
}

extension ProviderMetadata {
    /// Fields that servers may publish in only one of their two documents, because OpenID Connect Discovery does not
    /// define them.
    static let membersOfOAuth = [
        "revocation_endpoint", "revocation_endpoint_auth_methods_supported", "registration_endpoint",
        "introspection_endpoint", "introspection_endpoint_auth_methods_supported", "device_authorization_endpoint",
        "pushed_authorization_request_endpoint", "require_pushed_authorization_requests",
        "dpop_signing_alg_values_supported", "token_endpoint_auth_signing_alg_values_supported",
        "mtls_endpoint_aliases", "tls_client_certificate_bound_access_tokens",
        "authorization_response_iss_parameter_supported", "protected_resources",
    ]

    /// Reads a discovery document.
    ///
    /// - supplement: the same issuer's other document (RFC 8414), for fields that the first one lacks.
    /// - needsKeys: whether ID tokens are required, so that a document without keys is invalid.
    package init(
        _ bytes: [UInt8], supplement: [UInt8]? = nil, issuer: HTTPURL, zone: NetworkZone?, needsKeys: Bool = true,
        allowsPlainHTTP: Bool = false
    ) throws(DiscoveryError) {
        var document = try IssuerDocument(bytes, issuer: issuer, zone: zone, allowsPlainHTTP: allowsPlainHTTP)
        if let supplement {
            document.complete(
                with: try IssuerDocument(supplement, issuer: issuer, zone: zone, allowsPlainHTTP: allowsPlainHTTP),
                ProviderMetadata.membersOfOAuth)
        }
        issuers = .exact(document.issuer.text)
        authorizationEndpoint = try document.required("authorization_endpoint")
        publicTokenEndpoint = try document.required("token_endpoint")
        tokenEndpoint = publicTokenEndpoint
        publishedKeys = try PublishedKeys(document, areNeeded: needsKeys)
        for endpoint in ProviderEndpoint.allCases {
            endpoints[endpoint] = document.result(of: document.object.optional(endpoint.rawValue), endpoint.rawValue)
        }
        for endpoint in ProviderEndpoint.aliased { aliases[endpoint] = document.alias(of: endpoint) }
        let object = document.object
        func strings(_ name: String) -> [String]? { object.optional(name)?.strings }
        func methods(_ name: String) -> [ClientAuthentication.Method]? {
            strings(name)?.compactMap(ClientAuthentication.Method.init(rawValue:))
        }
        func algorithms(_ name: String) -> [SignatureAlgorithm]? {
            strings(name)?.compactMap(SignatureAlgorithm.init(rawValue:))
        }
        bindsToCertificates = object["tls_client_certificate_bound_access_tokens"]?.bool ?? false
        introspectionAuthenticationMethods = methods("introspection_endpoint_auth_methods_supported")
        requiresPushedRequests = object["require_pushed_authorization_requests"]?.bool ?? false
        proofAlgorithms = algorithms("dpop_signing_alg_values_supported")
        if let challenges = strings("code_challenge_methods_supported"), !challenges.contains("S256") {
            throw .unsupported(.proofKey)
        }
        if let types = strings("response_types_supported"), !types.contains("code") {
            throw .unsupported(.codeFlow)
        }
        responseModes = strings("response_modes_supported")
        listedMethods = methods("token_endpoint_auth_methods_supported")
        let listed = algorithms("token_endpoint_auth_signing_alg_values_supported")
        authenticationAlgorithms = listed?.isEmpty == true ? nil : listed
        revocationAuthenticationMethods = methods("revocation_endpoint_auth_methods_supported")
        scopes = strings("scopes_supported")
        promisesIssuer = object["authorization_response_iss_parameter_supported"]?.bool ?? false
        issuesIDTokens =
            !publishedKeys.urls.isEmpty && !publishedKeys.algorithms.isEmpty
            && (object["id_token_signing_alg_values_supported"] != nil || scopes?.contains("openid") == true)
        grantTypes = strings("grant_types_supported")
        protectedResources = strings("protected_resources") ?? []
        supportsMetadataDocuments = object["client_id_metadata_document_supported"]?.bool ?? false
    }
}
