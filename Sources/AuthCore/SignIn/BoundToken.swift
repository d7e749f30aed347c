/// What cannot be done with a token because of what it is bound to, or is not.
package enum BoundToken: Error, Sendable, Equatable {
    /// It is of no use to who knows bearer tokens alone (RFC 9449 section 2, RFC 8705 section 3).
    case bearerOnly(provider: String, Grant.Binding)
    /// A certificate binds it, which is presented by whoever opens the connection: there is nothing to print.
    case byCertificate(provider: String)
    /// There is no key to prove anything with.
    case notBound(provider: String)
    /// The caller was given it from elsewhere: what it is bound to, nobody here has.
    case givenElsewhere(variable: String)
}

extension CurrentToken.Result {
    /// The token for who will use it as what it is by itself: a bearer token.
    /// - Throws: `BoundToken.bearerOnly`.
    package func bearer() throws(BoundToken) -> CurrentToken.Token {
        guard binding == .bearer else { throw .bearerOnly(provider: providerID, binding) }
        return token
    }
}
