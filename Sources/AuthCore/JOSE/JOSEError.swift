/// Why text is not a signed token this library would look at, or why its signature does not stand.
package enum JOSEError: CodedError, Sendable, Equatable {
    /// Longer than 64 KiB, or a header longer than 4 KiB.
    case tooLong
    /// Not three parts of strict base64url around two dots.
    case notCompact
    /// Five parts, or a `zip` or `enc` header: encrypted tokens are not supported (RFC 7516).
    case encrypted
    case header(JSONError)
    case payload(JSONError)
    /// The header's `alg` is missing, no string, or not a signature algorithm this library has.
    case algorithm(String?)
    /// A header member that would change how the token is read: `crit`, or `b64`.
    case criticalHeader
    case type(String)
    case keyIdentifier
    case signature
    /// No key of the set fits the header.
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
