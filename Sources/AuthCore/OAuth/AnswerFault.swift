/// What is wrong with an answer that breaks the protocol.
package enum AnswerFault: Sendable, Equatable {
    /// What a member or parameter is not.
    package enum Form: Sendable, Equatable {
        /// What may stand in a header (RFC 6749 appendix A.12).
        case token
        case accessToken
        case bearer
        /// RFC 9449.
        case dpop
        case httpsURL
        case digits
        case number
        /// Seconds, and more than none.
        case span
        /// Seconds, and fewer than ten minutes' (FAPI 2.0).
        case shortSpan
        /// UTF-8.
        case text
        /// What a person can type.
        case userCode
        /// RFC 6749 appendix A.1.
        case clientIdentifier
        /// One of those that a request asks for.
        case parameter
    }

    /// A status that has no place there.
    case status(Int)
    /// A status of an error, and no error.
    case statusWithoutCode(Int)
    case redirect(Int)
    /// The body is no JSON object.
    case noObject(status: Int?)
    case missing(String)
    case malformed(String, isNo: Form)
    case repeated(String)
    /// A parameter whose name is not UTF-8.
    case unreadableName
    /// It came although nobody asked for it.
    case unwanted(String)
    /// It did not come although it was asked for.
    case withheld(String)
    /// A token that is bound to a certificate which is not the client's (RFC 8705 section 3).
    case otherCertificate
    /// An access token whose audience (`aud`) is not the resource that it was requested for (RFC 8707 section 2).
    case otherAudience([String], resource: String)
    /// An access token is bound to nothing, where none but bound ones are taken.
    case unbound
    /// A token that is bound to nothing, in the place of one that was bound to the client's certificate.
    case bindingLost
    /// An authorization code that is empty, too long or no text.
    case unusableCode
    case neitherCodeNorError
    case codeAndError
    /// There is nothing to ask.
    case noEndpoint
    /// A way for a client to authenticate that this version does not know.
    case unknownMethod(ServerText)
    /// A way to authenticate that needs a key, and none was sent; or a secret, and none came; or a certificate, which nobody
    /// asked for.
    case methodWithoutKey(ClientAuthentication.Method)
    case methodWithoutSecret(ClientAuthentication.Method)
    case methodWithoutCertificate(ClientAuthentication.Method)
}
