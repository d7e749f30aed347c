/// The reason why a provider's metadata cannot be used.
package enum DiscoveryError: CodedError, Sendable, Equatable {
    /// The document has another issuer, compared byte by byte (OpenID Connect Discovery section 4.3).
    case issuerMismatch(expected: String, found: ServerText?)
    case document(JSONError)
    case missingEndpoint(String)
    case invalidEndpoint(String, EndpointFault)
    case unsupported(Feature)
    case notFound(url: String)
    /// The OpenID document is not at this URL, but the issuer has the one of RFC 8414.
    case onlyOAuthDocument(url: String, issuer: String)

    package var code: ErrorCode {
        switch self {
        case .issuerMismatch: .issuerMismatch
        case .unsupported: .unsupported
        case .notFound, .onlyOAuthDocument, .invalidEndpoint(_, .plainHTTP): .invalidConfiguration
        default: .invalidResponse
        }
    }

    /// The reason why an endpoint cannot be used.
    package enum EndpointFault: Sendable, Equatable {
        case notAString, notAURL, plainHTTP, privateNetwork
    }

    package enum Feature: Sendable {
        /// RFC 7636 with S256.
        case proofKey
        case codeFlow
        case signedIDTokens
        /// RFC 8628.
        case deviceFlow
        /// RFC 7662.
        case introspection
        /// RFC 9126.
        case pushedRequests
        /// RFC 9449, with a signature algorithm that this library supports.
        case boundTokens
        /// RFC 8693.
        case tokenExchange
    }
}

// Internal: callers get it in another error.
extension DiscoveryError.EndpointFault: Error {}
