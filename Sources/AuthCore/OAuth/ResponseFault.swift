/// The rule of the protocol that a server's response violates.
package enum ResponseFault: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        /// A token for a header (RFC 6749 appendix A.12).
        case token
        case accessToken, identityAssertion, bearer
        /// RFC 9449.
        case dpop
        case httpsURL, digits, number
        /// A positive number of seconds.
        case span
        /// A number of seconds below 600 (FAPI 2.0).
        case shortSpan
        case text
        case userCode
        /// RFC 6749 appendix A.1.
        case clientIdentifier
        case parameter
    }

    case status(Int)
    case statusWithoutCode(Int)
    case redirect(Int)
    case noObject(status: Int?)
    case missing(String)
    case malformed(String, isNot: Form)
    case repeated(String)
    case unreadableName
    case notRequested(String)
    /// The response came by the other mode.
    case notByMode(ResponseMode)
    case withheld(String)
    /// A token that is bound to a certificate which is not the client's (RFC 8705 section 3).
    case otherCertificate
    /// An access token whose audience (`aud`) is not the resource that it was requested for (RFC 8707 section 2).
    case otherAudience([String], resource: String)
    case unbound, bindingLost, unusableCode, neitherCodeNorError, codeAndError, noEndpoint
    case unknownMethod(ServerText)
    /// A client secret that expired before it was used. The time is in seconds since 1970.
    case expiredSecret(at: Int64)
    case methodWithoutKey(ClientAuthentication.Method)
    case methodWithoutSecret(ClientAuthentication.Method)
    case methodWithoutCertificate(ClientAuthentication.Method)
}
