/// Why a token cannot be used for an operation: it is sender-constrained, or is not.
package enum TokenBindingError: CodedError, Sendable, Equatable {
    /// The target supports only bearer tokens (RFC 9449 section 2, RFC 8705 section 3).
    case bearerOnly(provider: String, Grant.Binding)
    case byCertificate(provider: String)
    case notBound(provider: String)
    case exchangedUnbound(provider: String)
    case fromEnvironment(variable: String)
    case otherIssuer(provider: String, Grant.Binding, at: String)
    /// The token's type is not an access token (RFC 8693 section 2.2.1).
    case noTokenType(provider: String)

    package var code: ErrorCode { .unsupported }
}

extension CurrentToken.Result {
    package func bearer() throws(TokenBindingError) -> CurrentToken.Token {
        if let issued, !issued.isAccess { throw .noTokenType(provider: providerID) }
        guard binding == .bearer else { throw .bearerOnly(provider: providerID, binding) }
        return token
    }
}
