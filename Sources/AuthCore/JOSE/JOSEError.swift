/// Why text is not a signed token this library would look at, or why its signature does not stand.
package enum JOSEError: CodedError, Sendable, Equatable {
    case tooLong
    case notCompact
    /// Five parts, or a `zip` or `enc` header: encrypted tokens are not supported (RFC 7516).
    case encrypted
    case header(JSONError)
    case payload(JSONError)
    case algorithm(String?)
    case criticalHeader
    case type(String)
    case keyIdentifier
    case signature
    case noKey(kid: String?)
    /// Several keys fit, so that the signer cannot be named.
    case ambiguousKey

    package var code: ErrorCode { self == .encrypted ? .unsupported : .invalidIDToken }
    package var libraryCode: ErrorCode {
        switch self {
        case .signature, .noKey, .ambiguousKey, .algorithm, .keyIdentifier: .invalidSignature
        default: .malformedToken
        }
    }
}
