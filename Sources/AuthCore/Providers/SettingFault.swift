/// An error, but only inside others, which name the setting.
extension SettingFault: Error {}

/// Why one setting of a provider or a profile cannot be used.
package enum SettingFault: Sendable, Equatable {
    /// Settings that are needed, by their names in `config.yaml`.
    case missing([String])
    /// It is needed, and not there under this name.
    case misspelled(String, as: String, line: Int)
    case notText
    /// A word that is none of those that this version knows.
    case unknown(ServerText)
    /// Neither of the words that there are.
    case noneOf([String], ServerText)
    /// Characters that no client identifier has (RFC 6749 appendix A.1).
    case notPrintable
    case noPath(ServerText)

    // MARK: URLs

    case noHTTPSURL(ServerText)
    /// A user name stands before the host.
    case userName(ServerText)
    /// The host could be read in two ways.
    case doubtfulHost(ServerText)
    case query(ServerText)
    /// A built-in provider has it already, and only `base_url` moves it.
    case builtIn
    /// A built-in provider has an issuer already.
    case issuerOfBuiltIn(String)
    /// A base URL, at a provider that has an issuer.
    case onlyForBuiltIn
    /// The token endpoint is not below the issuer, so that it could be another server's.
    case endpointElsewhere(String)

    // MARK: Tenants

    case withoutTenants
    /// Neither a GUID, nor a domain, nor one of the names for several tenants.
    case noTenant(ServerText)
    case noSuchTenant(String)
    case noGUID(String)
    /// A program signs in to one tenant, and none is named.
    case tenantNeeded

    // MARK: What proves who the client is

    case secretNeeded(ClientAuthentication.Method)
    case keyNeeded(ClientAuthentication.Method)
    case certificateNeeded(ClientAuthentication.Method)
    /// It has no subject that it could be registered by.
    case certificateWithoutSubject
    /// Its token endpoint is plain http, where nobody presents one.
    case certificateWithoutTLS(ClientAuthentication.Method)
    /// Neither in the certificate's file nor in a file of its own is a key.
    case certificateWithoutKey
    /// Its time is over, or has not begun; by its end or its beginning, in seconds since 1970.
    case certificateExpired(at: Int64)
    case certificateNotYetValid(from: Int64)
    /// The key is of another family than the algorithm that is named.
    case notOfKey(SignatureAlgorithm, SignatureAlgorithm.Family)
    /// The provider takes none of the key's algorithms, but these.
    case keyNotTaken(SignatureAlgorithm.Family, takes: [SignatureAlgorithm])
    /// What a client secret is made of lacks these settings.
    case incompleteSecret(missing: [String])
    case notP256
}
