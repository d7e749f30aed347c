/// The tokens of a flow, with the values that they must match.
struct RedeemedTokens: Sendable {
    let tokens: TokenResponse
    let scopes: [String]
    let source: Grant.Source
    var nonce: Nonce?
    var code: AuthorizationCode?
    var user: String?
    var renewal: SessionRenewal.TokenRequest?

    /// The scopes that were granted (RFC 6749 section 5.1).
    var granted: [String] { tokens.granted(of: scopes) }
}
