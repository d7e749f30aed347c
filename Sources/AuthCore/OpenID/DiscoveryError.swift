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
