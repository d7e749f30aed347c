/// The reason why a text is not an acceptable JWS, or why its signature is not accepted.
package enum JOSEError: CodedError, Sendable, Equatable {
    case tooLong
    case notCompact
    /// The token has five parts, or `zip` or `enc` in its header: encrypted tokens (RFC 7516) are not supported.
    case encrypted
    case header(JSONError)
    case payload(JSONError)
    case algorithm(String?)
    case criticalHeader
    case type(String)
    case keyIdentifier
    case signature
    case noKey(kid: String?)
    /// Several keys match, so that the signer is unknown.
    case ambiguousKey

    package var code: ErrorCode { self == .encrypted ? .unsupported : .invalidIDToken }
    package var libraryCode: ErrorCode {
        switch self {
        case .signature, .noKey, .ambiguousKey, .algorithm, .keyIdentifier: .invalidSignature
        default: .malformedToken
        }
    }
}
