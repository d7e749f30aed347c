/// What cannot be done with a token because of what it is bound to, or is not.
package enum BoundToken: CodedError, Sendable, Equatable {
    /// It is of no use to who knows bearer tokens alone (RFC 9449 section 2, RFC 8705 section 3).
    case bearerOnly(provider: String, Grant.Binding)
    /// A certificate binds it, which is presented by whoever opens the connection: there is nothing to print.
    case byCertificate(provider: String)
    /// There is no key to prove anything with.
    case notBound(provider: String)
    /// What it was traded for is bound to no key.
    case tradedUnbound(provider: String)
    /// The caller was given it from elsewhere: what it is bound to, nobody here has.
    case givenElsewhere(variable: String)
    /// Another issuer, who cannot know the key, would be shown it.
    case otherIssuer(provider: String, Grant.Binding, at: String)
    /// Its server says that it is used as no access token (RFC 8693 section 2.2.1).
    case noTokenType(provider: String)

    package var code: ErrorCode { .unsupported }
}

extension CurrentToken.Result {
    /// The token for who will use it as what it is by itself: a bearer token.
    /// - Throws: `BoundToken.bearerOnly`, `.noTokenType`.
    package func bearer() throws(BoundToken) -> CurrentToken.Token {
        if let issued, !issued.isAccess { throw .noTokenType(provider: providerID) }
        guard binding == .bearer else { throw .bearerOnly(provider: providerID, binding) }
        return token
    }
}
