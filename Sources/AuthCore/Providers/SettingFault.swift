/// Thrown only inside other errors, which name the setting.
extension SettingFault: Error {}

/// Why one setting of a provider or a profile cannot be used.
package enum SettingFault: Sendable, Equatable {
    case missing([String])
    case misspelled(String, as: String, line: Int)
    case notText, notAMapping
    case unknown(ServerText)
    case noneOf([String], ServerText)
    /// The value has characters that are not allowed in a client identifier (RFC 6749 appendix A.1).
    case notPrintable
    case notAPath(ServerText)
    case notANumber(ServerText)
    /// The provider's metadata lists other values.
    case notListed(String)
    /// The header controls the request, carries the token, or is invalid.
    case header(ServerText)

    // MARK: URLs

    case notHTTPSURL(ServerText)
    /// The URL has a user name before the host.
    case userName(ServerText)
    case malformedHost(ServerText)
    case query(ServerText)
    /// The host belongs to an entry of the catalog or to a built-in provider.
    case takenHost(ServerText)
    /// A built-in provider has a fixed value, which only `base_url` changes.
    case builtIn
    case issuerOfBuiltIn(String)
    case onlyForBuiltIn, onlyForPlainOAuth, notInProjects
    /// The token endpoint is not below the issuer, so it could belong to another server.
    case endpointOutsideIssuer(String)

    // MARK: Tenants

    case withoutTenants
    case notATenant(ServerText)
    case noSuchTenant(String)
    case notAGUID(String)
    case tenantNeeded

    // MARK: Client authentication

    case secretNeeded(ClientAuthentication.Method)
    case keyNeeded(ClientAuthentication.Method)
    case certificateNeeded(ClientAuthentication.Method)
    case certificateWithoutSubject
    case certificateWithoutTLS(ClientAuthentication.Method)
    case certificateWithoutKey
    /// Seconds since 1970.
    case certificateExpired(at: Int64)
    case certificateNotYetValid(from: Int64)
    case notOfKey(SignatureAlgorithm, SignatureAlgorithm.Family)
    case keyNotSupported(SignatureAlgorithm.Family, supported: [SignatureAlgorithm])
    case incompleteSecret(missing: [String])
    case notP256
    case notRSA
    /// The provider cannot issue identity assertions: it is built in, or gets its own tokens with one.
    case noAssertions(of: String)
}
